"""A whole service in this process over a store: its application, its organisers, a clock and chance that repeat.

Left out: web server, worker and sweeper. Scores are posted when a test says so (`House.score`).
"""

import atexit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from fakeredis import FakeRedis, FakeServer
from fakeredis._typing import ServerType
from flask import Flask
from redis import Redis

from replay.folder import Folded
from replay.log import Log
from replay.redis_client import Store, connect
from replay.redis_feed import RedisFeed
from replay.redis_log import RedisLog
from replay.rules.session_state import Session
from service.app import create_app
from service.bounds import Bounds
from service.context import Context
from service.embedded_store import Server, find_server
from service.signing import Keyring, keyring
from service.tokens import Tokens
from service.watching import Limits
from tests.http.client import Client
from tests.store_server import StoreServer
from workers.jobs import Kicker
from workers.ledger import Ledger
from workers.webhooks.addresses import Policy
from workers.webhooks.office import Office

START: Final = datetime(2026, 9, 21, 13, 46, 40, tzinfo=UTC)
EVENTS: Final = 0
JOBS: Final = 1
KEY: Final = b"a key of the server"


class Clock:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self) -> None:
        self._now = START

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now


class Entropy:
    """Seeds that are the same in every run, and never twice the same."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return sha256(f"entropy {self._count}".encode()).digest()[:size]


COUNTLESS: Final = Bounds(per_token=0, per_address=0, openings=0)
"""Tests ask as often as they like, but those of the rates themselves."""

NOTED: Final = (b"{upcard}:tokens_used", b"upcard:diverged")
"""Keys of what may be noted although nothing is recorded."""


def resolved(host: str, _port: int) -> list[str]:
    """Where names lead, as far as webhooks are concerned."""
    return {"hooks.example.com": ["93.184.215.14"], "inside.example.com": ["10.0.0.5"]}.get(host, [])


_APPS: Final[list[Flask]] = []
"""Applications that no house uses any more. Making one takes longer than most tests, and it holds nothing but code."""


class House:
    """One process of the service. `client_of` gives a client for a database of its store.

    With a log of its own (in memory) only tokens and ledgers are in the store.
    """

    def __init__(
        self,
        client_of: Callable[[int], Redis],
        log: Log | None = None,
        limits: Limits | None = None,
        bounds: Bounds = COUNTLESS,
    ) -> None:
        self.client_of: Final = client_of
        self.events: Final = client_of(EVENTS)
        self.store: Final = Store(self.events)
        self.log: Final[Log] = log or RedisLog(self.store)
        self.ledger: Final = Ledger(self.store, self.log)
        self.seconds = 0.0
        """That have gone by, as far as tokens can tell."""
        self.tokens: Final = Tokens(self.store, KEY, lambda: self.seconds, lambda: START.timestamp() + self.seconds)
        self.kicker: Final = Kicker(client_of(JOBS))
        self.webhooks: Final = Office(self.store, KEY, Policy(), resolved)
        self.context: Final = Context(
            store=self.store,
            log=self.log,
            ledger=self.ledger,
            tokens=self.tokens,
            kicker=self.kicker,
            keys=_keys(),
            webhooks=self.webhooks,
            feed=RedisFeed(client_of(EVENTS)),
            limits=limits,
            bounds=bounds,
            clock=Clock(),
            entropy=Entropy(),
        )
        self.app: Final = _APPS.pop() if _APPS else create_app(self.context)
        self.context.install(self.app)
        self.client: Final = Client(self.app)
        self.first = ""
        """The first organiser's token: he rules every session."""
        self.owner = ""
        """Another organiser's; sessions are opened with it unless a test says otherwise."""
        self.stranger = ""
        """That of an organiser who has nothing to do with the sessions of the test."""
        self._others: Final[list[House]] = []

    def settled(self) -> "House":
        """With its organisers."""
        self.first = self.tokens.organiser(rules_all=True)
        self.owner = self.tokens.organiser(rules_all=False)
        self.stranger = self.tokens.organiser(rules_all=False)
        return self

    def again(self) -> "House":
        """Another process on the same store: as after a restart, it remembers nothing by itself."""
        other = House(self.client_of, None if isinstance(self.log, RedisLog) else self.log)
        self._others.append(other)
        other.first, other.owner, other.stranger = self.first, self.owner, self.stranger
        return other

    def leave(self) -> None:
        """It will not be used any more, nor the other processes that were made from it."""
        self.context.watching.stop()
        _APPS.append(self.app)
        for other in self._others:
            other.leave()

    def score(self, session: str) -> int:
        """Do what a worker does: post whatever is due; how many entries were posted."""
        return self.ledger.post_all(session)

    def folded(self, session: str) -> Folded:
        """The session as the log has it, with its head."""
        folded = self.context.folder.now(session)
        assert folded is not None
        return folded

    def state(self, session: str) -> Session:
        """The session as the log has it, nothing hidden."""
        return self.folded(session).session

    def everything(self) -> dict[tuple[int, bytes], Any]:
        """All that the store holds, to see that nothing was recorded, but for what may be noted all the same."""
        found = {**_content(EVENTS, self.events), **_content(JOBS, self.client_of(JOBS))}
        return {place: content for place, content in found.items() if place[1] not in NOTED}


@contextmanager
def nothing_recorded(house: House) -> Iterator[None]:
    """What happens inside leaves the whole store as it was."""
    before = house.everything()
    yield
    assert house.everything() == before


def _content(db: int, client: Redis) -> dict[tuple[int, bytes], Any]:
    found: dict[tuple[int, bytes], Any] = {}
    keys: Any = client.keys("*")
    for key in keys:
        kind: Any = client.type(key)
        found[db, key] = _READ[kind](client, key)
    return found


_READ: Final[dict[bytes, Callable[[Any, bytes], Any]]] = {
    b"string": lambda client, key: client.get(key),
    b"hash": lambda client, key: client.hgetall(key),
    b"list": lambda client, key: client.lrange(key, 0, -1),
    b"set": lambda client, key: client.smembers(key),
    b"zset": lambda client, key: client.zrange(key, 0, -1, withscores=True),
    b"stream": lambda client, key: client.xrange(key),
}


@cache
def _keys() -> Keyring:
    """One signing key for all houses, gone with this process."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    return keyring(Path(folder.name))


@cache
def _real() -> Server:
    return find_server()


class Fake:
    """A store that is fakeredis, held to the kind and version of the server that the product brings."""

    def __init__(self) -> None:
        real = _real()
        self._version: Final = real.version[:2]
        self._kind: Final[ServerType] = "valkey" if real.title.lower().startswith("valkey") else "redis"
        self.server: Final = FakeServer(version=self._version, server_type=self._kind)

    def __call__(self, db: int) -> Redis:
        # A connection's version wins over its server's, so both are told.
        return FakeRedis(server=self.server, version=self._version, server_type=self._kind, protocol=2, db=db)


def on_server(server: StoreServer) -> Callable[[int], Redis]:
    """A store that is a real server."""
    return lambda db: connect(server.url if db == EVENTS else server.jobs_url)
