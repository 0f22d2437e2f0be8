"""The real launcher and the real store around stand-in children: order, death, restart, locks, detaching.

Left out: the product's own processes (test_whole_service).
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis

from service.launch_lock import find_running
from tests.ops.running import LIMIT, STAND_IN, Launcher, descendants, settings, wait_gone
from tests.store_server import store_server
from workers.store_address import store_url

pytestmark = [
    pytest.mark.store,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are watched through Linux's /proc"),
]
SERVICES = {"web", "worker", "sweeper", "webhooks"}


def trace(data: Path) -> list[str]:
    return (data / "trace").read_text().splitlines()


def run(env: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*STAND_IN, *arguments],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def store_pid(data: Path) -> int:
    with redis.Redis.from_url(store_url(data, 0)) as client:
        return int(client.info("server")["process_id"])


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_starts_in_order_and_stops_the_store_last(tmp_path: Path, signum: signal.Signals) -> None:
    env = settings(tmp_path)
    with Launcher(env, "up") as launcher:
        launcher.wait_for("Upcard is ready")
        launcher.wait_for("organiser.token")
        everyone = descendants(launcher.process.pid)
        launcher.process.send_signal(signum)
        status, said = launcher.wait()
    assert status == 0, said
    assert f"http://127.0.0.1:{env['UPCARD_PORT']}" in said
    lines = trace(tmp_path)
    assert lines[0] == "token store=up"
    assert {line.split()[1] for line in lines if line.startswith("started")} == SERVICES
    assert sorted(lines[-len(SERVICES) :]) == [f"stopped {name} store=up" for name in sorted(SERVICES)]
    assert not [line for line in lines if line.startswith("interrupted")]
    assert len(everyone) == 1 + 2 * len(SERVICES)  # the store, its fellow children, one of each one's own
    wait_gone(everyone)
    assert not (tmp_path / "store.sock").exists()


def test_kill_9_of_the_launcher_leaves_nobody_and_loses_nothing(tmp_path: Path) -> None:
    env = settings(tmp_path)
    with Launcher(env, "up") as launcher:
        launcher.wait_for("Upcard is ready")
        everyone = descendants(launcher.process.pid)
        assert len(everyone) == 1 + 2 * len(SERVICES)
        with redis.Redis.from_url(store_url(tmp_path, 0)) as client:
            client.xadd("stream", {"n": 1}, id="1-0")
        launcher.process.send_signal(signal.SIGKILL)
        launcher.process.wait()
        # At once, without waiting for the others: it is for the next one to see that they are gone.
        with Launcher(env, "up") as again:
            again.wait_for("Upcard is ready")
            wait_gone(everyone)
            with redis.Redis.from_url(store_url(tmp_path, 0)) as client:
                assert client.xlen("stream") == 1
            again.process.terminate()
            assert again.wait()[0] == 0


def test_a_killed_store_comes_back_with_its_data(tmp_path: Path) -> None:
    with Launcher(settings(tmp_path), "up") as launcher:
        launcher.wait_for("to stop")
        with redis.Redis.from_url(store_url(tmp_path, 0)) as client:
            client.set("kept", "1")
        os.kill(store_pid(tmp_path), signal.SIGKILL)
        assert "SIGKILL" in launcher.wait_for("store was ended")
        with redis.Redis.from_url(store_url(tmp_path, 0)) as client:
            answer = None
            while answer is None:
                try:
                    answer = client.get("kept")
                except redis.ConnectionError:
                    assert launcher.process.poll() is None
        assert answer == b"1"
        launcher.process.terminate()
        assert launcher.wait()[0] == 0
    assert len([line for line in trace(tmp_path) if line.startswith("started")]) == len(SERVICES)  # the others stayed


def test_a_killed_child_is_started_again(tmp_path: Path) -> None:
    with Launcher(settings(tmp_path), "up") as launcher:
        launcher.wait_for("to stop")
        [(pid, own)] = [map(int, line.split()[2:]) for line in trace(tmp_path) if line.startswith("started worker")]
        os.kill(pid, signal.SIGKILL)
        launcher.wait_for("worker was ended by SIGKILL")
        wait_gone([own])
        while len([line for line in trace(tmp_path) if line.startswith("started worker")]) < 2:
            assert launcher.process.poll() is None
        launcher.process.terminate()
        assert launcher.wait()[0] == 0


@pytest.mark.parametrize("name", ["web", "worker"])
def test_a_child_that_does_not_start_is_told_of_and_all_is_stopped(tmp_path: Path, name: str) -> None:
    launched = run(settings(tmp_path, STAND_IN_FAILS=name), "up")
    assert launched.returncode == 1
    assert f"{name} does not start" in launched.stdout
    assert f"{name} has its reasons" in launched.stdout
    assert find_running(tmp_path) is None
    assert not (tmp_path / "store.sock").exists()


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    env = settings(tmp_path)
    with socket.create_server(("127.0.0.1", int(env["UPCARD_PORT"]))):
        launched = run(env, "up")
    assert launched.returncode == 1
    assert f"Port {env['UPCARD_PORT']} on 127.0.0.1 is taken" in launched.stdout
    assert not (tmp_path / "trace").exists()


def test_settings_that_cannot_be_are_named_together(tmp_path: Path) -> None:
    launched = run(settings(tmp_path, UPCARD_PORT="70000", UPCARD_DURABILITY="perhaps"), "up")
    assert launched.returncode == 1
    assert "UPCARD_PORT" in launched.stdout
    assert "UPCARD_DURABILITY" in launched.stdout


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    launched = run(settings(tmp_path / "file" / "data"), "up")
    assert launched.returncode == 1
    assert "UPCARD_DATA" in launched.stdout
    assert "Traceback" not in launched.stdout


def test_a_second_launcher_on_the_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    with Launcher(settings(tmp_path), "up") as launcher:
        launcher.wait_for("Upcard is ready")
        second = run(settings(tmp_path), "up")
        assert second.returncode != 0
        assert second.stdout == f"Upcard already runs on {tmp_path} (process {launcher.process.pid}).\n"
        assert run(settings(tmp_path), "down").returncode == 0
        assert launcher.wait()[0] == 0


def test_a_store_without_a_launcher_is_left_alone(tmp_path: Path) -> None:
    with store_server(tmp_path) as store:
        launched = run(settings(tmp_path), "up")
        assert launched.returncode == 1
        assert "already runs the store" in launched.stdout
        with redis.Redis.from_url(store.url) as client:
            assert client.ping()


@pytest.fixture
def detached(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Settings for a launcher that is stopped even when the test fails."""
    env = settings(tmp_path)
    yield env
    run(env, "down")


def test_detached_it_runs_until_down(tmp_path: Path, detached: dict[str, str]) -> None:
    env = detached
    first = run(env, "up", "--detach")
    assert first.returncode == 0, first.stdout
    assert "Upcard is ready" in first.stdout
    running = find_running(tmp_path)
    assert running is not None
    everyone = {running.pid} | descendants(running.pid)
    assert len(everyone) == 10
    again = run(env, "up", "--detach")
    assert again.returncode == 0
    assert "already runs" in again.stdout
    down = run(env, "down")
    assert down.returncode == 0
    assert "Stopped." in down.stdout
    wait_gone(everyone)
    assert sorted(trace(tmp_path)[-len(SERVICES) :]) == [f"stopped {name} store=up" for name in sorted(SERVICES)]
    nothing = run(env, "down")
    assert (nothing.returncode, nothing.stdout) == (0, f"Nothing runs on {tmp_path}.\n")


def test_detached_twice_at_once_there_is_one(tmp_path: Path, detached: dict[str, str]) -> None:
    with Launcher(detached, "up", "--detach") as one, Launcher(detached, "up", "--detach") as other:
        ended = [one.wait(), other.wait()]
    assert [status for status, _ in ended] == [0, 0], ended
    assert len([line for line in trace(tmp_path) if line.startswith("started web ")]) == 1


def test_detached_it_says_why_it_does_not_start(tmp_path: Path, detached: dict[str, str]) -> None:
    launched = run(detached | {"STAND_IN_FAILS": "sweeper"}, "up", "--detach")
    assert launched.returncode == 1
    assert "sweeper has its reasons" in launched.stdout
    assert find_running(tmp_path) is None


def test_a_pid_file_left_by_a_killed_launcher_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "launcher.pid").write_text(f"{os.getpid()}\nhttp://127.0.0.1:1\n")
    down = run(settings(tmp_path), "down")
    assert (down.returncode, down.stdout) == (0, f"Nothing runs on {tmp_path}.\n")


def test_a_redis_of_ones_own_is_used_and_left_running(tmp_path: Path) -> None:
    with store_server() as store:
        env = settings(tmp_path, UPCARD_EVENTS_URL=store.url, UPCARD_JOBS_URL=store.jobs_url)
        with Launcher(env, "up") as launcher:
            launcher.wait_for("to stop")
            assert len(descendants(launcher.process.pid)) == 8
            launcher.process.terminate()
            assert launcher.wait()[0] == 0
        assert not (tmp_path / "store").exists()
        with redis.Redis.from_url(store.url) as client:
            assert client.ping()


@pytest.mark.parametrize("status", [0, 1])
def test_a_demonstration_can_end_it_all(tmp_path: Path, status: int) -> None:
    launched = run(settings(tmp_path, STAND_IN_DEMO=str(status)), "up", "--demo", "--exit")
    assert launched.returncode == status
    assert "the demonstration" in launched.stdout
    assert find_running(tmp_path) is None


def test_after_a_demonstration_it_goes_on(tmp_path: Path) -> None:
    with Launcher(settings(tmp_path), "up", "--demo") as launcher:
        launcher.wait_for("the demonstration")
        launcher.wait_for("goes on serving")
        launcher.process.send_signal(signal.SIGINT)
        assert launcher.wait()[0] == 0


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk of 8 MiB."""
    if os.getuid() != 0 or shutil.which("mount") is None:
        pytest.skip("needs a small disk, which only root can mount")
    with tempfile.TemporaryDirectory(prefix="upcard-test-") as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", folder], check=False)
        if mounted.returncode:
            pytest.skip("this machine mounts nothing")
        try:
            yield Path(folder)
        finally:
            # Lazily: a test that failed may have left processes in it, which end when they notice.
            subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_is_said_in_words_and_survived(small_disk: Path) -> None:
    with Launcher(settings(small_disk), "up") as launcher:
        launcher.wait_for("to stop")
        filler = small_disk / "filler"
        filler.write_bytes(bytes(6 * 1024 * 1024))
        acknowledged = 0
        with redis.Redis.from_url(store_url(small_disk, 0)) as client, suppress(redis.RedisError):
            for _ in range(1000):
                client.xadd("stream", {"payload": bytes(50_000)})
                acknowledged += 1
        assert 0 < acknowledged < 1000
        launcher.wait_for(f"The disk that holds {small_disk} is full")
        filler.unlink()
        with redis.Redis.from_url(store_url(small_disk, 0)) as client:
            found = None
            while found is None:
                try:
                    found = client.xlen("stream")
                except redis.RedisError:
                    assert launcher.process.poll() is None
        assert found >= acknowledged
        launcher.process.terminate()
        assert launcher.wait()[0] == 0
