"""Each clause of the Single-Pack Rum book by id, but for those on the splash; the forbidden plays by row."""

from typing import Any

import pytest

from replay.rules.cards import JOKER, PACK, parse_card
from replay.rules.game import Dealt, Setting
from replay.rules.options import OptionError, agree
from replay.rules.session_decide import UnseatableError, open_session
from replay.rules.single_pack_rum.score import pips
from replay.rules.single_pack_rum.single_pack_rum import SINGLE_PACK_RUM
from tests.rules.book.single_pack_rum import OPTIONS, STOCK, STOCK_OF_FIVES
from tests.rules.layout import cards
from tests.rules.layout_rums import IMPOSSIBLE, LEGAL, At, single_pack_rum, splashing
from tests.rules.oracles.single_pack_rum import FORBIDDEN
from tests.rules.sittings import Sitting

clause = pytest.mark.clause


def agreed(**given: Any) -> Any:
    return SINGLE_PACK_RUM.agreed(agree(SINGLE_PACK_RUM.options, given))


@clause("S1", "S4", "S5", "SA-1", "XA-17")
@pytest.mark.parametrize("seats", range(2, 7))
def test_s1_s4_s5_what_a_deal_is_made_of(seats: int) -> None:
    made = SINGLE_PACK_RUM.make(seats, agreed())
    assert dict(made.copies) == dict.fromkeys(PACK, 1)
    assert made.copies[JOKER] == 0
    assert made.hand_size == {2: 10, 3: 7}.get(seats, 6)
    assert made.copies.total() - made.hand_size * seats - 1 == STOCK[seats]


@clause("SA-1")
@pytest.mark.parametrize("seats", range(2, 7))
def test_sa_1_by_option_five_or_six_get_five(seats: int) -> None:
    made, usual = (SINGLE_PACK_RUM.make(seats, agreed(five_six_hand=n)) for n in (5, 6))
    if seats in STOCK_OF_FIVES:
        assert made.hand_size == 5
        assert made.copies.total() - 5 * seats - 1 == STOCK_OF_FIVES[seats]
    else:
        assert made == usual


@clause("S2")
def test_s2_two_to_six_play() -> None:
    for seats in range(9):
        if 2 <= seats <= 6:
            open_session(SINGLE_PACK_RUM, seats=seats, options={}, mode="dealt", public=True, owner="organiser")
        else:
            with pytest.raises(UnseatableError):
                open_session(SINGLE_PACK_RUM, seats=seats, options={}, mode="dealt", public=True, owner="x")


@clause("S3", "SA-20", "XA-12")
def test_s3_sa_20_whoever_sits_in_the_last_seat_deals_first() -> None:
    # The cards drawn for it are no part of a session: players come in the order of their seats.
    sitting = Sitting(3, game=SINGLE_PACK_RUM)
    assert sitting.session.next_dealer == 3
    hands = [cards(f"{n}c {n}d {n}h {n}s 9{s} T{s} J{s}") for n, s in ((2, "c"), (3, "d"), (4, "h"))]
    sitting.deal(hands, parse_card("Ks"), cards("Kd"))
    assert (sitting.deal_on.dealer, sitting.deal_on.state.turn.seat) == (3, 1)


@clause("S5", "S6", "XA-12")
@pytest.mark.parametrize("dealer", [1, 2, 3])
def test_s5_s6_the_start_of_a_deal(dealer: int) -> None:
    hands = tuple(map(cards, ("2c 3c", "2d 3d", "2h 3h")))
    setting = Setting(agreed(), 1, dealer, (0, 0, 0))
    at = At(SINGLE_PACK_RUM, SINGLE_PACK_RUM.start(setting, Dealt(hands, parse_card("Ks"), cards("4s"))))
    assert (at.seen.upcard, at.seen.stock_count) == ("Ks", 1)
    assert at.turn == dealer % 3 + 1
    assert at.listed() == {"draw", "take"}


@clause("S6")
def test_s6_the_upcard_or_an_unseen_card_of_the_stock_and_then_the_next_to_the_left() -> None:
    at = single_pack_rum(["2c 3c", "2d 3d", "2h 3h"], pile="Ks", stock="4s 5s 6s")
    assert "Ks" in at.make("take").hand()
    drawn = at.make("draw")
    assert "4s" in drawn.hand()
    assert drawn.view(2).hands[0] is None
    assert drawn.view().hands == (None, None, None)
    assert {drawn.verdict("draw"), drawn.verdict("take")} == {"S6"}
    turns = [drawn.turn]
    for play in ("discard 4s", "draw", "discard 5s", "draw", "discard 6s"):
        drawn = drawn.make(play)
        turns.append(drawn.turn)
    assert turns == [1, 2, 2, 3, 3, 1]


@clause("S7", "S10", "SA-6")
@pytest.mark.parametrize("draw", ["draw", "take"])
def test_s7_a_layout_may_and_a_discard_must_follow_whichever_card_came(draw: str) -> None:
    at = single_pack_rum(["4c 5c 6c 9h", "2d"], pile="Jd", stock="Js")
    assert at.verdict("discard 9h") == "S7"
    assert {at.verdict("meld 4c 5c 6c"), at.verdict("lay_off m1 9h")} == {"S10", IMPOSSIBLE}
    drawn = at.make(draw)
    assert {"meld 4c 5c 6c", "discard 9h"} <= drawn.listed()
    assert drawn.make("discard 9h").turn == 2, "he need not lay out, nor use the card taken"
    laid = drawn.make("meld 4c 5c 6c")
    assert laid.turn == 1, "the turn ends with the discard"
    assert laid.make("discard 9h").turn == 2


@clause("S8")
def test_s8_only_the_top_discard_can_be_taken() -> None:
    at = single_pack_rum(["2c 9h", "2d 8s"], pile="5h Jd", stock="Js Qs").make("draw", "discard 9h")
    assert at.seen.upcard == "9h"
    taken = at.make("take")
    assert "9h" in taken.hand(2)
    assert taken.seen.upcard == "Jd"


@clause("SA-18", "XA-4", "SA-24")
def test_sa_18_the_card_taken_stays_for_this_turn() -> None:
    at = single_pack_rum(["2c 9h 4c 5c 6c", "2d 8s"], pile="Jd", stock="Js Qs").make("take")
    assert at.verdict("discard Jd") == "XA-4"
    assert "discard Jd" not in at.listed()
    assert at.make("meld 4c 5c 6c").verdict("discard Jd") == "XA-4", "there are others left"
    assert at.make("discard 2c", "draw", "discard Js", "draw").verdict("discard Jd") == LEGAL
    free = single_pack_rum(["2c 9h", "2d 8s"], pile="Jd", may_discard_taken_card=True).make("take")
    assert free.verdict("discard Jd") == LEGAL


@clause("SA-24")
def test_sa_24_the_only_card_left_goes_only_after_a_table_action() -> None:
    # Irregular discards could leave nothing but the card taken.
    assert single_pack_rum(["Jd", "2d"], pile="5s", drawn="take Jd").verdict("discard Jd") == "XA-4"


@clause("S9", "SA-9", "S1")
@pytest.mark.parametrize("meld", ["7c 7d 7h", "7c 8c 9c", "9c 7c 8c", "Ac 2c 3c", "Qc Kc Ac", "Jc Qc Kc", "Ac Ad Ah"])
def test_s9_three_of_a_kind_or_in_sequence_and_suit(meld: str) -> None:
    at = single_pack_rum([f"{meld} 4d", "2d"], drawn="draw")
    assert at.verdict(f"meld {meld}") == LEGAL
    assert sorted(at.make(f"meld {meld}").laid()) == sorted(cards(meld))


@clause("S9", "SA-9")
@pytest.mark.parametrize("meld", ["7c", "7c 7d", "7c 8c", "7c 7d 8c", "7c 8c Tc", "7c 8d 9c", "Kc Ac 3c", "Jc Kc Ac"])
def test_s9_what_is_no_combination(meld: str) -> None:
    hand = f"{meld} 4d 4h"
    assert single_pack_rum([hand, "2d"], drawn="draw").verdict(f"meld {meld}") == "S9"
    assert single_pack_rum([hand, "2d"], drawn="draw", table_actions="free").verdict(f"meld {meld}") == "S9"


@clause("SA-10")
@pytest.mark.parametrize("meld", ["Kc Ac 2c", "Qc Kc Ac 2c", "Kc Ac 2c 3c", "2c Kc Ac"])
def test_sa_10_no_ace_between_king_and_deuce(meld: str) -> None:
    at = single_pack_rum([f"{meld} 4d", "2d"], drawn="draw", table_actions="free")
    assert at.verdict(f"meld {meld}") == "SA-10"


@clause("SA-9")
def test_sa_9_runs_grow_at_both_ends_to_any_length_and_groups_to_four() -> None:
    at = single_pack_rum(["4c 8c 9c 2s", "2d"], [(1, "5c 6c 7c")], drawn="draw", table_actions="free")
    long = at.make("lay_off m1 8c", "lay_off m1 4c", "lay_off m1 9c")
    assert long.laid() == cards("4c 5c 6c 7c 8c 9c")
    whole = single_pack_rum(["Ac 2s 3s", "2d"], [(1, "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc")], drawn="draw")
    assert len(whole.make("lay_off m1 Ac").laid()) == 13
    group = single_pack_rum(["7s 8c 7c 2s", "2d"], [(1, "7c 7d 7h")], drawn="draw")
    assert group.verdict("lay_off m1 7s") == LEGAL
    assert group.verdict("lay_off m1 8c") == "SA-9"


@clause("SA-2", "SA-3", "SA-25")
def test_sa_25_what_two_actions_may_be() -> None:
    hand = "4c 5c 6c Td Jd 9s 9c 2h 3h"
    melds = [(1, "9d 9h 9s"), (2, "7d 8d 9d"), (2, "Js Jh Jc")]
    at = single_pack_rum([hand, "2d", "3d"], melds, drawn="draw")
    firsts = {"own": "lay_off m1 9c", "other": "lay_off m2 Td", "layout": "meld 4c 5c 6c"}
    seconds = {"own": "lay_off m1 9c", "other": "lay_off m3 Jd", "layout": "meld 4c 5c 6c"}
    may = {("own", "other"), ("own", "layout"), ("other", "own"), ("layout", "own")}
    for first, play in firsts.items():
        after = at.make(play)
        for second, other in seconds.items():
            if first == second != "other":
                continue  # the same cards cannot go twice
            allowed = LEGAL if (first, second) in may else "SA-25"
            assert after.verdict(other) == allowed, (first, second)
    third = at.make("meld 4c 5c 6c", "lay_off m1 9c")
    assert third.verdict("lay_off m2 Td") == "SA-25"


@clause("SA-25", "SA-22")
def test_sa_25_two_to_his_own_and_no_third() -> None:
    at = single_pack_rum(["4c 8c 9c 2s", "2d"], [(1, "5c 6c 7c")], drawn="draw").make("lay_off m1 8c", "lay_off m1 9c")
    assert at.verdict("lay_off m1 4c") == "SA-25"


@clause("SA-25")
def test_sa_25_a_combination_laid_in_this_turn_is_his_own() -> None:
    at = single_pack_rum(["4c 5c 6c 7c 2s", "2d"], drawn="draw").make("meld 4c 5c 6c", "lay_off m1 7c")
    assert at.laid() == cards("4c 5c 6c 7c")


@clause("SA-25")
def test_sa_25_every_turn_counts_afresh() -> None:
    at = single_pack_rum(["4c 8c 9c 2s 3s", "2d"], [(1, "5c 6c 7c")], drawn="draw", stock="Jh Qh Kh Ah")
    later = at.make("lay_off m1 8c", "lay_off m1 9c", "discard 2s", "draw", "discard Jh", "draw")
    assert later.verdict("lay_off m1 4c") == LEGAL


@clause("SA-3")
@pytest.mark.parametrize("first", ["lay_off m1 9c", "lay_off m2 Td", "meld 4c 5c 6c"])
def test_sa_3_exclusive_is_one_action_of_any_kind(first: str) -> None:
    melds = [(1, "9d 9h 9s"), (2, "7d 8d 9d"), (2, "Js Jh Jc")]
    at = single_pack_rum(["4c 5c 6c Td Jd 9c 2h", "2d"], melds, drawn="draw", table_actions="exclusive").make(first)
    others = {"lay_off m1 9c", "lay_off m2 Td", "lay_off m3 Jd", "meld 4c 5c 6c"} - {first}
    assert {at.verdict(play) for play in others} == {"SA-3"}
    assert at.listed() == {f"discard {card}" for card in at.hand()}


@clause("SA-4")
def test_sa_4_one_card_to_others_in_all() -> None:
    melds = [(2, "7d 8d 9d"), (3, "Js Jh Jc")]
    at = single_pack_rum(["Td Jd 2h 3h", "2d", "3d"], melds, drawn="draw").make("lay_off m1 Td")
    assert at.verdict("lay_off m2 Jd") == "SA-25", "not one for each combination"


@clause("SA-26")
def test_sa_26_free_is_any_number_in_any_order() -> None:
    melds = [(2, "7d 8d 9d"), (2, "Js Jh Jc")]
    at = single_pack_rum(["4c 5c 6c 7c Td Jd 9s 9c 9h 2h", "2d"], melds, drawn="draw", table_actions="free")
    done = at.make("lay_off m1 Td", "meld 4c 5c 6c 7c", "lay_off m2 Jd", "meld 9c 9h 9s")
    assert done.hand() == ("2h",)
    assert done.make("discard 2h").ending == "out"


@clause("SA-5", "SA-22")
def test_sa_5_sa_22_whose_combination_it_is() -> None:
    melds = [(2, "7d 8d 9d")]
    at = single_pack_rum(["Td 2s 3s", "Jd Qd 4c", "6d"], melds, drawn="draw", stock="Ac Ah As").make("lay_off m1 Td")
    assert at.state.melds[0].seat == 2, "who adds does not come to own it"
    owner = at.make("discard 2s", "draw", "lay_off m1 Jd", "lay_off m1 Qd")
    assert owner.laid() == cards("7d 8d 9d Td Jd Qd")


@clause("SA-21")
def test_sa_21_an_addition_names_one_combination() -> None:
    at = single_pack_rum(["9c 2d"], [(2, "9h 9d 9s")], drawn="draw")
    for wrong in ("lay_off 9c", "lay_off m1", "lay_off 1 9c", "lay_off m0 9c", "lay_off m1 9c 2d"):
        with pytest.raises(ValueError, match=r"does not go|no combination's label"):
            at.read(wrong)


@clause("S11", "SA-8", "SA-7")
@pytest.mark.parametrize("owner", [1, 2])
def test_sa_8_the_last_card_may_be_added(owner: int) -> None:
    finished = single_pack_rum(["Td", "Kc 2h"], [(owner, "7d 8d 9d")], drawn="draw").make("lay_off m1 Td")
    assert (finished.ending, finished.state.last, finished.points) == ("out", 1, (15, -15))


@clause("S11")
def test_s11_a_discard_of_the_last_card_is_out_too() -> None:
    finished = single_pack_rum(["Td", "Kc 2h"], drawn="draw").make("discard Td")
    assert (finished.ending, finished.state.last) == ("out", 1)


@clause("S13", "SA-11", "SA-12")
def test_s13_pip_values() -> None:
    values = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}
    for card in PACK:
        assert pips(card) == (values[card[0]] if card[0] in values else int(card[0]))
    left = single_pack_rum(["6s", "Ah Kh Qh", ""], [(3, "2c 3c 4c")], drawn="draw").make("discard 6s")
    assert left.points == (26, -26, 0), "an ace counts 1 beside a king; what lies on the table counts nothing"


@clause("SA-13")
def test_sa_13_each_loser_pays_or_the_winner_is_credited() -> None:
    hands = ["6s", "Kc 2h", "", "3d"]
    paid = single_pack_rum(hands, drawn="draw").make("discard 6s")
    assert paid.points == (18, -15, 0, -3)
    lines = SINGLE_PACK_RUM.score(paid.state).lines
    assert [(it.unit, it.points, it.clause, it.other) for it in lines] == [
        (2, -15, "SA-13", 1),
        (1, 15, "S13", 2),
        (4, -3, "SA-13", 1),
        (1, 3, "S13", 4),
    ]
    credited = single_pack_rum(hands, drawn="draw", settlement="winner_credit").make("discard 6s")
    assert credited.points == (18, 0, 0, 0)


@clause("SA-23", "XA-8", "XA-9", "XA-10")
def test_sa_23_a_session_is_open_and_the_highest_total_wins() -> None:
    assert agreed()[:2] == (None, None)
    assert not SINGLE_PACK_RUM.lowest_wins
    sitting = Sitting(4, game=SINGLE_PACK_RUM, totals=(5, -10, 5, 0))
    sitting.close()
    assert sitting.session.winners == (1, 3)


def test_options_are_those_of_the_book() -> None:
    assert {option.name: option.default for option in SINGLE_PACK_RUM.options} == {
        name: default for name, (default, _) in OPTIONS.items()
    }
    for wrong in ({"five_six_hand": 7}, {"table_actions": "any"}, {"settlement": "both"}, {"splash": 1}):
        with pytest.raises(OptionError):
            agree(SINGLE_PACK_RUM.options, wrong)


TABLE = ((1, "9d 9h 9s"), (2, "7d 8d 9d"), (2, "Qh Kh Ah"))
HAND = "4c 5c 6c 7c Td 2h 9c Ks"
FREE = splashing(HAND, TABLE, table_actions="free", acted=frozenset())
FORBIDDEN_PLAYS: dict[str, tuple[At, dict[str, int]]] = {
    "out of turn": (
        single_pack_rum(["2d", HAND], TABLE, splash=True),
        {"draw": 1, "take": 1, "discard 4c": 1, "meld 4c 5c 6c": 1, "lay_off m2 Td": 1, "splash 4c 5c 6c": 1},
    ),
    "before the draw": (
        single_pack_rum([HAND], TABLE, splash=True),
        {"discard 4c": 2, "meld 4c 5c 6c": 3, "meld 4c 5c Ks": 3, "lay_off m2 Td": 3, "splash 4c 5c 6c": 3},
    ),
    "after the draw": (FREE, {"draw": 1, "take": 1}),
    "splash off": (splashing(HAND, TABLE, splash=False), {"splash 4c 5c 6c 7c": 4, "splash 4c 5c Ks": 4}),
    "a spoilt splash": (
        splashing(HAND, TABLE, acted=frozenset()),
        {
            "splash 4c 5c 6c 7c": 5,
            "splash 4c 5c Ks": 5,
            "splash 4c 5c 6c 7c | m2 Td | m1 9c": 5,
            "splash m2 Td 9c 4c 5c 6c 7c 2h discard Ks": 5,
        },
    ),
    "a splash without a combination": (
        splashing(HAND, TABLE, acted=frozenset(), splash_layoffs=True),
        {"splash m2 Td 9c 4c 5c 6c 7c 2h discard Ks": 6, "splash m2 Td 9c 4c 5c 6c 7c 2h": 5},
    ),
    "no combination": (
        splashing(HAND, TABLE, acted=frozenset(), splash_layoffs=True),
        {"meld 4c 5c Ks": 7, "meld 4c 5c 6c Ks": 7, "splash 4c 5c 6c 7c | Td 2h 9c discard Ks": 7},
    ),
    "an ace between": (splashing("Ks As 2s 3s 9c"), {"meld Ks As 2s": 8, "meld Ks As 2s 3s": 8}),
    "a long layout": (splashing(HAND, TABLE), {"meld 4c 5c 6c 7c": 9}),
    "what does not fit": (
        splashing(HAND, TABLE, acted=frozenset(), splash_layoffs=True),
        {"lay_off m2 Ks": 10, "splash 4c 5c 6c 7c | m2 Td 2h 9c discard Ks": 10},
    ),
    "next to an ace": (
        splashing(HAND, TABLE, acted=frozenset(), splash_layoffs=True),
        {"lay_off m3 2h": 11, "splash 4c 5c 6c 7c | m2 Td | m1 9c | m3 2h discard Ks": 11},
    ),
    "beyond the limit": (splashing(HAND, TABLE).make("meld 4c 5c 6c"), {"lay_off m2 Td": 12, "lay_off m2 Ks": 10}),
    "beyond one action": (
        splashing(HAND, TABLE, table_actions="exclusive").make("meld 4c 5c 6c"),
        {"lay_off m2 Td": 13, "lay_off m1 9c": 13, "lay_off m2 Ks": 10},
    ),
    "the card taken": (single_pack_rum([HAND], pile="Jd").make("take"), {"discard Jd": 14}),
}


@clause("S6", "S7", "S10", "SA-14", "SA-15", "SA-28", "S9", "SA-10", "SA-9", "SA-25", "SA-3", "XA-4")
@pytest.mark.parametrize(("at", "plays"), FORBIDDEN_PLAYS.values(), ids=FORBIDDEN_PLAYS)
def test_each_row_of_the_table_of_forbidden_plays(at: At, plays: dict[str, int]) -> None:
    seat = 2 if at.seen.counts[0] == 1 else 1
    for play, row in plays.items():
        assert at.verdict(play, seat) == FORBIDDEN[row - 1].clause, play
