"""The log in Redis: a stream for each session, written by append.lua alone.

No MAXLEN, no DEL and no expiry anywhere near a stream.
"""

from importlib.resources import files
from typing import Any, Final

import orjson

from replay.envelope import Envelope, envelope
from replay.log import (
    Appended,
    Batch,
    CommandKey,
    Conflict,
    KeyReused,
    Names,
    Outcome,
    Repeated,
    StoreUnavailableError,
    Summary,
)
from replay.redis_client import Argument, Script, Store
from replay.rules.session_state import BrokenLogError
from replay.shards import SHARDS, checkpoints_key, events_key, key, shard_of

_APPEND: Final = Script(files("replay").joinpath("lua/append.lua").read_text())
_FORGET: Final = Script(files("replay").joinpath("lua/forget.lua").read_text())
_BESIDE: Final = tuple(
    tuple(key(shard, name) for name in ("commands", "outbox", "index", "summaries", "people", "contested"))
    for shard in range(SHARDS)
)
"""Of each shard, the keys that the script writes beside a stream."""
_LAST: Final = 2**64 - 1
"""No entry of a stream can have a higher number, and none may be asked for."""


class RedisLog:
    """A Log on one Redis, or on a Redis Cluster through a client that knows it."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    def append(self, batch: Batch) -> Outcome:
        """See Log. One script, all or nothing."""
        session, command = batch.session, batch.command
        keys = (events_key(session), checkpoints_key(session), *_BESIDE[shard_of(session)])
        arguments: list[Argument] = [
            session,
            batch.after.version,
            batch.after.head,
            len(batch.envelopes),
            batch.now,
            orjson.dumps(batch.summary._asdict()) if batch.summary else b"",
            *((command.key, command.body, command.status) if command else ("", "", "")),
            b"" if batch.names is None else orjson.dumps(batch.names),
            "" if batch.contested is None else batch.contested,
            len(batch.due),
            *batch.due,
            len(batch.checkpoints),
            *batch.checkpoints,
        ]
        for each in batch.envelopes:
            arguments += (each.raw, each.sealed_bytes(), each.digest)
        answer = self._store.run(_APPEND, keys, *arguments)
        match answer[0]:
            case b"appended":
                return Appended(answer[1])
            case b"conflict":
                return Conflict(answer[1])
            case b"repeated":
                return Repeated(answer[1], answer[2], answer[3].decode())
            case b"reused":
                return KeyReused()
            case other:
                raise StoreUnavailableError(f"the append script answered {other!r}")

    def recall(self, session: str, command: CommandKey) -> Repeated | KeyReused | None:
        """See Log."""
        known = self._store.read("HGET", key(shard_of(session), "commands"), command.key)
        if known is None:
            return None
        body, status, version, of = known.decode().split(" ", 3)
        return Repeated(int(status), int(version), of) if body == command.body else KeyReused()

    def read(self, session: str, after: int = 0, limit: int | None = None) -> list[Envelope]:
        """See Log."""
        if limit == 0:
            return []  # a stream asked for no entries answers as if it were no list
        count = () if limit is None else ("COUNT", limit)
        first = f"{min(after + 1, _LAST)}-0"
        entries = self._store.read("XRANGE", events_key(session), first, "+", *count)
        return [_entry(*entry) for entry in entries]

    def version(self, session: str) -> int:
        """See Log."""
        length = self._store.read("XLEN", events_key(session))
        return int(length)

    def sessions(self, before: str | None, limit: int) -> list[tuple[str, Summary]]:
        """See Log. Asks every shard, since ids in one shard say nothing of those in another."""
        top = "+" if before is None else f"({before}"
        found: list[str] = []
        for shard in range(SHARDS):
            ids = self._store.read("ZRANGE", key(shard, "index"), top, "-", "BYLEX", "REV", "LIMIT", 0, limit)
            found += (each.decode() for each in ids)
        newest = sorted(found, reverse=True)[:limit]
        found_with = ((session, self.summary(session)) for session in newest)
        return [(session, summary) for session, summary in found_with if summary is not None]

    def due(self, limit: int) -> list[tuple[str, int, int]]:
        """See Log."""
        found: list[tuple[str, int, int]] = []
        for shard in range(SHARDS if limit else 0):
            waiting = self._store.read("ZRANGE", key(shard, "outbox"), 0, limit - 1, "WITHSCORES")
            for member, since in zip(waiting[::2], waiting[1::2], strict=True):
                session, number = member.decode().rsplit(" ", 1)
                found.append((session, int(number), int(float(since))))
        return sorted(found, key=lambda each: each[2])

    def names(self, session: str) -> Names:
        """See Log."""
        stored = self._store.read("HGET", key(shard_of(session), "people"), session)
        return () if stored is None else tuple(orjson.loads(stored))

    def forget(self, name: str) -> list[str]:
        """See Log. One script a shard and step, so that no session is opened or changed between look and change."""
        found: list[str] = []
        for shard in range(SHARDS):
            cursor = b"0"
            while True:
                cursor, *sessions = self._store.run(_FORGET, (key(shard, "people"),), cursor, name)
                found += (session.decode() for session in sessions)
                if cursor == b"0":
                    break
        return list(dict.fromkeys(found))

    def contested(self) -> list[tuple[str, int]]:
        """See Log."""
        found: list[tuple[str, int]] = []
        for shard in range(SHARDS):
            members = self._store.read("ZRANGE", key(shard, "contested"), 0, -1, "WITHSCORES")
            found += (
                (member.decode(), int(float(since))) for member, since in zip(members[::2], members[1::2], strict=True)
            )
        return sorted(found, key=lambda each: (each[1], each[0]))

    def checkpoints(self, session: str) -> list[bytes]:
        """See Log."""
        stored: list[bytes] = self._store.read("LRANGE", checkpoints_key(session), 0, -1)
        return stored

    def summary(self, session: str) -> Summary | None:
        """See Log."""
        stored = self._store.read("HGET", key(shard_of(session), "summaries"), session)
        return None if stored is None else Summary(**orjson.loads(stored))


def _entry(entry_id: bytes, fields: list[Any]) -> Envelope:
    version = int(entry_id.partition(b"-")[0])
    # As the script writes them: the public part, its digest, and only if something is sealed what opens it.
    match fields:
        case [b"p", public, b"h", head]:
            return envelope(version, public, b"", head)
        case [b"p", public, b"h", head, b"s", beside]:
            return envelope(version, public, beside, head)
        case _:
            raise BrokenLogError(version, "it is not stored as events are")
