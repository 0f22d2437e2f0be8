"""A deal of Single-Pack Rum as it stands: on, or finished."""

from typing import Literal, NamedTuple

from replay.rules.cards import Cards
from replay.rules.rums.layout import Layout, Turn
from replay.rules.single_pack_rum.options import Options


class Laid(NamedTuple):
    """A combination on the table. It belongs to who laid it, whoever adds to it (SA-22)."""

    seat: int
    cards: Cards


class Actions(NamedTuple):
    """Table actions of the turn: layouts, cards added to others' combinations, cards added to his own."""

    melds: int = 0
    to_others: int = 0
    to_own: int = 0


class Table(NamedTuple):
    """A deal that is on."""

    options: Options
    layout: Layout
    turn: Turn
    melds: tuple[Laid, ...]
    """Those on the table, in the order in which they were laid: m1, m2, …"""
    actions: Actions
    acted: frozenset[int]
    """Seats that have made a table action in this deal (SA-15)."""


class Finished(NamedTuple):
    """A deal that is over."""

    table: Table
    """As the last play left it."""
    ending: Literal["out", "void"]
    last: int
    """The seat that made the last play."""
    splash: bool


State = Table | Finished
