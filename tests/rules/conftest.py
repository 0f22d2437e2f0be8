"""Seeded play for the laws: each part of a run is played once, and looked at by every law."""

import pytest

from tests.rules.seeded import RUN_NAMES, RUNS, Run, run


@pytest.fixture(scope="session", params=RUNS, ids=RUN_NAMES)
def played(request: pytest.FixtureRequest) -> Run:
    """One part of a run, of every game, without and with irregular plays."""
    game, part, irregular = request.param
    return run(game, part, irregular=irregular)
