"""Sessions as a table plays them: opened, dealt, played and closed through the session's own functions.

A sitting of Rockaway may be steered to the hands that an example wants by recording irregular plays, as an organiser
would.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from replay.rules.cards import PACK, Card, Cards, without
from replay.rules.game import AnyGame
from replay.rules.rockaway.commands import Draw, Pass, Play
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, close, open_session, play, start_deal
from replay.rules.session_events import DealEnded, Event
from replay.rules.session_state import Deal, Session
from tests.rules.layout import cards, spare


class Sitting:
    """A session at the table, with every event that it has brought."""

    def __init__(
        self,
        seats: int,
        options: Mapping[str, object] | None = None,
        *,
        first_deal: int = 1,
        totals: tuple[int, ...] | None = None,
        game: AnyGame = ROCKAWAY,
    ) -> None:
        opened = open_session(
            game,
            seats=seats,
            options=options or {},
            mode="recorded",
            public=False,
            owner="organiser",
            first_deal=first_deal,
            totals=totals,
        )
        self.events: list[Event] = [opened]
        self.session: Session = fold(None, [opened])

    def take(self, *events: Event) -> None:
        """Let these happen."""
        self.events += events
        self.session = fold(self.session, events)

    def deal(
        self, hands: Sequence[Cards], upcard: Card, stock: tuple[Card | None, ...] = (), dealer: int | None = None
    ) -> None:
        """Start the next deal."""
        self.take(start_deal(self.session, DealCommand(tuple(hands), upcard, stock, dealer)))

    def play(self, command: Any, *, irregular: bool = False) -> None:
        """One play, legal unless said otherwise."""
        self.take(*play(self.session, command, irregular=irregular))

    def close(self) -> None:
        """The organiser ends the session."""
        self.take(close(self.session))

    @property
    def deal_on(self) -> Deal:
        """The deal that is on, or was the last."""
        assert self.session.deal is not None
        return self.session.deal

    @property
    def ended(self) -> DealEnded:
        """The end of a deal that was the last thing to happen."""
        last = self.events[-1]
        assert isinstance(last, DealEnded)
        return last


def leave(sitting: Sitting, left: Sequence[str], *, out: int | None, exhausted: bool) -> None:
    """A whole deal that ends with these hands left: seat `out` is out, or the deal is blocked if that is None.

    Seven cards are dealt to everybody. What must go is played away as irregular plays; a stock that must be exhausted
    is drawn and played by the seat that is out, or by the first. A blocked deal ends with legal passes.
    """
    keep = [cards(hand) for hand in left]
    free = [*spare(*keep, count=52), *(PACK if len(keep) > 4 else ())]
    hands = [(*hand, *(free.pop(0) for _ in range(7 - len(hand)))) for hand in keep]
    upcard, stock = free[0], tuple(free[1:])
    sitting.deal(hands, upcard, stock)
    worker = out or 1
    if exhausted:
        for card in stock:
            sitting.play(Draw(worker, card), irregular=True)
    order = [seat for seat in range(1, len(keep) + 1) if seat != worker]
    for seat in (*order, worker):
        away = _without(hands[seat - 1], keep[seat - 1]) + (stock if exhausted and seat == worker else ())
        for card in sorted(away, key=lambda card: not _fits_something(card, keep)):
            sitting.play(Play(seat, card), irregular=True)
    if out is None:
        for turn in range(len(keep)):
            sitting.play(Pass((worker + turn) % len(keep) + 1))


def _without(hand: Cards, away: Cards) -> Cards:
    for card in away:
        hand = without(hand, card)
    return hand


def _fits_something(top: Card, keep: Sequence[Cards]) -> bool:
    # Aces are left out: their holders need not play them, so they hinder no pass.
    return any(card[0] == top[0] or card[1] == top[1] for hand in keep for card in hand if card[0] != "A")
