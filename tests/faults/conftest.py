"""A service for each test, none of it running yet; what its processes said is shown when the test fails."""

from collections.abc import Iterator

import pytest

from tests.faults.running import Service, service


@pytest.fixture
def upcard(request: pytest.FixtureRequest) -> Iterator[Service]:
    """The store is up, and no other process is."""
    with service() as running:
        yield running
        for log in sorted(running.data.glob("*.log")):
            print(f"--- {request.node.name}: the end of {log.name}\n{log.read_text(errors='replace')[-6000:]}")
