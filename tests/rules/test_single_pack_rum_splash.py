"""Each clause of the Single-Pack Rum book on the splash, by id, as far as no example shows it alone."""

import pytest

from replay.rules.cards import Card
from replay.rules.single_pack_rum.commands import Splash
from replay.rules.single_pack_rum.single_pack_rum import SINGLE_PACK_RUM
from tests.rules.layout_rums import LEGAL, SPLASH, single_pack_rum, splashing

clause = pytest.mark.clause


@clause("SA-14", "S14")
def test_sa_14_only_where_it_is_agreed() -> None:
    play = "splash 4c 5c 6c | 9h 9d 9s discard Kh"
    assert splashing().verdict(play) == LEGAL
    assert splashing(splash=False).verdict(play) == "SA-14"
    assert splashing(splash=False, splash_layoffs=True).verdict(play) == "SA-14", "the other option alone has no effect"
    assert not splashing(splash=False).listed("splash")


@clause("SA-15", "SA-27")
def test_sa_15_no_table_action_before_in_this_turn_or_another() -> None:
    play = "splash 4c 5c 6c | 9h 9d 9s discard Kh"
    acted = single_pack_rum([SPLASH, "2d"], drawn="draw", splash=True, acted=frozenset({1}))
    assert acted.verdict(play) == "SA-15"
    others = single_pack_rum([SPLASH, "2d"], drawn="draw", splash=True, acted=frozenset({2}))
    assert others.verdict(play) == LEGAL
    assert splashing().make("meld 4c 5c 6c").verdict("splash 9h 9d 9s discard Kh") == "SA-15"


@clause("SA-15")
def test_sa_15_all_the_hand_or_all_but_one() -> None:
    at = splashing()
    assert at.verdict("splash 4c 5c 6c | 9h 9d 9s") == "SA-15"
    assert at.verdict("splash 4c 5c 6c discard Kh") == "SA-15"
    assert splashing("4c 5c 6c 9h 9d 9s").verdict("splash 4c 5c 6c | 9h 9d 9s") == LEGAL


@clause("SA-16")
def test_sa_16_combinations_of_any_number_and_length() -> None:
    for hand in ("2c 3c 4c 5c 6c 7c 8c", "4c 5c 6c 9h 9d 9s 9c", "2c 3c 4c 5h 6h 7h Js Qs Ks"):
        assert splashing(hand).listed("splash"), hand
    assert splashing("2c 3c 4c 5c 6c 7c 8c").verdict("splash 2c 3c 4c 5c 6c 7c 8c") == LEGAL
    assert splashing("2c 3c 4c 5c 6c 7c 8c").verdict("splash 2c 3c 4c | 6c 7c 8c discard 5c") == LEGAL


@clause("SA-17", "SA-13")
@pytest.mark.parametrize(("settlement", "points"), [("zero_sum", (36, -6, -30)), ("winner_credit", (36, 0, 0))])
def test_sa_17_pips_count_twice_in_either_settlement(settlement: str, points: tuple[int, ...]) -> None:
    at = single_pack_rum([SPLASH, "3d", "Kd 2d"], drawn="draw", splash=True, settlement=settlement)
    assert at.make("splash 4c 5c 6c | 9h 9d 9s discard Kh").points == points


@clause("SA-27")
def test_sa_27_a_splash_is_one_play_after_the_draw_and_never_inferred() -> None:
    before = single_pack_rum(["4c 5c 6c 9h 9d 9s", "2d"], splash=True)
    assert before.verdict("splash 4c 5c 6c | 9h 9d 9s") == "S10"
    at = splashing(table_actions="free")
    other_plays = at.make("meld 4c 5c 6c", "meld 9h 9d 9s", "discard Kh")
    assert (other_plays.ending, other_plays.state.splash, other_plays.points) == ("out", False, (2, -2))


@clause("SA-28", "SA-15")
def test_sa_28_additions_by_option_and_one_combination_from_the_hand() -> None:
    melds = ((2, "Td Jd Qd"), (2, "3c 3d 3h"))
    at = splashing("4c 5c 6c Kd Ad 3s 9h", melds, splash_layoffs=True)
    for play in ("splash 4c 5c 6c | m1 Kd Ad | m2 3s discard 9h", "splash 4c 5c 6c | m1 Ad Kd | m2 3s discard 9h"):
        assert at.verdict(play) == LEGAL
    assert at.verdict("splash 4c 5c 6c | m1 Kd | m1 Ad | m2 3s discard 9h") == LEGAL, "one combination named twice"
    assert at.listed("splash") == {"splash 4c 5c 6c | m1 Kd Ad | m2 3s discard 9h"}
    only_adding = splashing("Kd Ad 3s 9h", melds, splash_layoffs=True)
    assert only_adding.verdict("splash m1 Kd Ad | m2 3s discard 9h") == "SA-28"
    assert not only_adding.listed("splash")
    assert splashing("Kd Ad 3s 9h", melds).verdict("splash m1 Kd Ad | m2 3s discard 9h") == "SA-15", "the first row"


@clause("SA-28", "SA-10", "SA-9", "S9", "XA-7")
def test_sa_28_what_a_splash_lays_must_fit_in_whatever_order_it_is_named() -> None:
    melds = ((2, "Qd Kd Ad"), (2, "3c 3d 3h"))
    at = splashing("4c 5c 6c 2d 9h Kh", melds, splash_layoffs=True)
    assert at.verdict("splash 4c 5c 6c | m1 2d | m2 9h discard Kh") == "SA-9"
    assert at.verdict("splash 4c 5c 6c | m2 9h | m1 2d discard Kh") == "SA-9"
    only_for_its_ace = splashing("4c 5c 6c 2d Kh", melds, splash_layoffs=True)
    assert only_for_its_ace.verdict("splash 4c 5c 6c | m1 2d discard Kh") == "SA-10"
    wrong = splashing("Kc Ac 2c 5h 6h 8h 9s")
    for play in ("splash Kc Ac 2c | 5h 6h 8h discard 9s", "splash 5h 6h 8h | Kc Ac 2c discard 9s"):
        assert wrong.verdict(play) == "S9"
    assert splashing("Kc Ac 2c 5h 6h 7h 9s").verdict("splash Kc Ac 2c | 5h 6h 7h discard 9s") == "SA-10"
    both = splashing("4c 5c 7c 2d Kh", melds, splash_layoffs=True)
    assert both.verdict("splash 4c 5c 7c | m1 2d discard Kh") == "S9", "the first row"


def test_a_splash_that_lays_nothing_down_is_none() -> None:
    at = splashing("Kh")
    assert SINGLE_PACK_RUM.impossible(at.state, Splash(1, (), (), Card("Kh"))) is not None
    for written in ("splash discard Kh", "splash | discard Kh", "splash 4c discard"):
        with pytest.raises(ValueError, match=r"group|discard"):
            at.read(written)
