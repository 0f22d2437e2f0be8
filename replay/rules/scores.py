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
    other: int | None = None
    """Of a payment: whom the points come from or, if they are a minus, go to."""
    item: int | None = None
    """Its line on a printed sheet that numbers them; `unit` is then a side."""


class Sheet(NamedTuple):
    """What a finished deal scored. `points` has one number a seat, or a side where sides score together."""

    points: tuple[int, ...]
    lines: tuple[Line, ...]
    sheets: tuple[tuple[int, ...], ...] | None = None
    """The numbered items of each side, where the game's printed sheet has them."""


def add_up(units: int, lines: tuple[Line, ...]) -> Sheet:
    """The sheet that the lines make: points are their sums, so that no point can stand without a line."""
    points = [0] * units
    for line in lines:
        points[line.unit - 1] += line.points
    return Sheet(tuple(points), lines)


def payment(
    payer: int, winner: int, points: int, clauses: tuple[str, str], text: str, cards: Cards = ()
) -> tuple[Line, Line]:
    """Two lines: what the one pays, and what the other has of it. `clauses`: why he pays, why the other has it."""
    paid = Line(payer, -points, clauses[0], text, cards, winner)
    return paid, Line(winner, points, clauses[1], text, cards, payer)


Plain = int | str | bool | None | tuple["Plain", ...] | Mapping[str, "Plain"]
"""What a view may be made of, so that whoever shows it needs to know no game."""
