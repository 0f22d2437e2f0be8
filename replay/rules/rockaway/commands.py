"""What a player of Rockaway may ask for. Whether it happens is decide.py's affair."""

from typing import NamedTuple

from replay.rules.cards import Card


class Play(NamedTuple):
    """Play a card from the hand on the pile (R5)."""

    seat: int
    card: Card


class Draw(NamedTuple):
    """Draw one card from the stock (R8). A recorded table names the card; otherwise the stock knows it."""

    seat: int
    card: Card | None = None


class Pass(NamedTuple):
    """Let the turn pass (RA-29)."""

    seat: int


Command = Play | Draw | Pass
