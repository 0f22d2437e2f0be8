"""What a deal of Single-Pack Rum is made of."""

from functools import cache
from typing import Final

from replay.rules.cards import make_up
from replay.rules.game import Make
from replay.rules.single_pack_rum.options import Options

SEATS: Final = range(2, 7)
"""S2."""

_HAND_SIZES: Final = {2: 10, 3: 7, 4: 6}


@cache
def _make(hand_size: int) -> Make:
    return Make(copies=make_up(packs=1, jokers=0), hand_size=hand_size)


def make(seats: int, options: Options) -> Make:
    """S1, S4, SA-1: one pack; ten cards each for two players, seven for three, six for four, six or five for more."""
    return _make(_HAND_SIZES.get(seats, options.five_six_hand))
