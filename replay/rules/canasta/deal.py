"""What a deal of Canasta is made of."""

from functools import cache
from typing import Final

from replay.rules.canasta.evolve import StockTooShortError, start
from replay.rules.canasta.options import Options
from replay.rules.cards import make_up
from replay.rules.game import Dealt, Make, Setting

SEATS: Final = range(2, 5)
"""C1."""

_HAND_SIZES: Final = {2: 15, 3: 13, 4: 11}


@cache
def _make(seats: int) -> Make:
    return Make(copies=make_up(packs=2, jokers=4), hand_size=_HAND_SIZES[seats])


def make(seats: int, _options: Options) -> Make:
    """C2, C6: two packs and four jokers; eleven cards each for four players, 13 for three, 15 for two."""
    return _make(seats)


def undealable(setting: Setting, dealt: Dealt) -> str | None:
    """Why these cards cannot be dealt: the stock as it is written is too short for what the deal itself draws."""
    try:
        start(setting, dealt)
    except StockTooShortError as fault:
        return str(fault)
    return None


def sides(seats: int) -> tuple[tuple[int, ...], ...]:
    """C1, CA-3: seats 1 and 3 against 2 and 4; with two or three players each for himself."""
    return ((1, 3), (2, 4)) if seats == 4 else tuple((seat,) for seat in range(1, seats + 1))
