"""The session: seats, deals in a row, totals, when it is over. Wraps the game's own state and evolve.

Replayed for ever, so it imports nothing that may change; what the session decides is in session_decide.py.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from replay.rules.game import AnyGame, Dealt, Ending, Setting
from replay.rules.registry import find_game
from replay.rules.session_events import (
    DealEnded,
    DealStarted,
    EntropyAdded,
    Event,
    Irregular,
    Mode,
    SessionClosed,
    SessionOpened,
)


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


class Span(NamedTuple):
    """Where a finished deal lies in the log: its number, first and last version."""

    number: int
    first: int
    last: int


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

    @property
    def playing(self) -> bool:
        """Whether a deal is on."""
        return self.deal is not None and self.deal.last is None

    @property
    def status(self) -> str:
        """`over`, `playing`, or `waiting` for the next deal."""
        if self.winners is not None:
            return "over"
        return "playing" if self.playing else "waiting"

    @property
    def next_number(self) -> int:
        """The number of the next deal."""
        return self.first_deal if self.deal is None else self.deal.number + 1

    @property
    def next_dealer(self) -> int:
        """XA-12: the last seat deals first, then the seat left of the deal before."""
        return self.seats if self.deal is None else self.deal.dealer % self.seats + 1


def open_session(event: SessionOpened) -> Session:
    """The state after the first event."""
    game = find_game(event.game, event.revision)
    return Session(
        version=1,
        game=game,
        options=game.agreed(event.options),
        seats=event.seats,
        mode=event.mode,
        public=event.public,
        owner=event.owner,
        first_deal=event.first_deal,
        brought_forward=event.totals,
        totals=event.totals,
        deal=None,
        finished=(),
        winners=event.winners,
        seed=event.seed,
        entropy=(None,) * event.seats,
    )


def fold(session: Session | None, events: Iterable[Event]) -> Session:
    """Apply events in order, from the state before them (None before the first). Raises BrokenLogError.

    Runs of plays go through the game's evolve alone; the session around it is made anew once a run, since plays
    change nothing in it but the deal.
    """
    version = 0 if session is None else session.version
    rest = iter(events)
    try:
        if session is None:
            opened = next(rest)
            if not isinstance(opened, SessionOpened):
                raise TypeError("it does not begin with an opening")
            session, version = open_session(opened), 1
        state = None if session.deal is None else session.deal.state
        evolve = session.game.evolve
        run: list[Irregularity] = []
        start = version
        for event in rest:
            version += 1
            kind = type(event)
            if kind in _NO_PLAYS:
                session = _around(played(session, state, version - 1 - start, run), version, event)
                state = None if session.deal is None else session.deal.state
                run, start = [], version
            elif kind is Irregular:
                plays = (session.deal.plays if session.deal else 0) + version - start
                run.append(Irregularity(version, plays, event.seat, event.clause))  # type: ignore[union-attr]
                state = evolve(state, event.play)  # type: ignore[union-attr]  # `kind is` narrows for us, not for mypy
            else:
                state = evolve(state, event)
        return played(session, state, version - start, run)
    except _SENSELESS as fault:
        raise BrokenLogError(version, f"{type(fault).__name__}: {fault}") from fault


def played(session: Session, state: object, plays: int, irregular: list[Irregularity]) -> Session:
    """The session after so many plays of its deal, which have led to this state of the game."""
    if not plays:
        return session
    deal = session.deal
    if deal is None:
        raise ValueError("a play outside a deal")
    deal = deal._replace(state=state, plays=deal.plays + plays, irregularities=(*deal.irregularities, *irregular))
    return session._replace(version=session.version + plays, deal=deal)


_SENSELESS: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, StopIteration)
"""What evolve may run into over events that do not follow from one another; it checks nothing itself."""

_NO_PLAYS: Final = frozenset({SessionOpened, EntropyAdded, DealStarted, DealEnded, SessionClosed})


def _around(session: Session, version: int, event: Event) -> Session:
    """The session after an event that is no play."""
    match event:
        case EntropyAdded():
            texts = (*session.entropy[: event.seat - 1], event.text, *session.entropy[event.seat :])
            return session._replace(version=version, entropy=texts)
        case DealStarted():
            if session.playing:
                raise ValueError("a deal starts inside another")
            setting = Setting(session.options, event.number, event.dealer, session.totals)
            state = session.game.start(setting, Dealt(event.hands, event.upcard, event.stock))
            deal = Deal(event.number, event.dealer, version, None, state, 0, (), None, None)
            return session._replace(version=version, deal=deal)
        case DealEnded():
            on = session.deal
            if on is None or on.last is not None:
                raise ValueError("the end of a deal that is not on")
            return session._replace(
                version=version,
                totals=tuple(map(sum, zip(session.totals, event.points, strict=True))),
                deal=on._replace(last=version, ending=event.ending, points=event.points),
                finished=(*session.finished, Span(on.number, on.first, version)),
                winners=event.winners,
                seed=event.seed,
                entropy=(None,) * session.seats,
            )
        case SessionClosed():
            return session._replace(version=version, winners=event.winners)
        case _:
            raise ValueError("a second opening")
