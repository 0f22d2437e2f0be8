"""Score sheets: points by seat or side, and the lines that they are made of, each with its clause.

How a game comes to its lines is the game's affair; here is only their shape.
"""

from collections.abc import Mapping
from typing import NamedTuple

from replay.rules.cards import Cards


class Line(NamedTuple):
    """One reason for points. The lines of a sheet add up to its points."""

    unit: int
    """The seat that it is for, from 1; in a game of sides, the side."""
    points: int
    clause: str
    text: str
    cards: Cards = ()


class Sheet(NamedTuple):
    """What a finished deal scored. `points` has one number a seat, or a side where sides score together."""

    points: tuple[int, ...]
    lines: tuple[Line, ...]


def add_up(units: int, lines: tuple[Line, ...]) -> Sheet:
    """The sheet that the lines make: points are their sums, so that no point can stand without a line."""
    points = [0] * units
    for line in lines:
        points[line.unit - 1] += line.points
    return Sheet(tuple(points), lines)


Plain = int | str | bool | None | tuple["Plain", ...] | Mapping[str, "Plain"]
"""What a view may be made of, so that whoever shows it needs to know no game."""
