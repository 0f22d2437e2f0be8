"""Who runs the product on a data folder: a pid file that is true exactly as long as its lock is held.

The launcher holds an flock on the file for its whole life, so a stale number is never mistaken for a running launcher.
Left out: the store's own lock, which also outlives a launcher's death by the time the server takes to end.
"""

import fcntl
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

POLL = 0.05


@dataclass(frozen=True)
class Running:
    """A launcher at work: its process id and where its service answers."""

    pid: int
    url: str


class LaunchLock:
    """The claim of one launcher on one data folder."""

    def __init__(self, data: Path) -> None:
        self.path = data / "launcher.pid"
        self._descriptor: int | None = None

    def take(self, url: str, patience: float = 1.0) -> bool:
        """Claim the folder and say so in the file; False when another launcher has it."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + patience
        while not _locked(descriptor):
            if time.monotonic() >= deadline:
                os.close(descriptor)
                return False
            time.sleep(POLL)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n{url}\n".encode(), 0)
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Give the folder back; the file stays, empty, because unlinking a lock file lets two hold it."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_free(path: Path) -> bool:
    # A shared lock, so that two who ask at once do not see each other as a launcher.
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        return True
    finally:
        os.close(descriptor)


def find_running(data: Path) -> Running | None:
    """The launcher at work on this data folder, if there is one."""
    path = data / "launcher.pid"
    while not _is_free(path):
        pid, _, url = path.read_text().strip().partition("\n")
        if pid.isdigit():
            return Running(int(pid), url)
        time.sleep(POLL)  # it holds the lock and is about to write, or about to end
    return None


def stop_running(data: Path, say: Callable[[str], None], patience: float) -> bool:
    """Ask the launcher of this folder to stop and wait until it is gone. True when nothing runs any more."""
    running = find_running(data)
    if running is None:
        say(f"Nothing runs on {data}.")
        return True
    say(f"Stopping Upcard on {data} (process {running.pid}).")
    if not _ask_to_stop(data, running):
        return stop_running(data, say, patience)
    deadline = time.monotonic() + patience
    while find_running(data) == running:
        if time.monotonic() >= deadline:
            say(f"It has not stopped within {patience:.0f} s; see {data / 'log'}.")
            return False
        time.sleep(POLL)
    say("Stopped.")
    return True


def _ask_to_stop(data: Path, running: Running) -> bool:
    """Send SIGTERM to that very launcher; False when it ended meanwhile."""
    if not hasattr(os, "pidfd_open"):  # macOS
        os.kill(running.pid, signal.SIGTERM)
        return True
    try:
        handle = os.pidfd_open(running.pid)
    except ProcessLookupError:
        return False
    try:
        # The handle names one process for good: if the launcher is still the same now, it is the handle's.
        if find_running(data) != running:
            return False
        signal.pidfd_send_signal(handle, signal.SIGTERM)
    except ProcessLookupError:
        return False
    else:
        return True
    finally:
        os.close(handle)
