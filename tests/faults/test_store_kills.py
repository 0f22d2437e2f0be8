"""The store killed while clients play, and while nobody does; stores that hang; the jobs' store gone alone.

Nothing acknowledged is missing afterwards and nothing is there twice; until then clients get 503 problems, soon.
"""

import os
import signal
import sys
import time
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import pytest
import redis

from replay.redis_client import Store, connect
from replay.redis_log import RedisLog
from tests.faults.client import Answer, Client, Play, ShortTable, Table
from tests.faults.running import LIMIT, POSTED_WITHIN, Service, until
from tests.ops.running import Launcher, settings
from tests.seeds import rng, scaled
from tests.store_server import store_server
from workers.entries import entries
from workers.ledger import Ledger
from workers.store_address import store_url

pytestmark = [pytest.mark.store, pytest.mark.service]

LAUNCHER: Final = (sys.executable, "-P", "-m", "service.launcher")
PLAYERS: Final = 6
MEANWHILE: Final = {(503, "store-unavailable"), (503, "outcome-unknown")}
SOON: Final = 15.0
"""Seconds for any answer: the store's own time-out is 5."""


class Insistent(Client):
    """A client that asks again, with the same key, until it gets another answer than 503; and remembers all of them."""

    def __init__(self, port: int, token: str, name: str) -> None:
        super().__init__(port, token)
        self._name: Final = name
        self.refused: Final[list[tuple[int, str]]] = []
        self.longest = 0.0
        self._commands = 0

    def call(self, method: str, path: str, body: Any = None, **named: Any) -> Answer:
        """As a client's, but never a 503. A command gets a key of its own."""
        if method == "POST":
            self._commands += 1
            named["key"] = f"{self._name}/{self._commands}"
        while True:
            began = time.monotonic()
            answer = super().call(method, path, body, **named)
            self.longest = max(self.longest, time.monotonic() - began)
            if answer.status != 503:
                return answer
            self.refused.append((answer.status, answer.slug))


class Player(Thread):
    """Plays sessions of two deals until told to stop; stops between two commands."""

    def __init__(self, port: int, token: str, name: str, stop: Event) -> None:
        super().__init__()
        self.client: Final = Insistent(port, token, name)
        self.acknowledged: Final[dict[str, list[tuple[int, Play]]]] = {}
        self.tables: Final[list[Table]] = []
        self.plays = 0
        self._chance: Final = rng(name)
        self._halt: Final = stop

    def run(self) -> None:
        """Play."""
        while not self._halt.is_set():
            table = Table(self.client, self._chance, deals=2)
            self.tables.append(table)
            recorded = self.acknowledged.setdefault(table.id, [])
            for _ in range(2):
                table.deal()
                while not self._halt.is_set() and (play := table.next_play()) is not None:
                    answer = table.make(play)
                    assert answer.status == 201, answer
                    recorded.append((answer.version, play))
                    self.plays += 1
                if self._halt.is_set():
                    return


def check_acknowledged(log: RedisLog, player: Player) -> None:
    """Each play that was acknowledged is in the log at its place, and no other is."""
    for table in player.tables:
        stored = log.read(table.id)
        assert [each.version for each in stored] == list(range(1, len(stored) + 1))
        ends = {each.version: each.version - 1 for each in stored if each.kind == "session.deal_ended"}
        plays = {each.version: each for each in stored if each.kind.startswith("rockaway.")}
        acknowledged = player.acknowledged[table.id]
        assert [ends.get(version, version) for version, _ in acknowledged] == list(plays)
        for version, play in acknowledged:
            event = plays[ends.get(version, version)]
            assert event.stamp.who == f"seat:{play.seat}"
            assert event.data.get("card") == play.body.get("card")


def test_killed_while_clients_play_the_store_comes_back_with_everything_acknowledged(tmp_path: Path) -> None:
    env = settings(tmp_path)
    with Launcher(env, "up", program=LAUNCHER) as launcher:
        launcher.wait_for("to stop")
        token = (tmp_path / "organiser.token").read_text().strip()
        store = connect(store_url(tmp_path, 0))
        log = RedisLog(Store(store))
        stop = Event()
        players = [Player(int(env["UPCARD_PORT"]), token, f"player {number}", stop) for number in range(PLAYERS)]
        for player in players:
            player.start()

        def plays() -> int:
            assert all(player.is_alive() for player in players)
            return sum(player.plays for player in players)

        try:
            for _ in range(max(2, scaled(10))):
                goal = plays() + 20 * PLAYERS
                until(lambda: plays() >= goal, "the clients play")  # noqa: B023 - called here only
                pid = store_pid(store)
                refused = sum(len(player.client.refused) for player in players)
                os.kill(pid, signal.SIGKILL)
                began, goal = time.monotonic(), plays() + PLAYERS
                until(lambda: plays() >= goal, "service comes back by itself")  # noqa: B023 - called here only
                refused = sum(len(player.client.refused) for player in players) - refused
                print(f"back {time.monotonic() - began:.2f} s after the kill, {refused} answers of 503 meanwhile")
        finally:
            stop.set()
            for player in players:
                player.join()
        for player in players:
            check_acknowledged(log, player)
            player.client.close()
            assert set(player.client.refused) <= MEANWHILE
            assert player.client.longest < SOON
        print(f"{plays_of(players)} plays acknowledged, none missing; answered within {longest(players):.2f} s")
        ledger = Ledger(Store(store), log)
        due = {
            table.id: [entry.to_bytes() for entry in entries(table.id, log.read(table.id))]
            for player in players
            for table in player.tables
        }
        # The worker may have ended with its store, and is started again by the launcher.
        until(lambda: {session: ledger.stored(session) for session in due} == due, "all is posted", 3 * POSTED_WITHIN)
        store.close()
        launcher.process.terminate()
        assert launcher.wait()[0] == 0


def store_pid(client: "redis.Redis") -> int:
    return int(client.info("server")["process_id"])


def plays_of(players: list[Player]) -> int:
    return sum(player.plays for player in players)


def longest(players: list[Player]) -> float:
    return max(player.client.longest for player in players)


def test_a_worker_waits_for_its_store_in_short_steps(upcard: Service) -> None:
    upcard.start("sweeper")
    worker = upcard.start_worker()
    until(upcard.waits_for_work, "the worker waits for work")
    upcard.store.kill()
    # RQ's own pauses would be 1, 2, 4 seconds and up to a minute in a longer outage; its other thread's are 2.
    until(lambda: upcard.said("worker").count("retrying in") >= 5, "it tries again and again")
    said = [line for line in upcard.said("worker").splitlines() if "retrying in" in line]
    assert max(int(line.partition("retrying in ")[2].split()[0]) for line in said) <= 2
    upcard.store.restart()
    due = upcard.seed(rng("after the outage"), kick=False)
    print(f"posted {upcard.wait_posted(due):.1f} s after the store was back, by the same worker")
    assert worker.poll() is None


def test_a_worker_without_its_store_at_any_other_moment_ends_and_says_why(upcard: Service) -> None:
    worker = upcard.start_worker("taken:hang")
    due = upcard.seed(rng("no store"))
    until(lambda: upcard.struck("taken"), "the worker has taken a job")
    upcard.store.kill()
    os.kill(worker.pid, signal.SIGCONT)
    assert worker.wait(LIMIT) == 1
    assert "\nthe jobs' Redis cannot be used: " in upcard.said("worker")
    upcard.store.restart()
    upcard.start("sweeper")
    upcard.start_worker()
    upcard.wait_posted(due)


def test_a_store_that_hangs_is_answered_for_in_time(upcard: Service) -> None:
    upcard.start_web()
    table = Table(upcard.client(), rng("hang"))
    table.deal()
    play = table.next_play()
    assert play is not None
    player, onlooker = upcard.client(), upcard.client()
    pid = store_pid(upcard.events)
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    try:
        token = table.tokens[str(play.seat)]
        player.send("POST", f"{table.path}/plays", play.body, token=token, match=play.version, key="once")
        onlooker.send("GET", table.path)
        played, seen = player.receive(), onlooker.receive()
        assert time.monotonic() - began < SOON
        # Which of the two depends on whether there was a connection to send it on.
        assert (played.status, played.slug) in MEANWHILE
        assert (seen.status, seen.slug) == (503, "store-unavailable")
        assert played.headers["retry-after"] == seen.headers["retry-after"] == "1"
    finally:
        os.kill(pid, signal.SIGCONT)
    # Perhaps it was in the store's ears all the time; it is recorded once.
    again = table.make(play, key="once")
    assert (again.status, again.version) == (201, play.version + 1)
    assert upcard.log.version(table.id) == play.version + 1


def test_without_the_jobs_store_play_goes_on_and_is_scored_later() -> None:
    with store_server() as jobs, store_server() as store:
        upcard = Service(store, jobs.jobs_url)
        try:
            upcard.start_web()
            sweeper = upcard.start("sweeper")
            tables = []
            for away in (signal.SIGKILL, signal.SIGSTOP):
                table = ShortTable(upcard.client())
                tables.append(table.id)
                pid = store_pid(upcard.jobs)
                os.kill(pid, away)
                began = time.monotonic()
                answer = table.end()
                took = time.monotonic() - began
                assert answer.status == 201, answer
                assert took < SOON
                ready = upcard.client().call("GET", "/health/ready")
                assert (ready.status, ready.body["worker"]) == (503, "the jobs' Redis cannot be reached")
                print(f"with the jobs' store struck by {away.name} a deal's last play was answered in {took:.2f} s")
                if away == signal.SIGSTOP:
                    os.kill(pid, signal.SIGCONT)
                jobs.restart()
            assert sweeper.poll() is None
            upcard.start_worker()
            upcard.wait_posted(upcard.owed(*tables))
        finally:
            upcard.stop()
