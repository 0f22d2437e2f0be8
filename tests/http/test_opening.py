"""Opening a session, reading it, listing: `Opening`, `A session`, `Lists`."""

import re

import pytest

from tests.http.client import Client
from tests.http.house import House, nothing_recorded
from tests.http.tables import NAMES, SHORT, Sitting, opened

DEFAULTS = {
    "deals": 10,
    "target": None,
    "multi_ace": "per_ace",
    "draw_past_fitting": False,
    "ace_forced_when_exhausted": False,
    "blocked": "score_all",
    "exhausted_multiplier": 2,
}


RANDOM = ("id", "opened_at", "seat_tokens", "head", "commitment")
"""What is another at each opening."""


def test_opening_answers_the_session_where_it_lies_and_the_tokens_of_its_seats(house: House) -> None:
    body = {"game": "rockaway", "players": ["Ann", "Ben", "Cy"], "options": {"deals": 10}}
    answer = house.client.post("/v1/sessions", body, house.owner).ok(201)
    assert answer.headers["Location"] == f"/v1/sessions/{answer['id']}"
    assert answer.headers["ETag"] == '"1"'
    assert list(answer["seat_tokens"]) == ["1", "2", "3"]
    assert len(set(answer["seat_tokens"].values())) == 3
    shown = {name: value for name, value in answer.body.items() if name not in RANDOM}
    assert shown == {
        "game": "rockaway",
        "revision": 1,
        "options": DEFAULTS,
        "mode": "dealt",
        "public": False,
        "version": 1,
        "status": "waiting",
        "players": [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Ben"}, {"seat": 3, "name": "Cy"}],
        "totals": [0, 0, 0],
        "winners": None,
        "entropy": [None, None, None],
        "terms": {
            "disputes": "provisional",
            "arithmetic_minutes": 30,
            "ruling_minutes": 30,
            "second_person": False,
        },
        "disputes": [],
        "rulings": 0,
        "deal": None,
    }
    assert all(re.fullmatch("[0-9a-f]{64}", answer[name]) for name in ("head", "commitment"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", answer["opened_at"])
    read = house.client.get(answer.headers["Location"], house.owner).ok()
    assert read.body == {name: value for name, value in answer.body.items() if name != "seat_tokens"}


def test_a_token_of_a_seat_is_that_seats(house: House) -> None:
    table = opened(house, 3)
    assert [table.get("/plays", table.seats[seat]).ok()["seat"] for seat in (1, 2, 3)] == [1, 2, 3]


def test_a_repeated_opening_shows_the_same_tokens(house: House) -> None:
    body = {"game": "rockaway", "players": ["Ann", "Ben"]}
    first = house.client.post("/v1/sessions", body, house.owner, key="once").ok(201)
    again = house.again().client.post("/v1/sessions", body, house.owner, key="once").ok(201)
    assert again.body == first.body
    assert again.headers == {**first.headers, "Idempotency-Replayed": "true"}
    assert len(house.client.get("/v1/sessions", house.owner)["sessions"]) == 1


def test_every_option_may_be_agreed_on(house: House) -> None:
    agreed = {
        "deals": None,
        "target": 500,
        "multi_ace": "once",
        "draw_past_fitting": True,
        "ace_forced_when_exhausted": True,
        "blocked": "lowest_is_out",
        "exhausted_multiplier": 3,
    }
    table = opened(house, 8, options=agreed, mode="recorded", public=True)
    shown = table.get().ok()
    assert (shown["options"], shown["mode"], shown["public"], len(shown["players"])) == (agreed, "recorded", True, 8)


GOOD = {"game": "rockaway", "players": ["Ann", "Ben"]}


@pytest.mark.parametrize(
    ("body", "at_fault"),
    [
        ({"players": ["Ann", "Ben"]}, "game"),
        ({"game": "rockaway"}, "players"),
        ({**GOOD, "game": "whist"}, "game"),
        ({**GOOD, "game": 7}, "game"),
        ({**GOOD, "revision": 99}, "game"),
        ({**GOOD, "revision": 0}, "revision"),
        ({**GOOD, "revision": 1.0}, "revision"),
        ({**GOOD, "players": ["Ann"]}, "players"),
        ({**GOOD, "players": ["x"] * 9}, "players"),
        ({**GOOD, "players": "Ann"}, "players"),
        ({**GOOD, "players": ["Ann", 2]}, "players"),
        ({**GOOD, "players": ["Ann", ""]}, "players"),
        ({**GOOD, "players": ["Ann", " \t"]}, "players"),
        ({**GOOD, "players": ["Ann", "B\x00n"]}, "players"),
        ({**GOOD, "players": ["Ann", "x" * 101]}, "players"),
        ({**GOOD, "mode": "played"}, "mode"),
        ({**GOOD, "public": "yes"}, "public"),
        ({**GOOD, "public": 1}, "public"),
        ({**GOOD, "public": None}, "public"),
        ({**GOOD, "options": []}, "options"),
        ({**GOOD, "options": {"jokers": 2}}, "options"),
        ({**GOOD, "options": {"deals": 0}}, "options"),
        ({**GOOD, "options": {"deals": "10"}}, "options"),
        ({**GOOD, "options": {"deals": 10.0}}, "options"),
        ({**GOOD, "options": {"draw_past_fitting": 1}}, "options"),
        ({**GOOD, "options": {"exhausted_multiplier": None}}, "options"),
        ({**GOOD, "options": {"multi_ace": "twice"}}, "options"),
        ({**GOOD, "seats": 2}, "seats"),
    ],
    ids=str,
)
def test_an_opening_that_cannot_be_is_422_by_field(house: House, body: object, at_fault: str) -> None:
    with nothing_recorded(house):
        answer = house.client.post("/v1/sessions", body, house.owner).problem("invalid")
    assert list(answer["errors"]) == [at_fault]


def test_a_fault_in_a_list_says_where_it_is(house: House) -> None:
    body = {"game": "rockaway", "players": ["Ann", 2, "Cy", ""]}
    answer = house.client.post("/v1/sessions", body, house.owner).problem("invalid")
    assert list(answer["errors"]["players"]) == ["1", "3"]


def test_the_status_of_a_session_is_waiting_then_playing_then_over(house: House) -> None:
    table = opened(house, options={"deals": 1})
    assert table.get("", table.owner)["status"] == "waiting"
    assert table.short(3)["status"] == "playing"
    table = opened(house, options={"deals": 1})
    over = table.short()
    assert (over["status"], over["winners"], over["totals"]) == ("over", [1], [0, 6])
    two = opened(house, options={"deals": 2})
    between = two.short()
    assert (between["status"], between["winners"], between["deal"]["number"]) == ("waiting", None, 1)


def test_a_deal_in_progress_is_shown_as_the_contract_draws_it(table: Sitting) -> None:
    assert table.short(3)["deal"] == {
        "number": 1,
        "dealer": 2,
        "turn": 2,
        "upcard": "2h",
        "stock_count": 37,
        "discard_count": 4,
        "ending": None,
        "hands": [
            {"seat": 1, "count": 5, "cards": ["3h", "4h", "5h", "6h", "7h"]},
            {"seat": 2, "count": 6, "cards": None},
        ],
        "exhausted": False,
        "passes": 0,
        "drawn": 0,
        "irregularities": [],
    }


def test_a_deal_that_is_over_is_shown_whole_and_has_no_turn(table: Sitting) -> None:
    table.short()
    deal = table.get("", table.seats[1])["deal"]
    assert (deal["turn"], deal["ending"], deal["upcard"]) == (None, "out", "7h")
    assert [hand["cards"] for hand in deal["hands"]] == [[], ["2c"]]


def test_the_session_at_a_version_is_as_it_was_and_has_no_etag(table: Sitting) -> None:
    seen = [table.get("", table.owner).body]
    table.deal(SHORT)
    seen.append(table.get("", table.owner).body)
    for seat, card in ((1, "8h"), (2, "9h")):
        table.play(seat, "play", card).ok(201)
        seen.append(table.get("", table.owner).body)
    assert [table.get(f"?at={version}", table.owner).ok().body for version in (1, 2, 3, 4)] == seen


@pytest.mark.parametrize("at", ["0", "-1", "2", "99999999999999999999999", "1.0", "x", "", "%00", "٣", "1&foo=1"])
def test_a_version_that_is_none_is_422(table: Sitting, at: str) -> None:
    table.get(f"?at={at}", table.owner).problem("invalid")


@pytest.mark.parametrize("path", ["/v1/sessions/nope", "/v1/sessions/" + "0" * 36, "/v1/nope", "/", "/v1//sessions"])
def test_what_is_not_there_is_404(client: Client, path: str) -> None:
    client.get(path).problem("not-found")


class TestLists:
    """`Lists` and `GET /v1/sessions`."""

    @pytest.fixture
    def many(self, house: House) -> list[str]:
        """Five public sessions, the newest first."""
        return [opened(house, public=True).id for _ in range(5)][::-1]

    def test_the_newest_come_first(self, client: Client, many: list[str]) -> None:
        answer = client.get("/v1/sessions").ok()
        assert [each["id"] for each in answer["sessions"]] == many
        assert answer["next"] is None
        assert "Link" not in answer.headers

    def test_pages_go_on_where_their_cursor_and_link_say(self, client: Client, many: list[str]) -> None:
        seen: list[str] = []
        path = "/v1/sessions?limit=2"
        while path:
            answer = client.get(path).ok()
            seen += [each["id"] for each in answer["sessions"]]
            link = re.fullmatch(r'<(.*)>; rel="next"', answer.headers.get("Link", ""))
            assert (link is None) == (answer["next"] is None)
            assert link is None or f"cursor={answer['next']}" in link[1]
            assert link is None or "limit=2" in link[1]
            path = link[1] if link else ""
        assert seen == many

    def test_the_order_is_stable_while_sessions_are_opened(self, house: House, many: list[str]) -> None:
        first = house.client.get("/v1/sessions?limit=3").ok()
        opened(house, public=True)
        rest = house.client.get(f"/v1/sessions?limit=3&cursor={first['next']}").ok()
        assert [each["id"] for each in (*first["sessions"], *rest["sessions"])] == many

    def test_items_are_sessions_as_the_caller_sees_them(self, house: House) -> None:
        table = opened(house, public=True)
        table.short(2)
        for token in (None, table.owner, *table.seats.values()):
            [item] = house.client.get("/v1/sessions", token).ok()["sessions"]
            assert item == table.get("", token).body

    def test_a_list_holds_only_what_the_caller_may_see(self, house: House) -> None:
        private, public, other = opened(house), opened(house, public=True), opened(house, owner=house.stranger)

        def listed(token: str | None) -> list[str]:
            return [each["id"] for each in house.client.get("/v1/sessions", token).ok()["sessions"]]

        assert listed(None) == [public.id]
        assert listed(house.owner) == [public.id, private.id]
        assert listed(house.stranger) == [other.id, public.id]
        assert listed(house.first) == [other.id, public.id, private.id]
        assert listed(private.seats[1]) == [public.id, private.id]

    def test_filters(self, house: House) -> None:
        waiting = opened(house, 3, public=True)
        playing, over = opened(house, public=True), opened(house, public=True, options={"deals": 1})
        playing.short(1)
        over.short()

        def listed(query: str) -> list[str]:
            return [each["id"] for each in house.client.get(f"/v1/sessions?{query}").ok()["sessions"]]

        assert listed("status=waiting") == [waiting.id]
        assert listed("status=playing") == [playing.id]
        assert listed("status=over") == [over.id]
        assert listed(f"player={NAMES[2]}") == [waiting.id]
        assert listed(f"player={NAMES[0]}&status=over") == [over.id]
        assert listed("game=rockaway") == [over.id, playing.id, waiting.id]
        assert listed("game=canasta") == listed("player=nobody") == []

    @pytest.mark.parametrize(
        "query",
        [
            *("limit=0", "limit=101", "limit=x", "limit=", "limit=1e1", "limit=%D9%A1", "cursor=", "cursor=%00"),
            *("cursor=!!", "cursor=AA", "cursor=" + "A" * 300, "status=gone", "order=asc"),
        ],
    )
    def test_a_query_that_nobody_can_answer_is_422(self, client: Client, query: str) -> None:
        client.get(f"/v1/sessions?{query}").problem("invalid")


def test_a_command_takes_no_query(house: House) -> None:
    body = {"game": "rockaway", "players": ["Ann", "Ben"]}
    with nothing_recorded(house):
        problem = house.client.post("/v1/sessions?dry_run=true", body, house.owner).problem("invalid")
    assert list(problem["errors"]) == ["dry_run"]
