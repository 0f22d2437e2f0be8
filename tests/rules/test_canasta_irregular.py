"""What irregular plays, as a recorded table may have them, do to a deal of Canasta; and what is judged after them."""

import pytest

from replay.rules.canasta.canasta import CANASTA
from tests.rules.layout import cards
from tests.rules.layout_canasta import LEGAL, force, hand, make, on, over, read, sheet, table, verdict

clause = pytest.mark.clause
QUEENS = "Q=Qc,Qc,Qd,Qd,Qh,Qh,Qs"


@clause("CA-32", "CA-22")
def test_a_question_before_the_draw_starts_no_turn() -> None:
    state = force(table("9c 9d 9h 8c", on_table=QUEENS), 1, "ask")
    answered = make(state, "no")
    assert on(answered).phase == "start"
    assert verdict(answered, "draw") == LEGAL
    assert verdict(answered, "discard 8c") == "CA-32"


@clause("CA-32")
def test_a_meld_before_the_draw_starts_no_turn() -> None:
    state = force(table("9c 9d 9h 8c", on_table=QUEENS), 1, "meld 9=9c,9d,9h")
    assert on(state).phase == "start"
    assert verdict(state, "draw") == LEGAL


@clause("CA-32")
def test_who_plays_out_of_turn_has_the_turn() -> None:
    state = force(table("9c 9d", others={3: "4c 6d"}), 3, "discard 6d")
    assert on(state).seat == 4
    twice = force(make(table("9c 9d"), "draw"), 1, "draw")
    assert hand(twice, 1) == ("4d", "5d", "9c", "9d")


@clause("C21")
def test_a_hand_emptied_without_a_canasta_is_out_all_the_same() -> None:
    state = force(table("9c", phase="melding"), 1, "discard 9c")
    assert over(state).ending == "out"
    assert sheet(state)[0] == 100


@clause("C14", "CA-42")
def test_what_lies_there_unlawfully_may_lie_but_not_be_added_to() -> None:
    state = on(force(table("9c 2c 2d 2h Jk Qs 8c", phase="melding", on_table=QUEENS), 1, "meld 9=9c,2c,2d"))
    assert verdict(state, "meld 9=2h") == "C14", "one natural"
    assert verdict(state, "ask") == LEGAL, "the queens have room for both wild cards"
    full = state._replace(hands=(cards("2h 2s Jk Jk 8c"), *state.hands[1:]))
    assert verdict(full, "ask") == "CA-42", "not for four"
    mixed = on(force(table("9c 9d Kh 9h Qs", phase="melding", on_table=QUEENS), 1, "meld 9=9c,9d,Kh"))
    assert verdict(mixed, "meld 9=9h") == "C12"
    assert verdict(mixed, "ask") == LEGAL


@clause("CA-14")
def test_two_cards_that_lie_there_become_a_meld_with_a_third() -> None:
    state = force(table("9c 9d 9h 8c 7c", phase="melding", on_table=QUEENS), 1, "meld 9=9c,9d")
    assert verdict(state, "meld 9=9h") == LEGAL
    assert verdict(state, "ask") == "CA-42"
    assert verdict(make(state, "discard 7c"), "draw") == LEGAL


@clause("CA-14", "CA-21")
def test_one_card_that_lies_there_wants_two_more() -> None:
    state = on(force(table("9c 9d 9h 9s 8c", phase="melding"), 1, "meld 9=9c"))
    assert verdict(state, "meld 9=9d,9h,9s") == "CA-21"
    assert verdict(state, "meld 9=9d") == "C12"
    assert verdict(state, "meld 9=9d,9h") == LEGAL
    assert read(1, "meld 9=9d,9h") in CANASTA.legal(state, 1)
