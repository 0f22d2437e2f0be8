"""Houses for the contract's tests: on fakeredis for the quick ones, on the real server where it says so."""

from collections.abc import Iterator

import pytest
from redis import Redis

from tests.http.client import Client
from tests.http.house import Fake, House, on_server
from tests.http.tables import Sitting, opened
from tests.store_server import StoreServer, store_server


@pytest.fixture
def fake() -> Fake:
    """A store of fakeredis."""
    return Fake()


@pytest.fixture
def house(fake: Fake) -> Iterator[House]:
    """A house on fakeredis."""
    made = House(fake).settled()
    yield made
    made.leave()


@pytest.fixture
def client(house: House) -> Client:
    """Its client."""
    return house.client


@pytest.fixture
def table(house: House) -> Sitting:
    """A private recorded session of two, just opened."""
    return opened(house)


@pytest.fixture(scope="session")
def http_server() -> Iterator[StoreServer]:
    """One real server for all of these tests; nothing here needs what it holds to outlive a crash."""
    with store_server(durability="everysec") as server:
        yield server


@pytest.fixture
def real_house(http_server: StoreServer) -> Iterator[House]:
    """A house on the real server, empty."""
    with Redis.from_url(http_server.url) as client:
        client.flushall()
    made = House(on_server(http_server)).settled()
    yield made
    made.leave()
