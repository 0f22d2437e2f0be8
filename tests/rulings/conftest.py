"""A house on fakeredis for tests that rule on its tables."""

from collections.abc import Iterator

import pytest

from tests.http.house import Fake, House


@pytest.fixture
def house() -> Iterator[House]:
    """An empty one, with its organisers."""
    made = House(Fake()).settled()
    yield made
    made.leave()
