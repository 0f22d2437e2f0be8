"""News of many sessions at once: what a wait tells, what ends it, and a store that goes away meanwhile."""

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from redis import Redis

import replay.redis_feed
from replay.log import StoreUnavailableError
from replay.redis_client import connect
from replay.redis_feed import RedisFeed
from replay.shards import events_key, new_session_id
from tests.store_server import StoreServer

pytestmark = pytest.mark.store

LIMIT = 60.0
"""Seconds before a test gives up on something that takes moments."""


@pytest.fixture
def client(own_server: StoreServer) -> Iterator[Redis]:
    made = connect(own_server.url)
    yield made
    made.close()


@pytest.fixture
def feed(client: Redis) -> RedisFeed:
    return RedisFeed(client)


@pytest.fixture
def sessions(client: Redis) -> list[str]:
    """Three sessions, in whatever shards, with two events each."""
    made = [new_session_id() for _ in range(3)]
    for session in made:
        for version in (1, 2):
            client.xadd(events_key(session), {"p": b"[]"}, id=f"{version}-0")
    return made


def waiting(feed: RedisFeed, client: Redis, pool: ThreadPoolExecutor, after: dict[str, int]) -> "Future[set[str]]":
    """A wait that the server knows of."""
    future = pool.submit(feed.wait, after)
    deadline = time.monotonic() + LIMIT
    while not future.done() and not any(
        each["cmd"] == "xread" and "b" in each["flags"] for each in client.client_list()
    ):
        assert time.monotonic() < deadline, "it does not wait"
    return future


def test_it_tells_at_once_of_whoever_is_further(feed: RedisFeed, sessions: list[str]) -> None:
    one, two, three = sessions
    assert feed.wait({one: 0, two: 1, three: 2}) == {one, two}
    assert feed.wait({one: 2, two: 2, three: 1}) == {three}


def test_it_tells_of_what_comes(feed: RedisFeed, client: Redis, sessions: list[str]) -> None:
    with ThreadPoolExecutor(1) as pool:
        told = waiting(feed, client, pool, dict.fromkeys(sessions, 2))
        client.xadd(events_key(sessions[1]), {"p": b"[]"}, id="3-0")
        assert told.result(LIMIT) == {sessions[1]}


def test_a_session_without_events_is_waited_for_too(feed: RedisFeed, client: Redis, sessions: list[str]) -> None:
    fresh = new_session_id()
    with ThreadPoolExecutor(1) as pool:
        told = waiting(feed, client, pool, {**dict.fromkeys(sessions, 2), fresh: 0})
        client.xadd(events_key(fresh), {"p": b"[]"}, id="1-0")
        assert told.result(LIMIT) == {fresh}


def test_waking_it_ends_a_wait(
    feed: RedisFeed, client: Redis, sessions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay.redis_feed, "WAIT", 4 * LIMIT)
    client.connection_pool.connection_kwargs["socket_timeout"] = None
    with ThreadPoolExecutor(1) as pool:
        told = waiting(feed, client, pool, dict.fromkeys(sessions, 2))
        feed.wake()
        assert told.result(LIMIT) == set()


def test_a_wait_with_no_news_ends_by_itself(feed: RedisFeed, sessions: list[str]) -> None:
    feed.wake()  # of nobody who waits
    assert feed.wait(dict.fromkeys(sessions, 2)) == set()


def test_a_store_that_goes_away_is_told_and_used_again(
    feed: RedisFeed, client: Redis, sessions: list[str], own_server: StoreServer
) -> None:
    with ThreadPoolExecutor(1) as pool:
        told = waiting(feed, client, pool, dict.fromkeys(sessions, 2))
        own_server.kill()
        with pytest.raises(StoreUnavailableError):
            told.result(LIMIT)
    with pytest.raises(StoreUnavailableError):
        feed.wait(dict.fromkeys(sessions, 0))
    feed.wake()
    own_server.restart()
    assert feed.wait(dict.fromkeys(sessions, 0)) == set(sessions)
