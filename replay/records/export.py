"""From a session's events back to a record of it: what the HTTP export prints.

Left out: who may see an unfinished deal. Whoever asks says whether it is to be included.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from replay.records.notation import play_reader
from replay.records.record import Record, WrittenDeal, WrittenPlay
from replay.rules.cards import Card
from replay.rules.game import AnyGame, PlayEvent
from replay.rules.registry import find_game
from replay.rules.session_events import (
    DealEnded,
    DealStarted,
    EntropyAdded,
    Event,
    Irregular,
    SessionClosed,
    SessionOpened,
)


class NotASessionError(ValueError):
    """The events do not begin with the opening of a session."""


class _On(NamedTuple):
    """A deal whose plays are being collected."""

    start: DealStarted
    plays: list[WrittenPlay]


def record_of(events: Iterable[Event], names: Sequence[str | None], *, include_unfinished: bool) -> Record:
    """The record of a session: every finished deal with its points, and, if asked for, the one in progress.

    `names`: players by seat; one who has been forgotten is written as his seat. Draws name their card, dealers are
    named, every option is there. Raises NotASessionError.
    """
    rest = iter(events)
    opened = next(rest, None)
    if not isinstance(opened, SessionOpened):
        raise NotASessionError("a session begins with its opening")
    game = find_game(opened.game, opened.revision)
    deals: list[WrittenDeal] = []
    on: _On | None = None
    closed = False
    for event in rest:
        if isinstance(event, DealStarted):
            on = _On(event, [])
        elif isinstance(event, SessionClosed):
            closed = True
        elif isinstance(event, EntropyAdded):
            continue
        elif on is None:
            raise NotASessionError(f"{type(event).__name__} outside a deal")
        elif isinstance(event, DealEnded):
            deals.append(_deal(on, event.points))
            on = None
        else:
            on.plays.append(_play(game, opened.seats, event))
    if on is not None and include_unfinished:
        deals.append(_deal(on, None))
    players = tuple(name or f"Seat {seat}" for seat, name in enumerate(names, start=1))
    return Record(game, opened.options, players, opened.first_deal, opened.totals, closed, tuple(deals))


def _deal(on: _On, points: tuple[int, ...] | None) -> WrittenDeal:
    start = on.start
    return WrittenDeal(
        hands=start.hands,
        upcard=start.upcard,
        stock=_known(start.stock),
        plays=tuple(on.plays),
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
