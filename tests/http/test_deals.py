"""Deals: shuffled and recorded, wrong ones, and recorded tables with irregular plays and named draws."""

from collections import Counter
from typing import Any, Final

import pytest

from replay.rules.cards import PACK
from tests.http.client import Answer
from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, Sitting, opened, play_out

STOCK: Final = SHORT["stock"]


class TestShuffled:
    """`{}` shuffles."""

    @pytest.mark.parametrize(("seats", "packs"), [(2, 1), (3, 1), (4, 1), (5, 2), (8, 2)])
    def test_a_whole_pack_is_dealt(self, house: House, seats: int, packs: int) -> None:
        table = opened(house, seats, mode="dealt")
        answer = table.deal().ok(201)
        deal = table.state().deal
        assert deal is not None
        dealt = Counter([card for hand in deal.state.hands for card in hand])
        assert dealt + Counter(deal.state.pile) + Counter(deal.state.stock) == Counter(PACK * packs)
        assert answer["deal"]["dealer"] == seats
        assert answer["deal"]["turn"] == 1
        assert [hand["count"] for hand in answer["deal"]["hands"]] == [7] * seats
        assert answer["deal"]["stock_count"] == 52 * packs - 7 * seats - 1

    def test_no_two_are_alike(self, house: House) -> None:
        dealt = set()
        for _ in range(4):
            table = opened(house, mode="dealt")
            table.deal().ok(201)
            deal = table.state().deal
            assert deal is not None
            dealt.add(deal.state.hands)
        assert len(dealt) == 4

    def test_it_takes_no_body_at_all(self, house: House) -> None:
        table = opened(house, mode="dealt")
        table.post("/deals", None, table.owner).ok(201)

    def test_nobody_chooses_its_cards(self, house: House) -> None:
        table = opened(house, mode="dealt")
        with nothing_recorded(house):
            bodies: list[Any] = [SHORT, {"dealer": 1}, {"seed": "0"}, {"stock": []}, {"note": "x"}]
            for body in bodies:
                table.deal(body).problem("invalid")

    def test_the_deal_passes_to_the_left(self, house: House) -> None:
        table = opened(house, 3, mode="dealt")
        for dealer in (3, 1, 2, 3):
            answer = table.deal().ok(201)
            assert (answer["deal"]["dealer"], answer["deal"]["turn"]) == (dealer, dealer % 3 + 1)
            play_out(table)

    def test_one_is_on_at_a_time(self, house: House) -> None:
        table = opened(house, mode="dealt")
        table.deal().ok(201)
        answer = table.deal().problem("not-now", version=2)
        assert "clause" not in answer.body


class TestRecorded:
    """The cards of a real table."""

    def test_the_cards_lie_as_they_were_written(self, table: Sitting) -> None:
        answer = table.deal(SHORT).ok(201)
        assert [hand["cards"] for hand in answer["deal"]["hands"]] == SHORT["hands"]
        assert (answer["deal"]["upcard"], answer["deal"]["stock_count"]) == (SHORT["upcard"], 37)
        assert (answer["deal"]["dealer"], answer["deal"]["turn"]) == (2, 1)

    def test_another_dealer_may_be_named(self, table: Sitting) -> None:
        answer = table.deal({**SHORT, "dealer": 1}).ok(201)
        assert (answer["deal"]["dealer"], answer["deal"]["turn"]) == (1, 2)

    def test_when_and_what_was_noted_comes_back(self, table: Sitting) -> None:
        more = {"at": "1931-06-04T20:30:00+12:00", "note": "by lamplight\nafter supper"}
        table.deal({**SHORT, **more}).ok(201)
        [event] = table.get("/events?after=1", table.owner)["events"]
        assert (event["data"]["played_at"], event["data"]["note"]) == (more["at"], more["note"])
        [deal] = table.get("/record", table.owner)["deals"]
        assert {name: deal[name] for name in more} == more

    @pytest.mark.parametrize("stock", [[], ["3c"], ["??", "3c"], None])
    def test_the_stock_may_stop_early_or_be_left_out(self, table: Sitting, stock: list[str] | None) -> None:
        body = {name: value for name, value in SHORT.items() if name != "stock"}
        answer = table.deal(body if stock is None else {**body, "stock": stock}).ok(201)
        assert answer["deal"]["stock_count"] == 37

    @pytest.mark.parametrize(
        ("change", "detail"),
        [
            ({"hands": [SHORT["hands"][0][:6], SHORT["hands"][1]]}, "dealt 6 cards"),
            ({"hands": [[*SHORT["hands"][0], "Ks"], SHORT["hands"][1]]}, "dealt 8 cards"),
            ({"hands": [SHORT["hands"][0], SHORT["hands"][0]]}, "the pack has 1"),
            ({"upcard": "2c"}, "2 cards 2c"),
            ({"upcard": "Jk"}, "the pack has 0"),
            ({"stock": ["3c", "3c"]}, "2 cards 3c"),
            ({"stock": ["??"] * 38}, "stock has 38 cards, not 37"),
        ],
        ids=str,
    )
    def test_a_deal_that_no_pack_holds_is_impossible(self, table: Sitting, change: Any, detail: str) -> None:
        with nothing_recorded(table.house):
            answer = table.deal({**SHORT, **change}).problem("impossible-play", version=1)
        assert detail in answer["detail"]
        assert not answer.body.keys() & {"clause", "legal"}

    @pytest.mark.parametrize(
        ("change", "at_fault"),
        [
            ({"hands": [SHORT["hands"][0]]}, "hands"),
            ({"hands": [*SHORT["hands"], SHORT["hands"][0]]}, "hands"),
            ({"hands": [[*SHORT["hands"][0][:6], "??"], SHORT["hands"][1]]}, "hands"),
            ({"hands": "8h"}, "hands"),
            ({"hands": [1, 2]}, "hands"),
            ({"hands": [None, []]}, "hands"),
            ({"hands": [["8h"] * 105, []]}, "hands"),
            ({"upcard": "??"}, "upcard"),
            ({"upcard": ["8c"]}, "upcard"),
            ({"upcard": None}, "upcard"),
            ({"stock": "3c 4c"}, "stock"),
            ({"stock": ["3c", 4]}, "stock"),
            ({"stock": ["3c"] * 109}, "stock"),
            ({"stock": None}, "stock"),
            ({"dealer": 0}, "dealer"),
            ({"dealer": 3}, "dealer"),
            ({"dealer": "1"}, "dealer"),
            ({"dealer": None}, "dealer"),
            ({"at": "yesterday"}, "at"),
            ({"at": 0}, "at"),
            ({"note": "\x00"}, "note"),
            ({"note": "x" * 10_001}, "note"),
            ({"plays": []}, "plays"),
            ({"points": [0, 0]}, "points"),
        ],
        ids=lambda value: str(value)[:60],
    )
    def test_a_deal_that_cannot_be_read_is_422_by_field(self, table: Sitting, change: Any, at_fault: str) -> None:
        with nothing_recorded(table.house):
            answer = table.deal({**SHORT, **change}).problem("invalid")
        assert list(answer["errors"]) == [at_fault]

    @pytest.mark.parametrize("missing", ["hands", "upcard"])
    def test_hands_and_upcard_must_be_there(self, table: Sitting, missing: str) -> None:
        body = {name: value for name, value in SHORT.items() if name != missing}
        assert list(table.deal(body).problem("invalid")["errors"]) == [missing]


class TestIrregular:
    """`"irregular": true`: it happened although the rules forbid it, and the deal lists it."""

    @pytest.fixture
    def on(self, table: Sitting) -> Sitting:
        """The short deal: seat 1 must play 8h on 8c."""
        table.deal(SHORT).ok(201)
        return table

    def _listed(self, on: Sitting) -> Any:
        listed = on.get("/deals/1", on.owner)["irregularities"]
        assert on.get("", on.owner)["deal"]["irregularities"] == listed
        assert on.get("", on.seats[2])["deal"]["irregularities"] == listed
        return listed

    def test_it_is_recorded_and_listed_with_its_clause(self, on: Sitting) -> None:
        assert self._listed(on) == []
        answer = on.note(1, "play", "2h", irregular=True).ok(201)
        assert (answer["version"], answer["deal"]["upcard"]) == (3, "2h")
        on.note(2, "play", "9h").ok(201)
        on.note(2, "draw", irregular=True).ok(201)
        on.note(1, "play", "8h", irregular=False).problem("illegal-play", clause="R5")
        assert self._listed(on) == [
            {"version": 3, "play": 1, "seat": 1, "clause": "R6"},
            {"version": 5, "play": 3, "seat": 2, "clause": "R5"},
        ]
        events = on.get("/events?after=2", on.owner)["events"]
        assert [event["data"].get("irregular") for event in events] == [{"clause": "R6"}, None, {"clause": "R5"}]

    def test_a_play_that_was_legal_after_all_has_no_clause(self, on: Sitting) -> None:
        on.note(1, "play", "8h", irregular=True).ok(201)
        assert self._listed(on) == [{"version": 3, "play": 1, "seat": 1, "clause": None}]

    def test_what_no_table_could_do_did_not_happen(self, on: Sitting) -> None:
        with nothing_recorded(on.house):
            on.note(1, "play", "Ks", irregular=True).problem("impossible-play")

    def test_a_deal_without_any_lists_none_and_a_dealt_session_has_no_such_list(self, house: House) -> None:
        table = opened(house)
        table.short()
        assert table.get("/deals/1", table.owner)["irregularities"] == []
        table = opened(house, mode="dealt")
        table.deal()
        assert "irregularities" not in table.get("/deals/1", table.owner).body

    @pytest.mark.parametrize("more", [{"irregular": True}, {"irregular": False}, {"irregular": "x"}, {"cards": ["3c"]}])
    def test_from_a_seat_it_is_403_before_anything_is_judged(self, on: Sitting, more: dict[str, Any]) -> None:
        kind = {"type": "draw"} if "cards" in more else {"type": "play", "card": "Ks"}
        for seat in (1, 2):
            for match in (None, "*", 1, 2, "x"):
                with nothing_recorded(on.house):
                    body = {**kind, **more, "odd": 1}
                    on.post("/plays", body, on.seats[seat], match=match).problem("forbidden")

    @pytest.mark.parametrize("more", [{"irregular": True}, {"cards": ["3c"]}])
    def test_in_a_dealt_session_nobody_may(self, house: House, more: dict[str, Any]) -> None:
        table = opened(house, mode="dealt")
        table.deal().ok(201)
        with nothing_recorded(house):
            for token in (house.first, table.owner, *table.seats.values()):
                answer = table.post("/plays", {"seat": 1, "type": "draw", **more}, token)
                answer.problem("forbidden")

    def test_it_is_true_or_false(self, on: Sitting) -> None:
        values: list[Any] = [1, 0, "true", None, []]
        for value in values:
            answer = on.note(1, "play", "2h", irregular=value).problem("invalid")
            assert list(answer["errors"]) == ["irregular"]


class TestNamedDraws:
    """A draw beyond the written stock names its card, and one within it may."""

    @pytest.fixture
    def on(self, table: Sitting) -> Sitting:
        """Nobody has a heart; of the stock, the first card alone is written."""
        hands = [["2c", "3c", "4c", "5c", "6c", "7c", "8c"], ["2s", "3s", "4s", "5s", "6s", "7s", "8s"]]
        table.deal({"hands": hands, "upcard": "Kh", "stock": ["9c"]}).ok(201)
        return table

    def _draw(self, on: Sitting, *cards: Any) -> Answer:
        return on.note(1, "draw", None, **({"cards": list(cards)} if cards else {}))

    def test_within_the_stock_it_must_agree(self, on: Sitting) -> None:
        with nothing_recorded(on.house):
            self._draw(on, "Tc").problem("impossible-play")
        self._draw(on, "9c").ok(201)

    def test_beyond_the_stock_it_must_be_there_and_be_possible(self, on: Sitting) -> None:
        self._draw(on).ok(201)
        with nothing_recorded(on.house):
            self._draw(on).problem("impossible-play")
            for elsewhere in ("9c", "2c", "2s", "Kh", "Jk"):
                self._draw(on, elsewhere).problem("impossible-play")
            on.play(1, "draw").problem("impossible-play")
        answer = self._draw(on, "Td").ok(201)
        assert answer["deal"]["hands"][0]["cards"][-2:] == ["9c", "Td"]
        event = on.get("/events?after=3", on.owner)["events"][0]
        assert event["data"] == {"card": "Td", "stock_count": 35}
        assert on.get("/events?after=3", on.seats[2])["events"][0]["data"] == {"card": None, "stock_count": 35}
        assert on.get("/record", on.owner)["deals"][0]["plays"] == ["1 draw 9c", "1 draw Td"]

    @pytest.mark.parametrize("named", [["9c", "Td"], ["??"], [9], "9c", None, {}, [[]], ["9c"] * 5])
    def test_it_names_one_card(self, on: Sitting, named: Any) -> None:
        with nothing_recorded(on.house):
            answer = on.note(1, "draw", cards=named).problem("invalid")
        assert list(answer["errors"]) == ["cards"]

    def test_an_empty_list_names_none(self, on: Sitting) -> None:
        assert list(on.note(1, "draw", cards=[]).problem("invalid")["errors"]) == ["cards"]
