"""Disputes: who opens, reads and withdraws them, when, what they hold up, and the organiser's desk."""

from typing import Any, Final

import pytest

from tests.http.client import Answer
from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, Sitting, opened
from tests.rulings.playing import rule
from tests.rulings.times import later

WORDS: Final = "he “hid” a <b>card</b>"


def seated(house: House, *, public: bool = True, options: Any = None, **terms: Any) -> Sitting:
    """A recorded table of Rockaway for two, with these terms."""
    body = {"game": "rockaway", "players": ["Ann", "Ben"], "mode": "recorded", "public": public, "terms": terms}
    answer = house.client.post("/v1/sessions", {**body, "options": options or {}}, house.owner).ok(201)
    return Sitting(house, answer, house.owner)


def dispute(table: Sitting, token: str | None, **more: Any) -> Answer:
    """Contest deal 1."""
    match = more.pop("match", table.version)
    key = more.pop("key", None)
    return table.post("/disputes", {"deal": 1, "words": WORDS, **more}, token, match=match, key=key)


@pytest.fixture
def table(house: House) -> Sitting:
    """A public table with a finished deal (versions 2 to 16)."""
    made = seated(house)
    made.short()
    return made


class TestOpening:
    """Who opens one, and on what."""

    def test_a_seat_and_the_organiser_may_and_nobody_else(self, house: House, table: Sitting) -> None:
        other = opened(house)
        with nothing_recorded(house):
            dispute(table, None).problem("unauthenticated")
            dispute(table, other.seats[1]).problem("forbidden")
            dispute(table, house.stranger).problem("forbidden")
        for token in (table.seats[1], table.seats[2], table.owner):
            dispute(table, token).ok(201)
        assert [each["seat"] for each in table.get("/disputes")["disputes"]] == [1, 2, None]
        assert table.get("")["disputes"] == [1, 2, 3]
        assert table.get("/deals/1")["disputes"] == [1, 2, 3]

    def test_of_a_private_session_others_know_nothing(self, house: House) -> None:
        table = seated(house, public=False)
        table.short(2)
        with nothing_recorded(house):
            dispute(table, house.stranger).problem("not-found")
            table.get("/disputes", house.stranger).problem("not-found")
            table.get("/disputes").problem("not-found")

    def test_a_seat_has_one_open_at_a_time_over_a_deal(self, table: Sitting) -> None:
        dispute(table, table.seats[1]).ok(201)
        with nothing_recorded(table.house):
            dispute(table, table.seats[1], version=3).problem("not-now")
        dispute(table, table.seats[2], version=3).ok(201)
        table.post("/disputes/1/withdraw", None, table.seats[1]).ok()
        dispute(table, table.seats[1]).ok(201)

    @pytest.mark.parametrize("more", [{"deal": 2}, {"deal": 9}, {"version": 1}, {"version": 17}, {"version": 10**6}])
    def test_on_what_there_is_not(self, table: Sitting, more: dict[str, Any]) -> None:
        with nothing_recorded(table.house):
            dispute(table, table.seats[1], **more).problem("impossible-ruling")

    @pytest.mark.parametrize("version", [2, 9, 16])
    def test_on_a_version_of_the_deal(self, table: Sitting, version: int) -> None:
        dispute(table, table.seats[2], version=version).ok(201)
        assert table.get("/disputes")["disputes"][0]["at"] == version

    def test_a_version_that_was_named_must_be_the_one(self, table: Sitting) -> None:
        with nothing_recorded(table.house):
            dispute(table, table.seats[1], match=table.version - 1).problem("stale-version")
        dispute(table, table.seats[1], match=None).ok(201)

    def test_once_under_one_key(self, table: Sitting) -> None:
        first = dispute(table, table.seats[1], key="k").ok(201)
        again = dispute(table, table.seats[1], key="k").ok(201)
        assert (again.headers["Idempotency-Replayed"], again.body) == ("true", first.body)
        with nothing_recorded(table.house):
            dispute(table, table.seats[1], key="k", version=3).problem("key-reused")

    def test_while_the_deal_is_on_its_versions_go_as_far_as_it_has_come(self, house: House) -> None:
        table = seated(house)
        table.short(3)
        dispute(table, table.seats[1], version=6).problem("impossible-ruling")
        dispute(table, table.seats[1], version=5).ok(201)


class TestTime:
    """The correction periods, by what is contested."""

    @pytest.mark.parametrize(("about", "minutes"), [("arithmetic", 10), ("ruling", 20)])
    def test_until_its_period_is_over(self, house: House, about: str, minutes: int) -> None:
        for early, slug in ((True, None), (False, "not-now")):
            table = seated(house, arithmetic_minutes=10, ruling_minutes=20)
            table.short()
            with later(house, minutes=minutes, seconds=-30 if early else 30):
                answer = dispute(table, table.seats[1], about=about)
                answer.problem(slug) if slug else answer.ok(201)

    def test_a_deal_that_is_on_can_be_contested_at_any_time(self, house: House) -> None:
        table = seated(house, arithmetic_minutes=0, ruling_minutes=0)
        table.short(3)
        with later(house, minutes=600):
            dispute(table, table.seats[1]).ok(201)

    def test_a_ruling_on_points_opens_its_own_period_anew(self, house: House) -> None:
        table = seated(house)
        table.short()
        with later(house, minutes=20):
            rule(table, {"ruling": "adjust", "deal": 1, "points": [1, 0]}).ok(201)
        with later(house, minutes=40):
            dispute(table, table.seats[1], about="arithmetic").problem("not-now")
            dispute(table, table.seats[1], about="ruling").ok(201)


class TestWithdrawing:
    """Who opened it, or the organiser."""

    def test_by_whom(self, house: House, table: Sitting) -> None:
        dispute(table, table.seats[1]).ok(201)
        other = opened(house)
        with nothing_recorded(house):
            table.post("/disputes/1/withdraw", None, None).problem("unauthenticated")
            for token in (table.seats[2], other.seats[1], house.stranger):
                table.post("/disputes/1/withdraw", None, token).problem("forbidden")
            table.post("/disputes/2/withdraw", None, table.owner).problem("not-found")
        for token in (table.seats[1], table.owner):
            number = len(table.state().disputes)
            answer = table.post(f"/disputes/{number}/withdraw", {}, token).ok()
            assert answer["disputes"] == []
            dispute(table, table.seats[1]).ok(201)
        assert [each["status"] for each in table.get("/disputes")["disputes"]] == ["withdrawn", "withdrawn", "open"]

    def test_only_once_and_not_after_a_ruling(self, table: Sitting) -> None:
        dispute(table, table.seats[1]).ok(201)
        table.post("/disputes/1/withdraw", None, table.seats[1], key="w").ok()
        replayed = table.post("/disputes/1/withdraw", None, table.seats[1], key="w").ok()
        assert replayed.headers["Idempotency-Replayed"] == "true"
        dispute(table, table.seats[1]).ok(201)
        rule(table, {"ruling": "let_stand", "deal": 1, "disputes": [2]}).ok(201)
        with nothing_recorded(table.house):
            for number in (1, 2):
                table.post(f"/disputes/{number}/withdraw", None, table.seats[1]).problem("not-now")
            rule(table, {"ruling": "let_stand", "deal": 1, "disputes": [2]}).problem("not-now")
            rule(table, {"ruling": "let_stand", "deal": 1, "disputes": [3]}).problem("impossible-ruling")


class TestFrozen:
    """The session waits, if it was agreed so, for the ruling."""

    def test_nothing_goes_on_but_rulings(self, house: House) -> None:
        table = seated(house, disputes="frozen", options={"deals": None})
        table.short(2)
        dispute(table, table.seats[1]).ok(201)
        with nothing_recorded(house):
            table.play(1, "play", "2h").problem("frozen")
            table.note(1, "play", "2h").problem("frozen")
            table.deal(SHORT).problem("frozen")
            table.post("/close", {}, table.owner).problem("frozen")
        dispute(table, table.seats[2]).ok(201)
        rule(table, {"ruling": "let_stand", "deal": 1, "disputes": [1]}).ok(201)
        table.play(1, "play", "2h").problem("frozen")
        table.post("/disputes/2/withdraw", None, table.seats[2]).ok()
        table.play(1, "play", "2h").ok(201)

    def test_between_deals(self, house: House) -> None:
        body = {"game": "rockaway", "players": ["Ann", "Ben"], "options": {"deals": None}}
        answer = house.client.post("/v1/sessions", {**body, "terms": {"disputes": "frozen"}}, house.owner).ok(201)
        table = Sitting(house, answer, house.owner)
        table.deal().ok(201)
        dispute(table, table.seats[1]).ok(201)
        rule(table, {"ruling": "void", "deal": 1}).ok(201)
        with nothing_recorded(house):
            table.deal().problem("frozen")
            table.post("/entropy", {"entropy": "x"}, table.seats[1]).problem("frozen")
            table.post("/close", {}, table.owner).problem("frozen")
        rule(table, {"ruling": "let_stand", "deal": 1, "disputes": [1]}).ok(201)
        table.post("/entropy", {"entropy": "x"}, table.seats[1]).ok(201)
        table.deal().ok(201)

    def test_by_default_play_goes_on(self, house: House) -> None:
        table = seated(house)
        table.short(2)
        dispute(table, table.seats[1]).ok(201)
        table.play(1, "play", "2h").ok(201)


class TestWords:
    """What a dispute says is for the table."""

    def test_who_reads_them(self, house: House, table: Sitting) -> None:
        dispute(table, table.seats[1]).ok(201)
        other = opened(house)
        for token in (*table.seats.values(), table.owner, house.first):
            assert table.get("/disputes", token)["disputes"][0]["words"] == WORDS
            assert "hid" in table.get("/events?limit=200", token).text
        for stranger in (None, house.stranger, other.seats[1]):
            assert table.get("/disputes", stranger)["disputes"][0]["words"] is None
            for tail in ("", "/disputes", "/events?limit=200", "/deals/1", "/deals/1/replay", "/export", "/record"):
                assert "hid" not in table.get(tail, stranger).ok().text, tail

    def test_a_list_has_pages(self, table: Sitting) -> None:
        for token in (*table.seats.values(), table.owner):
            dispute(table, token).ok(201)
        first = table.get("/disputes?limit=2").ok()
        assert [each["number"] for each in first["disputes"]] == [1, 2]
        rest = table.get(f"/disputes?limit=2&cursor={first['next']}").ok()
        assert ([each["number"] for each in rest["disputes"]], rest["next"]) == ([3], None)


class TestDesk:
    """Open disputes of the sessions that an organiser rules."""

    def test_the_longest_open_first_and_only_ones_own(self, house: House) -> None:
        tables = [seated(house, public=False) for _ in range(3)]
        for made in tables:
            made.short(2)
        foreign = opened(house, owner=house.stranger)
        foreign.short(2)
        for made in (tables[1], foreign, tables[0], tables[2]):
            dispute(made, made.seats[1]).ok(201)
        dispute(tables[1], tables[1].seats[2]).ok(201)
        assert _desk(house, house.owner) == [
            *((tables[1].id, 1), (tables[1].id, 2), (tables[0].id, 1), (tables[2].id, 1))
        ]
        assert _desk(house, house.stranger) == [(foreign.id, 1)]
        assert len(_desk(house, house.first)) == 5
        rule(tables[0], {"ruling": "let_stand", "deal": 1, "disputes": [1]}).ok(201)
        tables[1].post("/disputes/1/withdraw", None, tables[1].owner).ok()
        assert _desk(house, house.owner) == [(tables[1].id, 2), (tables[2].id, 1)]

    def test_seats_and_onlookers_have_none(self, house: House, table: Sitting) -> None:
        house.client.get("/v1/disputes", table.seats[1]).problem("forbidden")
        house.client.get("/v1/disputes").problem("unauthenticated")

    def test_it_has_pages(self, house: House) -> None:
        for _ in range(3):
            table = seated(house)
            table.short(1)
            dispute(table, table.seats[1]).ok(201)
        first = house.client.get("/v1/disputes?limit=2", house.owner).ok()
        rest = house.client.get(f"/v1/disputes?limit=2&cursor={first['next']}", house.owner).ok()
        assert (len(first["disputes"]), len(rest["disputes"]), rest["next"]) == (2, 1, None)


def _desk(house: House, token: str) -> list[tuple[str, int]]:
    found = house.client.get("/v1/disputes", token).ok()["disputes"]
    assert all(each["words"] == WORDS for each in found)
    return [(each["session"], each["number"]) for each in found]
