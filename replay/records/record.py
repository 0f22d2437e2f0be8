"""A record as data: what was written down, every option filled in, nothing judged yet."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from replay.rules.cards import Card, Cards
from replay.rules.game import AnyGame
from replay.rules.options import OptionValue


class WrittenPlay(NamedTuple):
    """One play."""

    text: str
    """As it is written, single blanks between the words, with its mark."""
    command: Any
    """The game's own command."""
    irregular: bool
    """Whether it carries the mark `!`: it happened although the rules forbid it."""


class WrittenDeal(NamedTuple):
    """One deal."""

    hands: tuple[Cards, ...]
    """By seat, before any replacement; how many cards each holds is for the rules to judge."""
    upcard: Card
    stock: tuple[Card | None, ...]
    """As far as it is written, the next to be drawn first; None for `??`."""
    plays: tuple[WrittenPlay, ...]
    dealer: int | None = None
    """None: the seat whose turn it is (XA-12)."""
    points: tuple[int, ...] | None = None
    """What the record claims."""
    at: str | None = None
    """RFC 3339."""
    note: str | None = None


class Record(NamedTuple):
    """One session, or a part of one."""

    game: AnyGame
    """The revision that the record names, or the newest."""
    options: Mapping[str, OptionValue]
    """Every option of the game."""
    players: tuple[str, ...]
    first_deal: int
    totals: tuple[int, ...]
    closed: bool
    deals: tuple[WrittenDeal, ...]
