"""The product as it is started for real: ops/up and ops/down, and the store, web server or launcher killed under it.

Left out: what the launcher does whatever its children are (test_launcher).
"""

import os
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import pytest
import redis

from service.launch import upcard
from service.launcher import LAUNCHER
from tests.ops.playing import Player, Request, Service
from tests.ops.running import LIMIT, Launcher, children, descendants, settings, wait_gone
from workers.store_address import store_url

pytestmark = [
    pytest.mark.store,
    pytest.mark.service,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are watched through Linux's /proc"),
]
OPS = Path(__file__).parents[2] / "ops"
# The first ops/up of a clone fetches what it needs.
INSTALL_LIMIT = 900.0


def processes_of(data: Path) -> set[int]:
    """Every process that was started for this data folder, whoever its parent is now."""
    mark = f"UPCARD_DATA={data}".encode()
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # The store writes its title over its environment; but it works in the folder.
            if mark in (folder / "environ").read_bytes().split(b"\0") or (folder / "cwd").readlink().is_relative_to(
                data
            ):
                found.add(int(folder.name))
    return found


def command(env: dict[str, str], *line: str | Path, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        line,
        env=env,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=INSTALL_LIMIT,
        check=False,
    )


@pytest.fixture
def env(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Settings of a service that is stopped even when the test fails."""
    env = settings(tmp_path)
    yield env
    command(env, *LAUNCHER, "down")


def service_of(env: dict[str, str]) -> Service:
    return Service(int(env["UPCARD_PORT"]))


def organiser_of(env: dict[str, str]) -> str:
    return Path(env["UPCARD_DATA"], "organiser.token").read_text().strip()


def open_session(env: dict[str, str]) -> str:
    opening = {"game": "rockaway", "players": ["Ann", "Ben"], "options": {"deals": 1}, "public": True}
    answer = service_of(env).post(Request("/v1/sessions", opening, organiser_of(env), None))
    assert answer.status == HTTPStatus.CREATED, answer
    return str(answer.body["id"])


def test_up_detached_and_down(env: dict[str, str], tmp_path: Path) -> None:
    up = command(env, OPS / "up", "--detach", cwd=tmp_path)
    assert up.returncode == 0, up.stdout
    assert f"http://127.0.0.1:{env['UPCARD_PORT']}" in up.stdout
    assert str(tmp_path / "organiser.token") in up.stdout
    assert organiser_of(env) not in up.stdout
    assert stat.S_IMODE((tmp_path / "organiser.token").stat().st_mode) == 0o600
    assert service_of(env).get("/health/ready").status == HTTPStatus.OK
    place = f"/v1/sessions/{open_session(env)}"

    again = command(env, OPS / "up", "--detach")
    assert again.returncode == 0, again.stdout
    assert "already runs" in again.stdout

    everyone = processes_of(tmp_path)
    assert len(everyone) >= 7, everyone  # launcher, store, web and its worker, worker, sweeper, webhooks
    down = command(env, OPS / "down", cwd=tmp_path)
    assert down.returncode == 0, down.stdout
    wait_gone(everyone)
    assert not processes_of(tmp_path)
    assert command(env, OPS / "down").returncode == 0

    token = organiser_of(env)
    assert command(env, OPS / "up", "--detach").returncode == 0
    assert organiser_of(env) == token
    assert service_of(env).get(place).body["version"] == 1


def test_kill_9_of_the_launcher_leaves_nobody(env: dict[str, str], tmp_path: Path) -> None:
    with Launcher(env, "up", program=LAUNCHER) as launcher:
        launcher.wait_for("to stop")
        place = f"/v1/sessions/{open_session(env)}"
        everyone = processes_of(tmp_path)
        assert len(everyone) >= 6, everyone
        launcher.process.send_signal(signal.SIGKILL)
        wait_gone(everyone)
        assert not processes_of(tmp_path)
    with Launcher(env, "up", program=LAUNCHER) as launcher:
        launcher.wait_for("to stop")
        assert service_of(env).get(place).body["version"] == 1
        launcher.process.send_signal(signal.SIGINT)
        status, said = launcher.wait()
        assert status == 0, said
        assert not processes_of(tmp_path)


def test_a_killed_web_server_comes_back(env: dict[str, str]) -> None:
    with Launcher(env, "up", program=LAUNCHER) as launcher:
        launcher.wait_for("to stop")
        place = f"/v1/sessions/{open_session(env)}"
        [web] = [pid for pid in children(launcher.process.pid) if is_command(pid, "web")]
        its_workers = descendants(web)
        os.kill(web, signal.SIGKILL)
        launcher.wait_for("web was ended by SIGKILL")
        wait_gone(its_workers)
        version = None
        while version is None:
            try:
                version = service_of(env).get(place).body["version"]
            except OSError:
                assert launcher.process.poll() is None
        assert version == 1


def is_command(pid: int, name: str) -> bool:
    """Whether this is `upcard <name>`, or a worker that it forked."""
    line = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return line[: len(upcard(name))] == [part.encode() for part in upcard(name)]


def test_kill_9_of_the_store_during_plays_loses_nothing_acknowledged(env: dict[str, str], tmp_path: Path) -> None:
    with Launcher(env, "up", program=LAUNCHER) as launcher:
        launcher.wait_for("to stop")
        service, organiser = service_of(env), organiser_of(env)
        players = [Player(service, organiser) for _ in range(4)]
        try:
            for _ in range(3):
                for player in players:
                    player.wait_for(10, LIMIT)
                with redis.Redis.from_url(store_url(tmp_path, 0)) as client:
                    store = int(client.info("server")["process_id"])
                os.kill(store, signal.SIGKILL)
                launcher.wait_for("store was ended by SIGKILL")
            for player in players:
                player.wait_for(10, LIMIT)
        finally:
            for player in players:
                player.stop()
        assert any(player.refused for player in players)  # each of them a 503 problem, or the player would have failed
        for player in players:
            heads: dict[str, int] = {}
            for request, version in player.acknowledged:
                again = service.post(request)
                assert (again.status, again.version) == (HTTPStatus.CREATED, version)
                heads[again.body["id"]] = version
            for session, head in heads.items():
                assert versions_of(service, session)[:head] == list(range(1, head + 1))
        launcher.process.terminate()
        assert launcher.wait()[0] == 0


def versions_of(service: Service, session: str) -> list[int]:
    """The versions of all events of a session, page by page."""
    found: list[int] = []
    while True:
        after = found[-1] if found else 0
        page = service.get(f"/v1/sessions/{session}/events?after={after}").body["events"]
        if not page:
            return found
        found += [event["version"] for event in page]
