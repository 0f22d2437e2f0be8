"""The session: seats, deals in a row, totals, when it is over. Wraps the game's own state and evolve.

Replayed for ever, so it imports nothing that may change; what the session decides is in session_decide.py.
"""

from collections.abc import Iterable
from typing import Any, Final

from replay.rules.game import Dealt, Setting
from replay.rules.registry import find_game
from replay.rules.session_events import (
    DealEnded,
    DealStarted,
    DisputeOpened,
    DisputeWithdrawn,
    EntropyAdded,
    Event,
    Irregular,
    ResultConfirmed,
    Ruled,
    SessionClosed,
    SessionOpened,
)
from replay.rules.session_ruled import contested
from replay.rules.session_state import BrokenLogError, Deal, Irregularity, Line, Session, Span
from replay.rules.session_terms import Terms


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
        terms=Terms(**event.terms),  # type: ignore[arg-type]  # as agreed_terms made them
        disputes=(),
        rulings=(),
        closed=False,
        again=None,
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
        state, line = _table(session)
        evolve = session.game.evolve
        run: list[Irregularity] = []
        start = version
        for event in rest:
            version += 1
            kind = type(event)
            if kind in NO_PLAYS:
                session = _around(played(session, state, line, version - 1 - start, run), version, event)
                state, line = _table(session)
                run, start = [], version
            elif kind is Irregular:
                plays = (session.deal.plays if session.deal else 0) + version - start
                assert isinstance(event, Irregular)  # noqa: S101 - `kind is` narrows for us, not for mypy
                run.append(Irregularity(version, plays, event.seat, event.clause))
                state = evolve(state, event.play)
                line = (line, version, event)
            else:
                state = evolve(state, event)
                line = (line, version, event)
        return played(session, state, line, version - start, run)
    except _SENSELESS as fault:
        raise BrokenLogError(version, f"{type(fault).__name__}: {fault}") from fault


def _table(session: Session) -> tuple[Any, Line | None]:
    """The state of the deal at hand, and its plays."""
    return (None, None) if session.deal is None else (session.deal.state, session.deal.line)


def played(session: Session, state: object, line: Line | None, plays: int, irregular: list[Irregularity]) -> Session:
    """The session after so many more plays of its deal, which have led to this state of the game."""
    if not plays:
        return session
    deal = session.deal
    if deal is None:
        raise ValueError("a play outside a deal")
    deal = deal._replace(
        state=state, line=line, plays=deal.plays + plays, irregularities=(*deal.irregularities, *irregular)
    )
    return session._replace(version=session.version + plays, deal=deal)


_SENSELESS: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, StopIteration)
"""What evolve may run into over events that do not follow from one another; it checks nothing itself."""


NO_PLAYS: Final = frozenset(
    {
        *(SessionOpened, EntropyAdded, DealStarted, DealEnded, SessionClosed),
        *(DisputeOpened, DisputeWithdrawn, Ruled, ResultConfirmed),
    }
)


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
            dealt = Dealt(event.hands, event.upcard, event.stock)
            state = session.game.start(setting, dealt)
            deal = Deal(
                number=event.number,
                dealer=event.dealer,
                first=version,
                last=None,
                state=state,
                plays=0,
                irregularities=(),
                ending=None,
                points=None,
                setting=setting,
                dealt=dealt,
                begun=state,
                line=None,
            )
            return session._replace(version=version, deal=deal, again=None)
        case DealEnded():
            on = session.deal
            if on is None or on.last is not None:
                raise ValueError("the end of a deal that is not on")
            return session._replace(
                version=version,
                totals=tuple(map(sum, zip(session.totals, event.points, strict=True))),
                deal=on._replace(last=version, ending=event.ending, points=event.points),
                finished=(
                    *session.finished,
                    Span(on.number, on.first, version, event.points, event.points, redealt=False, confirmed=False),
                ),
                winners=event.winners,
                seed=event.seed,
                entropy=(None,) * session.seats,
            )
        case SessionClosed():
            return session._replace(version=version, winners=event.winners, closed=True)
        case SessionOpened():
            raise ValueError("a second opening")
        case _:
            return contested(session, version, event)
