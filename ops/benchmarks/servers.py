"""The store and the web servers that are measured, started for one run and stopped after it."""

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from service.embedded_store import EmbeddedStore
from workers.lifeline import tied
from workers.settings import Settings, read_settings
from workers.store_address import EVENTS_DB, JOBS_DB

_PATIENCE = 60.0
_TICK = os.sysconf("SC_CLK_TCK")

UPCARD = ("-m", "service.cli", "web")
TRIVIAL = ("-m", "ops.benchmarks.trivial", "app")
LEAN = ("-m", "ops.benchmarks.trivial", "lean")


def gunicorn(application: str, threads: int) -> tuple[str, ...] | None:
    """The arguments that serve an application by gunicorn's threads; None if it is not installed."""
    if importlib.util.find_spec("gunicorn") is None:
        return None
    return (
        *("-m", "gunicorn", "--worker-class", "gthread", "--workers", "1", "--threads", str(threads)),
        *("--bind", "127.0.0.1:{port}", "--keep-alive", "60", "--log-level", "warning", application),
    )


class WebServer(NamedTuple):
    """A running web server."""

    port: int
    pid: int

    def processor_seconds(self) -> float:
        """Processor time that it and its children have taken so far."""
        return sum(map(_processor_seconds, (self.pid, *_children(self.pid))))


@contextmanager
def store(data: Path) -> Iterator[EmbeddedStore]:
    """A store of its own, as the product starts it."""
    server = EmbeddedStore(data)
    server.start()
    try:
        server.wait_ready()
        yield server
    finally:
        server.stop()


@contextmanager
def web_server(arguments: tuple[str, ...], over: EmbeddedStore, **more: str) -> Iterator[WebServer]:
    """A web server on a free port over that store, with these settings beside the usual, once it answers."""
    port = _free_port()
    command = [sys.executable, *(argument.format(port=port) for argument in arguments)]
    with subprocess.Popen(
        tied(command), env=environment(over, port) | more, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as process:
        try:
            _wait_for(port, process)
            yield WebServer(port, process.pid)
        finally:
            process.terminate()


def environment(over: EmbeddedStore, port: int) -> dict[str, str]:
    """The settings of a web server."""
    return os.environ | {
        "UPCARD_DATA": str(over.data),
        "UPCARD_PORT": str(port),
        "UPCARD_EVENTS_URL": over.url(EVENTS_DB),
        "UPCARD_JOBS_URL": over.url(JOBS_DB),
        "UPCARD_DURABILITY": "always",
        # Counted as ever, but no caller is as fast as these.
        "UPCARD_RATE_PER_TOKEN": "10000000",
        "UPCARD_RATE_PER_ADDRESS": "10000000",
        "UPCARD_SESSION_RATE": "10000000",
    }


def settings() -> Settings:
    """The settings that servers here have beside those of `environment`."""
    return read_settings()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise RuntimeError("a web server did not come up")


def _stat(pid: int) -> list[str]:
    # The name of the program, in brackets, may hold anything.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _processor_seconds(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / _TICK


def _children(parent: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            if int(_stat(int(folder.name))[1]) == parent:
                found.append(int(folder.name))
    return found
