"""The commands of who keeps a store, and of who trusts none: verify, audit, import, forget, key.

Run as their own processes around a real store. Left out: what they find out, which the other tests here ask.
"""

import json
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.checkpoints import Signer
from replay.log import Appended
from replay.rules.game import ONLOOKER
from replay.rules.registry import GAMES
from replay.rules.session_events import DealStarted
from replay.shards import ledger_key
from service.signing import KEY_FILE, RETIRED_FILE, keyring
from tests.faults.running import LIMIT, UPCARD, Service, service
from tests.seeds import rng
from tests.trust.forging import joined, rows_of
from tests.trust.sessions import FORGER, SIGNER, Kept, batch, export, kept, stored

pytestmark = [pytest.mark.store, pytest.mark.service]


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    """A store, and no other process."""
    with service() as made:
        yield made


@pytest.fixture
def upcard(running: Service) -> Service:
    """The store is empty."""
    running.events.flushall()
    return running


def over(name: str) -> Kept:
    """A dealt session of Rockaway in which nothing is on."""
    chance = rng(f"trust/commands/{name}")
    while True:
        of = kept(GAMES["rockaway"], chance, deals=2, mode="dealt")
        if of.ends and not of.state(of.version).playing:
            return of


def put(upcard: Service, of: Kept, signer: Signer) -> Kept:
    """The session in the store with its ledger, signed with this key."""
    made = stored(of.id, of.events, rng(f"trust/commands/{of.id}"), signer)
    assert upcard.log.append(batch(made)) == Appended(made.version)
    upcard.ledger.post_all(made.id)
    return made


def written(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def keys(path: Path, *signers: Signer) -> str:
    """A file as `GET /v1/key` gives it."""
    told = [{"id": each.id, "public": each.public.hex(), "retired_at": None} for each in signers]
    return written(path, json.dumps({"keys": told}).encode())


class TestVerify:
    def test_what_is_whole_is_verified(self, upcard: Service, tmp_path: Path) -> None:
        of = over("verify")
        file = written(tmp_path / "export.ndjson", export(of))
        told = keys(tmp_path / "keys.json", FORGER, SIGNER)
        bare = written(tmp_path / "key.txt", SIGNER.public.hex().encode() + b"\n")
        for trusted in ((), ("--key", told), ("--key", bare)):
            done = upcard.upcard("verify", file, *trusted)
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout.startswith(f"{file}: verified: {of.version} events")
            assert ("compared with no other" in done.stdout) == (not trusted)

    def test_it_needs_no_store(self, running: Service, tmp_path: Path) -> None:
        file = written(tmp_path / "export.ndjson", export(over("verify")))
        line = [*UPCARD, "verify", file]
        env = running.env | {"UPCARD_EVENTS_URL": "redis://127.0.0.1:1/0", "UPCARD_DATA": str(tmp_path / "none")}
        done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=LIMIT, check=False)
        assert (done.returncode, done.stderr) == (0, "")

    def test_what_does_not_hold_is_said_with_its_version(self, upcard: Service, tmp_path: Path) -> None:
        rows = rows_of(export(over("verify")))
        good = written(tmp_path / "good.ndjson", joined(rows))
        bad = written(tmp_path / "bad.ndjson", joined([*rows[:5], *rows[6:]]))
        none = written(tmp_path / "none.ndjson", b"no export\n")
        done = upcard.upcard("verify", good, bad, none)
        assert (done.returncode, done.stderr) == (1, "")
        assert f"{bad}: diverged at version 5" in done.stdout
        assert f"{none}: line 1" in done.stdout
        done = upcard.upcard("verify", "--json", good, bad, none)
        assert (done.returncode, done.stderr) == (1, "")
        reports: list[Any] = [json.loads(line) for line in done.stdout.splitlines()]
        assert [report["verdict"] for report in reports] == ["verified", "diverged", "malformed"]
        assert reports[1]["diverged_at"] == 5
        assert {line["check"]: line["outcome"] for line in reports[1]["lines"]}["chain"] == "fails"

    def test_what_is_hidden_is_said_to_be_missing(self, upcard: Service, tmp_path: Path) -> None:
        of = over("verify")
        start = next(at for at, event in enumerate(of.events, start=1) if isinstance(event, DealStarted))
        file = written(tmp_path / "partial.ndjson", export(of, ONLOOKER, start))
        done = upcard.upcard("verify", file)
        assert done.returncode == 1
        assert "nothing is wrong, and not everything can be checked" in done.stdout
        assert "fails" not in done.stdout

    def test_a_kept_checkpoint_tells_of_a_cut_tail(self, upcard: Service, tmp_path: Path) -> None:
        of = over("verify")
        one = of.checkpoints[-1]
        for form in (one, b"[" + one + b"]", b'{"checkpoints":[' + one + b'],"next":null}'):
            checkpoint = written(tmp_path / "checkpoint.json", form)
            whole = written(tmp_path / "whole.ndjson", export(of))
            cut = written(tmp_path / "cut.ndjson", export(of, version=2))
            trusted = ("--key", keys(tmp_path / "keys.json", SIGNER))
            assert upcard.upcard("verify", whole, "--checkpoint", checkpoint, *trusted).returncode == 0
            done = upcard.upcard("verify", cut, "--checkpoint", checkpoint, *trusted)
            assert done.returncode == 1
            assert "diverged at version 3" in done.stdout

    def test_a_key_that_is_not_trusted_is_named(self, upcard: Service, tmp_path: Path) -> None:
        file = written(tmp_path / "export.ndjson", export(over("verify"), signer=FORGER))
        done = upcard.upcard("verify", file, "--key", keys(tmp_path / "keys.json", SIGNER))
        assert done.returncode == 1
        assert f"signed with key {FORGER.id}, which is not trusted here" in done.stdout

    def test_what_is_no_key_or_checkpoint_is_a_usage_error(self, upcard: Service, tmp_path: Path) -> None:
        file = written(tmp_path / "export.ndjson", export(over("verify")))
        for content in (b"", b"{}", b"7", b"\xff\xfe", b'{"keys":7,"checkpoints":7}', b"abcd", b"[" * 9000):
            strange = written(tmp_path / "strange", content)
            for option in ("--key", "--checkpoint"):
                done = upcard.upcard("verify", file, option, strange)
                assert (done.returncode, done.stdout) == (2, ""), (option, content, done.stdout)
                assert "Traceback" not in done.stderr
        assert upcard.upcard("verify").returncode == 2
        assert upcard.upcard("verify", str(tmp_path / "none")).returncode == 2


def test_audit_says_what_is_verified_and_what_is_not(upcard: Service) -> None:
    signer = keyring(upcard.data).signer
    good, bad = put(upcard, over("audit"), signer), put(upcard, over("audit of another"), signer)
    done = upcard.upcard("audit")
    assert (done.returncode, done.stdout) == (0, "2 sessions audited, all verified\n")
    upcard.events.lset(ledger_key(bad.id), 0, "{}")
    done = upcard.upcard("audit")
    assert done.returncode == 1
    assert f"{bad.id}: diverged" in done.stdout
    assert good.id not in done.stdout
    assert "2 sessions audited, not all verified" in done.stdout
    assert upcard.upcard("audit", good.id).returncode == 0
    done = upcard.upcard("audit", "--json", good.id, bad.id)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["session"], each["verdict"]) for each in reports] == [(good.id, "verified"), (bad.id, "diverged")]
    done = upcard.upcard("audit", "no-session")
    assert done.returncode == 1
    assert "there is no such session" in done.stdout


def test_import_brings_a_session_once(upcard: Service, tmp_path: Path) -> None:
    of = over("import")
    file = written(tmp_path / "export.ndjson", export(of))
    trusted = ("--key", keys(tmp_path / "keys.json", SIGNER))
    for _ in range(2):
        done = upcard.upcard("import", file, *trusted)
        assert (done.returncode, done.stdout) == (0, f"session {of.id}, version {of.version}\n"), done.stderr
    assert [each.digest for each in upcard.log.read(of.id)] == [each.digest for each in of.stored]
    done = upcard.upcard("import", file, "--key", keys(tmp_path / "others.json", FORGER))
    assert done.returncode == 1
    assert "is not trusted here" in done.stderr
    start = next(at for at, event in enumerate(of.events, start=1) if isinstance(event, DealStarted))
    done = upcard.upcard("import", written(tmp_path / "partial.ndjson", export(of, ONLOOKER, start)))
    assert done.returncode == 1
    assert "cards are hidden" in done.stderr


def test_forget_erases_a_name_and_changes_no_digest(upcard: Service) -> None:
    signer = keyring(upcard.data).signer
    of = put(upcard, over("forget"), signer)
    before = upcard.log.read(of.id)
    assert "Ann" in upcard.log.names(of.id)
    done = upcard.upcard("forget", "Ann")
    assert (done.returncode, done.stdout) == (0, "forgotten in 1 sessions\n")
    assert upcard.log.names(of.id) == (None, *of.names[1:])
    assert upcard.log.read(of.id) == before
    assert upcard.upcard("audit", of.id).returncode == 0
    assert upcard.upcard("forget", "Ann").stdout == "forgotten in 0 sessions\n"


class TestKey:
    def test_what_an_old_key_signed_is_verified_after_a_rotation(self, upcard: Service, tmp_path: Path) -> None:
        ring = keyring(upcard.data)
        old = ring.signer
        of = put(upcard, over("rotation"), old)
        file, checkpoint = written(tmp_path / "old.ndjson", export(of, signer=old)), of.checkpoints[0]
        done = upcard.upcard("key", "rotate")
        assert done.returncode == 0
        shown = upcard.upcard("key", "show")
        told: Any = json.loads(shown.stdout)["keys"]
        assert [each["id"] for each in told[:2]] == [done.stdout.strip(), old.id] != [old.id, old.id]
        assert told[0]["retired_at"] is None
        assert told[1]["retired_at"].endswith("Z")
        # A process that has been running all the while signs with the new one.
        assert ring.signer.id == told[0]["id"]
        trusted = ("--key", written(tmp_path / "keys.json", shown.stdout.encode()))
        kept_one = ("--checkpoint", written(tmp_path / "checkpoint.json", checkpoint))
        assert upcard.upcard("verify", file, *trusted, *kept_one).returncode == 0
        assert upcard.upcard("audit", of.id).returncode == 0
        for name in (KEY_FILE, RETIRED_FILE):
            assert stat.S_IMODE((upcard.data / name).stat().st_mode) == 0o600
        private = (upcard.data / KEY_FILE).read_text().strip()
        assert private not in shown.stdout + shown.stderr + done.stdout + done.stderr

    def test_two_that_start_at_once_make_one_key(self, running: Service, tmp_path: Path) -> None:
        for number in range(3):
            data = tmp_path / str(number)
            starting = [
                subprocess.Popen(
                    [*UPCARD, "key", "show"], env=running.env | {"UPCARD_DATA": str(data)}, stdout=subprocess.PIPE
                )
                for _ in range(4)
            ]
            said = {each.communicate(timeout=LIMIT)[0] for each in starting}
            assert [each.returncode for each in starting] == [0] * 4
            assert len(said) == 1
            assert [path.name for path in data.iterdir()] == [KEY_FILE]
            assert stat.S_IMODE((data / KEY_FILE).stat().st_mode) == 0o600
            assert len(json.loads(said.pop())["keys"]) == 1

    def test_a_key_that_cannot_be_read_is_said_in_a_line(self, running: Service, tmp_path: Path) -> None:
        for content in (b"", b"zz", b"ab", b"\xff"):
            (tmp_path / KEY_FILE).write_bytes(content)
            for action in ("show", "rotate"):
                done = running.upcard("key", action, UPCARD_DATA=str(tmp_path))
                assert done.returncode == 1
                assert "Traceback" not in done.stderr
                assert KEY_FILE in done.stderr
                assert (tmp_path / KEY_FILE).read_bytes() == content
