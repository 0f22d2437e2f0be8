"""What can happen in a deal of Canasta.

STORAGE: add, never change. A new meaning is a new schema number or a new kind, and evolve takes every one ever stored.
"""

from typing import Final, NamedTuple

from replay.rules.cards import Card, Cards
from replay.rules.game import OWN_SEAT, EventType

Groups = tuple[tuple[str, Cards], ...]
"""Ranks, and the cards of the hand that went to the meld of each."""


class CardsDrawn(NamedTuple):
    """Cards went from the stock to a hand, past red threes that were laid (CA-34)."""

    seat: int
    cards: Cards
    """All that came, in order, red threes among them."""
    red_threes: Cards
    """Those laid on the table."""
    stock_count: int
    """Cards left in the stock."""
    last_red: bool
    """Whether the last card of the stock was a red three, so that no discard follows (CA-26)."""


class PileTaken(NamedTuple):
    """The whole pile went to a hand, its upcard into a meld."""

    seat: int
    upcard: Card
    groups: Groups
    """The first is of the upcard's rank; the upcard is not among its cards."""
    red_threes: Cards
    """Those found in the pile and laid (CA-27)."""
    turn: int | None
    """The seat that must act next; None if the hand is empty and the deal is over."""


class Melded(NamedTuple):
    """Groups were laid from the hand."""

    seat: int
    groups: Groups
    turn: int | None
    """As in PileTaken."""


class CardDiscarded(NamedTuple):
    """A card went from a hand to the pile, and the turn was over."""

    seat: int
    card: Card
    turn: int | None
    """As in PileTaken."""


class Asked(NamedTuple):
    """A player asked his partner whether to go out."""

    seat: int
    turn: int
    """The partner, who must answer."""


class Answered(NamedTuple):
    """The partner answered."""

    seat: int
    yes: bool
    turn: int
    """The player who asked."""


class Passed(NamedTuple):
    """A player passed, and the deal is over because the stock is (CA-25, CA-26)."""

    seat: int


Event = CardsDrawn | PileTaken | Melded | CardDiscarded | Asked | Answered | Passed

EVENTS: Final = (
    EventType(
        "canasta.cards_drawn", 1, CardsDrawn, ("seat", "red_threes", "stock_count", "last_red"), {"cards": OWN_SEAT}
    ),
    EventType("canasta.pile_taken", 1, PileTaken, ("seat", "upcard", "groups", "red_threes", "turn")),
    EventType("canasta.melded", 1, Melded, ("seat", "groups", "turn")),
    EventType("canasta.card_discarded", 1, CardDiscarded, ("seat", "card", "turn")),
    EventType("canasta.asked", 1, Asked, ("seat", "turn")),
    EventType("canasta.answered", 1, Answered, ("seat", "yes", "turn")),
    EventType("canasta.passed", 1, Passed, ("seat",)),
)


def shows(event: Event) -> bool:
    """Whether a play shows somebody a card that he had not seen. The pile has lain open, red threes that were turned
    up and covered in it too; cards of the hand that go with it have not."""
    match event:
        case PileTaken():
            return any(cards for _, cards in event.groups)
        case Asked() | Answered() | Passed():
            return False
        case _:
            return True
