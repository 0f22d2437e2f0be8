"""A deal of Poker Rum as it stands: on, or finished."""

from typing import Literal, NamedTuple

from replay.rules.poker_rum.options import Options
from replay.rules.rums.layout import Layout, Turn


class Table(NamedTuple):
    """A deal that is on."""

    options: Options
    layout: Layout
    turn: Turn


class Finished(NamedTuple):
    """A deal that is over."""

    table: Table
    """As the last play left it."""
    ending: Literal["shown", "void"]
    last: int
    """The seat that made the last play: the caller, if a hand was shown."""


State = Table | Finished
