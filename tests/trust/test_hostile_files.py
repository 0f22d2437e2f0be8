"""Files that were made to hurt: whatever is in them, the answer is a report, or that it is no export.

Once as they are and once put right by who makes seals, digests and signatures anew, so that they are looked at to the
end. Left out: that what is wrong is found at its place (test_tampering.py).
"""

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import orjson
import pytest

from replay import check_export
from replay.audit import Report
from replay.envelope import canonical
from replay.exports import LINE_BYTES, MalformedExportError
from replay.memory_log import MemoryLog
from replay.rules.game import EVERYTHING
from replay.rules.registry import GAMES
from replay.verify import verify
from service.importing import CannotImportError, import_export
from tests.log.breaking import Parts, change_a_value, put_right
from tests.seeds import rng, scaled
from tests.trust.forging import Rows, joined, rows_of
from tests.trust.sessions import SIGNER, TRUSTED, export, kept

NOW: Final = datetime(2026, 9, 21, tzinfo=UTC)
DEEP: Final = 200_000


@cache
def good() -> list[bytes]:
    """Exports to be spoilt, of every game; small enough to be put right many times."""
    found = []
    for game in GAMES.values():
        chance = rng(f"trust/hostile/{game.name}")
        for mode in ("dealt", "recorded"):
            of = kept(game, chance, deals=1, mode=mode)
            found.append(export(of, EVERYTHING if mode == "recorded" else of.viewers[1]))
    return found


def looked_at(exported: bytes) -> Report | None:
    """What all who read exports make of it; any exception but their own fails the test."""
    alone, brought, malformed = "", True, None
    try:
        check_export.check(exported)
    except check_export.Wrong as wrong:
        alone = str(wrong)
    try:
        import_export(MemoryLog(), exported, NOW, TRUSTED)
    except (CannotImportError, MalformedExportError):
        brought = False
    try:
        report = verify(exported, trusted=TRUSTED)
    except MalformedExportError as fault:
        malformed = fault
    assert len(alone) < 600
    if malformed is not None:
        assert malformed.line == 1
        assert len(malformed.reason) < 600
        assert not brought
        return None
    wholly = all(line.outcome != "fails" for line in report.lines)
    assert not (wholly and alone), (alone, report)
    assert wholly or not brought
    assert orjson.dumps(report.plain())
    return report


def signed(rows: Rows) -> bytes:
    """These lines, all but the last, under a new last line."""
    digest = sha256(joined(rows[:-1]))
    end = {"key": SIGNER.id, "lines": len(rows) - 1, "sha256": digest.hexdigest()}
    return joined([*rows[:-1], canonical({"end": {**end, "signature": SIGNER.export(digest.digest())}})])


def anywhere(chance: Random, rows: Rows) -> bytes:
    """A value somewhere in the file made a strange one."""
    made = list(rows)
    at = chance.choice((0, len(rows) - 1, len(rows) - 2, chance.randrange(len(rows))))
    parts: Parts = [(made[at], b"", b"")]
    change_a_value(chance, parts)
    made[at] = parts[0][0]
    return joined(made)


def anywhere_and_signed(chance: Random, rows: Rows) -> bytes:
    """The same, with a signature that fits."""
    return signed(rows_of(anywhere(chance, rows)))


def in_the_log_and_put_right(chance: Random, rows: Rows) -> bytes:
    """A value of an event, or what opens its seals, made a strange one; seals, digests and signature made anew."""
    session: str = orjson.loads(rows[0])["session"]
    events = [orjson.loads(row) for row in rows if row.startswith(b'{"digest"')]
    parts: Parts = [
        (canonical(each["event"]), canonical(each["opened"]), bytes.fromhex(each["digest"])) for each in events
    ]
    for _ in range(chance.choice((1, 1, 3))):
        change_a_value(chance, parts)
    put_right(session, parts)
    made = [
        b'{"digest":"%s","event":%s,"opened":%s}' % (head.hex().encode(), public, beside)
        for public, beside, head in parts
    ]
    header = {**orjson.loads(rows[0]), "version": len(parts), "head": parts[-1][2].hex()}
    return signed([canonical(header), *made, b"{}"])


@pytest.mark.parametrize("spoil", [anywhere, anywhere_and_signed, in_the_log_and_put_right])
def test_strange_values_are_reported(spoil: Callable[[Random, Rows], bytes]) -> None:
    chance = rng(f"trust/strange/{spoil.__name__}")
    faulty = 0
    for _ in range(scaled(4000)):
        report = looked_at(spoil(chance, rows_of(chance.choice(good()))))
        faulty += report is None or report.verdict == "diverged"
    assert faulty > 0


def test_random_bytes_are_reported() -> None:
    chance = rng("trust/bytes")
    for _ in range(scaled(2000)):
        made = bytearray(chance.choice(good()))
        for _ in range(chance.choice((1, 5, 50))):
            at = chance.randrange(len(made) + 1)
            made[at : at + chance.choice((0, 1, 9, 500))] = chance.choice(
                (b"", b"\x00", b"\xff", b"\xed\xa0\x80", b'"', b"[", b"\n", b"\r\n", b"\\ud800", chance.randbytes(5))
            )
        looked_at(bytes(made))


def header(**changed: Any) -> bytes:
    """A header of a good export with some of its fields otherwise."""
    return canonical({**orjson.loads(rows_of(good()[0])[0]), **changed})


CRAFTED: Final[dict[str, Callable[[], bytes]]] = {
    "nothing": lambda: b"",
    "a line end": lambda: b"\n",
    "many line ends": lambda: b"\n" * 10_000,
    "NUL": lambda: b"\x00" * 1000 + b"\n",
    "not UTF-8": lambda: b'{"export":1,"session":"\xff"}\n',
    "UTF-16": lambda: good()[0].decode().encode("utf-16"),
    "a byte order mark": lambda: b"\xef\xbb\xbf" + good()[0],
    "carriage returns": lambda: good()[0].replace(b"\n", b"\r\n"),
    "deep lists": lambda: b"[" * DEEP + b"]" * DEEP + b"\n",
    "deep objects": lambda: b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"\n",
    "a deep line after a good header": lambda: header() + b"\n" + b"[" * DEEP + b"]" * DEEP + b"\n",
    "a deep field": lambda: header().replace(b'"keys":[', b'"keys":[' + b"[" * DEEP + b"]" * DEEP + b",") + b"\n",
    "a line that never ends": lambda: b'{"export":1,"x":"' + b"x" * (2 * LINE_BYTES),
    "a long line": lambda: header() + b"\n" + b'{"event":"' + b"x" * (2 * LINE_BYTES) + b'"}\n',
    "a number of many digits": lambda: b'{"export":' + b"1" * 10_000 + b"}\n",
    "a number beyond all": lambda: header().replace(b'"version":', b'"version":1e999,"x":') + b"\n",
    "no number": lambda: header().replace(b'"version":', b'"version":NaN,"x":') + b"\n",
    "half a character": lambda: header().replace(b'"Ann"', b'"\\ud800"') + b"\n",
    "a header alone": lambda: header() + b"\n",
    "another form": lambda: header(export=2) + b"\n",
    "a form that is true": lambda: header(export=True) + b"\n",
    "a header with more": lambda: header(more=1) + b"\n",
    "players that are none": lambda: header(players=[1, {}]) + b"\n",
    "keys that are none": lambda: header(keys=[1, None, {}, {"id": 1, "public": "zz"}, [[]]]) + b"\n",
    "only ends": lambda: header() + b"\n" + b'{"end":{}}\n' * 10,
    "only checkpoints": lambda: header() + b"\n" + b'{"checkpoint":{}}\n{"checkpoint":1}\n{"checkpoint":[]}\n',
    "a signature that is none": lambda: joined([*rows_of(good()[0])[:-1], b'{"end":{"key":[],"signature":7}}']),
    "an end that is none": lambda: joined([*rows_of(good()[0])[:-1], b'{"end":[["key","x"]]}']),
    "no session": lambda: header(session="") + b"\n",
    "negative": lambda: header(version=-5) + b"\n",
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_files_are_reported(name: str) -> None:
    report = looked_at(CRAFTED[name]())
    assert report is None or report.verdict == "diverged"


@pytest.mark.parametrize("name", CRAFTED)
def test_the_file_that_stands_alone_says_so_in_a_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "export.ndjson").write_bytes(CRAFTED[name]())
    done = run_alone(tmp_path / "export.ndjson")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("does not hold: ")
    assert done.stdout.count("\n") == 1


def run_alone(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run it as who has nothing else: nothing of Upcard on the path, nothing of the environment."""
    program = [sys.executable, "-I", "-S", str(check_export.__file__), *map(str, arguments)]
    return subprocess.run(program, capture_output=True, text=True, timeout=120, check=False, cwd="/", env={})


def test_it_stands_alone(tmp_path: Path) -> None:
    for number, exported in enumerate(good()):
        file = tmp_path / f"{number}.ndjson"
        file.write_bytes(exported)
        done = run_alone(file)
        assert (done.returncode, done.stderr) == (0, "")
        report = verify(exported, trusted=TRUSTED)
        assert f"{report.version} events" in done.stdout
        assert f"head {report.head} at version {report.version}" in done.stdout


def test_what_it_cannot_read_is_no_verdict(tmp_path: Path) -> None:
    for arguments in ([], [tmp_path / "none"], [tmp_path], ["a", "b"]):
        done = run_alone(*arguments)
        assert done.returncode == 2
        assert done.stderr
        assert "Traceback" not in done.stderr
        assert not done.stdout
