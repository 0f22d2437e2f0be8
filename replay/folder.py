"""Folded sessions, kept by this process and brought up to date from the tail of their logs; a state at any version.

A cache and nothing more: everything here can be folded again from the log, and is, after a restart.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Final, NamedTuple

from replay.codec import decode
from replay.envelope import Envelope
from replay.log import Log
from replay.rules.session import BrokenLogError, Session, fold
from replay.rules.session_events import Event

MARK_EVERY: Final = 256
"""Versions between kept states: a state at any version costs at most this many steps of folding."""


class Folded(NamedTuple):
    """A session as far as it has been folded here."""

    session: Session
    opened_at: str
    marks: tuple[Session, ...]
    """States on the way, at every multiple of MARK_EVERY, for looking back."""


def advanced(held: Folded | None, events: Sequence[Event], at: str) -> Folded:
    """What is held, with these events after it; `at` is when the first of them was recorded."""
    state = held.session if held else None
    marks = held.marks if held else ()
    after = state.version if state else 0
    # In steps, so that a long log folded at once leaves marks to look back from too.
    start = -(after % MARK_EVERY)
    for stop in range(start + MARK_EVERY, len(events) + MARK_EVERY, MARK_EVERY):
        state = fold(state, events[max(start, 0) : stop])
        start = stop
        if state.version % MARK_EVERY == 0:
            marks = (*marks, state)
    if state is None:
        raise ValueError("nothing is held, and nothing follows")
    return Folded(state, held.opened_at if held else at, marks)


class Folder:
    """Sessions by id, the least recently used forgotten first. Safe to use from several threads."""

    def __init__(self, log: Log, capacity: int = 2000) -> None:
        self.log: Final = log
        self._capacity: Final = capacity
        self._lock: Final = Lock()
        self._held: Final[OrderedDict[str, Folded]] = OrderedDict()

    def held(self, session: str) -> Folded | None:
        """What this process last knew, without asking the store."""
        with self._lock:
            folded = self._held.get(session)
            if folded is not None:
                self._held.move_to_end(session)
            return folded

    def now(self, session: str) -> Folded | None:
        """The session as the log has it now; None if there is no such session. Raises BrokenLogError."""
        held = self.held(session)
        tail = self.log.read(session, held.session.version if held else 0)
        return self.extend(session, held, tail)

    def extend(self, session: str, held: Folded | None, tail: Sequence[Envelope]) -> Folded | None:
        """What is held, and the events that follow it, which are in the log."""
        if not tail:
            return held
        _expect(tail, held.session.version if held else 0, len(tail))
        folded = advanced(held, decode(tail), tail[0].at)
        self.keep(session, folded)
        return folded

    def keep(self, session: str, folded: Folded) -> None:
        """Hold this, unless something newer is held. What is kept must be in the log."""
        with self._lock:
            known = self._held.get(session)
            if known is None or known.session.version < folded.session.version:
                self._held[session] = folded
                self._held.move_to_end(session)
                while len(self._held) > self._capacity:
                    self._held.popitem(last=False)

    def forget(self, session: str) -> None:
        """Hold nothing of this session any more: what was held is not what the log has."""
        with self._lock:
            self._held.pop(session, None)

    def at(self, session: str, folded: Folded, version: int) -> Session:
        """The state of a session after one of its versions, from 1 to what has been folded."""
        if version == folded.session.version:
            return folded.session
        start = None
        for mark in folded.marks:
            if mark.version <= version:
                start = mark
        after = start.version if start else 0
        if start is not None and after == version:
            return start
        stored = self.log.read(session, after, version - after)
        _expect(stored, after, version - after)
        return fold_stored(start, stored)


def _expect(stored: Sequence[Envelope], after: int, count: int) -> None:
    """Check that these are the `count` versions that follow `after`; raises BrokenLogError at the first that is not."""
    versions = [each.version for each in stored]
    wanted = list(range(after + 1, after + count + 1))
    if versions != wanted:
        place = next(
            (n for n, (is_, must) in enumerate(zip(versions, wanted, strict=False)) if is_ != must), len(stored)
        )
        raise BrokenLogError(after + 1 + place, "an event is missing")


def fold_stored(session: Session | None, stored: Sequence[Envelope]) -> Session:
    """The state after these envelopes, from the state before them; raises BrokenLogError."""
    return fold(session, decode(stored))
