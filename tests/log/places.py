"""Where a log may lie (in memory, on fakeredis, on the real server), and batches to put there.

Digests here hang on the version alone, so that a batch can be made for any version; a chain has them from its events.
Left out: events of games. The log stores envelopes and never looks into them; histories.py has real ones.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from fakeredis import FakeRedis, FakeServer
from fakeredis._typing import ServerType
from redis import Redis

from replay.envelope import Envelope, Stamp, Tip, sealed
from replay.log import Batch, CommandKey, Log, Names, Summary
from replay.memory_log import MemoryLog
from replay.redis_client import Store
from replay.redis_log import RedisLog
from replay.shards import new_session_id, shard_of
from service.embedded_store import find_server

NOW = 1_790_000_000_000
STAMP = Stamp("2026-09-21T13:46:40Z", "seat:1", "request-1")


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


def tip(version: int) -> Tip:
    """A log of noted events up to this version."""
    return Tip(version, sha256(f"noted {version}".encode()).digest())


def noted(version: int, hidden: Mapping[str, Any] | None = None, **public: Any) -> Envelope:
    """An envelope of no game. `hidden`: fields that are sealed."""
    opened = {name: [f"{version:032x}", value] for name, value in (hidden or {}).items()}
    made = sealed(tip(version - 1), "test.noted", 1, STAMP, public, opened)
    return made._replace(digest=tip(version).head)


def batch(session: str, envelopes: Sequence[Envelope], now: int = NOW, **more: Any) -> Batch:
    """A batch of noted events, to follow those before them."""
    return Batch(session, tip(envelopes[0].version - 1), envelopes, now, **more)


def summary(status: str = "waiting", owner: str = "club") -> Summary:
    """A summary as a session has it."""
    return Summary("rockaway", status, True, owner)


def command(key: str, body: str = "body", status: int = 201) -> CommandKey:
    """A command's key, with digests of these texts."""
    return CommandKey(sha256(key.encode()).hexdigest(), sha256(body.encode()).hexdigest(), status)


def opening(
    session: str, *, now: int = NOW, key: CommandKey | None = None, names: Names | None = ("Ann", "Ben")
) -> Batch:
    """The batch that opens a session."""
    return batch(session, [noted(1)], now, summary=summary(), command=key, names=names)


def next_one(session: str, version: int, **more: Any) -> Batch:
    """A batch of one event, to be this version."""
    return batch(session, [noted(version, n=version)], **more)


def elsewhere(session: str) -> str:
    """A fresh session id in another shard."""
    while True:
        fresh = new_session_id()
        if shard_of(fresh) != shard_of(session):
            return fresh
