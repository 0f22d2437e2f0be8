"""Where a log may lie (in memory, on fakeredis, on the real server), and batches to put there.

Left out: events of games. The log stores envelopes and never looks into them; histories.py has real ones.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from fakeredis import FakeRedis, FakeServer
from fakeredis._typing import ServerType
from redis import Redis

from replay.envelope import Envelope
from replay.log import Batch, CommandKey, Log, Summary
from replay.memory_log import MemoryLog
from replay.redis_client import Store
from replay.redis_log import RedisLog
from replay.shards import new_session_id, shard_of
from service.embedded_store import find_server

NOW = 1_790_000_000_000
AT = "2026-09-21T13:46:40Z"


class Place(NamedTuple):
    """A store, and how a process makes its adapter on it."""

    log: Log
    again: Callable[[], Log]
    """Another adapter on the same store, as a process would make it after a restart. In memory: the same one."""


def in_memory() -> Place:
    """A log in this process."""
    log = MemoryLog()
    return Place(log, lambda: log)


def on_fakeredis() -> Place:
    """A log on fakeredis, held to the kind and version of the server that the product brings."""
    real = find_server()
    kind: ServerType = "valkey" if real.title.lower().startswith("valkey") else "redis"
    server = FakeServer(version=real.version[:2], server_type=kind)

    def again() -> Log:
        # A connection's version wins over its server's, so both are told.
        return RedisLog(Store(FakeRedis(server=server, version=real.version[:2], server_type=kind, protocol=2)))

    return Place(again(), again)


def on(connect: Callable[[], Redis]) -> Place:
    """A log on a server, with a client of its own for each adapter."""
    return Place(RedisLog(Store(connect())), lambda: RedisLog(Store(connect())))


def noted(version: int, sealed: Mapping[str, Any] | None = None, **public: Any) -> Envelope:
    """An envelope of no game."""
    return Envelope(version, "test.noted", 1, AT, "seat:1", public, sealed or {})


def summary(status: str = "waiting", *players: str) -> Summary:
    """A summary as a session has it."""
    return Summary("rockaway", status, True, "club", players or ("Ann", "Ben"))


def command(key: str, body: str = "body", status: int = 201) -> CommandKey:
    """A command's key, with digests of these texts."""
    return CommandKey(sha256(key.encode()).hexdigest(), sha256(body.encode()).hexdigest(), status)


def opening(session: str, *, now: int = NOW, key: CommandKey | None = None) -> Batch:
    """The batch that opens a session."""
    return Batch(session, [noted(1)], now, summary(), (), key)


def next_one(session: str, version: int, **more: Any) -> Batch:
    """A batch of one event, to be this version."""
    return Batch(session, [noted(version, n=version)], NOW, **more)


def elsewhere(session: str) -> str:
    """A fresh session id in another shard."""
    while True:
        fresh = new_session_id()
        if shard_of(fresh) != shard_of(session):
            return fresh
