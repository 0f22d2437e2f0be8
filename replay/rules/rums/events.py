"""What can happen at both rums.

STORAGE: add, never change. A new meaning is a new schema number or a new kind, and evolve takes every one ever stored.
"""

from typing import Final, NamedTuple

from replay.rules.cards import Card
from replay.rules.game import OWN_SEAT, EventType


class CardDrawn(NamedTuple):
    """A card went from the stock to a hand."""

    seat: int
    card: Card
    turned: bool
    """Whether the stock was empty and the pile was turned over first (XA-1)."""
    stock_count: int
    """Cards left in the stock."""


class CardTaken(NamedTuple):
    """The top discard went to a hand."""

    seat: int
    card: Card


class CardDiscarded(NamedTuple):
    """A card went from a hand to the pile."""

    seat: int
    card: Card
    turn: int | None
    """The seat that must act next; None if the hand is empty and the deal is over."""


class DealVoided(NamedTuple):
    """A card was wanted from a stock that may not be made up any more, and the deal is over without points (XA-13)."""

    seat: int


RumEvent = CardDrawn | CardTaken | CardDiscarded | DealVoided

RUM_EVENTS: Final = (
    EventType("rum.card_drawn", 1, CardDrawn, ("seat", "turned", "stock_count"), {"card": OWN_SEAT}),
    EventType("rum.card_taken", 1, CardTaken, ("seat", "card")),
    EventType("rum.card_discarded", 1, CardDiscarded, ("seat", "card", "turn")),
    EventType("rum.deal_voided", 1, DealVoided, ("seat",)),
)


def shows(event: RumEvent) -> bool:
    """Whether a play shows somebody a card that he had not seen: taking the top discard shows nothing."""
    return isinstance(event, CardDrawn | CardDiscarded)
