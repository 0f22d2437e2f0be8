"""What a deal of Rockaway is made of."""

from functools import cache
from typing import Final

from replay.rules.cards import make_up
from replay.rules.game import Make
from replay.rules.rockaway.options import Options

SEATS: Final = range(2, 9)
"""R1."""


@cache
def _make(seats: int) -> Make:
    return Make(copies=make_up(packs=1 if seats <= 4 else 2, jokers=0), hand_size=7)


def make(seats: int, _options: Options) -> Make:
    """R2, R3: one pack for two to four players, two for five to eight, no jokers; seven cards each."""
    return _make(seats)
