"""What a deal of Poker Rum is made of."""

from functools import cache
from typing import Final

from replay.rules.cards import make_up
from replay.rules.game import Make
from replay.rules.poker_rum.options import Options

SEATS: Final = range(2, 7)
"""PA-3."""


@cache
def _make(seats: int) -> Make:
    return Make(copies=make_up(packs=1 if seats <= 3 else 2, jokers=0), hand_size=10)


def make(seats: int, _options: Options) -> Make:
    """P3, P4, PA-4: ten cards each; one pack for two or three players, two for more; no jokers."""
    return _make(seats)
