"""Results: provisional, then final, and what may still change them."""

from typing import Any, Final

import pytest

from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT_POINTS, Sitting, opened
from tests.rulings.playing import preview, rule
from tests.rulings.test_disputes import dispute, seated
from tests.rulings.times import later

ADJUST: Final = {"ruling": "adjust", "deal": 1, "points": [3, -2]}


def result(table: Sitting) -> str | None:
    """What the deal's result is said to be."""
    found: str | None = table.get("/deals/1").ok()["result"]
    return found


@pytest.fixture
def table(house: House) -> Sitting:
    """A table with a finished deal; arithmetic may be contested for 10 minutes, plays for 20."""
    made = seated(house, arithmetic_minutes=10, ruling_minutes=20)
    made.short()
    return made


def test_a_deal_that_is_on_has_none(house: House) -> None:
    table = seated(house)
    table.short(2)
    sheet = table.get("/deals/1").ok()
    assert (sheet["result"], sheet["final_at"], sheet["points"]) == (None, None, None)


def test_final_when_both_periods_are_over(house: House, table: Sitting) -> None:
    assert result(table) == "provisional"
    with later(house, minutes=19):
        assert result(table) == "provisional"
    with later(house, minutes=21):
        assert result(table) == "final"
    until = table.get("/deals/1")["final_at"]
    assert until.startswith("2026-09-21T14:0")
    assert until.endswith("Z")


def test_an_open_dispute_holds_it(house: House, table: Sitting) -> None:
    dispute(table, table.seats[1]).ok(201)
    with later(house, minutes=600):
        sheet = table.get("/deals/1").ok()
        assert (sheet["result"], sheet["final_at"]) == ("provisional", None)
        table.post("/disputes/1/withdraw", None, table.owner).ok()
        assert result(table) == "final"


def test_a_ruling_on_points_begins_its_period_anew(house: House, table: Sitting) -> None:
    with later(house, minutes=15):
        rule(table, ADJUST).ok(201)
    with later(house, minutes=25):
        assert result(table) == "provisional"
    with later(house, minutes=36):
        assert result(table) == "final"


def test_what_is_final_is_changed_by_an_amendment_alone(house: House, table: Sitting) -> None:
    bodies: list[dict[str, Any]] = [
        {"ruling": "void", "deal": 1},
        {"ruling": "redeal", "deal": 1},
        {"ruling": "let_stand", "deal": 1},
        {"ruling": "penalty", "deal": 1, "points": [0, 1]},
    ]
    with later(house, minutes=60):
        with nothing_recorded(house):
            for body in bodies:
                rule(table, body).problem("not-now")
                preview(table, body).problem("not-now")
            rule(table, {**ADJUST, "reason": ""}).problem("invalid")
            table.post("/rulings", ADJUST, table.owner).problem("invalid")
        answer = rule(table, ADJUST).ok(201)
        assert answer["totals"] == [SHORT_POINTS[0] + 3, SHORT_POINTS[1] - 2]
        marked = {"ruling": "amend", "deal": 1, "changes": [{"version": 3, "play": "1 play 8h!"}]}
        rule(table, marked).ok(201)


class TestSecondPerson:
    """A result that waits for somebody else to agree."""

    @pytest.fixture
    def table(self, house: House) -> Sitting:
        """A table with a finished deal that asks for a second person."""
        made = seated(house, second_person=True, arithmetic_minutes=10, ruling_minutes=20)
        made.short()
        return made

    def test_it_is_final_only_once_a_seat_has_confirmed_it(self, house: House, table: Sitting) -> None:
        other = opened(house)
        with later(house, minutes=60):
            assert result(table) == "provisional"
            with nothing_recorded(house):
                table.post("/deals/1/confirm", None, None).problem("unauthenticated")
                for token in (table.owner, house.first, house.stranger, other.seats[1]):
                    table.post("/deals/1/confirm", None, token).problem("forbidden")
                table.post("/deals/1/confirm", None, table.seats[1], match=None).problem("version-required")
                table.post("/deals/1/confirm", None, table.seats[1], match=1).problem("stale-version")
                table.post("/deals/2/confirm", None, table.seats[1]).problem("not-now")
            table.post("/deals/1/confirm", {}, table.seats[2], key="c").ok()
            again = table.post("/deals/1/confirm", {}, table.seats[2], key="c").ok()
            assert again.headers["Idempotency-Replayed"] == "true"
            table.post("/deals/1/confirm", None, table.seats[1]).problem("not-now")
            assert result(table) == "final"

    def test_a_ruling_on_it_must_be_confirmed_anew(self, house: House, table: Sitting) -> None:
        table.post("/deals/1/confirm", None, table.seats[2]).ok()
        rule(table, ADJUST).ok(201)
        with later(house, minutes=60):
            assert result(table) == "provisional"
            table.post("/deals/1/confirm", None, table.seats[1]).ok()
            assert result(table) == "final"


class TestTerms:
    """What may be agreed on."""

    @pytest.mark.parametrize(
        "terms",
        [
            *({"disputes": "held"}, {"disputes": 1}, {"disputes": None}, {"odd": 1}, {"arithmetic_minutes": -1}),
            *({"ruling_minutes": 525601}, {"ruling_minutes": True}, {"ruling_minutes": "30"}, {"second_person": 1}),
            *({"": 1}, {"x" * 10_000: 1}, [], "frozen", {"ruling_minutes": 10**40}, {"ruling_minutes": 1.5}),
        ],
        ids=lambda value: str(value)[:30],
    )
    def test_and_what_may_not(self, house: House, terms: Any) -> None:
        body = {"game": "rockaway", "players": ["Ann", "Ben"], "terms": terms}
        with nothing_recorded(house):
            assert "terms" in house.client.post("/v1/sessions", body, house.owner).problem("invalid")["errors"]

    def test_they_are_shown_whole(self, house: House) -> None:
        assert seated(house, second_person=True).get("").ok()["terms"] == {
            "disputes": "provisional",
            "arithmetic_minutes": 30,
            "ruling_minutes": 30,
            "second_person": True,
        }
