"""What can happen in a deal of Rockaway.

STORAGE: add, never change. A new meaning is a new schema number or a new kind, and evolve takes every one ever stored.
"""

from typing import Final, NamedTuple

from replay.rules.cards import Card
from replay.rules.game import OWN_SEAT, EventType


class CardPlayed(NamedTuple):
    """A card went from a hand to the top of the pile."""

    seat: int
    card: Card
    turn: int | None
    """The seat that must act next; None if the hand is empty and the deal is over (R13)."""


class CardDrawn(NamedTuple):
    """A card went from the stock to a hand; the same seat goes on."""

    seat: int
    card: Card
    stock_count: int
    """Cards left in the stock."""


class Passed(NamedTuple):
    """A turn passed without a card."""

    seat: int
    turn: int | None
    """The seat that must act next; None if the deal is blocked and over (RA-14)."""


Event = CardPlayed | CardDrawn | Passed

EVENTS: Final = (
    EventType("rockaway.card_played", 1, CardPlayed, ("seat", "card", "turn")),
    EventType("rockaway.card_drawn", 1, CardDrawn, ("seat", "stock_count"), {"card": OWN_SEAT}),
    EventType("rockaway.passed", 1, Passed, ("seat", "turn")),
)


def shows(event: Event) -> bool:
    """Whether a play shows somebody a card that he had not seen: one from a hand, or from the stock."""
    return not isinstance(event, Passed)
