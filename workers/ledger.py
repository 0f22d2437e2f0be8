"""The ledger in Redis: append-only lists of entries, each posted exactly once, in order, by one script.

It holds nothing that the log does not: `rebuild` makes it anew, `check` says where it differs.
"""

from importlib.resources import files
from typing import Any, Final, Literal

import orjson

from replay.log import Log
from replay.redis_client import Script, Store
from replay.shards import events_key, key, ledger_key, shard_of
from workers.entries import Entry, ScoreDivergedError, entries

_POST: Final = Script(files("workers").joinpath("lua/post.lua").read_text())
_REBUILD: Final = Script(files("workers").joinpath("lua/rebuild.lua").read_text())

Posting = Literal["posted", "known", "gap", "differs"]


class LedgerDivergedError(Exception):
    """The ledger holds an entry that the log does not call for."""


class Ledger:
    """The ledgers of all sessions, beside their logs on one store."""

    def __init__(self, store: Store, log: Log) -> None:
        self._store: Final = store
        self._log: Final = log

    def posted(self, session: str) -> int:
        """How many entries are posted. Raises StoreUnavailableError, as everything here does."""
        length = self._store.read("LLEN", ledger_key(session))
        return int(length)

    def entries(self, session: str) -> list[dict[str, Any]]:
        """The posted entries in order. Raises ScoreDivergedError if one is not what the log calls for, BrokenLogError.

        Compared with the log each time, so that nothing is shown that the log does not bear out.
        """
        posted, fault = self._compared(session)
        if fault is not None:
            raise ScoreDivergedError(fault)
        return [orjson.loads(entry) for entry in posted]

    def stored(self, session: str) -> list[bytes]:
        """The posted entries in order, to the byte."""
        stored: list[bytes] = self._store.read("LRANGE", ledger_key(session), 0, -1)
        return stored

    def post(self, session: str, entry: Entry) -> Posting:
        """Post an entry if it is the next; safe to repeat any number of times. May raise OutcomeUnknownError."""
        keys = [ledger_key(session), key(shard_of(session), "outbox")]
        answer = self._store.run(
            _POST, keys, entry.number, entry.to_bytes(), f"{session} {entry.due}" if entry.due else ""
        )
        posting: Posting = answer.decode()
        return posting

    def post_all(self, session: str) -> int:
        """Post whatever the log calls for and is not posted yet; how many entries were. Raises LedgerDivergedError."""
        count = 0
        for entry in entries(session, self._log.read(session)):
            posting = self.post(session, entry)
            if posting == "differs":
                raise LedgerDivergedError(f"entry {entry.number} of session {session} is not what its log says")
            count += posting == "posted"
        return count

    def put_off(self, session: str, until: int) -> None:
        """Have the session's deals wait in the outbox as if they had ended at that moment (ms): behind all others.

        Else the oldest of a shard, which are all that a sweep looks at, could in time be none but those that fail.
        """
        outbox, cursor = key(shard_of(session), "outbox"), b"0"
        while True:
            cursor, found = self._store.read("ZSCAN", outbox, cursor, "MATCH", f"{session} *", "COUNT", 1000)
            if found:
                later = [part for member in found[::2] for part in (until, member)]
                # Only forwards, and only what is still there: another worker may post it meanwhile.
                self._store.write("ZADD", outbox, "XX", "GT", *later)
            if cursor == b"0":
                return

    def check(self, session: str) -> str | None:
        """Where the ledger is not a beginning of what the log calls for, in words; None if it is."""
        return self._compared(session)[1]

    def _compared(self, session: str) -> tuple[list[bytes], str | None]:
        """What is posted, and where it is not a beginning of what the log calls for."""
        posted = self.stored(session)
        # Read after what is posted, so that it calls for all of it.
        due = [entry.to_bytes() for entry in entries(session, self._log.read(session))]
        for number, (want, have) in enumerate(zip(due, posted, strict=False), start=1):
            if want != have:
                return posted, f"entry {number} is not what the log says"
        if len(posted) > len(due):
            return posted, f"entry {len(due) + 1} has no deal in the log"
        return posted, None

    def rebuild(self, session: str) -> int:
        """Make the ledger anew from the log; how many entries it has. Tried again while the log goes on."""
        while True:
            stored = self._log.read(session)
            made = [entry.to_bytes() for entry in entries(session, stored)]
            keys = [ledger_key(session), events_key(session)]
            if self._store.run(_REBUILD, keys, len(stored), *made) == b"rebuilt":
                return len(made)
