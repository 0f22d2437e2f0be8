"""A store that is not what it was: the audit names the version, and what comes after it is shown to nobody.

A bit is flipped in every field of an entry, in checkpoints and in the ledger, on the real server and on fakeredis. Read
over HTTP by a process that knows nothing yet. Left out: how logs are broken in other ways (tests/log).
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest
from redis import Redis

from replay.audit import CHECKPOINTS, LEDGER, Line, Report
from replay.log import Appended
from replay.rules.registry import GAMES
from replay.shards import checkpoints_key, events_key, ledger_key
from tests.http.client import Client
from tests.http.house import Fake, House, on_server
from tests.seeds import rng, scaled
from tests.store_server import StoreServer, store_server
from tests.trust.sessions import Kept, batch, kept, stored
from workers.auditing import audit_session


@pytest.fixture(scope="module")
def server() -> Iterator[StoreServer]:
    """A real server for all of these tests."""
    with store_server(durability="everysec") as running:
        yield running


@pytest.fixture(params=["fakeredis", pytest.param("server", marks=pytest.mark.store)])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """A house, empty, on each store."""
    if request.param == "server":
        running: StoreServer = request.getfixturevalue("server")
        with Redis.from_url(running.url) as client:
            client.flushall()
        made = House(on_server(running)).settled()
    else:
        made = House(Fake()).settled()
    yield made
    made.leave()


def put(house: House, chance: Random, *, public: bool, mode: str | None = None) -> Kept:
    """A session with a deal that is over, in the house's store with its ledger."""
    while True:
        of = kept(GAMES[chance.choice(list(GAMES))], chance, deals=2, mode=mode)
        if of.ends and of.version < 400:
            break
    events = [of.opened._replace(public=public), *of.events[1:]]
    of = stored(of.id, events, chance, house.context.signer)
    assert house.log.append(batch(of)) == Appended(of.version)
    house.score(of.id)
    return of


def audit(house: House, of: Kept) -> Report:
    report = audit_session(house.log, house.ledger, of.id, house.context.keys.public)
    assert report is not None
    return report


def line(report: Report, check: str) -> Line:
    return next(each for each in report.lines if each.check == check)


def flipped(chance: Random, value: bytes) -> bytes:
    """The value with one of its bits the other way."""
    made = bytearray(value)
    made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
    return bytes(made)


def entries(house: House, of: Kept) -> list[tuple[bytes, dict[bytes, bytes]]]:
    found: Any = house.events.xrange(events_key(of.id))
    return [(entry_id, dict(fields)) for entry_id, fields in found]


def put_back(house: House, of: Kept, found: list[tuple[bytes, dict[bytes, bytes]]]) -> None:
    """The stream as these entries, which a server never would let anybody change."""
    house.events.delete(events_key(of.id))
    for entry_id, fields in found:
        made: dict[Any, Any] = dict(fields)
        house.events.xadd(events_key(of.id), made, id=entry_id)


@pytest.mark.parametrize("field", [b"p", b"h", b"s"])
def test_a_flipped_bit_of_an_event_is_named_by_the_audit(house: House, field: bytes) -> None:
    chance = rng(f"trust/flipped/{field!r}")
    of = put(house, chance, public=True)
    good = entries(house, of)
    assert audit(house, of).verdict == "verified"
    versions = [version for version, (_, fields) in enumerate(good, start=1) if field in fields]
    for _ in range(scaled(200)):
        at = chance.choice(versions)
        bad = list(good)
        entry_id, fields = bad[at - 1]
        bad[at - 1] = entry_id, {**fields, field: flipped(chance, fields[field])}
        put_back(house, of, bad)
        report = audit(house, of)
        assert report.verdict == "diverged"
        assert report.diverged_at == at, (bad[at - 1], report)


@pytest.mark.parametrize("field", [b"p", b"h", b"s"])
@pytest.mark.parametrize("public", [True, False], ids=["public", "private"])
def test_what_comes_after_a_flipped_bit_is_withheld_and_nothing_else(house: House, field: bytes, public: bool) -> None:
    chance = rng(f"trust/withheld/{field!r}/{public}")
    of, other = put(house, chance, public=public), put(house, chance, public=True)
    owner, good = house.first, entries(house, of)
    before = house.client.get(f"/v1/sessions/{other.id}").ok()
    versions = [version for version, (_, fields) in enumerate(good, start=1) if field in fields and version > 1]
    for at in {versions[0], chance.choice(versions), versions[-1]}:
        bad = list(good)
        entry_id, fields = bad[at - 1]
        bad[at - 1] = entry_id, {**fields, field: flipped(chance, fields[field])}
        put_back(house, of, bad)
        client, path = house.again().client, f"/v1/sessions/{of.id}"
        for tail in ("", "/plays", "/record", "/ledger", "/export", f"?at={at}", f"?at={of.version}"):
            client.get(path + tail, owner).problem("diverged", version=at)
        client.post(f"{path}/close", {}, owner, match="*").problem("diverged", version=at)
        _earlier(client, of, at, owner)
        strangers = [None, house.stranger]
        for token in strangers:
            if public:
                client.get(path, token).problem("diverged", version=at)
            else:
                for tail in ("", "?at=1", "/events", "/checkpoints", "/export", f"/deals/{of.opened.first_deal}/audit"):
                    client.get(path + tail, token).problem("not-found")
        assert client.get(f"/v1/sessions/{other.id}").ok().body == before.body
        assert client.get("/v1/sessions").ok()["sessions"]


def _earlier(client: Client, of: Kept, at: int, owner: str) -> None:
    """What came before that version is still to be had, and said to be true."""
    path, chance = f"/v1/sessions/{of.id}", rng("trust/earlier")
    for version in {1, at - 1, chance.randrange(1, at)}:
        found = client.get(f"{path}?at={version}", owner).ok()
        assert (found["version"], found["head"]) == (version, of.stored[version - 1].digest.hex())
    seen: list[str] = []
    cursor = ""
    while True:
        answer = client.get(f"{path}/events?limit=100{cursor}", owner)
        if answer.status == 409:
            answer.problem("diverged", version=at)
            break
        seen += [event["digest"] for event in answer.ok()["events"]]
        assert answer["next"] is not None
        cursor = f"&cursor={answer['next']}"
    assert seen == [each.digest.hex() for each in of.stored[: at - 1]]
    for number, end in enumerate(of.ends, start=of.opened.first_deal):
        found = client.get(f"{path}/deals/{number}/audit", owner).ok()
        if end < at:
            assert found["verdict"] == "verified", found.body
        else:
            assert (found["verdict"], found["diverged_at"]) == ("diverged", at)


def test_a_session_whose_opening_is_spoilt_is_known_to_whom_it_was(house: House) -> None:
    chance = rng("trust/opening")
    of = put(house, chance, public=True)
    (first, fields), *rest = entries(house, of)
    put_back(house, of, [(first, {**fields, b"h": flipped(chance, fields[b"h"])}), *rest])
    client = house.again().client
    client.get(f"/v1/sessions/{of.id}", house.first).problem("diverged", version=1)
    client.get(f"/v1/sessions/{of.id}").problem("diverged", version=1)
    assert audit(house, of).diverged_at == 1


Spoil = Callable[[Random, list[bytes]], list[bytes]]


def one_flipped(chance: Random, values: list[bytes]) -> list[bytes]:
    """A bit of one of them."""
    at = chance.randrange(len(values))
    return [*values[:at], flipped(chance, values[at]), *values[at + 1 :]]


def one_gone(_: Random, values: list[bytes]) -> list[bytes]:
    """The last one."""
    return values[:-1]


def one_more(_: Random, values: list[bytes]) -> list[bytes]:
    """The last one twice."""
    return [*values, values[-1]]


SPOILS: Final[tuple[Spoil, ...]] = (one_flipped, one_gone, one_more)


def put_list(house: House, key: str, values: list[bytes]) -> None:
    house.events.delete(key)
    for value in values:
        house.events.rpush(key, value)


def stored_list(house: House, key: str) -> list[bytes]:
    found: Any = house.events.lrange(key, 0, -1)
    return list(found)


@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__)
def test_a_ledger_that_was_changed_is_named_by_the_audit(house: House, spoil: Spoil) -> None:
    chance = rng(f"trust/ledger/{spoil.__name__}")
    of = put(house, chance, public=True)
    good = stored_list(house, ledger_key(of.id))
    for _ in range(scaled(100)):
        put_list(house, ledger_key(of.id), spoil(chance, good))
        report = audit(house, of)
        found = line(report, LEDGER)
        if spoil is one_gone:
            # A worker may be on its way.
            assert (found.outcome, found.version) == ("missing", of.ends[-1])
            assert report.verdict == "unverified"
        else:
            assert found.outcome == "fails"
            assert report.verdict == "diverged"
        # What lies beside the log says nothing against the log.
        assert report.diverged_at is None
        assert {each.check for each in report.lines if each.outcome != "holds"} == {LEDGER}
        client, path = house.again().client, f"/v1/sessions/{of.id}"
        client.get(path, house.first).ok()
        shown = client.get(f"{path}/ledger", house.first)
        if spoil is one_gone:
            assert len(shown.ok()["entries"]) == len(good) - 1
        else:
            shown.problem("diverged")


@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__)
def test_checkpoints_that_were_changed_are_named_by_the_audit(house: House, spoil: Spoil) -> None:
    chance = rng(f"trust/checkpoints/{spoil.__name__}")
    of = put(house, chance, public=True)
    good = stored_list(house, checkpoints_key(of.id))
    for _ in range(scaled(100)):
        put_list(house, checkpoints_key(of.id), spoil(chance, good))
        report = audit(house, of)
        assert {each.check for each in report.lines if each.outcome != "holds"} <= {CHECKPOINTS}
        if spoil is one_more:
            # Said twice, and true both times.
            assert report.verdict == "verified"
        else:
            assert line(report, CHECKPOINTS).outcome in ("fails", "missing")
        client, path = house.again().client, f"/v1/sessions/{of.id}"
        client.get(path).ok()
        client.get(f"{path}/checkpoints").ok()
        exported = client.get(f"{path}/export").ok()
        assert exported.text.count('"checkpoint"') == client.get(f"{path}/checkpoints").text.count('"signature"')
