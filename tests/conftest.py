"""What pytest says of every run: the seed and scale of seeded play, with which a failure can be played again."""

from tests.seeds import SCALE, SEED


def pytest_report_header() -> str:
    """One line under pytest's own header."""
    return f"seeded play: UPCARD_TEST_SEED={SEED} UPCARD_TEST_SCALE={SCALE:g}"
