"""The service's own processes, started one by one around a throw-away store, to be killed and started again at will."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import redis

from replay.redis_client import Store, connect
from replay.redis_log import RedisLog
from tests.faults.client import Client
from tests.faults.seeding import Due, seed
from tests.ops.running import settings
from tests.store_server import StoreServer, store_server
from workers.entries import entries
from workers.jobs import Kicker, connect_jobs
from workers.ledger import Ledger

LIMIT: Final = 60.0
"""Seconds before a test gives up on something that takes moments."""
POSTED_WITHIN: Final = 10.0
"""Seconds in which every finished deal is posted, once a worker is alive: the promise that is tested here."""
UPCARD: Final = (sys.executable, "-P", "-m", "service.cli")
SABOTAGE: Final = (sys.executable, str(Path(__file__).with_name("sabotage.py")))

Found = TypeVar("Found")


def until(condition: Callable[[], Found], what: str, limit: float = LIMIT) -> Found:
    """Look at another process's doings until there is something to see; give it."""
    deadline = time.monotonic() + limit
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not within {limit:g} s: {what}"
        time.sleep(0.01)
    return found


def left_of(process: "subprocess.Popen[bytes]") -> set[int]:
    """The processes that this one, started in a session of its own, or any of its children has left; zombies aside."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            state, _, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            if state != "Z" and int(session) == process.pid:
                found.add(int(folder.name))
    return found


class Service:
    """Web, worker and sweeper as processes of ours, none of them running at first."""

    def __init__(self, store: StoreServer, jobs_url: str | None = None) -> None:
        self.store: Final = store
        self.data: Final = store.data
        self.env: Final = settings(store.data, UPCARD_EVENTS_URL=store.url, UPCARD_JOBS_URL=jobs_url or store.jobs_url)
        self.jobs: Final = redis.Redis.from_url(self.env["UPCARD_JOBS_URL"])
        self.events: Final = connect(store.url)
        self.log: Final = RedisLog(Store(self.events))
        self.ledger: Final = Ledger(Store(self.events), self.log)
        self.kicker: Final = Kicker(connect_jobs(self.env["UPCARD_JOBS_URL"]))
        self._running: Final[list[subprocess.Popen[bytes]]] = []
        self._clients: Final[list[Client]] = []
        self._marks: Final = store.data / "marks"
        self._marks.mkdir()

    @property
    def token(self) -> str:
        """The organiser's."""
        return (self.data / "organiser.token").read_text().strip()

    @property
    def port(self) -> int:
        """Where `web` listens if it is not told otherwise."""
        return int(self.env["UPCARD_PORT"])

    def client(self, port: int | None = None) -> Client:
        """A connection of the organiser's, closed with the service."""
        client = Client(port or self.port, self.token)
        self._clients.append(client)
        return client

    def upcard(self, *arguments: str, **env: str) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        return subprocess.run(
            [*UPCARD, *arguments], env=self.env | env, capture_output=True, text=True, timeout=LIMIT, check=False
        )

    def start(self, name: str, *steps: str, **env: str) -> "subprocess.Popen[bytes]":
        """Start a process, to be struck at these steps (see sabotage.py); what it says goes into its log."""
        program: tuple[str, ...] = UPCARD
        more: dict[str, str] = {}
        if steps:
            program = SABOTAGE
            more = {"SABOTAGE_STEPS": " ".join(steps), "SABOTAGE_MARKS": str(self._marks)}
            for step in steps:
                self._mark(step).unlink(missing_ok=True)
        with (self.data / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [*program, name],
                env=self.env | more | env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._running.append(process)
        return process

    def start_web(self, *steps: str, port: int | None = None) -> "subprocess.Popen[bytes]":
        """Start a web server and wait until it answers."""
        if not (self.data / "organiser.token").exists():
            self.upcard("token", "first")
        port = port or self.port
        process = self.start("web", *steps, UPCARD_PORT=str(port))
        until(lambda: self.answers(port), "the web server answers")
        return process

    def start_worker(self, *steps: str) -> "subprocess.Popen[bytes]":
        """Start a worker and wait until it is alive."""
        self.jobs.delete("upcard:seen:worker")
        process = self.start("worker", *steps)
        until(lambda: self.jobs.exists("upcard:seen:worker") or process.poll() is not None, "the worker is alive")
        return process

    def waits_for_work(self) -> bool:
        """Whether a worker does: the moment at which it can do without its store."""
        return "blmove" in {each["cmd"] for each in self.jobs.client_list()}

    def answers(self, port: int | None = None) -> bool:
        """Whether a web server does."""
        client = Client(port or self.port)
        try:
            return client.call("GET", "/health/live").status == 200
        except (OSError, HTTPException):
            return False
        finally:
            client.close()

    def struck(self, step: str) -> bool:
        """Whether a process has come to the step that was to strike it."""
        return self._mark(step).exists()

    def _mark(self, step: str) -> Path:
        return self._marks / step.partition(":")[0]

    def said(self, name: str) -> str:
        """What the processes of this name have said so far."""
        return (self.data / f"{name}.log").read_text(errors="replace")

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """kill -9; only itself, and wait until it is gone."""
        process.kill()
        process.wait()

    def stop(self) -> None:
        """Leave nobody."""
        for client in self._clients:
            client.close()
        for process in self._running:
            for pid in left_of(process):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
            until(lambda: not left_of(process), "its processes are gone")  # noqa: B023 - called here only
        self.jobs.close()
        self.events.close()

    def seed(self, random: Random, *, deals: int = 1, kick: bool = True) -> Due:
        """Record a session with finished deals and tell a worker, as the web server does."""
        due = seed(self.log, random, deals=deals)
        if kick:
            self.kicker.kick(list(due))
        return due

    def owed(self, *sessions: str) -> Due:
        """What the ledger must come to hold of sessions that were played."""
        return {
            session: [entry.to_bytes() for entry in entries(session, self.log.read(session))] for session in sessions
        }

    def wait_posted(self, due: Due, limit: float = POSTED_WITHIN) -> float:
        """Wait until all that is due is posted, and see that it is exactly that; how many seconds it took."""
        began = time.monotonic()
        until(
            lambda: all(self.ledger.posted(session) >= len(entries) for session, entries in due.items()),
            "every finished deal is posted",
            limit,
        )
        took = time.monotonic() - began
        assert {session: self.ledger.stored(session) for session in due} == due
        return took


@contextmanager
def service(jobs_url: str | None = None) -> Iterator[Service]:
    """A service on a store of its own; nothing is left of either."""
    with store_server() as store:
        running = Service(store, jobs_url)
        try:
            yield running
        finally:
            running.stop()
