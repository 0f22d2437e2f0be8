"""The cards of a rum deal as they lie, and the turn: how the plays that both rums have change them.

Judges nothing: a recorded irregular play applies too.
"""

from typing import NamedTuple

from replay.rules.cards import Card, Cards, without
from replay.rules.game import Dealt
from replay.rules.rums.events import CardDiscarded, CardDrawn, CardTaken


class Layout(NamedTuple):
    """Hands, pile and stock."""

    hands: tuple[Cards, ...]
    """By seat; the order inside a hand means nothing."""
    pile: Cards
    """The discard pile, its top card last; may be empty."""
    stock: tuple[Card | None, ...]
    """What is left of it, the next to be drawn first; None for a card that nobody has written down."""
    turnovers: int
    """How often the pile has been turned over in this deal."""

    def with_hand(self, seat: int, hand: Cards) -> "Layout":
        """The same with another hand for that seat."""
        return self._replace(hands=(*self.hands[: seat - 1], hand, *self.hands[seat:]))


class Turn(NamedTuple):
    """Whose turn it is and how far it has gone."""

    seat: int
    drawn: bool
    """Whether he has drawn or taken."""
    taken: Card | None
    """The card that he took from the pile in this turn."""


def laid_out(dealt: Dealt) -> Layout:
    """The cards after the deal: the upcard starts the pile."""
    return Layout(dealt.hands, (dealt.upcard,), dealt.stock, 0)


def turned_over(layout: Layout, *, keeps_top: bool) -> Layout:
    """XA-1, XA-2: the whole pile turned as a block, the oldest discard to be drawn first; XA-14: all but its top."""
    kept = layout.pile[-1:] if keeps_top else ()
    turned = layout.pile[:-1] if keeps_top else layout.pile
    return layout._replace(pile=kept, stock=turned, turnovers=layout.turnovers + 1)


def drew(layout: Layout, turn: Turn, event: CardDrawn, *, keeps_top: bool) -> tuple[Layout, Turn]:
    """A card comes from the stock. Out of turn, at a recorded table, it takes the turn with it."""
    if event.turned:
        layout = turned_over(layout, keeps_top=keeps_top)
    hand = (*layout.hands[event.seat - 1], event.card)
    after = layout.with_hand(event.seat, hand)._replace(stock=layout.stock[1:])
    return after, Turn(event.seat, drawn=True, taken=turn.taken if turn.seat == event.seat else None)


def took(layout: Layout, event: CardTaken) -> tuple[Layout, Turn]:
    """The top discard goes to a hand."""
    hand = (*layout.hands[event.seat - 1], event.card)
    after = layout.with_hand(event.seat, hand)._replace(pile=layout.pile[:-1])
    return after, Turn(event.seat, drawn=True, taken=event.card)


def discarded(layout: Layout, event: CardDiscarded) -> tuple[Layout, Turn]:
    """A card goes to the pile, and the turn to the next seat; if the deal is over it stays where it was."""
    hand = without(layout.hands[event.seat - 1], event.card)
    after = layout.with_hand(event.seat, hand)._replace(pile=(*layout.pile, event.card))
    return after, Turn(event.turn or event.seat, drawn=False, taken=None)


def left_of(layout: Layout, seat: int) -> int:
    """The next seat."""
    return seat % len(layout.hands) + 1
