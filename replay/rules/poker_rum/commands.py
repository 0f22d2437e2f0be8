"""What a player of Poker Rum may ask for beside what both rums have."""

from typing import NamedTuple

from replay.rules.cards import Card
from replay.rules.rums.commands import RumCommand


class Show(NamedTuple):
    """Discard a card and show the other ten (PA-11)."""

    seat: int
    card: Card


Command = RumCommand | Show
