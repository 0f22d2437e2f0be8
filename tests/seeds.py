"""How much seeded play a run does, and from which seed, so that any failure can be played again.

`UPCARD_TEST_SCALE` is a fraction of the full run (1 = full, 0.05 if unset); `UPCARD_TEST_SEED` is any text. Both are
printed in pytest's header. Nothing here draws chance from anywhere else, so equal settings give equal runs.
"""

import os
from random import Random
from typing import Final

SCALE: Final = float(os.environ.get("UPCARD_TEST_SCALE", "0.05"))
SEED: Final = os.environ.get("UPCARD_TEST_SEED", "1931-06-04")


def scaled(full: int) -> int:
    """That share of a full run's count which this run does; never none."""
    return max(1, round(full * SCALE))


def rng(name: str) -> Random:
    """A generator of its own for each name, so that tests do not disturb one another's play."""
    return Random(f"{SEED}/{name}")
