"""What can happen in a deal of Single-Pack Rum beside what can happen at both rums.

STORAGE: add, never change. A new meaning is a new schema number or a new kind, and evolve takes every one ever stored.
"""

from typing import Final, NamedTuple

from replay.rules.cards import Card, Cards
from replay.rules.game import EventType
from replay.rules.rums.events import RUM_EVENTS, RumEvent
from replay.rules.rums.events import shows as rum_shows


class Melded(NamedTuple):
    """A combination was laid out."""

    seat: int
    meld: int
    """Its number on the table, from 1; `m1` in writing."""
    cards: Cards
    turn: int | None
    """The seat that must act next; None if the hand is empty and the deal is over (SA-7)."""


class LaidOff(NamedTuple):
    """A card was added to a combination on the table."""

    seat: int
    meld: int
    card: Card
    turn: int | None
    """As in Melded (SA-8)."""


class Splashed(NamedTuple):
    """A whole hand was laid down at once."""

    seat: int
    melds: tuple[Cards, ...]
    """Numbered on from those that lie there."""
    lay_offs: tuple[tuple[int, Cards], ...]
    """Cards added to combinations that lay there, by number."""
    discard: Card | None
    turn: int | None
    """None, unless an irregular splash left cards."""


Event = RumEvent | Melded | LaidOff | Splashed

EVENTS: Final = (
    *RUM_EVENTS,
    EventType("single_pack_rum.melded", 1, Melded, ("seat", "meld", "cards", "turn")),
    EventType("single_pack_rum.laid_off", 1, LaidOff, ("seat", "meld", "card", "turn")),
    EventType("single_pack_rum.splashed", 1, Splashed, ("seat", "melds", "lay_offs", "discard", "turn")),
)


def shows(event: Event) -> bool:
    """Whether a play shows somebody a card that he had not seen: what is laid comes from a hand."""
    return isinstance(event, Melded | LaidOff | Splashed) or rum_shows(event)
