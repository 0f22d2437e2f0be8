"""When a delivery that failed is tried again. Pure: chance is an argument."""

from typing import Final

DELAYS: Final = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600, 21_600)
"""Seconds after the first failure, the second, and so on: 25.7 hours in all, so that a day's outage loses nothing."""
ATTEMPTS: Final = len(DELAYS) + 1
"""After so many an event goes to the dead letters."""
JITTER: Final = 0.2
"""A delay grows by up to this share, so that what failed together does not come back together. It never shrinks."""


def delay(failed: int, chance: float) -> int | None:
    """Milliseconds until the next attempt after so many have failed; None if that was the last.

    `chance` is from 0 up to 1.
    """
    if failed > len(DELAYS):
        return None
    return round(DELAYS[failed - 1] * 1_000 * (1 + JITTER * chance))
