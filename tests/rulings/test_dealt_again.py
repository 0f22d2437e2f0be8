"""A deal that was dealt again counts what its cards make of it: rulings on the first dealing do not bind the second."""

import pytest

from tests.http.house import House
from tests.http.tables import SHORT_POINTS, Sitting
from tests.rulings.playing import rule
from tests.rulings.test_disputes import seated

AGAIN = {"ruling": "redeal", "deal": 1, "reason": "A card was exposed."}


def points(table: Sitting) -> list[int]:
    """What deal 1 counts now."""
    found: list[int] = table.get("/deals/1").ok()["points"]
    return found


@pytest.fixture(params=["while it is on", "when it is over"])
def table(house: House, request: pytest.FixtureRequest) -> Sitting:
    """A table whose first deal was dealt again, and then played to its end."""
    made = seated(house)
    made.short(3) if request.param == "while it is on" else made.short()
    rule(made, AGAIN).ok(201)
    made.short()
    return made


def test_it_counts_what_its_cards_make_of_it(table: Sitting) -> None:
    sheet = table.get("/deals/1").ok()
    assert (sheet["points"], sheet["ending"]) == (SHORT_POINTS, "out")
    assert [line["points"] for line in sheet["lines"]] == [points for points in SHORT_POINTS if points]
    assert table.get()["totals"] == SHORT_POINTS


def test_what_is_ruled_on_it_then_is_added_to_that(table: Sitting) -> None:
    rule(table, {"ruling": "adjust", "deal": 1, "points": [3, -2], "reason": "Misadded."}).ok(201)
    assert points(table) == table.get()["totals"] == [SHORT_POINTS[0] + 3, SHORT_POINTS[1] - 2]
    rule(table, {"ruling": "let_stand", "deal": 1, "overrules": 2, "reason": "It was right."}).ok(201)
    assert points(table) == table.get()["totals"] == SHORT_POINTS


def test_the_ledger_and_the_audit_say_the_same(house: House, table: Sitting) -> None:
    rule(table, {"ruling": "adjust", "deal": 1, "points": [3, -2], "reason": "Misadded."}).ok(201)
    house.score(table.id)
    assert table.get("/ledger")["balances"] == points(table)
    assert table.get("/deals/1/audit")["verdict"] == "verified"


def test_an_amendment_of_a_void_deal_counts_once_it_is_no_longer_void(house: House) -> None:
    table = seated(house)
    table.short()
    rule(table, {"ruling": "void", "deal": 1, "reason": "A card was exposed."}).ok(201)
    changes = [{"version": 3, "play": "1 play 8h!"}]
    rule(table, {"ruling": "amend", "deal": 1, "changes": changes, "reason": "It was out of turn."}).ok(201)
    assert points(table) == [0, 0]
    rule(table, {"ruling": "let_stand", "deal": 1, "overrules": 1, "reason": "Nobody saw it."}).ok(201)
    assert points(table) == table.get()["totals"] == SHORT_POINTS
    house.score(table.id)
    assert table.get("/ledger")["balances"] == SHORT_POINTS
