"""Plays and what may be played: `Plays`, the problems of 409, `GET …/plays`."""

from typing import Any

import pytest

from replay.rules.cards import Card
from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, Sitting, filled, legal, opened, play_out, stacked
from tests.rules.layout import cards

R6 = "R6: A card may be played if it has the suit or the rank of the top card, or is an ace."


@pytest.fixture
def on(table: Sitting) -> Sitting:
    """The short deal, nothing played yet: seat 1 must play 8h on 8c."""
    table.deal(SHORT).ok(201)
    return table


def test_a_play_answers_the_session_after_it(on: Sitting) -> None:
    answer = on.play(1, "play", "8h").ok(201)
    assert answer.body == on.get("", on.seats[1]).body
    assert (answer["version"], answer["deal"]["upcard"], answer["deal"]["turn"]) == (3, "8h", 2)
    assert answer["deal"]["hands"][0] == {"seat": 1, "count": 6, "cards": SHORT["hands"][0][1:]}
    assert "Location" not in answer.headers


def test_a_draw_goes_on_until_a_card_fits(house: House) -> None:
    """Nobody has a heart or a king. The first card drawn does not fit either, the second does and must be played."""
    table = opened(house, 3, mode="dealt", public=True)
    hands = [cards("2c 3c 4c 5c 6c 7c 8c"), cards("2s 3s 4s 5s 6s 7s 8s"), cards("9s Ts Js Qs 9c Tc Jc")]
    stacked(table, hands, Card("Kh"), filled(hands, Card("Kh"), Card("Qc"), Card("2h")))
    drawn = table.play(1, "draw").ok(201)
    assert (drawn["deal"]["drawn"], drawn["deal"]["turn"], drawn["deal"]["stock_count"]) == (1, 1, 29)
    assert drawn["deal"]["hands"][0] == {"seat": 1, "count": 8, "cards": [*hands[0], "Qc"]}
    table.play(1, "pass").problem("illegal-play", clause="RA-12", legal=[{"seat": 1, "type": "draw"}])
    table.play(1, "draw").ok(201)
    play = {"seat": 1, "type": "play", "card": "2h"}
    table.play(1, "draw").problem("illegal-play", clause="R11", legal=[play])
    answer = table.post("/plays", play, table.seats[1]).ok(201)
    assert (answer["deal"]["drawn"], answer["deal"]["turn"]) == (0, 2)


def test_passes_in_a_row_block_a_deal(house: House) -> None:
    """One seat draws the whole stock, which the rules forbid and the table did; then nobody can or will play."""
    table = opened(house, options={"deals": 1})
    hands = [cards("2c 3c 4c 5c 6c 7c 9c"), cards("2s 3s 4s 5s 6s 7s 9s")]
    stock = filled(hands, Card("Kh"))
    table.deal({"hands": hands, "upcard": "Kh", "stock": stock}).ok(201)
    for _ in stock:
        table.note(1, "draw", irregular=True).ok(201)
    deal = table.get("", table.seats[2])["deal"]
    assert (deal["exhausted"], deal["stock_count"], deal["passes"], deal["turn"]) == (True, 0, 0, 1)
    table.play(1, "draw").problem("impossible-play")
    table.play(1, "pass").problem("illegal-play", clause="R11")
    answer = table.note(1, "pass", irregular=True).ok(201)
    assert (answer["deal"]["passes"], answer["deal"]["turn"], answer["deal"]["ending"]) == (1, 2, None)
    over = table.play(2, "pass").ok(201)
    assert (over["status"], over["deal"]["ending"], over["deal"]["passes"], over["winners"]) == (
        "over",
        "blocked",
        2,
        [2],
    )


class TestOrder:
    """A play is first asked whether a deal is on, then whether it is possible, then whether it is legal."""

    def test_before_the_first_deal_it_is_not_the_time(self, table: Sitting) -> None:
        with nothing_recorded(table.house):
            answer = table.play(1, "play", "Ks").problem("not-now", version=1)
        assert "clause" not in answer.body

    def test_after_the_deal_it_is_not_the_time_card_held_or_not(self, table: Sitting) -> None:
        table.short()
        with nothing_recorded(table.house):
            for seat, card in ((2, "2c"), (2, "Ks"), (1, "2c")):
                table.play(seat, "play", card).problem("not-now", clause="XA-15", version=16)
            for kind in ("draw", "pass"):
                table.play(1, kind).problem("not-now", clause="XA-15", version=16)
            table.note(1, "play", "Ks", irregular=True).problem("not-now", clause="XA-15")

    def test_after_the_session_too(self, house: House) -> None:
        table = opened(house, options={"deals": 1})
        table.short()
        table.play(2, "play", "2c").problem("not-now", clause="XA-15")
        table.deal(SHORT).problem("not-now", clause="XA-15")

    def test_what_no_table_could_do_has_no_clause(self, on: Sitting) -> None:
        """Also out of turn, and also when it would be forbidden besides."""
        with nothing_recorded(on.house):
            for seat, card in ((1, "Ks"), (1, "9h"), (2, "8h"), (2, "As")):
                answer = on.play(seat, "play", card).problem("impossible-play", version=2)
                assert not answer.body.keys() & {"clause", "legal"}

    def test_what_the_rules_forbid_has_its_clause_its_sentence_and_what_is_legal(self, on: Sitting) -> None:
        with nothing_recorded(on.house):
            answer = on.play(1, "play", "2h").problem("illegal-play", clause="R6", version=2)
            assert answer["legal"] == [{"seat": 1, "type": "play", "card": "8h"}] == legal(on)
            assert "2h does not fit 8c" in answer["detail"]
            assert R6 in answer["detail"]
            on.play(1, "draw").problem("illegal-play", clause="R11", legal=legal(on))
            on.play(1, "pass").problem("illegal-play", clause="RA-12", legal=legal(on))
        on.play(1, "play", "8h").ok(201)
        on.play(2, "play", "Ah").ok(201)
        with nothing_recorded(on.house):
            on.play(2, "play", "Kh").problem("illegal-play", clause="R5", legal=[])
            on.play(2, "draw").problem("illegal-play", clause="R5", legal=[])

    def test_a_card_that_does_not_fit_an_ace_offends_another_clause(self, on: Sitting) -> None:
        on.play(1, "play", "8h").ok(201)
        on.play(2, "play", "Ah").ok(201)
        on.note(1, "draw", irregular=True).ok(201)
        on.play(1, "play", "3c").problem("illegal-play", clause="R10")


@pytest.mark.parametrize(
    ("body", "at_fault"),
    [
        ({}, "type"),
        ({"type": "fold"}, "type"),
        ({"type": ["play"]}, "type"),
        ({"type": None}, "type"),
        ({"type": "play"}, "card"),
        ({"type": "play", "card": "1c"}, "card"),
        ({"type": "play", "card": "8H"}, "card"),
        ({"type": "play", "card": "8h "}, "card"),
        ({"type": "play", "card": "??"}, "card"),
        ({"type": "play", "card": ["8h"]}, "card"),
        ({"type": "play", "card": {"8h": 1}}, "card"),
        ({"type": "play", "card": None}, "card"),
        ({"type": "play", "card": "8h", "cards": ["8h"]}, "cards"),
        ({"type": "draw", "card": "3c"}, "card"),
        ({"type": "pass", "card": "8h"}, "card"),
        ({"type": "play", "card": "8h", "seats": 1}, "seats"),
    ],
    ids=str,
)
def test_a_play_that_cannot_be_read_is_422_by_field(on: Sitting, body: dict[str, Any], at_fault: str) -> None:
    with nothing_recorded(on.house):
        for token, more in ((on.seats[1], {}), (on.owner, {"seat": 1})):
            answer = on.post("/plays", {**body, **more}, token).problem("invalid")
            assert list(answer["errors"]) == [at_fault]


def test_a_joker_is_a_card_that_no_hand_here_holds(on: Sitting) -> None:
    on.play(1, "play", "Jk").problem("impossible-play")


class TestLegal:
    """`GET …/plays`."""

    def test_bodies_that_a_post_takes(self, on: Sitting) -> None:
        answer = on.get("/plays", on.seats[1]).ok()
        play = {"seat": 1, "type": "play", "card": "8h"}
        assert answer.body == {"version": 2, "seat": 1, "turn": 1, "plays": [play]}
        on.post("/plays", play, on.seats[1]).ok(201)

    def test_empty_when_there_is_nothing_this_seat_may_play(self, on: Sitting) -> None:
        nothing: dict[str, Any] = {"version": 2, "seat": 2, "turn": 1, "plays": []}
        assert on.get("/plays", on.seats[2]).ok().body == nothing
        assert on.get("/plays?seat=2", on.owner).ok().body == nothing

    def test_an_organiser_is_told_of_the_seat_that_must_act_unless_he_asks_for_another(self, on: Sitting) -> None:
        assert on.get("/plays", on.owner).body == on.get("/plays", on.seats[1]).body
        on.play(1, "play", "8h").ok(201)
        answer = on.get("/plays", on.house.first).ok()
        assert (answer["seat"], answer["turn"], len(answer["plays"])) == (2, 2, 6)

    def test_at_an_earlier_version(self, on: Sitting) -> None:
        seen = [on.get("/plays", on.owner).body]
        for seat, card in ((1, "8h"), (2, "9h"), (1, "2h")):
            on.play(seat, "play", card).ok(201)
            seen.append(on.get("/plays", on.owner).body)
        assert [on.get(f"/plays?at={version}", on.owner).body for version in (2, 3, 4, 5)] == seen
        assert on.get("/plays?at=3&seat=1", on.owner)["plays"] == []

    def test_when_no_deal_is_on_there_is_no_turn_and_nothing_to_play(self, table: Sitting) -> None:
        nothing: dict[str, Any] = {"version": 1, "seat": 1, "turn": None, "plays": []}
        assert table.get("/plays", table.seats[1]).ok().body == nothing
        assert table.get("/plays", table.owner).ok().body == {**nothing, "seat": None}
        table.short()
        assert table.get("/plays", table.seats[1]).ok().body == {**nothing, "version": 16}

    @pytest.mark.parametrize(
        "query", ["at=0", "at=3", "at=x", "seat=x", "seat=0", "seat=3", "seat=", "seat=1.0", "turn=1", "seat=%D9%A1"]
    )
    def test_a_query_that_says_nothing_is_422(self, on: Sitting, query: str) -> None:
        for token in (on.owner, on.seats[1]):
            on.get(f"/plays?{query}", token).problem("invalid")

    def test_a_seat_asks_for_itself_alone(self, on: Sitting) -> None:
        assert on.get("/plays?seat=1", on.seats[1]).ok().body == on.get("/plays", on.seats[1]).body
        on.get("/plays?seat=2", on.seats[1]).problem("forbidden")
        on.get("/plays?seat=2&at=2", on.seats[1]).problem("forbidden")

    def test_exactly_the_legal_plays_are_taken(self, house: House) -> None:
        """Seat by seat and card by card, on the first versions of a shuffled deal."""
        table = opened(house, mode="dealt")
        table.deal().ok(201)
        while table.version < 8:
            plays = legal(table)
            seat = plays[0]["seat"]
            every = [{"seat": seat, "type": kind} for kind in ("draw", "pass")]
            hand = table.get("", table.seats[seat])["deal"]["hands"][seat - 1]["cards"]
            every += [{"seat": seat, "type": "play", "card": card} for card in hand]
            for body in every:
                if body not in plays:
                    table.post("/plays", body, table.seats[seat]).problem("illegal-play", legal=plays)
            table.post("/plays", plays[-1], table.seats[seat]).ok(201)

    def test_a_deal_played_by_them_comes_to_its_end(self, house: House) -> None:
        table = opened(house, 5, mode="dealt", options={"deals": 1})
        table.deal().ok(201)
        over = play_out(table)
        assert over["status"] == "over"
        assert over["winners"] == [seat for seat, total in enumerate(over["totals"], start=1) if total == 0]
