"""The session: seats, deals in a row, totals, when it is over. Wraps the game's own state and evolve.

Replayed for ever, so it imports nothing that may change; what the session decides is in session_decide.py.
"""

from collections.abc import Iterable
from operator import add, sub
from typing import Any, Final, Literal, NamedTuple

from replay.rules.game import AnyGame, Dealt, Ending, Setting
from replay.rules.registry import find_game
from replay.rules.session_events import (
    DealEnded,
    DealStarted,
    DisputeOpened,
    DisputeWithdrawn,
    EntropyAdded,
    Event,
    Irregular,
    LinePlay,
    Mode,
    ResultConfirmed,
    Ruled,
    SessionClosed,
    SessionOpened,
    Subject,
)
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
    begun: Any
    """The game's own state before the first play."""
    line: Line | None
    """The plays that stand."""


class Span(NamedTuple):
    """A finished deal: its number, where it lies in the log, and what it counts."""

    number: int
    first: int
    last: int
    scored: tuple[int, ...]
    """What its cards score, after all amendments."""
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
    scored: tuple[int, ...] | None
    """What the finished deal's cards scored before it, likewise."""
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
            state = session.game.start(setting, Dealt(event.hands, event.upcard, event.stock))
            deal = Deal(event.number, event.dealer, version, None, state, 0, (), None, None, state, None)
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
            return _contested(session, version, event)


def _contested(session: Session, version: int, event: Event) -> Session:
    """The session after what is said about a deal, rather than played in one."""
    match event:
        case DisputeOpened():
            dispute = Dispute(*event, version, "open")
            return session._replace(version=version, disputes=(*session.disputes, dispute))
        case DisputeWithdrawn():
            return _ended_disputes(session, (event.number,), "withdrawn")._replace(version=version)
        case Ruled():
            return _ruled(session, version, event)
        case ResultConfirmed():
            return changed_span(session, event.deal, confirmed=True)._replace(version=version)
        case _:
            raise ValueError("an event that nobody declares")


def _ended_disputes(session: Session, numbers: tuple[int, ...], status: Literal["withdrawn", "ruled"]) -> Session:
    disputes = tuple(each._replace(status=status) if each.number in numbers else each for each in session.disputes)
    return session._replace(disputes=disputes)


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


def _ruled(session: Session, version: int, event: Ruled) -> Session:
    """The session after a ruling: it has been judged, and says itself what follows."""
    if event.overrules is not None:
        session = undone(session, event.overrules)
    before = deal = session.deal
    if deal is not None and event.deal == deal.number:
        if event.ruling == "retract" and event.to is not None:
            deal = retracted(session, deal, event.to)
        elif event.ruling == "amend" and event.line is not None:
            deal = amended(session, deal, event.line)
        if event.points is not None and deal.last is not None:
            deal = deal._replace(points=event.points)
    session = _ended_disputes(session, event.disputes, "ruled")
    scored = None
    if event.points is not None and event.deal is not None:
        span = span_of(session, event.deal)
        scored = None if span is None else span.scored
        changes: dict[str, Any] = {"points": event.points, "confirmed": False, "redealt": event.ruling == "redeal"}
        if event.ruling == "amend":
            deltas = deltas_of(session, event.deal)
            changes["scored"] = tuple(map(sub, event.points, deltas or (0,) * len(event.points)))
        session = changed_span(session, event.deal, **changes)
    return session._replace(
        version=version,
        deal=deal,
        totals=event.totals,
        winners=event.winners,
        rulings=(*session.rulings, Ruling(version, event, before, scored, overruled=False)),
        again=event.deal if event.ruling == "redeal" else session.again,
        seed=session.seed if event.seed is None else event.seed,
    )


def undone(session: Session, number: int) -> Session:
    """The session without an earlier ruling, but for points, totals and winners, which its successor says."""
    found = next(each for each in session.rulings if each.event.number == number)
    rulings = tuple(each._replace(overruled=True) if each is found else each for each in session.rulings)
    session = session._replace(rulings=rulings)
    before, deal = found.before, session.deal
    if found.event.ruling in ("retract", "amend") and before is not None and deal is not None:
        session = session._replace(deal=before if before.first == deal.first else deal)
    if found.event.ruling == "redeal":
        session = session._replace(again=None)
    if found.event.deal is not None and found.scored is not None:
        session = changed_span(session, found.event.deal, scored=found.scored, redealt=False)
    return session


def deltas_of(session: Session, number: int) -> tuple[int, ...] | None:
    """What standing rulings add to a finished deal's points, since it was last voided; None if none does."""
    added: tuple[int, ...] | None = None
    for each in session.rulings:
        if each.overruled or each.event.deal != number:
            continue
        if each.event.ruling in ("void", "redeal"):
            added = None
        elif each.event.delta is not None:
            added = each.event.delta if added is None else tuple(map(add, added, each.event.delta))
    return added


def plays_of(line: Line | None) -> list[tuple[int, Event]]:
    """The plays of a line in order, each with its version."""
    plays = []
    while line is not None:
        line, version, event = line
        plays.append((version, event))
    plays.reverse()
    return plays


def retracted(session: Session, deal: Deal, to: int) -> Deal:
    """The deal as it stood after a version; what was played since does not count."""
    kept = [(version, event) for version, event in plays_of(deal.line) if version <= to]
    return _replayed(session, deal, kept)


def amended(session: Session, deal: Deal, line: PlainLine) -> Deal:
    """The deal with these plays in place of those from the first of them on, as its rules make events of them."""
    plays = [LinePlay(*play) for play in line]
    kept = [(version, event) for version, event in plays_of(deal.line) if version < plays[0].version]
    again = _replayed(session, deal, kept)
    state, cells, marks = again.state, again.line, list(again.irregularities)
    for number, play in enumerate(plays, start=len(kept) + 1):
        seat, verb, *arguments = play.text.split(" ")
        outcome = session.game.outcome(state, session.game.read_play(int(seat), verb, arguments))
        state = session.game.evolve(state, outcome)
        event: Event = outcome
        if play.irregular:
            event = Irregular(outcome, play.clause)
            marks.append(Irregularity(play.version, number, outcome.seat, play.clause))
        cells = (cells, play.version, event)
    return again._replace(
        state=state,
        line=cells,
        plays=len(kept) + len(line),
        irregularities=tuple(marks),
        ending=session.game.ending(state) if deal.last is not None else None,
    )


def _replayed(session: Session, deal: Deal, plays: list[tuple[int, Event]]) -> Deal:
    """The deal with these plays alone, from its beginning."""
    state = deal.begun
    line: Line | None = None
    marks: list[Irregularity] = []
    for number, (version, event) in enumerate(plays, start=1):
        made: Any = event
        if isinstance(event, Irregular):
            marks.append(Irregularity(version, number, event.seat, event.clause))
            made = event.play
        state = session.game.evolve(state, made)
        line = (line, version, event)
    return deal._replace(state=state, line=line, plays=len(plays), irregularities=tuple(marks))
