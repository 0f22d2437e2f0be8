"""Plays that both rums have."""

from typing import NamedTuple

from replay.rules.cards import Card


class Draw(NamedTuple):
    """Draw the top of the stock, turning the pile over first if it is empty. A recorded table names the card."""

    seat: int
    card: Card | None = None


class Take(NamedTuple):
    """Take the top discard."""

    seat: int


class Discard(NamedTuple):
    """Lay a card of the hand face up on the pile, which ends the turn."""

    seat: int
    card: Card


RumCommand = Draw | Take | Discard
