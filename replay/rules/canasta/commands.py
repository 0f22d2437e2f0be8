"""What a player of Canasta may ask for. Whether it happens is decide.py's affair."""

from typing import NamedTuple

from replay.rules.cards import Card, Cards


class Group(NamedTuple):
    """Cards of the hand for a meld of that rank: a new one, or the side's own (CA-14)."""

    rank: str
    cards: Cards


class Draw(NamedTuple):
    """Draw from the stock (C9). A recorded table may name all that came, in order."""

    seat: int
    cards: Cards | None = None


class Take(NamedTuple):
    """Take the pile (C11). The first group goes beside the upcard; further ones come from the hand (CA-39)."""

    seat: int
    groups: tuple[Group, ...]
    any_order: bool = False
    """Whether the group of the upcard's rank takes, wherever it stands."""


class Meld(NamedTuple):
    """Lay groups, all judged together (CA-40)."""

    seat: int
    groups: tuple[Group, ...]


class Discard(NamedTuple):
    """Discard a card, which ends the turn (C10)."""

    seat: int
    card: Card


class Ask(NamedTuple):
    """Ask the partner whether to go out (C23)."""

    seat: int


class Answer(NamedTuple):
    """Answer the partner's question."""

    seat: int
    yes: bool


class Pass(NamedTuple):
    """Decline the pile on an empty stock (CA-25), or end a last-card red three's turn (CA-26)."""

    seat: int


Command = Draw | Take | Meld | Discard | Ask | Answer | Pass
