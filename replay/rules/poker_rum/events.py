"""What can happen in a deal of Poker Rum beside what can happen at both rums.

STORAGE: add, never change. A new meaning is a new schema number or a new kind, and evolve takes every one ever stored.
"""

from typing import Final, NamedTuple

from replay.rules.cards import Card
from replay.rules.game import EventType
from replay.rules.rums.events import RUM_EVENTS, RumEvent
from replay.rules.rums.events import shows as rum_shows


class HandShown(NamedTuple):
    """A player discarded and showed his hand, which ends the deal (P10)."""

    seat: int
    card: Card
    """The discard."""


Event = RumEvent | HandShown

EVENTS: Final = (*RUM_EVENTS, EventType("poker_rum.hand_shown", 1, HandShown, ("seat", "card")))


def shows(event: Event) -> bool:
    """Whether a play shows somebody a card that he had not seen."""
    return isinstance(event, HandShown) or rum_shows(event)
