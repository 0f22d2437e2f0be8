"""What a player of Single-Pack Rum may ask for beside what both rums have."""

from typing import NamedTuple

from replay.rules.cards import Card, Cards
from replay.rules.rums.commands import RumCommand


class Meld(NamedTuple):
    """Lay out a combination (S10)."""

    seat: int
    cards: Cards


class LayOff(NamedTuple):
    """Add a card to the combination of that number (SA-21), 1 for m1."""

    seat: int
    meld: int
    card: Card


class Splash(NamedTuple):
    """Lay the whole hand down at once (SA-27)."""

    seat: int
    melds: tuple[Cards, ...]
    lay_offs: tuple[tuple[int, Cards], ...] = ()
    """Cards added to combinations on the table, by number (SA-28)."""
    discard: Card | None = None


Command = RumCommand | Meld | LayOff | Splash
