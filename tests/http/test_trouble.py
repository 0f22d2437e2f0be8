"""When things go wrong below: the store away, an outcome unknown, a log that is broken. And other manners of HTTP."""

from collections.abc import Iterator

import pytest

from replay.log import Batch, Outcome, OutcomeUnknownError
from replay.shards import events_key
from tests.http.client import Client
from tests.http.house import Fake, House, nothing_recorded
from tests.http.tables import SHORT, Sitting, opened

READS = ("", "?at=2", "/events", "/deals/1", "/deals/1/replay", "/ledger", "/record", "/plays")


class TestStoreAway:
    """503 `store-unavailable`: nothing was recorded. And when it is back, all goes on."""

    @pytest.fixture
    def away(self, fake: Fake, table: Sitting) -> Iterator[Sitting]:
        """A deal is on, and the store has gone."""
        table.short(2)
        fake.server.connected = False
        yield table
        fake.server.connected = True

    def test_reads(self, away: Sitting) -> None:
        for tail in READS:
            answer = away.get(tail, away.owner).problem("store-unavailable")
            assert int(answer.headers["Retry-After"]) > 0
        away.house.client.get("/v1/sessions", away.owner).problem("store-unavailable")

    def test_commands(self, away: Sitting, fake: Fake) -> None:
        opening = {"game": "rockaway", "players": ["Ann", "Ben"]}
        for path, body, match in (
            (f"{away.path}/plays", {"seat": 1, "type": "play", "card": "2h"}, 4),
            (f"{away.path}/plays", {"seat": 1, "type": "play", "card": "2h"}, None),
            (f"{away.path}/plays", {"seat": 1, "type": "draw"}, "*"),
            (f"{away.path}/deals", SHORT, 4),
            (f"{away.path}/close", {}, 4),
            ("/v1/sessions", opening, None),
        ):
            answer = away.house.client.post(path, body, away.owner, match=match, key="k")
            assert answer["type"] in ("/problems/store-unavailable", "/problems/outcome-unknown"), answer
        fake.server.connected = True
        assert away.version == 4
        away.play(1, "play", "2h", key="k").ok(201)

    def test_whether_it_is_ready_is_said_as_a_state(self, away: Sitting) -> None:
        answer = away.house.client.get("/health/ready").ok(503)
        assert "reached" in answer["events"]
        away.house.client.get("/health/live").ok()


def test_an_outcome_that_is_unknown_is_said_so_and_the_key_finds_it(
    table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.deal(SHORT).ok(201)
    really = table.house.log.append

    def lost(batch: Batch) -> Outcome:
        really(batch)
        raise OutcomeUnknownError("the connection was lost")

    monkeypatch.setattr(table.house.log, "append", lost)
    answer = table.play(1, "play", "8h", key="k", match=2).problem("outcome-unknown")
    assert int(answer.headers["Retry-After"]) > 0
    monkeypatch.undo()
    again = table.play(1, "play", "8h", key="k", match=2).ok(201)
    assert (again["version"], again.headers["Idempotency-Replayed"]) == (3, "true")


def test_a_kick_that_fails_does_not_fail_the_play(table: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The play is recorded and due; the sweeper will see to the rest."""
    table.short(12)
    monkeypatch.setattr("rq.Queue.enqueue", _no_queue)
    table.play(1, "play", "7h").ok(201)
    assert [due[:2] for due in table.house.log.due(10)] == [(table.id, 16)]


def _no_queue(*_: object, **__: object) -> None:
    raise OSError("no queue")


class TestBrokenLog:
    """409 `diverged`, with the version from which nothing can be believed."""

    @pytest.fixture
    def broken(self, table: Sitting) -> Sitting:
        """Version 4 of a deal cannot be read, and another process finds out."""
        shown = table.short(1)
        table.house.events.xadd(events_key(table.id), {b"p": b'["rockaway.card_played",1,'}, id="4-0")
        return Sitting(table.house.again(), shown, table.owner, table.seats)

    def test_nothing_after_it_is_shown_or_taken(self, broken: Sitting) -> None:
        for tail in READS:
            if tail not in ("/ledger", "/events", "?at=2"):
                broken.get(tail, broken.owner).problem("diverged", version=4)
        # What was before it still holds; whoever asks for more is told.
        assert broken.get("?at=3", broken.owner).ok()["deal"]["upcard"] == "8h"
        broken.get("?at=4", broken.owner).problem("diverged", version=4)
        page = broken.get("/events", broken.owner).ok()
        assert [event["version"] for event in page["events"]] == [1, 2, 3]
        broken.get(f"/events?cursor={page['next']}", broken.owner).problem("diverged", version=4)
        with nothing_recorded(broken.house):
            for match in (3, 4, "*"):
                broken.play(2, "play", "9h", match=match).problem("diverged", version=4)

    def test_other_sessions_are_not_touched_by_it(self, broken: Sitting) -> None:
        other = opened(broken.house, public=True)
        other.get("", other.owner).ok()


class TestManners:
    """What RFC 9110 leaves to us."""

    def test_another_method_is_405_and_says_which_are_taken(self, table: Sitting) -> None:
        with nothing_recorded(table.house):
            for method in ("PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "X"):
                answer = table.house.client.call(method, table.path, {}, token=table.owner)
                answer.problem("method-not-allowed")
                assert "GET" in answer.headers["Allow"]
            table.post("", {}, table.owner).problem("method-not-allowed")
            table.get("/close", table.owner).problem("method-not-allowed")

    def test_head_is_get_without_a_body(self, table: Sitting) -> None:
        for tail in READS[:1]:
            got, head = table.get(tail, table.owner), table.house.client.call("HEAD", table.path, token=table.owner)
            assert (head.status, head.headers, head.text) == (got.status, got.headers, "")

    @pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
    def test_another_form_of_body_is_415_and_says_which_are_read(self, table: Sitting, media: str) -> None:
        answer = table.deal(SHORT, media=media).problem("unsupported-media-type")
        assert answer.headers["Accept"] == "application/json"

    @pytest.mark.parametrize("charset", ["utf-16", "latin-1", "utf-8x", "utf-8-sig"])
    def test_another_encoding_too(self, table: Sitting, charset: str) -> None:
        table.deal(SHORT, media=f"application/json; charset={charset}").problem("unsupported-media-type")

    @pytest.mark.parametrize(
        "media", ["application/json; charset=UTF-8", "Application/JSON", 'application/json;charset="utf-8"']
    )
    def test_the_same_form_written_otherwise_will_do(self, table: Sitting, media: str) -> None:
        table.deal(SHORT, media=media).ok(201)

    def test_the_contract_is_served_and_names_every_resource(self, client: Client, house: House) -> None:
        document = client.get("/openapi.json").ok()
        assert document["openapi"] == "3.1.0"
        for rule in house.app.url_map.iter_rules():
            path = rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}")
            methods = {method.lower() for method in rule.methods or ()} - {"head", "options"}
            if path != "/openapi.json":
                assert methods <= document["paths"][path].keys(), path
