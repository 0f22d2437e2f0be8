"""What has happened: events as pages, replays, and the end of an open session."""

import pytest

from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, SHORT_PLAYS, Sitting, opened

FIELDS = {"version", "kind", "schema", "seat", "at", "who", "request", "data", "seals", "salts", "digest"}
KINDS = ["session.opened", "session.deal_started", *["rockaway.card_played"] * 13, "session.deal_ended"]


class TestEvents:
    """`An event` and `GET …/events`."""

    def test_every_event_in_order_each_with_its_version(self, table: Sitting) -> None:
        table.short()
        events = table.get("/events", table.owner).ok()["events"]
        assert [event["version"] for event in events] == [*range(1, 17)]
        assert [event["kind"] for event in events] == KINDS
        assert all(event.keys() == FIELDS for event in events)
        assert [(event["seat"], event["data"]["card"]) for event in events[2:15]] == [*SHORT_PLAYS]
        assert [event["seat"] for event in (*events[:2], events[15])] == [None, None, None]

    def test_a_play_is_shown_as_the_contract_draws_it(self, table: Sitting) -> None:
        table.deal(SHORT).ok(201)
        answer = table.play(1, "play", "8h").ok(201)
        [event] = table.get("/events?after=2", table.seats[2]).ok()["events"]
        assert event.pop("at").endswith("Z")
        assert event == {
            "version": 3,
            "kind": "rockaway.card_played",
            "schema": 1,
            "seat": 1,
            "who": "seat:1",
            "request": answer.request,
            "data": {"card": "8h", "turn": 2},
            "seals": {},
            "salts": {},
            "digest": answer["head"],
        }

    def test_after_a_version(self, table: Sitting) -> None:
        table.short(2)
        for after, versions in ((0, [1, 2, 3, 4]), (3, [4]), (4, []), (5, []), (2**53, [])):
            answer = table.get(f"/events?after={after}", table.owner).ok()
            assert [event["version"] for event in answer["events"]] == versions
            assert answer["next"] is None

    def test_pages(self, table: Sitting) -> None:
        table.short()
        seen, path = [], "/events?limit=5&after=1"
        while path:
            answer = table.get(path, table.owner).ok()
            assert len(answer["events"]) <= 5
            seen += [event["version"] for event in answer["events"]]
            path = f"/events?limit=5&after=1&cursor={answer['next']}" if answer["next"] else ""
            assert ("Link" in answer.headers) == bool(path)
        assert seen == [*range(2, 17)]

    @pytest.mark.parametrize(
        "query",
        ["after=-1", "after=x", "after=", "limit=0", "limit=501", "cursor=AA", "at=1", "after=1e1", "after=%D9%A1"],
    )
    def test_a_query_that_says_nothing_is_422(self, table: Sitting, query: str) -> None:
        table.get(f"/events?{query}", table.owner).problem("invalid")

    def test_what_is_not_given_yet_is_406(self, table: Sitting) -> None:
        for form in ("text/html", "application/toml", "application/json;q=0", "nonsense"):
            table.get("/events", table.owner, headers={"Accept": form}).problem("not-acceptable")
        for form in ("*/*", "application/*", "application/json", "text/html, application/json;q=0.1", ""):
            table.get("/events", table.owner, headers={"Accept": form}).ok()

    def test_a_drawn_card_is_its_seats_until_the_deal_is_over(self, house: House) -> None:
        table = opened(house, public=True)
        table.deal(SHORT).ok(201)
        table.note(2, "draw", irregular=True).ok(201)
        seen = [table.get("/events?after=2", token)["events"][0]["data"] for token in (None, *table.seats.values())]
        assert [data["card"] for data in seen] == [None, None, "3c"]
        for seat, card in SHORT_PLAYS:
            table.note(seat, "play", card, irregular=True).ok(201)
        seen = [table.get("/events?after=2", token)["events"][0]["data"] for token in (None, *table.seats.values())]
        assert [data["card"] for data in seen] == ["3c"] * 3


class TestReplay:
    """`GET …/deals/{n}/replay`."""

    def test_every_event_of_the_deal_and_the_view_after_it(self, house: House) -> None:
        table = opened(house, options={"deals": 2}, public=True)
        table.short()
        table.deal({**SHORT, "dealer": 2}).ok(201)
        table.play(1, "play", "8h").ok(201)
        for number, versions in ((1, [*range(2, 17)]), (2, [17, 18])):
            for token in (None, table.owner, *table.seats.values()):
                replay = table.get(f"/deals/{number}/replay", token).ok()
                assert [step["version"] for step in replay["steps"]] == versions
                assert replay["next"] is None
                for step in replay["steps"]:
                    [event] = table.get(f"/events?after={step['version'] - 1}&limit=1", token)["events"]
                    assert step["event"] == event
                    assert step["state"] == table.get(f"?at={step['version']}", token).body

    def test_pages(self, table: Sitting) -> None:
        table.short()
        whole = table.get("/deals/1/replay", table.owner)["steps"]
        seen, path = [], "/deals/1/replay?limit=4"
        while path:
            answer = table.get(path, table.owner).ok()
            seen += answer["steps"]
            path = f"/deals/1/replay?limit=4&cursor={answer['next']}" if answer["next"] else ""
            assert ("Link" in answer.headers) == bool(path)
        assert seen == whole

    @pytest.mark.parametrize("query", ["limit=0", "limit=201", "cursor=AA", "at=1", "after=1", "cursor="])
    def test_a_query_that_says_nothing_is_422(self, table: Sitting, query: str) -> None:
        table.short(1)
        table.get(f"/deals/1/replay?{query}", table.owner).problem("invalid")


class TestClose:
    """`POST …/close`: XA-10."""

    def test_an_open_session_ends_and_names_its_winners(self, house: House) -> None:
        table = opened(house, options={"deals": None})
        table.short()
        answer = table.post("/close", {}, table.owner).ok()
        assert (answer["status"], answer["winners"], answer["version"]) == ("over", [1], 17)
        assert answer.body == table.get("", table.owner).body
        [event] = table.get("/events?after=16", table.seats[2])["events"]
        assert (event["kind"], event["data"]) == ("session.closed", {"winners": [1]})
        assert table.get("/record", table.owner)["closed"] is True

    def test_it_takes_no_body_and_knows_no_field(self, house: House) -> None:
        table = opened(house, options={"deals": None})
        with nothing_recorded(house):
            assert list(table.post("/close", {"now": True}, table.owner).problem("invalid")["errors"]) == ["now"]
        table.post("/close", None, table.owner).ok()

    @pytest.mark.parametrize("options", [{}, {"deals": 3}, {"deals": None, "target": 100}, {"target": 100}])
    def test_a_session_that_has_deals_or_target_ends_by_them(self, house: House, options: dict[str, object]) -> None:
        table = opened(house, options=options)
        with nothing_recorded(house):
            table.post("/close", {}, table.owner).problem("not-now", clause="XA-10", version=1)
        table.short()
        table.post("/close", {}, table.owner).problem("not-now", clause="XA-10", version=16)

    def test_not_while_a_deal_is_on(self, house: House) -> None:
        table = opened(house, options={"deals": None})
        table.short(2)
        with nothing_recorded(house):
            answer = table.post("/close", {}, table.owner).problem("not-now", version=4)
        assert "clause" not in answer.body

    def test_a_session_that_is_over_takes_nothing_more(self, house: House) -> None:
        table = opened(house, options={"deals": None})
        table.post("/close", {}, table.owner).ok()
        with nothing_recorded(house):
            table.post("/close", {}, table.owner).problem("not-now", clause="XA-15", version=2)
            answer = table.deal(SHORT).problem("not-now", clause="XA-15", version=2)
        assert "a finished session no more deals" in answer["detail"]
        ended = opened(house, options={"deals": 1})
        ended.short()
        ended.post("/close", {}, ended.owner).problem("not-now", clause="XA-15")
