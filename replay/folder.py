"""Folded sessions, kept by this process and brought up to date from the tail of their logs; a state at any version.

A cache and nothing more: everything here can be folded again from the log, and is, after a restart. Whatever is read
from the log is first checked against its digests.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Final, NamedTuple

from replay.chain import check_chain
from replay.codec import decode
from replay.envelope import Envelope, Tip
from replay.log import Log
from replay.rules.session import fold
from replay.rules.session_events import Event
from replay.rules.session_state import BrokenLogError, Session

MARK_EVERY: Final = 256
"""Versions between kept states: a state at any version costs at most this many steps of folding."""


class Moment(NamedTuple):
    """A session after one of its versions."""

    session: Session
    head: bytes
    """The digest of its last event."""
    commitment: str | None
    """The seal of the seed of the deal that is on, or of the next; None where nothing is shuffled."""

    @property
    def tip(self) -> Tip:
        """How far its log goes."""
        return Tip(self.session.version, self.head)


class Folded(NamedTuple):
    """A session as far as it has been folded here."""

    now: Moment
    opened_at: str
    marks: tuple[Moment, ...]
    """On the way, at every multiple of MARK_EVERY, for looking back."""

    @property
    def session(self) -> Session:
        """The session as it is now."""
        return self.now.session


def advanced(held: Folded | None, events: Sequence[Event], stored: Sequence[Envelope]) -> Folded:
    """What is held, with these events after it, which are stored as these envelopes."""
    now = held.now if held else None
    marks = held.marks if held else ()
    after = now.session.version if now else 0
    # In steps, so that a long log folded at once leaves marks to look back from too.
    start = -(after % MARK_EVERY)
    for stop in range(start + MARK_EVERY, len(events) + MARK_EVERY, MARK_EVERY):
        step = slice(max(start, 0), stop)
        now = following(now, events[step], stored[step])
        start = stop
        if now.session.version % MARK_EVERY == 0:
            marks = (*marks, now)
    if now is None:
        raise ValueError("nothing is held, and nothing follows")
    return Folded(now, held.opened_at if held else stored[0].stamp.at, marks)


def following(before: Moment | None, events: Sequence[Event], stored: Sequence[Envelope]) -> Moment:
    """The moment after these events, of which there is one at least, and as they are stored."""
    session = fold(before.session if before else None, events)
    commitment = before.commitment if before else None
    for each in stored:
        # Events that may carry a seed are few, and carry none where nothing is shuffled, or no deal is to follow.
        if each.kind in _COMMITTING or (each.kind == "session.ruled" and "seed" in each.seals):
            commitment = each.seals.get("seed")
    return Moment(session, stored[-1].digest, commitment)


_COMMITTING: Final = frozenset({"session.opened", "session.deal_ended"})


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

    def sound(self, session: str) -> tuple[Folded | None, BrokenLogError | None]:
        """The session as far as its log can be believed, and why no further; None if there is nothing of it."""
        try:
            return self.now(session), None
        except BrokenLogError as fault:
            broken = fault
        self.forget(session)
        while broken.version > 1:
            try:
                stored = self.log.read(session, 0, broken.version - 1)
                check_chain(session, None, stored)
                return advanced(None, decode(stored), stored), broken
            except BrokenLogError as earlier:
                if earlier.version >= broken.version:
                    break
                broken = earlier
        return None, broken

    def extend(self, session: str, held: Folded | None, tail: Sequence[Envelope]) -> Folded | None:
        """What is held, and the events that follow it, which are in the log. Raises BrokenLogError."""
        if not tail:
            return held
        check_chain(session, held.now.tip if held else None, tail)
        folded = advanced(held, decode(tail), tail)
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

    def at(self, session: str, folded: Folded, version: int) -> Moment:
        """A session after one of its versions, from 1 to what has been folded. Raises BrokenLogError."""
        if version == folded.session.version:
            return folded.now
        start = None
        for mark in folded.marks:
            if mark.session.version <= version:
                start = mark
        after = start.session.version if start else 0
        if start is not None and after == version:
            return start
        stored = self.log.read(session, after, version - after)
        check_chain(session, start.tip if start else None, stored)
        if len(stored) < version - after:
            raise BrokenLogError(after + len(stored) + 1, "an event is missing")
        return following(start, decode(stored), stored)
