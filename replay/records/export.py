"""From a session's events back to a record of it: what the HTTP export prints.

Left out: who may see an unfinished deal. Whoever asks says whether it is to be included.
"""

from collections.abc import Iterable, Sequence

from replay.records.notation import play_reader
from replay.records.record import Record, WrittenDeal, WrittenPlay
from replay.records.ruled import Dealing, note_with
from replay.rules.cards import Card
from replay.rules.game import AnyGame, PlayEvent
from replay.rules.session import NO_PLAYS, fold
from replay.rules.session_amend import deal_as_ruled
from replay.rules.session_events import DealEnded, DealStarted, Event, Irregular, SessionOpened
from replay.rules.session_state import BrokenLogError, Deal, Session, plays_of, span_of


class NotASessionError(ValueError):
    """The events do not begin with the opening of a session."""


def record_of(events: Iterable[Event], names: Sequence[str | None], *, include_unfinished: bool) -> Record:
    """The record of a session: every finished deal with what its cards score, and, if asked for, the one in progress.

    Plays are those that stand after all rulings; a deal that was dealt again is written once, as it was played last.
    `names`: players by seat; one who has been forgotten is written as his seat. Draws name their card, dealers are
    named, every option is there. Rulings are told in the deal's note (ruled.py). Raises NotASessionError.
    """
    told = list(events)
    session, ends = _told(told)
    on = session.deal if session.playing else None
    written: list[tuple[Deal, tuple[int, ...] | None]] = []
    for span in session.finished:
        again = session.again == span.number or (on is not None and on.number == span.number)
        if span is span_of(session, span.number) and not again:
            deal = deal_as_ruled(session, span.number, lambda each: ends[each.first])
            # A deal that a ruling broke off has no score of its cards.
            over = session.game.ending(deal.state) is not None
            written.append((deal, session.game.score(deal.state).points if over else span.scored))
    if on is not None and include_unfinished:
        written.append((on, None))
    dealings = _dealings(told)
    players = tuple(name or f"Seat {seat}" for seat, name in enumerate(names, start=1))
    return Record(
        game=session.game,
        options=session.options._asdict(),
        players=players,
        first_deal=session.first_deal,
        totals=session.brought_forward,
        closed=session.closed,
        deals=tuple(_deal(session, dealings, deal, points, last=deal is written[-1][0]) for deal, points in written),
    )


def _told(events: Sequence[Event]) -> tuple[Session, dict[int, Deal]]:
    """The session, and by its first version each dealing as it stood at its end. Raises NotASessionError."""
    if not events or not isinstance(events[0], SessionOpened):
        raise NotASessionError("a session begins with its opening")
    session: Session | None = None
    ends: dict[int, Deal] = {}
    known = 0
    try:
        for version, event in enumerate(events, start=1):
            if isinstance(event, DealEnded):
                session = fold(session, events[known:version])
                known = version
                if session.deal is not None:
                    ends[session.deal.first] = session.deal
        return fold(session, events[known:]), ends
    except BrokenLogError as fault:
        raise NotASessionError(str(fault)) from fault


def _dealings(told: Sequence[Event]) -> list[Dealing]:
    """Every dealing with its plays, as they were recorded."""
    found: list[tuple[DealStarted, int, list[tuple[int, Event]]]] = []
    for version, event in enumerate(told, start=1):
        if isinstance(event, DealStarted):
            found.append((event, version, []))
        elif type(event) not in NO_PLAYS:
            found[-1][2].append((version, event))
    return [Dealing(*each) for each in found]


def _deal(
    session: Session, dealings: Sequence[Dealing], deal: Deal, points: tuple[int, ...] | None, *, last: bool
) -> WrittenDeal:
    """A deal as it stands. What is ruled on the session and on no deal is told with the last one."""
    same = [each for each in dealings if each.start.number == deal.number and each.version <= deal.first]
    of = (deal.number, None) if last else (deal.number,)
    rulings = [each for each in session.rulings if each.event.deal in of]
    start = same[-1].start
    return WrittenDeal(
        hands=start.hands,
        upcard=start.upcard,
        stock=_known(start.stock),
        plays=tuple(_play(session.game, session.seats, event) for _, event in plays_of(deal.line)),
        dealer=start.dealer,
        points=points,
        at=start.played_at,
        note=note_with(session, deal, same, rulings, start.note),
    )


def _known(stock: tuple[Card | None, ...]) -> tuple[Card | None, ...]:
    """The stock up to the last card that anybody has written down: its length follows from the rest (XA-17)."""
    length = len(stock)
    while length and stock[length - 1] is None:
        length -= 1
    return stock[:length]


def _play(game: AnyGame, seats: int, event: Event) -> WrittenPlay:
    if isinstance(event, Irregular):
        return _written(game, seats, event.play, "!")
    return _written(game, seats, event, "")  # type: ignore[arg-type]  # a play: what is no play has been taken before


def _written(game: AnyGame, seats: int, event: PlayEvent, mark: str) -> WrittenPlay:
    return play_reader(game.name, game.revision, seats)[f"{event.seat} {game.write_play(event)}{mark}"]
