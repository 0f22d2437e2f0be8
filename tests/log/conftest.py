"""Places for the port's suite: every test of it runs in memory, on fakeredis and on the real server."""

from collections.abc import Iterator

import pytest
from redis import Redis

from replay.redis_client import connect
from tests.log.places import Place, in_memory, on, on_fakeredis
from tests.store_server import StoreServer, store_server


@pytest.fixture(scope="session")
def shared_server() -> Iterator[StoreServer]:
    """One real server for all tests that leave it standing."""
    with store_server() as server:
        yield server


@pytest.fixture
def server(shared_server: StoreServer) -> StoreServer:
    """The shared real server, empty, with its own settings."""
    with Redis.from_url(shared_server.url) as client:
        client.flushall()
        client.script_flush()
    return shared_server


@pytest.fixture
def own_server() -> Iterator[StoreServer]:
    """A real server to be killed."""
    with store_server() as server:
        yield server


@pytest.fixture(params=["memory", "fakeredis", pytest.param("server", marks=pytest.mark.store)])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """An empty log, on each adapter."""
    match request.param:
        case "memory":
            yield in_memory()
        case "fakeredis":
            yield on_fakeredis()
        case _:
            server: StoreServer = request.getfixturevalue("server")
            clients: list[Redis] = []

            def client() -> Redis:
                clients.append(connect(server.url))
                return clients[-1]

            yield on(client)
            for each in clients:
                each.close()
