"""Each clause of the Poker Rum book by id, as far as no example shows it alone."""

from itertools import combinations
from typing import Any

import pytest

from replay.rules.cards import JOKER, PACK, parse_card
from replay.rules.game import Dealt, IllegalPlayError, ImpossiblePlayError, Setting, decide
from replay.rules.options import OptionError, agree
from replay.rules.poker_rum.deadwood import deadwood
from replay.rules.poker_rum.poker_rum import POKER_RUM
from replay.rules.poker_rum.score import settle
from replay.rules.session_decide import UnseatableError, open_session
from tests.rules.book.poker_rum import OPTIONS, STOCK
from tests.rules.layout import cards
from tests.rules.layout_rums import IMPOSSIBLE, LEGAL, REST, At, poker_rum
from tests.rules.oracles.poker_rum import FORBIDDEN
from tests.rules.sittings import Sitting

clause = pytest.mark.clause
TEN = "3c 4c 5c 6c 8d 8h 8s 8c As 4d"
"""Deadwood 15."""
OTHER = "2d 5h 7s 9c Jd Kh 3s 6d Th Qs"
"""Nothing goes together: 72."""


def agreed(**given: Any) -> Any:
    return POKER_RUM.agreed(agree(POKER_RUM.options, given))


@clause("P1", "PA-1")
@pytest.mark.parametrize("ace_value", [11, 10])
def test_p1_pa_1_pip_values_of_deadwood(ace_value: int) -> None:
    values = {"A": ace_value, "K": 10, "Q": 10, "J": 10, "T": 10}
    for card in PACK:
        assert deadwood((card,), ace_value) == (values[card[0]] if card[0] in values else int(card[0])), card


@clause("PA-1")
def test_pa_1_an_ace_in_a_combination_has_no_value_and_a_stray_one_its_own() -> None:
    for hand in ("Ah 2h 3h", "Qh Kh Ah", "Ac Ad Ah"):
        assert deadwood(cards(hand), 11) == 0
    assert deadwood(cards("Ah 2h 4h"), 11) == 17, "whatever it might have served for"


@clause("P2")
@pytest.mark.parametrize(("run", "left"), [("Ac 2c 3c", 0), ("Qc Kc Ac", 0), ("Kc Ac 2c", 23), ("Qc Kc Ac 2c 3c", 5)])
def test_p2_the_ace_at_either_end_and_never_between(run: str, left: int) -> None:
    assert deadwood(cards(run), 11) == left


@clause("P2")
def test_p2_one_ace_serves_one_end_and_a_whole_suit_needs_one_ace() -> None:
    suit = cards("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc")
    assert deadwood(suit, 11) == 0
    assert deadwood(cards("Ac 2c 3c Qc Kc"), 11) == 5
    assert deadwood(cards("Ac Ac 2c 3c Qc Kc"), 11) == 0


@clause("P3", "P4", "PA-3", "PA-4", "XA-17")
@pytest.mark.parametrize("seats", range(2, 7))
def test_p3_p4_pa_4_what_a_deal_is_made_of(seats: int) -> None:
    made = POKER_RUM.make(seats, agreed())
    assert dict(made.copies) == dict.fromkeys(PACK, 1 if seats <= 3 else 2)
    assert made.copies[JOKER] == 0
    assert made.hand_size == 10
    assert made.copies.total() - 10 * seats - 1 == STOCK[seats]


@clause("PA-3")
def test_pa_3_two_to_six_play() -> None:
    for seats in range(9):
        if 2 <= seats <= 6:
            open_session(POKER_RUM, seats=seats, options={}, mode="dealt", public=True, owner="organiser")
        else:
            with pytest.raises(UnseatableError):
                open_session(POKER_RUM, seats=seats, options={}, mode="dealt", public=True, owner="organiser")


@clause("P3", "P4", "PA-4")
def test_p3_p4_other_deals_are_no_deals() -> None:
    for second, upcard in ((OTHER[3:], "Ks"), (f"{OTHER} Ac", "Ks"), (OTHER.replace("2d", "As"), "Ks"), (OTHER, "As")):
        with pytest.raises(ImpossiblePlayError):
            Sitting(2, game=POKER_RUM).deal([cards(TEN), cards(second)], parse_card(upcard))
    with pytest.raises(ImpossiblePlayError):
        Sitting(2, game=POKER_RUM).deal([cards(TEN), (*cards(OTHER[3:]), JOKER)], parse_card("Ks"))
    Sitting(2, game=POKER_RUM).deal([cards(TEN), cards(OTHER)], parse_card("Ks"))


@clause("PA-5", "PA-6", "XA-12")
@pytest.mark.parametrize("dealer", [1, 2, 3])
def test_pa_5_pa_6_the_start_of_a_deal(dealer: int) -> None:
    hands = tuple(map(cards, (TEN, OTHER, REST)))
    setting = Setting(agreed(), 1, dealer, (0, 0, 0))
    at = At(POKER_RUM, POKER_RUM.start(setting, Dealt(hands, parse_card("Ks"), cards("2h"))))
    assert at.seen.upcard == "Ks"
    assert at.turn == dealer % 3 + 1
    assert at.listed() == {"draw", "take"}
    taken = at.make("take")
    assert "Ks" in taken.hand(at.turn)
    assert taken.seen.discard_count == 0


@clause("PA-6", "P8")
def test_pa_6_play_and_deal_go_to_the_left() -> None:
    at = poker_rum([TEN, OTHER, REST], stock="2h 3h 4h 5h")
    turns = []
    for _ in range(4):
        turns.append(at.turn)
        at = at.make("draw", f"discard {cards('2h 3h 4h 5h')[len(turns) - 1]}")
    assert turns == [1, 2, 3, 1]
    sitting = Sitting(2, game=POKER_RUM)
    dealers = []
    for _ in range(3):
        sitting.deal([cards(f"{TEN[:-2]}9d"), cards(OTHER)], parse_card("Ks"), cards("Qh"))
        dealers.append(sitting.deal_on.dealer)
        seat = dealers[-1] % 2 + 1
        sitting.play(POKER_RUM.read_play(seat, "draw", []))
        sitting.play(POKER_RUM.read_play(seat, "show", ["Qh"]), irregular=True)
    assert dealers == [2, 1, 2]


@clause("P6", "P7")
@pytest.mark.parametrize(("hand", "left"), [("7c 7d", 14), ("7c 7d 7h", 0), ("7c 8c", 15), ("7c 8c 9c", 0)])
def test_p6_p7_three_make_a_combination_two_are_deadwood(hand: str, left: int) -> None:
    assert deadwood(cards(hand), 11) == left


@clause("P6", "PA-7")
def test_p6_pa_7_groups_and_runs_of_any_size() -> None:
    for hand in ("9c 9d 9h 9s", "9c 9c 9d 9h 9s", "9c 9c 9d 9d 9h 9h 9s 9s", "9c 9c 9d", "2c 3c 4c 5c 6c 7c 8c 9c Tc"):
        assert deadwood(cards(hand), 11) == 0, hand


@clause("PA-8")
def test_pa_8_a_run_has_each_rank_once_and_one_suit() -> None:
    assert deadwood(cards("5h 5h 6h 7h"), 11) == 5
    assert deadwood(cards("5h 6h 6h 7h 8h"), 11) == 6
    assert deadwood(cards("5h 6d 7h"), 11) == 18
    assert deadwood(cards("5h 5h 6h 6h 7h 7h"), 11) == 0, "two equal runs"
    assert deadwood(cards("5h 6h 7h 7h 8h 9h"), 11) == 0
    assert deadwood(cards("5h 6h 6h 7h 7h 8h"), 11) == 0, "two runs side by side"


@clause("PA-9")
def test_pa_9_a_card_serves_one_combination() -> None:
    assert deadwood(cards("7c 7d 7h 8h 9h"), 11) == 14, "the group leaves 17, the run 14"


@clause("P5", "P9", "PA-2")
@pytest.mark.parametrize(("left", "may"), [("4d As", True), ("5d As", False), ("4d Td", True), ("5d Jd", True)])
def test_p5_p9_pa_2_fifteen_itself_is_enough(left: str, may: bool) -> None:
    at = poker_rum([f"3c 4c 5c 6c 8d 8h 8s 8c {left} Kh"], drawn="draw")
    assert at.verdict("show Kh") == (LEGAL if may else "P9")


@clause("PA-2")
@pytest.mark.parametrize("limit", [0, 13, 14, 15, 16, 100])
def test_pa_2_the_limit_by_option(limit: int) -> None:
    at = poker_rum([f"{TEN} Kh"], drawn="draw", call_limit=limit)
    assert at.verdict("show Kh") == (LEGAL if limit >= 15 else "P9")
    if limit < 15:
        refusal = POKER_RUM.forbidden(at.state, at.read("show Kh"))
        assert refusal is not None
        assert "15" in refusal.detail
        assert str(limit) in refusal.detail


@clause("P8")
def test_p8_one_card_drawn_and_one_discarded() -> None:
    at = poker_rum([TEN, OTHER], pile="2c", stock="Kh Kd")
    assert at.listed() == {"draw", "take"}
    assert {at.verdict(f"discard {card}") for card in cards(TEN)} == {"P8"}
    assert at.verdict("show As") == "P8"
    drawn = at.make("draw")
    assert {drawn.verdict("draw"), drawn.verdict("take")} == {"P8"}
    assert len(drawn.hand()) == 11
    over = drawn.make("discard Kh")
    assert (over.turn, over.hand(), over.seen.upcard) == (2, tuple(sorted(cards(TEN))), "Kh")
    assert over.make("take").hand(2) == tuple(sorted(cards(f"{OTHER} Kh")))


@clause("P8", "PA-11")
def test_p8_nothing_out_of_turn() -> None:
    at = poker_rum([OTHER, f"{TEN}"], stock="Kh")
    for play in ("draw", "take", "discard As", "show As"):
        assert at.verdict(play, seat=2) == "P8"
    assert at.verdict("show Kd", seat=2) == IMPOSSIBLE, "possible comes before forbidden"
    assert POKER_RUM.legal(at.state, 2) == ()


@clause("PA-18", "XA-1")
def test_pa_18_the_discards_become_the_stock() -> None:
    at = poker_rum([TEN, OTHER], pile="2c Kd Qh", stock="").make("draw")
    assert "2c" in at.hand()
    assert (at.seen.stock_count, at.seen.discard_count) == (2, 0)


@clause("PA-19", "PA-23", "XA-4")
def test_pa_19_pa_23_only_the_card_taken_and_only_in_this_turn() -> None:
    at = poker_rum([TEN, OTHER], pile="4h", stock="Kh").make("take")
    assert {at.verdict("discard 4h"), at.verdict("show 4h")} == {"XA-4"}
    assert not {"discard 4h", "show 4h"} & at.listed()
    later = at.make("discard 4d", "draw", "discard Kh", "take")
    assert later.verdict("discard 4h") == LEGAL
    assert poker_rum([TEN, OTHER], stock="4h").make("draw").verdict("discard 4h") == LEGAL, "a drawn card may go"
    free = poker_rum([TEN, OTHER], pile="4h", may_discard_taken_card=True).make("take")
    assert {free.verdict("discard 4h"), free.verdict("show 4h")} == {LEGAL}


@clause("P9", "PA-12", "XA-16")
def test_p9_pa_12_a_show_above_the_limit_is_refused_and_costs_nothing() -> None:
    at = poker_rum([OTHER, TEN], stock="Kc").make("draw")
    before = at.state
    with pytest.raises(IllegalPlayError) as refused:
        decide(POKER_RUM, at.state, at.read("show Kc"))
    assert refused.value.clause == "P9"
    assert at.state == before
    assert at.make("discard Kc").turn == 2


@clause("PA-11")
def test_pa_11_a_discard_is_made_even_if_all_eleven_match() -> None:
    at = poker_rum(["3c 4c 5c 6c 8d 8h 8s 8c 2c 2h 2s", OTHER], drawn="draw")
    assert deadwood(at.hand(), 11) == 0
    with pytest.raises(ValueError, match="show"):
        at.read("show")
    shown = at.make("show 6c")
    assert (shown.ending, shown.seen.upcard) == ("shown", "6c")
    assert shown.points == (72, -72), "no bonus for zero"


@clause("PA-22", "P9")
def test_pa_22_nobody_must_show() -> None:
    at = poker_rum([TEN, OTHER], stock="Kc Kd").make("draw")
    assert {"show Kc", "discard Kc"} <= at.listed()
    assert at.make("discard Kc").ending is None


@clause("P10", "P12", "PA-13")
def test_p10_a_show_ends_the_deal_at_once() -> None:
    shown = poker_rum([TEN, OTHER], stock="Kc").make("draw", "show Kc")
    assert shown.ending == "shown"
    assert shown.state.last == 1
    assert [POKER_RUM.legal(shown.state, seat) for seat in (1, 2)] == [(), ()]
    assert shown.points == (72 - 15, 15 - 72)


@clause("P12", "PA-10")
def test_p12_every_hand_counts_at_its_best() -> None:
    other = "8c 8d 8h 8s 9s Ts 3d 3h 3c Ah"
    shown = poker_rum(["2c 4d 5c 6c 7c 9d 9h 9c Kc Qc Jc", other], drawn="draw").make("show 4d")
    assert shown.points == (9, -9), "2 against 11; with four eights laid together it would be 30"


@clause("P12", "PA-10", "PA-16")
def test_p12_a_payment_shows_the_cards_that_it_is_for() -> None:
    other = "8c 8d 8h 8s 9s Ts 3d 3h 3c Ah"
    shown = poker_rum(["2c 4d 5c 6c 7c 9d 9h 9c Kc Qc Jc", other], drawn="draw").make("show 4d")
    assert [(it.unit, it.points, it.cards) for it in POKER_RUM.score(shown.state).lines] == [
        (2, -9, cards("Ah")),
        (1, 9, cards("Ah")),
    ]


@clause("P13")
def test_p13_more_than_the_winning_caller() -> None:
    assert settle((3, 10), 1, opponent_wins=False).points == (7, -7)
    assert settle((10, 3), 2, opponent_wins=False).points == (-7, 7)


@clause("P14", "PA-16")
def test_p14_pa_16_the_caller_who_is_beaten_pays_double() -> None:
    assert settle((10, 3), 1, opponent_wins=False).points == (-14, 14)
    assert settle((20, 10, 3), 2, opponent_wins=False).points == (-17, -14, 31)


@clause("PA-15")
def test_pa_15_of_several_below_the_caller_only_the_lowest_wins() -> None:
    sheet = settle((14, 6, 9, 30), 1, opponent_wins=False)
    assert sheet.points == (-16, 16 + 3 + 24, -3, -24)
    assert [it.clause for it in sheet.lines if it.unit == 3] == ["PA-15"]


@clause("PA-21")
def test_pa_21_level_with_the_caller_but_not_lowest_pays_single() -> None:
    sheet = settle((14, 14, 6), 1, opponent_wins=False)
    assert sheet.points == (-16, -8, 24)
    assert [it.clause for it in sheet.lines if it.unit == 2] == ["PA-21"]


@clause("P15", "PA-17")
@pytest.mark.parametrize("caller", [1, 2, 3, 4])
def test_p15_pa_17_odd_points_go_round_from_the_callers_left_the_caller_last(caller: int) -> None:
    counts = [5, 5, 5, 5, 5]
    counts[4] = 5 + 6  # the pot is 6 among four winners: two odd points
    points = settle(tuple(counts), caller, opponent_wins=False).points
    order = [(caller + n) % 5 + 1 for n in range(5)]
    lucky = [seat for seat in order if seat != 5][:2]
    assert [seat for seat in range(1, 5) if points[seat - 1] == 2] == sorted(lucky)
    assert caller not in lucky
    assert points[4] == -6


@clause("PA-14", "PA-24")
def test_pa_14_pa_24_a_caller_who_ties_for_low() -> None:
    assert settle((9, 9), 1, opponent_wins=False).points == (0, 0)
    assert settle((9, 20, 12), 1, opponent_wins=True).points == (14, -11, -3), "alone he wins under either option"
    for counts, caller in (((9, 20, 9), 1), ((20, 9, 9), 2)):
        points = settle(counts, caller, opponent_wins=True).points
        assert points[caller - 1] == 0
        assert sum(points) == 0
    tied = poker_rum([f"{TEN} Kh", "3d 4d 5d 6d 7c 7d 7h 7s Ah 4s"], drawn="draw", caller_tie="opponent_wins")
    assert tied.make("show Kh").points == (0, 0)


@clause("PA-17")
def test_pa_17_every_settlement_sums_to_zero() -> None:
    for counts in combinations((0, 0, 1, 5, 5, 5, 8, 14), 4):
        for caller in range(1, 5):
            for opponent_wins in (False, True):
                sheet = settle(counts, caller, opponent_wins=opponent_wins)
                assert sum(sheet.points) == 0, counts
                assert all(line.points for line in sheet.lines)


@clause("PA-20", "XA-8", "XA-9", "XA-10")
def test_pa_20_a_session_is_open_and_the_highest_total_wins() -> None:
    assert POKER_RUM.agreed(agree(POKER_RUM.options, {}))[:2] == (None, None)
    assert not POKER_RUM.lowest_wins
    sitting = Sitting(3, game=POKER_RUM, totals=(5, -10, 5))
    sitting.close()
    assert sitting.session.winners == (1, 3)


@clause("PA-20", "XA-8")
def test_pa_20_deals_or_target_end_it() -> None:
    for given, over in (({"deals": 1}, True), ({"target": 57}, True), ({"target": 58}, False)):
        sitting = Sitting(2, given, game=POKER_RUM)
        sitting.deal([cards(TEN), cards(OTHER)], parse_card("Ks"), cards("Kc"))
        for play in ("draw", "show"):
            sitting.play(POKER_RUM.read_play(1, play, ["Kc"] if play == "show" else []))
        assert sitting.ended.points == (57, -57)
        assert sitting.session.winners == ((1,) if over else None)


def test_options_are_those_of_the_book() -> None:
    assert {option.name: option.default for option in POKER_RUM.options} == {
        name: default for name, (default, _) in OPTIONS.items()
    }
    for wrong in ({"ace_value": 1}, {"call_limit": -1}, {"caller_tie": "caller_wins"}, {"max_turnovers": -1}):
        with pytest.raises(OptionError):
            agree(POKER_RUM.options, wrong)


FORBIDDEN_PLAYS = {
    "out of turn, whatever else": (poker_rum([OTHER, TEN], pile="4h"), 2, {"draw", "take", "discard As", "show As"}, 1),
    "a second draw or take": (poker_rum([TEN, OTHER], pile="4h", stock="Kh Kd").make("draw"), 1, {"draw", "take"}, 2),
    "before the draw": (poker_rum([TEN, OTHER]), 1, {"discard As", "show As", "show 3c"}, 2),
    "the card taken": (poker_rum([OTHER, TEN], pile="4h").make("take"), 1, {"discard 4h", "show 4h"}, 3),
    "above the limit": (poker_rum([OTHER, TEN], stock="4h").make("draw"), 1, {"show 4h", "show 2d"}, 4),
}


@clause("P8", "P9", "XA-4")
@pytest.mark.parametrize(("at", "seat", "plays", "row"), FORBIDDEN_PLAYS.values(), ids=FORBIDDEN_PLAYS)
def test_each_row_of_the_table_of_forbidden_plays(at: At, seat: int, plays: set[str], row: int) -> None:
    assert {at.verdict(play, seat) for play in plays} == {FORBIDDEN[row - 1].clause}
