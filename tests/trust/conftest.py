"""A house on fakeredis, for what is looked at over HTTP."""

from collections.abc import Iterator

import pytest

from tests.http.house import Fake, House


@pytest.fixture
def house() -> Iterator[House]:
    """A house, empty."""
    made = House(Fake()).settled()
    yield made
    made.leave()
