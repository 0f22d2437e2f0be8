"""Names of keys. All keys of a shard share a hash tag, so that one script works on a Redis Cluster too.

STORAGE: the number of shards and the way from an id to its shard are promises.
"""

from binascii import crc32
from typing import Final

from uuid_utils import uuid7

SHARDS: Final = 16
"""Enough to spread over any cluster we would run; few enough that listing sessions may ask them all."""


def shard_of(name: str) -> int:
    """The shard of a session id, or of a command's key."""
    return crc32(name.encode()) % SHARDS


_TAGS: Final = tuple(f"{{s{shard:02}}}" for shard in range(SHARDS))


def key(shard: int, name: str) -> str:
    """A key of the shard."""
    return f"{_TAGS[shard]}:{name}"


def events_key(session: str) -> str:
    """The session's stream."""
    return key(shard_of(session), f"events:{session}")


def checkpoints_key(session: str) -> str:
    """The session's signed heads."""
    return key(shard_of(session), f"checkpoints:{session}")


def ledger_key(session: str) -> str:
    """The session's ledger."""
    return key(shard_of(session), f"ledger:{session}")


def new_session_id(like: str | None = None) -> str:
    """A fresh id, later ones above earlier ones; with `like` in the shard of that name.

    A command that opens a session is remembered in the shard of its key, so the session must lie there too.
    """
    while True:
        fresh = str(uuid7())
        if like is None or shard_of(fresh) == shard_of(like):
            return fresh
