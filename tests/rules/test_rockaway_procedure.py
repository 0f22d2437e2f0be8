"""The procedure examples of the Rockaway book (RE-24 to RE-36) by id, each play asked one by one and listed.

`allowed` asks the judgement of all 54 plays and holds the list of legal plays against it.
"""

import pytest

from replay.rules.game import IllegalPlayError
from replay.rules.rockaway.rockaway import ROCKAWAY
from tests.rules.layout import IMPOSSIBLE, LEGAL, allowed, exhaust, make, on, options, over, table, verdict

clause = pytest.mark.clause
OTHER = "7c 8c"


@clause("R6", "RA-7", "RA-8", "R11")
def test_re_24_a_fitting_card_forbids_drawing() -> None:
    state = table(["9c 4s Ad", OTHER], "9h", left=12)
    assert allowed(state) == {"play 9c", "play Ad"}
    assert verdict(state, "draw") == "R11"
    assert verdict(state, "play 4s") == "R6"
    assert verdict(state, "pass") == "RA-12"


@clause("R8", "R12", "RA-9", "RA-11", "RA-12")
def test_re_25_an_ace_may_wait_until_a_plain_card_fits() -> None:
    state = table(["4s Ad", OTHER], "9h", "5c 2h", left=12)
    assert allowed(state) == {"play Ad", "draw"}
    after_one = make(state, "draw")
    assert allowed(after_one) == {"play Ad", "draw"}
    after_two = make(after_one, "draw")
    assert allowed(after_two) == {"play 2h", "play Ad"}
    assert verdict(after_two, "draw") == "R11"
    assert on(after_two).drawn == 2


@clause("R9", "R10", "RA-15", "RA-16")
def test_re_26_after_an_ace_its_suit_or_another_ace() -> None:
    before = table(["2d Ah", "Kh As 3c"], "9h", left=12)
    state = make(before, "play Ah")
    assert allowed(state) == {"play Kh", "play As"}
    assert verdict(state, "play 3c") == "R10"


@clause("R10", "RA-10", "R8")
def test_re_27_a_forced_draw_and_a_drawn_ace() -> None:
    state = table(["3c 9s", OTHER], "Ah", "Ac", left=4)
    assert allowed(state) == {"draw"}
    assert verdict(state, "play 3c") == "R10"
    assert allowed(make(state, "draw")) == {"play Ac", "draw"}


@clause("RA-13", "R12")
def test_re_28_on_an_empty_stock_an_ace_or_a_pass() -> None:
    state = exhaust(table(["3c As", OTHER], "Qd", "2s"))
    assert allowed(state) == {"play As", "pass"}
    assert verdict(state, "draw") == IMPOSSIBLE
    forced = exhaust(table(["3c As", OTHER], "Qd", "2s", rules=options(ace_forced_when_exhausted=True)))
    assert allowed(forced) == {"play As"}
    assert verdict(forced, "pass") == "RA-13"


@clause("RA-5", "RA-29", "R8")
def test_re_29_the_last_card_does_not_fit() -> None:
    state = table(["3c", OTHER], "Qd", "7s")
    assert allowed(state) == {"draw"}
    after = on(make(state, "draw"))
    assert allowed(after) == {"pass"}
    assert after.stock_count == 0
    assert after.exhausted


@clause("RA-5", "RA-9")
def test_re_30_the_last_card_fits_and_must_be_played() -> None:
    state = table(["3c", OTHER], "Qd", "7d")
    after = on(make(state, "draw"))
    assert allowed(after) == {"play 7d"}
    assert verdict(after, "pass") == "R11"
    played = on(make(after, "play 7d"))
    assert played.exhausted, "exhausted all the same, though the last card was played"


@clause("RA-17", "RA-19", "R10")
def test_re_31_an_ace_turned_up() -> None:
    state = table(["2s Ad 9h", OTHER], "As", left=12)
    assert allowed(state) == {"play 2s", "play Ad"}
    assert verdict(state, "play 9h") == "R10"
    assert allowed(table(["9h 4c", OTHER], "As", left=12)) == {"draw"}
    assert allowed(table(["9h Ac", OTHER], "As", left=12)) == {"play Ac", "draw"}


@clause("RA-28", "RA-9")
def test_re_35_drawing_past_a_fitting_card() -> None:
    state = table(["4s Ad", OTHER], "9h", "5c 2h", left=12, rules=options(draw_past_fitting=True))
    after = make(state, "draw", "draw")
    assert allowed(after) == {"play 2h", "play Ad", "draw"}
    at_start = table(["9c 4s Ad", OTHER], "9h", left=12, rules=options(draw_past_fitting=True))
    assert allowed(at_start) == {"play 9c", "play Ad"}
    assert verdict(at_start, "draw") == "R11"


@clause("RA-14", "RA-29")
def test_re_36_three_passes_block_a_deal_of_three() -> None:
    state = table(["3c", "4c", "5c"], "Qd", "7s")
    once = make(state, "draw", "pass")
    assert on(once).turn == 2
    twice = make(once, "pass")
    assert on(twice).turn == 3
    finished = over(make(twice, "pass"))
    assert (finished.ending, finished.last) == ("blocked", 3)
    assert ROCKAWAY.legal(finished, 1) == (), "seat 1 is not asked again"


@clause("R10")
def test_re_26_what_the_player_of_the_ace_wished_is_no_matter() -> None:
    state = make(table(["2d Ah", "3c"], "9h", left=12), "play Ah")
    with pytest.raises(IllegalPlayError) as refused:
        make(state, "play 3c")
    assert refused.value.clause == "R10"
    assert verdict(state, "draw") == LEGAL
