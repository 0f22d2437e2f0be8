"""An auditor sees everything, and every look of his at cards that are still hidden is on the organiser's list."""

from typing import Any

import pytest
from redis import Redis

from tests.http.house import House, nothing_recorded, on_server
from tests.http.looking import cards_in
from tests.http.streaming import SSE, Stream
from tests.http.tables import SHORT, SHORT_PLAYS, Sitting, opened, stacked
from tests.rules.layout import cards
from tests.store_server import StoreServer

HANDS = [list(hand) for hand in SHORT["hands"]]
LOOKS = {
    "": "GET /",
    "?at=2": "GET /?at=2",
    "/events": "GET /events",
    "/events?after=1&limit=5": "GET /events?after=1&limit=5",
    "/deals/1/replay": "GET /deals/<int:number>/replay",
    "/plays": "GET /plays",
    "/plays?seat=2": "GET /plays?seat=2",
    "/record": "GET /record",
}


def dealt(house: House, **more: Any) -> Sitting:
    """A dealt session with a deal on whose cards are known."""
    table = opened(house, mode="dealt", **more)
    stacked(table, [cards(" ".join(hand)) for hand in SHORT["hands"]], cards("8c")[0], cards("3c 4c"))
    return table


def auditor(house: House, *sessions: str, by: str | None = None) -> Any:
    body = {"role": "auditor", **({"sessions": sessions} if sessions else {})}
    return house.client.post("/v1/tokens", body, by or house.owner).ok(201)


def noted(table: Sitting, token: str | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.get("/privileged_reads", token or table.owner).ok()["privileged_reads"]
    return found


@pytest.mark.parametrize("tail", LOOKS)
def test_each_look_is_noted_with_who_when_and_what(house: House, tail: str) -> None:
    table = dealt(house)
    made = auditor(house, table.id)
    answer = table.get(tail, made["token"], headers={"X-Request-Id": "look-1"}).ok()
    assert tail.startswith("/plays") or set(HANDS[1]) <= cards_in(answer)
    [look] = noted(table)
    at = look.pop("at")
    assert at.startswith("2026-09-21T")
    assert look == {
        "number": 1,
        "who": made["name"],
        "token": made["id"],
        "version": 2,
        "deal": 1,
        "read": LOOKS[tail],
        "request": "look-1",
    }


def test_he_sees_all_hands_and_others_do_not(house: House) -> None:
    table = dealt(house)
    for token in (auditor(house, table.id)["token"], auditor(house)["token"], auditor(house, by=house.first)["token"]):
        assert [hand["cards"] for hand in table.get("", token)["deal"]["hands"]] == HANDS
    assert [hand["cards"] for hand in table.get("", table.owner)["deal"]["hands"]] == [None, None]
    assert len(noted(table)) == 3


def test_a_list_of_sessions_is_a_look_at_each_that_has_a_deal_on(house: House) -> None:
    on, idle = dealt(house), opened(house)
    token = auditor(house)["token"]
    assert len(house.client.get("/v1/sessions", token)["sessions"]) == 2
    assert [len(noted(table)) for table in (on, idle)] == [1, 0]


def test_what_is_open_to_all_is_no_look(house: House) -> None:
    table = opened(house)
    token = auditor(house, table.id)["token"]
    with nothing_recorded(house):
        table.get("", token).ok()
    table.short()
    with nothing_recorded(house):
        for tail in ("", "?at=3", "/events", "/deals/1/replay", "/record", "/ledger", "/deals/1"):
            table.get(tail, token).ok()


def test_one_note_for_a_request_however_often_it_shows_cards(house: House) -> None:
    table = opened(house)
    table.short(8)
    table.get("/deals/1/replay", auditor(house, table.id)["token"]).ok()
    assert len(noted(table)) == 1


def test_a_look_that_cannot_be_noted_shows_nothing(house: House) -> None:
    table = dealt(house)
    token = auditor(house, table.id)["token"]
    table.get("", token).ok()
    [notes] = house.events.keys("*reads:*")
    # No note can be added to what is no list.
    house.events.delete(notes)
    house.events.set(notes, "no list")
    for tail in LOOKS:
        assert cards_in(table.get(tail, token).problem("store-unavailable")) == set()


def test_the_list_is_the_organisers_and_goes_on_page_by_page(house: House) -> None:
    table = dealt(house, public=True)
    token = auditor(house, table.id)["token"]
    for _ in range(5):
        table.get("", token).ok()
    for other in (house.stranger, table.seats[1], token):
        table.get("/privileged_reads", other).problem("forbidden")
    table.get("/privileged_reads").problem("unauthenticated")
    assert [each["number"] for each in noted(table, house.first)] == [1, 2, 3, 4, 5]
    first = table.get("/privileged_reads?limit=3", table.owner).ok()
    rest = table.get(f"/privileged_reads?limit=3&cursor={first['next']}", table.owner).ok()
    assert [each["number"] for each in (*first["privileged_reads"], *rest["privileged_reads"])] == [1, 2, 3, 4, 5]
    assert rest["next"] is None


def test_who_only_watches_sees_what_an_onlooker_sees(house: House) -> None:
    table, other = dealt(house), dealt(house)
    token = house.client.post("/v1/tokens", {"role": "watch", "sessions": [table.id]}, house.owner).ok(201)["token"]
    assert [hand["cards"] for hand in table.get("", token)["deal"]["hands"]] == [None, None]
    table.get("/plays", token).problem("forbidden")
    other.get("", token).problem("not-found")
    assert [each["id"] for each in house.client.get("/v1/sessions", token)["sessions"]] == [table.id]
    assert noted(table) == []


@pytest.mark.store
def test_a_stream_notes_each_deal_before_it_is_shown(http_server: StoreServer) -> None:
    with Redis.from_url(http_server.url) as client:
        client.flushall()
    house = House(on_server(http_server)).settled()
    table = opened(house)
    token = auditor(house, table.id)["token"]
    with Stream(house, f"{table.path}/events?", token, form=SSE) as stream:
        stream.take(1)
        assert noted(table) == []
        for number in (1, 2):
            table.deal({**SHORT, "dealer": 2}).ok(201)
            [event] = stream.take(1)
            assert event["data"]["hands"] == HANDS
            assert [each["deal"] for each in noted(table)] == [*range(1, number + 1)]
            for seat, card in SHORT_PLAYS:
                table.play(seat, "play", card).ok(201)
            stream.take(len(SHORT_PLAYS) + 1)
    assert {each["read"] for each in noted(table)} == {"GET /events"}
    house.leave()
