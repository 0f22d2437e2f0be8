"""The two rums over HTTP: every form of body, refusals, fields of the view, and the lines of a sheet."""

from typing import Any

import pytest

from tests.http.house import House, nothing_recorded
from tests.http.tables import Sitting, opened

POKER: dict[str, Any] = {
    "hands": [
        ["Ac", "2c", "3c", "4c", "7d", "7h", "7s", "Jd", "Qd", "Kd"],
        ["5h", "6h", "8s", "9s", "Tc", "Jc", "Qh", "Ks", "2d", "4s"],
    ],
    "upcard": "9h",
    "stock": ["8d", "3s", "6d", "5d"],
}
"""Seat 1 has a hand that goes together and needs only a card to throw away."""
SINGLE: dict[str, Any] = {
    "hands": [
        ["7d", "8d", "9d", "Kh", "Kc", "2s", "4h", "6s", "Qs", "Jc"],
        ["4c", "5c", "6c", "7c", "9h", "9s", "9c", "Td", "Jd", "Qd"],
    ],
    "upcard": "Ks",
    "stock": ["2h", "3d", "6h", "8s"],
}
"""Seat 1 may lay out two combinations, the kings with the upcard; seat 2 a whole hand on and beside the diamonds."""


@pytest.fixture
def poker(house: House) -> Sitting:
    """A recorded deal of Poker Rum, nothing played yet."""
    table = opened(house, game="poker_rum", options={"deals": 1})
    table.deal(POKER).ok(201)
    return table


@pytest.fixture
def single(house: House) -> Sitting:
    """The same of Single-Pack Rum, with the splash and what it may add to the table."""
    options = {"deals": 1, "splash": True, "splash_layoffs": True}
    table = opened(house, game="single_pack_rum", options=options)
    table.deal(SINGLE).ok(201)
    return table


def post(table: Sitting, seat: int, kind: str, **fields: Any) -> Any:
    """A play by the seat itself."""
    return table.post("/plays", {"type": kind, **fields}, table.seats[seat])


def laid_out(single: Sitting) -> None:
    """Seat 1 has laid out three diamonds and discarded; seat 2 has drawn."""
    post(single, 1, "take").ok(201)
    post(single, 1, "meld", cards=["7d", "8d", "9d"]).ok(201)
    post(single, 1, "discard", card="Jc").ok(201)
    post(single, 2, "draw").ok(201)


class TestPokerRum:
    """`draw`, `take`, `discard`, `show`."""

    def test_draw_and_discard(self, poker: Sitting) -> None:
        deal = poker.get("", poker.seats[2])["deal"]
        assert (deal["phase"], deal["taken"], deal["turnovers"], "melds" in deal) == ("start", None, 0, False)
        deal = post(poker, 1, "draw").ok(201)["deal"]
        assert (deal["phase"], deal["taken"], deal["stock_count"]) == ("drawn", None, poker_stock() - 1)
        assert "8d" in deal["hands"][0]["cards"]
        assert poker.get("", poker.seats[2])["deal"]["hands"][0] == {"seat": 1, "count": 11, "cards": None}
        deal = post(poker, 1, "discard", card="8d").ok(201)["deal"]
        assert (deal["phase"], deal["turn"], deal["upcard"], deal["discard_count"]) == ("start", 2, "8d", 2)

    def test_what_was_taken_is_shown_to_all_and_may_not_go_back(self, poker: Sitting) -> None:
        post(poker, 1, "take").ok(201)
        for token in (poker.owner, *poker.seats.values()):
            deal = poker.get("", token)["deal"]
            assert (deal["phase"], deal["taken"], deal["upcard"]) == ("drawn", "9h", None)
        refused = post(poker, 1, "discard", card="9h").problem("illegal-play", clause="XA-4")
        assert {"seat": 1, "type": "discard", "card": "Ac"} in refused["legal"]
        assert {"seat": 1, "type": "discard", "card": "9h"} not in refused["legal"]

    def test_a_hand_is_shown_and_paid_for(self, house: House, poker: Sitting) -> None:
        post(poker, 1, "draw").ok(201)
        shown = {"seat": 1, "type": "show", "card": "8d"}
        assert shown in poker.get("/plays", poker.seats[1])["plays"]
        answer = poker.post("/plays", shown, poker.seats[1]).ok(201)
        assert (answer["status"], answer["winners"], answer["deal"]["ending"]) == ("over", [1], "shown")
        assert house.score(poker.id) == 1
        paid(poker, winner=1)

    def test_what_is_not_legal_now_has_its_clause(self, poker: Sitting) -> None:
        with nothing_recorded(poker.house):
            for kind, fields in (("discard", {"card": "Ac"}), ("show", {"card": "Ac"})):
                refused = post(poker, 1, kind, **fields).problem("illegal-play")
                assert refused["clause"]
                assert [play["type"] for play in refused["legal"]] == ["draw", "take"]
            assert post(poker, 2, "draw").problem("illegal-play")["legal"] == []
            post(poker, 1, "discard", card="5h").problem("impossible-play")
        post(poker, 1, "draw").ok(201)
        post(poker, 1, "draw").problem("illegal-play")
        post(poker, 1, "discard", card="8d").ok(201)
        post(poker, 2, "draw").ok(201)
        refused = post(poker, 2, "show", card="Ks").problem("illegal-play", clause="P9")
        assert {play["type"] for play in refused["legal"]} == {"discard"}

    @pytest.mark.parametrize(
        "body",
        [
            {"type": "meld", "cards": ["Ac", "2c", "3c"]},
            {"type": "play", "card": "Ac"},
            {"type": "show"},
            {"type": "show", "card": "Zz"},
            {"type": "show", "card": "8d", "cards": ["8d"]},
            {"type": "discard", "card": ["8d"]},
            {"type": "take", "card": "9h"},
            {"type": "draw", "card": "8d"},
        ],
    )
    def test_other_forms_are_422(self, poker: Sitting, body: dict[str, Any]) -> None:
        with nothing_recorded(poker.house):
            poker.post("/plays", body, poker.seats[1]).problem("invalid")

    def test_a_draw_names_its_card_where_nobody_wrote_the_stock_down(self, house: House) -> None:
        table = opened(house, game="poker_rum")
        table.deal({**POKER, "stock": []}).ok(201)
        table.note(1, "draw").problem("impossible-play")
        table.note(1, "draw", cards=["9h"]).problem("impossible-play")
        for wrong in ([], ["8d", "3s"], ["x"]):
            table.note(1, "draw", cards=wrong).problem("invalid")
        assert "8d" in table.note(1, "draw", cards=["8d"]).ok(201)["deal"]["hands"][0]["cards"]


def poker_stock() -> int:
    """Cards left when two hands of ten and the upcard have been dealt from one pack."""
    return 52 - 21


def paid(table: Sitting, winner: int) -> None:
    """The sheet says of each payment who paid, and to whom, and adds up; the ledger agrees."""
    sheet = table.get("/deals/1", table.seats[2]).ok()
    assert sheet["status"] == "posted"
    added = [0, 0]
    for line in sheet["lines"]:
        added[line["seat"] - 1] += line["points"]
        other = {"to": winner} if line["points"] < 0 else {"from": 3 - winner}
        assert line["seat"] == (3 - winner if line["points"] < 0 else winner)
        assert other.items() <= line.items()
        assert ("to" in line) != ("from" in line)
        assert not {"side", "item"} & line.keys()
    assert added == sheet["points"]
    assert sum(added) == 0 < added[winner - 1]
    assert "sheets" not in sheet.body
    ledger = table.get("/ledger", table.owner).ok()
    assert (ledger["balances"], ledger["entries"][0]["lines"]) == (added, sheet["lines"])


class TestSinglePackRum:
    """`meld`, `lay_off`, `splash`, and what both rums have."""

    def test_a_combination_is_laid_out(self, single: Sitting) -> None:
        post(single, 1, "take").ok(201)
        plays = single.get("/plays", single.seats[1])["plays"]
        assert {"seat": 1, "type": "meld", "cards": ["7d", "8d", "9d"]} in plays
        deal = post(single, 1, "meld", cards=["9d", "7d", "8d"]).ok(201)["deal"]
        [meld] = deal["melds"]
        assert (meld["id"], meld["seat"], sorted(meld["cards"])) == ("m1", 1, ["7d", "8d", "9d"])
        assert (deal["phase"], deal["taken"], deal["turnovers"]) == ("drawn", "Ks", 0)
        assert post(single, 1, "meld", cards=["Kh", "Kc", "Ks"]).problem("illegal-play")["clause"] == "SA-25"

    def test_a_card_is_added(self, single: Sitting) -> None:
        laid_out(single)
        assert {"seat": 2, "type": "lay_off", "meld": "m1", "card": "Td"} in single.get("/plays", single.seats[2])[
            "plays"
        ]
        refused = post(single, 2, "lay_off", meld="m1", card="9h").problem("illegal-play", clause="SA-9")
        assert {"seat": 2, "type": "lay_off", "meld": "m1", "card": "Td"} in refused["legal"]
        post(single, 2, "lay_off", meld="m2", card="Td").problem("impossible-play")
        [meld] = post(single, 2, "lay_off", meld="m1", card="Td").ok(201)["deal"]["melds"]
        assert (meld["seat"], set(meld["cards"])) == (1, {"7d", "8d", "9d", "Td"})

    def test_a_whole_hand_is_splashed(self, house: House, single: Sitting) -> None:
        laid_out(single)
        melds = [["4c", "5c", "6c", "7c"], ["9h", "9s", "9c"]]
        added = [{"meld": "m1", "cards": ["Td", "Jd", "Qd"]}]
        assert "splash" in {play["type"] for play in single.get("/plays", single.seats[2])["plays"]}
        post(single, 2, "splash", melds=melds, discard="2h").problem("illegal-play", clause="SA-15")
        post(single, 2, "splash", melds=melds, lay_offs=added).problem("illegal-play", clause="SA-15")
        answer = post(single, 2, "splash", melds=melds, lay_offs=added, discard="2h").ok(201)
        deal = answer["deal"]
        assert (answer["status"], answer["winners"], deal["ending"], deal["upcard"]) == ("over", [2], "out", "2h")
        assert [(meld["id"], meld["seat"], len(meld["cards"])) for meld in deal["melds"]] == [
            ("m1", 1, 6),
            ("m2", 2, 4),
            ("m3", 2, 3),
        ]
        assert house.score(single.id) == 1
        paid(single, winner=2)
        check = house.client.post("/v1/records?dry_run=true", single.get("/record", single.owner).body, house.owner)
        assert check.ok()["verdict"] == "clean"

    def test_a_splash_may_keep_nothing_to_discard(self, house: House) -> None:
        table = opened(house, game="single_pack_rum", options={"deals": 1, "splash": True})
        hands = [["4c", "5c", "6c", "7c", "9h", "9s", "9c", "Td", "Jd", "Qd"], SINGLE["hands"][0]]
        hands[1] = [card if card != "9d" else "3c" for card in hands[1]]
        table.deal({"hands": hands, "upcard": "Kd", "stock": []}).ok(201)
        post(table, 1, "take").ok(201)
        melds = [["4c", "5c", "6c", "7c"], ["9h", "9s", "9c"], ["Td", "Jd", "Qd", "Kd"]]
        assert post(table, 1, "splash", melds=melds).ok(201)["deal"]["ending"] == "out"

    @pytest.mark.parametrize(
        "body",
        [
            {"type": "show", "card": "7d"},
            {"type": "meld"},
            {"type": "meld", "cards": []},
            {"type": "meld", "cards": "7d 8d 9d"},
            {"type": "meld", "cards": ["7d", "8d", "99"]},
            {"type": "lay_off", "meld": "m1"},
            {"type": "lay_off", "meld": 1, "card": "Td"},
            {"type": "lay_off", "meld": "m0", "card": "Td"},
            {"type": "lay_off", "meld": "1", "card": "Td"},
            {"type": "lay_off", "meld": "m1", "cards": ["Td"]},
            {"type": "splash"},
            {"type": "splash", "melds": ["4c", "5c", "6c"]},
            {"type": "splash", "melds": [[]]},
            {"type": "splash", "melds": [["4c", "5c", "6c"]], "lay_offs": [{"meld": "m1"}]},
            {"type": "splash", "melds": [["4c", "5c", "6c"]], "lay_offs": [{"meld": "m1", "card": "Td"}]},
            {"type": "splash", "melds": [["4c", "5c", "6c"]], "lay_offs": {"m1": ["Td"]}},
            {"type": "splash", "melds": [["4c", "5c", "6c"]], "discard": ["2h"]},
        ],
    )
    def test_other_forms_are_422(self, single: Sitting, body: dict[str, Any]) -> None:
        with nothing_recorded(single.house):
            single.post("/plays", body, single.seats[1]).problem("invalid")
