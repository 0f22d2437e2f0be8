"""What a session is after some version of its log, in types; and looking things up in it.

Replayed for ever, so it imports nothing that may change. Left out: how it comes about (session.py, session_ruled.py).
"""

from typing import Any, Literal, NamedTuple

from replay.rules.game import AnyGame, Dealt, Ending, Setting
from replay.rules.session_events import Event, Mode, Ruled, Subject
from replay.rules.session_terms import Terms


class BrokenLogError(Exception):
    """The events do not follow from one another: from `version` on, no state can be believed."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(f"the log is broken at version {version}: {reason}")
        self.version = version
        self.reason = reason


class Irregularity(NamedTuple):
    """An irregular play of a deal: its version, its number among the deal's plays (from 1), seat and clause."""

    version: int
    play: int
    seat: int
    clause: str | None


PlainLine = tuple[tuple[int, str, bool, str | None], ...]
"""Plays of an amended deal, as a ruling stores them."""


Line = tuple[Any, int, Event]
"""A deal's plays, the last one outermost: those before it (a Line, or None), its version, its event."""


class Deal(NamedTuple):
    """The deal in progress, or the last one."""

    number: int
    dealer: int
    first: int
    """The version of its deal_started."""
    last: int | None
    """The version of its deal_ended; None while it is on."""
    state: Any
    """The game's own state."""
    plays: int
    irregularities: tuple[Irregularity, ...]
    ending: Ending | None
    points: tuple[int, ...] | None
    """What it scored, or was ruled to count."""
    setting: Setting
    dealt: Dealt
    begun: Any
    """The game's own state before the first play: what these two make."""
    line: Line | None
    """The plays that stand."""


class Span(NamedTuple):
    """A finished deal: its number, where it lies in the log, and what it counts."""

    number: int
    first: int
    last: int
    scored: tuple[int, ...]
    """What its cards scored when it ended."""
    points: tuple[int, ...]
    """What it counts, after all rulings."""
    redealt: bool
    """Whether it was dealt once more, under the same number."""
    confirmed: bool
    """Whether a second person agreed to its result, as it is."""


class Dispute(NamedTuple):
    """A deal contested."""

    number: int
    seat: int | None
    deal: int
    at: int | None
    about: Subject
    words: str | None
    version: int
    status: Literal["open", "withdrawn", "ruled"]


class Ruling(NamedTuple):
    """A ruling on the record."""

    version: int
    event: Ruled
    before: Deal | None
    """The deal at hand as it was, should the ruling be overruled."""
    overruled: bool


class Session(NamedTuple):
    """A session after some version of its log."""

    version: int
    game: AnyGame
    options: Any
    seats: int
    mode: Mode
    public: bool
    owner: str
    first_deal: int
    brought_forward: tuple[int, ...]
    totals: tuple[int, ...]
    deal: Deal | None
    finished: tuple[Span, ...]
    """The deals that are over, in order."""
    winners: tuple[int, ...] | None
    """Seats; None while the session is not over."""
    seed: str | None
    """Of the deal that is on, or of the next: never shown before that deal is over. None where nothing is shuffled, or
    where only the commitment to it has come here."""
    entropy: tuple[str | None, ...]
    """What each seat has given for the deal that is on, or for the next."""
    terms: Terms
    disputes: tuple[Dispute, ...]
    rulings: tuple[Ruling, ...]
    closed: bool
    """Whether the organiser ended it (XA-10)."""
    again: int | None
    """The number of a deal that is to be dealt once more."""

    @property
    def playing(self) -> bool:
        """Whether a deal is on."""
        return self.deal is not None and self.deal.last is None

    def is_on(self, number: int | None) -> bool:
        """Whether the deal of this number is on."""
        return self.playing and self.deal is not None and self.deal.number == number

    @property
    def status(self) -> str:
        """`over`, `playing`, or `waiting` for the next deal."""
        if self.winners is not None:
            return "over"
        return "playing" if self.playing else "waiting"

    @property
    def next_number(self) -> int:
        """The number of the next deal."""
        if self.again is not None:
            return self.again
        return self.first_deal if self.deal is None else self.deal.number + 1

    @property
    def next_dealer(self) -> int:
        """XA-12: the last seat deals first, then the seat left of the deal before; who dealt it deals a deal again."""
        if self.again is not None and self.deal is not None:
            return self.deal.dealer
        return self.seats if self.deal is None else self.deal.dealer % self.seats + 1


def span_of(session: Session, number: int) -> Span | None:
    """The finished deal of this number, the latest of several; None if there is none."""
    return next((span for span in reversed(session.finished) if span.number == number), None)


def changed_span(session: Session, number: int, **changes: Any) -> Session:
    """The session with the finished deal of this number changed so."""
    wanted = span_of(session, number)
    if wanted is None:
        raise ValueError(f"deal {number} is not over")
    changed = wanted._replace(**changes)
    return session._replace(finished=tuple(changed if span is wanted else span for span in session.finished))


def rulings_on(session: Session, span: Span) -> list[Ruled]:
    """Standing rulings on a finished deal, as it was dealt last: those on an earlier dealing do not bind this one."""
    return [
        each.event
        for each in session.rulings
        if not each.overruled and each.event.deal == span.number and each.version > span.first
    ]


def struck_by(session: Session, version: int) -> int | None:
    """The standing ruling that took back what was played at this version; None if none did."""
    for each in reversed(session.rulings):
        event: Ruled = each.event
        if event.to is not None and not each.overruled and event.to < version < each.version:
            return event.number
    return None


def plays_of(line: Line | None) -> list[tuple[int, Event]]:
    """The plays of a line in order, each with its version."""
    plays = []
    while line is not None:
        line, version, event = line
        plays.append((version, event))
    plays.reverse()
    return plays
