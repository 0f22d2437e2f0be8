"""The log as everybody else knows it: append to a session's stream all or nothing, read it, list the sessions.

The port, its answers and its errors. Adapters: memory_log.py and redis_log.py, held to one suite of tests.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from replay.envelope import Envelope, Tip


class StoreUnavailableError(Exception):
    """The store cannot be reached or takes no writes; nothing was recorded."""


class StoreRefusesError(StoreUnavailableError):
    """The store answers and does not do what it is asked: no memory, read only, no permission. Nothing was recorded."""


class OutcomeUnknownError(Exception):
    """The connection was lost after the command was sent: it may have been recorded."""


class CommandKey(NamedTuple):
    """What makes a command the same command when it comes again."""

    key: str
    """Digest over who gave it, where, and the key that he chose."""
    body: str
    """Digest of what he sent."""
    status: int
    """The HTTP status that goes with the answer, kept for the repeat."""


class Summary(NamedTuple):
    """What a list of sessions can be filtered by, kept beside the stream so that no session must be folded for it."""

    game: str
    status: str
    public: bool
    owner: str


Names = tuple[str | None, ...]
"""Players by seat; None for one who has been forgotten."""


class Batch(NamedTuple):
    """Events that are recorded together or not at all."""

    session: str
    after: Tip
    """The log as it was seen; they are recorded only if it is still so, to the digest."""
    envelopes: Sequence[Envelope]
    """At least one, in order, chained to one another and to `after`."""
    now: int
    """Milliseconds since the epoch, for how long a due deal has waited."""
    summary: Summary | None = None
    """The session's summary after them; None if it stays as it is."""
    due: Sequence[int] = ()
    """Versions of those among these events that the ledger must answer, for the outbox."""
    command: CommandKey | None = None
    names: Names | None = None
    """With an opening: who plays."""
    checkpoints: Sequence[bytes] = ()
    """Signed heads of versions among these."""
    contested: int | None = None
    """Milliseconds since the epoch at which the oldest open dispute was opened, 0 if none is open any more; None if
    these events change nothing in that."""


# Answers are no tuples: those would be equal across kinds, a conflict at 3 to an append of 3.


@dataclass(frozen=True, slots=True)
class Appended:
    """The events are in the log; `version` is the last one's."""

    version: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Nothing was recorded: the session is at `version`, and not as the events would follow."""

    version: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The command's key is known, with this body: what the first one was answered. Nothing was recorded now."""

    status: int
    version: int
    session: str


@dataclass(frozen=True, slots=True)
class KeyReused:
    """The command's key is known, with another body. Nothing was recorded."""


Outcome = Appended | Conflict | Repeated | KeyReused


class Log(Protocol):
    """A store of sessions' streams. Every method may raise StoreUnavailableError; append also OutcomeUnknownError."""

    def append(self, batch: Batch) -> Outcome:
        """Record all of the batch, or nothing. The command's key is asked first, then the version."""

    def recall(self, session: str, command: CommandKey) -> Repeated | KeyReused | None:
        """What is remembered of a command in the shard of this session; None if nothing."""

    def read(self, session: str, after: int = 0, limit: int | None = None) -> list[Envelope]:
        """Events after that version in order, at most `limit`; none for a session that does not exist.

        Raises BrokenLogError if a stored event cannot be read.
        """

    def version(self, session: str) -> int:
        """The number of events; 0 for a session that does not exist."""

    def sessions(self, before: str | None, limit: int) -> list[tuple[str, Summary]]:
        """Sessions by id downwards (the newest first), only those below `before` if that is given."""

    def summary(self, session: str) -> Summary | None:
        """What is kept beside the session's stream; None for a session that does not exist."""

    def due(self, limit: int) -> list[tuple[str, int, int]]:
        """Of each shard's outbox, up to `limit` of the longest waiting: session, version, and since when (ms)."""

    def names(self, session: str) -> Names:
        """Who plays; empty for a session that does not exist."""

    def forget(self, name: str) -> list[str]:
        """Forget the players of this name, wherever they play; those sessions. No event changes, and no digest."""

    def contested(self) -> list[tuple[str, int]]:
        """Sessions with open disputes, and since when (ms), the longest first."""

    def checkpoints(self, session: str) -> list[bytes]:
        """Signed heads, in order."""


def every_session(log: Log) -> Iterator[str]:
    """Every session there is, the newest first, a page at a time."""
    before: str | None = None
    while listed := log.sessions(before, _PAGE):
        for session, _ in listed:
            yield session
        before = listed[-1][0]


_PAGE: Final = 200
