"""What pytest says of every run: the seed and scale of seeded play, with which a failure can be played again."""

import gc

from tests.seeds import SCALE, SEED

# Seeded play makes millions of small tuples that live on: looking through them again and again finds nothing.
gc.set_threshold(100_000, 50, 100)


def pytest_report_header() -> str:
    """One line under pytest's own header."""
    return f"seeded play: UPCARD_TEST_SEED={SEED} UPCARD_TEST_SCALE={SCALE:g}"
