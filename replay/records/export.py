"""From a session's events back to a record of it: what the HTTP export prints.

Left out: who may see an unfinished deal. Whoever asks says whether it is to be included.
"""

from collections.abc import Iterable, Sequence

from replay.records.notation import play_reader
from replay.records.record import Record, WrittenDeal, WrittenPlay
from replay.rules.cards import Card
from replay.rules.game import AnyGame, PlayEvent
from replay.rules.registry import find_game
from replay.rules.session import BrokenLogError, Deal, Session, fold, plays_of, span_of
from replay.rules.session_events import DealEnded, DealStarted, Event, Irregular, SessionOpened
from replay.rules.session_rule import deal_as_ruled


class NotASessionError(ValueError):
    """The events do not begin with the opening of a session."""


def record_of(events: Iterable[Event], names: Sequence[str | None], *, include_unfinished: bool) -> Record:
    """The record of a session: every finished deal with what its cards score, and, if asked for, the one in progress.

    Plays are those that stand after all rulings; a deal that was dealt again is written once, as it was played last.
    `names`: players by seat; one who has been forgotten is written as his seat. Draws name their card, dealers are
    named, every option is there. Raises NotASessionError.
    """
    told = list(events)
    if not told or not isinstance(told[0], SessionOpened):
        raise NotASessionError("a session begins with its opening")
    opened = told[0]
    game = find_game(opened.game, opened.revision)
    session: Session | None = None
    starts: dict[int, DealStarted] = {}
    ends: dict[int, Deal] = {}
    known = 0
    try:
        for version, event in enumerate(told, start=1):
            if isinstance(event, DealStarted):
                starts[version] = event
            elif isinstance(event, DealEnded) or version == len(told):
                session = fold(session, told[known:version])
                known = version
                if session.deal is not None:
                    ends[session.deal.first] = session.deal
        session = fold(session, told[known:])
    except BrokenLogError as fault:
        raise NotASessionError(str(fault)) from fault
    deals = []
    for span in session.finished:
        if span is span_of(session, span.number) and session.again != span.number:
            deal = deal_as_ruled(session, span.number, lambda each: ends[each.first])
            deals.append(_deal(session, starts[span.first], deal, span.scored))
    if session.playing and session.deal is not None and include_unfinished:
        deals.append(_deal(session, starts[session.deal.first], session.deal, None))
    players = tuple(name or f"Seat {seat}" for seat, name in enumerate(names, start=1))
    return Record(game, opened.options, players, opened.first_deal, opened.totals, session.closed, tuple(deals))


def _deal(session: Session, start: DealStarted, deal: Deal, points: tuple[int, ...] | None) -> WrittenDeal:
    return WrittenDeal(
        hands=start.hands,
        upcard=start.upcard,
        stock=_known(start.stock),
        plays=tuple(_play(session.game, session.seats, event) for _, event in plays_of(deal.line)),
        dealer=start.dealer,
        points=points,
        at=start.played_at,
        note=start.note,
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
