"""Rulings at the same moment, postings at the same moment, and kills between a ruling and its postings (F3)."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from threading import Barrier
from typing import Any, Final, TypeVar

import pytest
from redis import Redis

from tests.faults.client import ShortTable
from tests.faults.running import LIMIT, Service, service, until
from tests.http.house import House, on_server
from tests.http.tables import Sitting, opened
from tests.rulings.playing import rule
from tests.store_server import StoreServer, store_server
from workers.entries import entries

pytestmark = pytest.mark.store

CROWD: Final = 20
Found = TypeVar("Found")


@pytest.fixture(scope="module")
def server() -> Iterator[StoreServer]:
    """One real server for these tests."""
    with store_server(durability="everysec") as running:
        yield running


@pytest.fixture
def house(server: StoreServer) -> Iterator[House]:
    """A house on it, empty."""
    with Redis.from_url(server.url) as client:
        client.flushall()
    made = House(on_server(server)).settled()
    yield made
    made.leave()


@pytest.fixture
def table(house: House) -> Sitting:
    """A recorded session with one finished deal, posted."""
    made = opened(house)
    made.short()
    house.score(made.id)
    return made


def all_at_once(do: Callable[[int], Found]) -> list[Found]:
    """What each of the crowd gets."""
    ready = Barrier(CROWD)

    def one(number: int) -> Found:
        ready.wait(LIMIT)
        return do(number)

    with ThreadPoolExecutor(CROWD) as pool:
        return list(pool.map(one, range(CROWD)))


def test_of_many_rulings_at_one_version_one_applies(house: House, table: Sitting) -> None:
    houses = [house, *(house.again() for _ in range(3))]
    version = table.version
    body: dict[str, Any] = {"ruling": "adjust", "deal": 1}

    def give(number: int) -> int:
        said = {**body, "points": [number, 1], "reason": f"ruling of {number}"}
        answer = houses[number % 4].client.post(f"{table.path}/rulings", said, table.owner, match=version)
        return answer.status if answer.status == 201 else answer.problem("stale-version").status

    assert Counter(all_at_once(give)) == {201: 1, 412: CROWD - 1}
    assert table.version == version + 1
    (ruling,) = table.state().rulings
    assert ruling.event.delta is not None
    assert ruling.event.reason == f"ruling of {ruling.event.delta[0]}"
    assert house.score(table.id) == 2


def test_the_same_ruling_sent_many_times_under_one_key_is_made_once(house: House, table: Sitting) -> None:
    houses = [house, *(house.again() for _ in range(3))]
    body = {"ruling": "penalty", "deal": 1, "points": [0, 20], "reason": "looked"}

    def give(number: int) -> tuple[int, int]:
        answer = houses[number % 4].client.post(f"{table.path}/rulings", body, table.owner, match="*", key="one")
        return answer.ok(201).status, answer["version"]

    assert len(set(all_at_once(give))) == 1
    assert len(table.state().rulings) == 1


def test_of_many_postings_one_reversal_and_one_entry_remain(house: House, table: Sitting) -> None:
    houses = [house, *(house.again() for _ in range(3))]
    rule(table, {"ruling": "void", "deal": 1}).ok(201)
    counts = all_at_once(lambda number: houses[number % 4].score(table.id))
    assert sum(counts) == 2
    posted = house.ledger.entries(table.id)
    assert [(each["kind"], each.get("answers"), each.get("ruling")) for each in posted] == [
        ("deal_score", None, None),
        ("reversal", 1, 1),
        ("ruling", 2, 1),
    ]
    assert house.ledger.check(table.id) is None


def test_a_reversal_alone_is_not_all_that_is_due(house: House, table: Sitting) -> None:
    """A worker that ends between the two leaves the ruling in the outbox, and another posts what is missing, once."""
    rule(table, {"ruling": "void", "deal": 1}).ok(201)
    _, reversal, entry = entries(table.id, house.log.read(table.id))
    assert house.ledger.post(table.id, reversal) == "posted"
    member = f"{table.id} {table.version}".encode()
    assert member in _outbox(house)
    assert table.get("/deals/1", table.owner)["status"] == "pending"
    assert house.again().score(table.id) == 1
    assert member not in _outbox(house)
    assert house.ledger.post(table.id, reversal) == house.ledger.post(table.id, entry) == "known"
    assert table.get("/deals/1", table.owner)["status"] == "posted"


def _outbox(house: House) -> set[bytes]:
    found: set[bytes] = set()
    for key in house.events.scan_iter("*outbox*"):
        found.update(house.events.zrange(key, 0, -1))  # type: ignore[arg-type]  # of a client that answers at once
    return found


@pytest.fixture
def upcard() -> Iterator[Service]:
    """The store is up, and no other process is."""
    with service() as running:
        yield running


@pytest.mark.service
def test_killed_between_the_ruling_and_its_posting_it_is_posted_after_a_restart(upcard: Service) -> None:
    web = upcard.start_web()
    table = ShortTable(upcard.client())
    assert table.end().status == 201
    upcard.kill(web)
    web = upcard.start_web("unkicked")
    body = {"ruling": "adjust", "deal": 1, "points": [7, 0], "reason": "misadded"}
    ruling = {"path": f"/v1/sessions/{table.id}/rulings", "body": body, "match": "*", "key": "ruled"}
    with pytest.raises((OSError, HTTPException)):
        upcard.client().call("POST", **ruling)  # type: ignore[arg-type]  # named one by one above
    assert upcard.struck("unkicked")
    web.wait(LIMIT)
    upcard.start("sweeper")
    for step in ("folded", "posted"):
        worker = upcard.start_worker(step)
        worker.wait(LIMIT)
        assert upcard.struck(step)
    upcard.start_worker()
    upcard.start_web()
    due = upcard.owed(table.id)
    assert [len(each) for each in due.values()] == [3]
    upcard.wait_posted(due, LIMIT)
    until(upcard.answers, "the web server is back")
    answer = upcard.client().call("POST", **ruling)  # type: ignore[arg-type]  # as above
    assert (answer.status, answer.headers["idempotency-replayed"]) == (201, "true")
    upcard.wait_posted(due, LIMIT)
