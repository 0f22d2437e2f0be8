"""Looks at cards that were still hidden, by those whose tokens let them: kept for the organiser, never trimmed.

Beside the session's log in the store, not in it: reading is no event.
"""

from typing import Any, Final, NamedTuple

import orjson

from replay.redis_client import Store
from replay.shards import key, shard_of


class Look(NamedTuple):
    """One look at a session while a deal was on."""

    at: str
    who: str
    """The name of the token's holder, as the token's description has it."""
    token: str
    """The token's id."""
    version: int
    """Of the session, when it was shown."""
    deal: int
    read: str
    """What was asked for: the method, the path after the session's own, and where to look."""
    request: str


class PrivilegedReads:
    """The looks at each session, in order."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    def note(self, session: str, look: Look) -> None:
        """Keep a look. Raises StoreUnavailableError or OutcomeUnknownError: then nothing may be shown."""
        self._store.write("RPUSH", _reads_key(session), orjson.dumps(look._asdict()))

    def listed(self, session: str, after: int, limit: int) -> list[dict[str, Any]]:
        """Looks after the first `after` of them, with their numbers. Raises StoreUnavailableError."""
        stored = self._store.read("LRANGE", _reads_key(session), after, after + limit - 1)
        return [{"number": number, **orjson.loads(each)} for number, each in enumerate(stored, start=after + 1)]


def _reads_key(session: str) -> str:
    return key(shard_of(session), f"reads:{session}")
