"""Canasta over HTTP: lists and hints, groups as bodies, refusals, a question, sides, and the sheet."""

from typing import Any

import pytest

from tests.http.house import House
from tests.http.tables import NAMES, Sitting

HANDS = (
    "Kc Kd 2c 6c 6d 6h 4c 5d 7h 9s Qc",
    "3d 3h 5c 5h 6s 7c 7d 8d 9c 9d Td",
    "4s 5s 7s 8s 8h 9h Ts Js Qs Ks As",
    "Th Jh Qh Ah Jd Qd Kd Ad 8c 8c 4h",
)
"""Seat 2 lays two red threes; the stock begins with what replaces them."""
STOCK = "2s 4d Tc 9s Jk"


@pytest.fixture
def on(house: House) -> Sitting:
    """A recorded deal under official_1949, Kh turned up, nothing played yet."""
    body = {"game": "canasta", "players": NAMES[:4], "mode": "recorded", "options": {"preset": "official_1949"}}
    made = Sitting(house, house.client.post("/v1/sessions", body, house.owner).ok(201), house.owner)
    made.deal({"hands": [hand.split() for hand in HANDS], "upcard": "Kh", "stock": STOCK.split()}).ok(201)
    return made


def lay(table: Sitting, seat: int, kind: str, **melds: str) -> Any:
    """A take or a meld by a seat, its groups by rank (`K="Kc Kd"`; a ten is `T`, a digit `r6`)."""
    groups = {name.lstrip("r"): cards.split() for name, cards in melds.items()}
    return table.post("/plays", {"type": kind, "melds": groups}, table.seats[seat])


def plays(table: Sitting, seat: int) -> Any:
    """What the seat may play, and the hints."""
    return table.get("/plays", table.seats[seat]).ok().body


def test_sides_and_red_threes_are_shown_to_all(on: Sitting) -> None:
    for token in (on.owner, *on.seats.values()):
        deal = on.get("", token)["deal"]
        assert [(side["seats"], side["red_threes"], side["minimum"], side["frozen"]) for side in deal["sides"]] == [
            ([1, 3], [], 50, True),
            ([2, 4], ["3d", "3h"], 50, True),
        ]
        assert (deal["turn"], deal["upcard"], deal["phase"], deal["answer"]) == (1, "Kh", "start", None)
    hands = on.get("", on.seats[1])["deal"]["hands"]
    assert [hand["cards"] is None for hand in hands] == [False, True, True, True], "the partner's too"
    assert [hand["count"] for hand in hands] == [11, 11, 11, 11]


def test_the_list_has_what_opens_and_the_hints_say_the_rest(on: Sitting) -> None:
    found = plays(on, 1)
    assert {"seat": 1, "type": "draw"} in found["plays"]
    takes = [play["melds"] for play in found["plays"] if play["type"] == "take"]
    assert {"K": ["Kc", "Kd", "2c"]} in takes
    hints = found["hints"]
    assert (hints["minimum"], hints["frozen_by"], hints["take"], hints["wilds"]) == (50, "CA-7", None, 1)
    assert hints["melds"] == {"K": 2, "Q": 1, "9": 1, "7": 1, "6": 3, "5": 1, "4": 1}
    on.play(1, "draw").ok(201)
    on.play(1, "discard", "Qc").ok(201)
    why = plays(on, 2)["hints"]["take"]
    assert why == {"clause": "CA-7", "detail": "the pile is frozen: two naturals from the hand must match the upcard"}
    assert plays(on, 1)["plays"] == []


def test_a_refused_take_changes_nothing_and_says_why(on: Sitting) -> None:
    before = on.get("", on.seats[1]).body
    one = lay(on, 1, "take", K="Kc").problem("illegal-play", clause="CA-7")
    assert {"seat": 1, "type": "draw"} in one["legal"]
    small = lay(on, 1, "take", K="Kc Kd").problem("illegal-play", clause="C16")
    assert small["detail"].startswith("The first meld needs 50 points, and this is 30. C16: ")
    lay(on, 1, "take", r6="6c 6d 6h").problem("illegal-play", clause="CA-8")
    lay(on, 1, "take", K="Kc Ks").problem("impossible-play")
    lay(on, 1, "take", K="Kc Kd 2c", r6="").problem("impossible-play")
    lay(on, 1, "meld", r6="").problem("invalid")
    on.post("/plays", {"type": "take", "melds": {}}, on.seats[1]).problem("invalid")
    on.post("/plays", {"type": "take", "melds": {"X": ["Kc"]}}, on.seats[1]).problem("invalid")
    assert on.get("", on.seats[1]).body == before


def test_a_take_or_a_meld_is_all_or_nothing(on: Sitting) -> None:
    """One group of each is good and one is not: neither is laid, and nothing has happened."""
    before = on.get("", on.owner).body
    lay(on, 1, "take", K="Kc Kd 2c", r4="4c").problem("illegal-play", clause="C12")
    assert on.get("", on.owner).body == before
    on.play(1, "draw").ok(201)
    before = on.get("", on.owner).body
    lay(on, 1, "meld", r6="6c 6d 6h", r4="4c").problem("illegal-play", clause="C12")
    lay(on, 1, "meld", r6="6c 6d 6h", K="Kc Kd").problem("illegal-play", clause="C12")
    lay(on, 1, "meld", r6="6c 6d 6h", r9="9s 9h 9d").problem("impossible-play")
    assert on.get("", on.owner).body == before
    lay(on, 1, "meld", K="Kc Kd 2c", r6="6c 6d 6h").ok(201)


def test_the_order_of_groups_means_nothing(on: Sitting) -> None:
    deal = lay(on, 1, "take", r6="6c 6d 6h", K="Kc Kd 2c").ok(201)["deal"]
    laid = {meld["rank"]: sorted(meld["cards"]) for meld in deal["sides"][0]["melds"]}
    assert laid == {"K": ["2c", "Kc", "Kd", "Kh"], "6": ["6c", "6d", "6h"]}
    assert (deal["upcard"], deal["discard_count"], deal["phase"]) == (None, 0, "melding")
    assert [side["frozen_by"] for side in deal["sides"]] == [None, None], "there is no pile"


def test_a_question_is_the_partners_to_answer(house: House, on: Sitting) -> None:
    """Seat 1 is brought to a hand that could go out by plays that the table made all the same."""
    on.note(1, "draw").ok(201)
    lying = {"K": ["Kc", "Kd", "2c"], "6": ["6c", "6d", "6h"]}
    on.note(1, "meld", melds=lying, irregular=True).ok(201)
    for cards in ("7s", "8s", "Ts", "Ks"):
        on.note(3, "meld", melds={"K": [cards]}, irregular=True).ok(201)
    for card in ("5d", "7h", "9s", "Qc"):
        on.note(1, "discard", card, irregular=True).ok(201)
    on.note(1, "draw", irregular=True).ok(201)
    on.note(1, "meld", melds={"K": ["4c"]}, irregular=True).ok(201)
    hand = on.get("", on.seats[1])["deal"]["hands"][0]["cards"]
    assert sorted(hand) == ["9s", "Tc"]
    on.play(1, "ask").problem("illegal-play", clause="CA-42")
    on.note(1, "ask", irregular=True).ok(201)
    seen = on.get("", on.seats[2])["deal"]
    assert (seen["phase"], seen["turn"]) == ("asked", 3)
    assert [play["yes"] for play in plays(on, 3)["plays"]] == [True, False]
    on.play(1, "discard", "9s").problem("illegal-play", clause="CA-22")
    on.play(2, "draw").problem("illegal-play", clause="CA-32")
    answered = on.post("/plays", {"type": "answer", "yes": False}, on.seats[3]).ok(201)["deal"]
    assert (answered["phase"], answered["turn"], answered["answer"]) == ("melding", 1, "no")
    assert house.score(on.id) == 0


def test_the_sheet_has_items_for_each_side(house: House, on: Sitting) -> None:
    lay(on, 1, "take", K="Kc Kd 2c").ok(201)
    on.note(1, "pass", irregular=True).ok(201)
    assert house.score(on.id) == 1
    sheet = on.get("/deals/1", on.seats[2]).body
    assert (sheet["status"], sheet["ending"]) == ("posted", "stock_exhausted")
    # 50 laid; 50 and 105 left with the one side, 90 and 125 with the other, and two red threes without a meld.
    assert [side[5:] for side in sheet["sheets"]] == [[50, 50, 155, -105], [0, 0, 415, -415]]
    assert sheet["points"] == [-105, -415]
    assert sum(line["points"] for line in sheet["lines"] if line["side"] == 2) == -415
    assert {line["item"] for line in sheet["lines"]} == {6, 8}
    assert all("seat" not in line for line in sheet["lines"])
