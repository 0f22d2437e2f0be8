"""A backup taken while the store is written to and rewrites its files; and the drill, as it is run by people."""

import shutil
import stat
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from redis import Redis

from service.cli_backup import CannotBackUpError, back_up
from tests.ops.running import settings
from tests.seeds import scaled
from tests.store_server import StoreServer, store_server

ROOT = Path(__file__).parents[2]
KEYS = ("server.key", "signing.key", "signing.retired", "organiser.token")
LIMIT = 900.0


def written(url: str) -> int:
    """How many entries the stream has, which are its numbers from 1."""
    with Redis.from_url(url) as client:
        found: Any = client.xrange("stream")
    assert [entry_id for entry_id, _ in found] == [b"%d-0" % number for number in range(1, len(found) + 1)]
    return len(found)


class Writer(Thread):
    """Writes entries, each acknowledged before the next, and has the store rewrite its files all the while."""

    def __init__(self, store: StoreServer) -> None:
        super().__init__()
        self._url = store.url
        self.stopped = Event()
        self.acknowledged = 0
        self.rewrites = 0

    def run(self) -> None:
        """Until it is stopped."""
        with Redis.from_url(self._url) as client:
            while not self.stopped.is_set():
                # With a script, whose effects are one transaction in the file: all of them or none.
                client.eval(
                    "for n = 1, 3 do redis.call('XADD', KEYS[1], ARGV[1] + n .. '-0', 'x', ARGV[2]) end",
                    1,
                    "stream",
                    self.acknowledged,
                    "x" * 5000,
                )
                self.acknowledged += 3
                if self.acknowledged % 30 == 0 and not client.info("persistence")["aof_rewrite_in_progress"]:
                    client.bgrewriteaof()
                    self.rewrites += 1


@pytest.mark.store
def test_a_copy_of_a_store_at_work_holds_all_that_was_acknowledged(tmp_path: Path) -> None:
    with store_server(tmp_path / "data", durability="everysec") as store:
        writer = Writer(store)
        writer.start()
        try:
            for number in range(max(3, scaled(40))):
                before = writer.acknowledged
                assert back_up(store.data, tmp_path / f"backup-{number}") > 0
                with store_server(tmp_path / f"backup-{number}") as restored:
                    count = written(restored.url)
                assert before <= count
                assert count % 3 == 0
                shutil.rmtree(tmp_path / f"backup-{number}")
        finally:
            writer.stopped.set()
            writer.join()
        assert writer.rewrites > 0


@pytest.mark.store
def test_a_copy_has_the_keys_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    with store_server(tmp_path / "data") as store:
        for name in KEYS:
            (store.data / name).write_text(f"{name}\n")
        (store.data / "log").mkdir()
        back_up(store.data, tmp_path / "made" / "backup")
    copy = tmp_path / "made" / "backup"
    assert {path.name for path in copy.iterdir()} == {*KEYS, "store"}
    for path in (copy, *copy.rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    assert all((copy / name).read_text() == f"{name}\n" for name in KEYS)
    # Nothing half done is left beside it, and it is never written over.
    assert list(copy.parent.iterdir()) == [copy]
    with pytest.raises(CannotBackUpError, match="exists already"):
        back_up(tmp_path / "data", copy)


def test_where_no_store_is_nothing_is_backed_up(tmp_path: Path) -> None:
    with pytest.raises(CannotBackUpError, match="no store is kept"):
        back_up(tmp_path / "data", tmp_path / "backup")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("said", [b"", b"\xff", b"file ../../x seq 1 type b\n", b"file\n", b"file  seq\n"])
def test_a_manifest_that_says_nothing_is_not_followed(tmp_path: Path, said: bytes) -> None:
    aof = tmp_path / "data" / "store" / "aof"
    aof.mkdir(parents=True)
    (aof / "appendonly.aof.manifest").write_bytes(said)
    with pytest.raises(CannotBackUpError, match="manifest"):
        back_up(tmp_path / "data", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


@pytest.mark.store
@pytest.mark.service
def test_the_drill(tmp_path: Path) -> None:
    env = settings(tmp_path) | {"UPCARD_VENV": sys.prefix}
    del env["UPCARD_DATA"]
    done = subprocess.run(
        [ROOT / "ops/drill", "--in", tmp_path / "drill"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("2 sessions audited, all verified") == 2
    assert done.stdout.endswith("All restored and verified.\n")
