"""The examples of the Poker Rum book by id: hands and their deadwood, settlements, procedure; and the printed one."""

from typing import NamedTuple

import pytest

from replay.rules.poker_rum.deadwood import arrangement, deadwood, shows
from replay.rules.poker_rum.score import settle
from replay.rules.scores import Sheet
from tests.rules.layout import cards
from tests.rules.layout_rums import LEGAL, poker_rum
from tests.rules.oracles import poker_rum as oracle

clause = pytest.mark.clause


class Hand(NamedTuple):
    """One row of the book's table of hands."""

    hand: str
    combinations: str
    """Separated by strokes."""
    deadwood: int
    may_show: bool
    packs: int = 1


HANDS = {
    "PE-1": Hand("6h 7h 8h 9h Jc Qc Kc 2d 2s 5d", "6h 7h 8h 9h | Jc Qc Kc", 9, True),
    "PE-2": Hand("3c 4c 5c 6c 8d 8h 8s 8c As 4d", "3c 4c 5c 6c | 8c 8d 8h 8s", 15, True),
    "PE-4": Hand("7s 7h 7d 5d 6d 2c 3c 4c 9s Ah", "7d 7h 7s | 2c 3c 4c", 31, False),
    "PE-5": Hand("Ks Ks Kh Kd Kc 3h 4h 5h 9c 2d", "Kc Kd Kh Ks Ks | 3h 4h 5h", 11, True, packs=2),
    "PE-7": Hand("5h 5h 6h 6h 7h 7h 9c 9d 9s 3s", "5h 6h 7h | 5h 6h 7h | 9c 9d 9s", 3, True, packs=2),
    "PE-8": Hand("Kd Ad 2d 4s 4h 4c 8s 9s Ts 3h", "4c 4h 4s | 8s 9s Ts", 26, False),
    "PE-10": Hand("Ah 2h 3h Jh Qh Kh Ah 6c 7c 8c", "Ah 2h 3h | Jh Qh Kh Ah | 6c 7c 8c", 0, True, packs=2),
    "PE-11": Hand("8c 8d 8h 8s 9s Ts 3d 3h 3c Ah", "8c 8d 8h | 8s 9s Ts | 3c 3d 3h", 11, True),
    "PE-14": Hand("6s 6h 6d 7d 8d 9d Js Qs Ks As", "6d 6h 6s | 7d 8d 9d | Js Qs Ks As", 0, True),
}


@clause("P1", "P2", "P6", "P7", "PA-7", "PA-8", "PA-9", "PA-10", "PA-1")
@pytest.mark.parametrize("row", HANDS.values(), ids=HANDS)
def test_hand_has_the_deadwood_of_the_table(row: Hand) -> None:
    hand = cards(row.hand)
    assert deadwood(hand, 11) == oracle.deadwood(hand, 11) == row.deadwood
    laid, left = arrangement(hand, 11)
    assert sorted(laid) == sorted(cards(combination) for combination in row.combinations.split(" | "))
    assert sorted([*(card for some in laid for card in some), *left]) == sorted(hand)


@clause("P9", "PA-2")
@pytest.mark.parametrize("row", HANDS.values(), ids=HANDS)
def test_hand_may_show_or_not(row: Hand) -> None:
    # The discard is a card that goes with nothing here: the king or the queen of another suit.
    discard = next(card for card in cards("Qs Qh Qd Kh") if card not in cards(row.hand))
    at = poker_rum([f"{row.hand} {discard}", *[""] * (row.packs + 1)], drawn="draw", pile="")
    assert (at.verdict(f"show {discard}") == LEGAL) == row.may_show
    assert (f"show {discard}" in at.listed()) == row.may_show


@clause("PA-2", "PA-1")
def test_pe_2_under_the_strict_limit_and_with_aces_at_ten() -> None:
    hand = HANDS["PE-2"].hand
    assert poker_rum([f"{hand} Qs"], drawn="draw", call_limit=14).verdict("show Qs") == "P9"
    assert deadwood(cards(hand), 10) == 14
    assert poker_rum([f"{hand} Qs"], drawn="draw", call_limit=14, ace_value=10).verdict("show Qs") == LEGAL


@clause("PA-10")
def test_pe_4_and_pe_11_the_obvious_arrangement_is_not_the_best() -> None:
    assert 31 == deadwood(cards(HANDS["PE-4"].hand), 11) < 34, "5-7d would leave 34"
    assert 11 == deadwood(cards(HANDS["PE-11"].hand), 11) < 30, "four eights would leave 30"


@clause("P2")
def test_pe_8_king_ace_deuce_is_no_sequence() -> None:
    laid, left = arrangement(cards(HANDS["PE-8"].hand), 11)
    assert set(left) == set(cards("Kd Ad 2d 3h"))
    assert len(laid) == 2


@clause("P11", "P10", "PA-11")
def test_p11_the_printed_example() -> None:
    eleven = "6h 7h 8h 9h Jc Qc Kc Ks 2d 2s 5d"
    assert deadwood(cards(eleven), 11) == 19
    assert shows(cards(eleven), 11, 15) == {"Ks": 9, "5d": 14}
    assert shows(cards(eleven), 11, 17) == {"Ks": 9, "5d": 14, "2d": 17, "2s": 17}
    at = poker_rum([eleven.replace(" 7h", ""), "", ""], drawn="", stock="7h").make("draw")
    assert at.listed("show") == {"show Ks", "show 5d"}
    assert at.verdict("show 2d") == "P9"
    shown = at.make("show Ks")
    assert shown.ending == "shown"
    assert deadwood(shown.hand(), 11) == 9


class Payments(NamedTuple):
    """One row of the book's table of settlements. A is seat 1 and the caller."""

    deadwood: tuple[int, ...]
    winners: tuple[int, ...]
    payments: dict[int, tuple[int, str]]
    """By payer: how much, and the clause that says so."""
    points: tuple[int, ...]
    opponent_wins: bool = False


SETTLEMENTS = {
    "PE-15": Payments((9, 20, 31, 12), (1,), {2: (11, "P13"), 3: (22, "P13"), 4: (3, "P13")}, (36, -11, -22, -3)),
    "PE-16": Payments((14, 6, 20, 33), (2,), {1: (16, "PA-16"), 3: (14, "P14"), 4: (27, "P14")}, (-16, 57, -14, -27)),
    "PE-18": Payments((9, 9, 20, 12), (1, 2), {3: (11, "P13"), 4: (3, "P13")}, (7, 7, -11, -3)),
    "PE-20": Payments((13, 5, 30, 5), (2, 4), {1: (16, "PA-16"), 3: (25, "P14")}, (-16, 21, -25, 20)),
    "PE-22": Payments((7, 7, 7, 7), (1, 2, 3, 4), {}, (0, 0, 0, 0)),
    "PE-23": Payments((0, 41, 0, 15), (1, 3), {2: (41, "P13"), 4: (15, "P13")}, (28, -41, 28, -15)),
    "PE-24": Payments((12, 11), (2,), {1: (2, "PA-16")}, (-2, 2)),
    "PE-26": Payments((9, 9, 20, 12), (2,), {3: (11, "PA-24"), 4: (3, "PA-24")}, (0, 14, -11, -3), opponent_wins=True),
    "PE-30": Payments((9, 9, 9, 24), (2, 3), {4: (15, "PA-24")}, (0, 8, 7, -15), opponent_wins=True),
}


def settled(counts: tuple[int, ...], caller: int = 1, *, opponent_wins: bool = False) -> Sheet:
    """The sheet of a show-down, which must be what the formula says."""
    rules = poker_rum([""], caller_tie="opponent_wins" if opponent_wins else "divide").state.options
    sheet = settle(counts, caller, opponent_wins=opponent_wins)
    assert sheet.points == oracle.settlement(counts, caller, rules).points
    return sheet


@clause("P13", "P14", "P15", "PA-14", "PA-15", "PA-16", "PA-17", "PA-24")
@pytest.mark.parametrize("row", SETTLEMENTS.values(), ids=SETTLEMENTS)
def test_settlement_of_the_table(row: Payments) -> None:
    sheet = settled(row.deadwood, opponent_wins=row.opponent_wins)
    assert sheet.points == row.points
    assert sum(sheet.points) == 0
    paid = {line.unit: (-line.points, line.clause) for line in sheet.lines if line.points < 0}
    assert paid == row.payments
    assert sum(points for points, _ in paid.values()) == sum(it.points for it in sheet.lines if it.points > 0)
    assert {line.unit for line in sheet.lines if line.points > 0} <= set(row.winners)
    assert all(line.text for line in sheet.lines)


@clause("P13")
def test_pe_15_each_payment_is_two_lines() -> None:
    lines = settled(SETTLEMENTS["PE-15"].deadwood).lines
    assert [(it.unit, it.points, it.other) for it in lines] == [
        (2, -11, 1),
        (1, 11, 2),
        (3, -22, 1),
        (1, 22, 3),
        (4, -3, 1),
        (1, 3, 4),
    ]


@clause("PA-17", "P15")
def test_pe_20_the_odd_point_goes_to_the_first_winner_on_the_callers_left() -> None:
    lines = settled(SETTLEMENTS["PE-20"].deadwood).lines
    won = [(it.unit, it.points, it.clause) for it in lines if it.points > 0]
    assert won == [(2, 20, "P15"), (4, 20, "P15"), (2, 1, "PA-17")]


@clause("PA-13", "P12")
def test_pe_27_nothing_is_added_to_the_callers_combination() -> None:
    other = "Th 2c 3c 4c 6d 6s 6c Kd Ks Kh"
    shown = poker_rum(["6h 7h 8h 9h 8c 8d 8s 2d 3h 4h Qs", other], drawn="draw").make("show Qs")
    assert deadwood(cards(other), 11) == 10
    assert shown.points == (1, -1), "9 against 10; if Th might join 9h, B would have 0 and win"


@clause("P9", "PA-11")
def test_pe_28_the_discard_decides_what_is_shown() -> None:
    at = poker_rum(["3c 4c 5c 6c 8d 8h 8s 8c As 4d"], stock="9h").make("draw")
    assert deadwood(at.hand(), 11) == 24
    assert at.listed("show") == {"show 9h", "show As"}
    assert shows(at.hand(), 11, 15) == {"9h": 15, "As": 13}
    for card, left in (("9h", 15), ("As", 13)):
        assert deadwood(at.make(f"show {card}").hand(), 11) == left


@clause("XA-4", "PA-19", "PA-23", "XA-7")
def test_pe_29_the_card_just_taken() -> None:
    hand = "4c 5c 6c 8d 8h 8s 8c Qc Qh Qs"
    at = poker_rum([hand], pile="Kd").make("take")
    assert {at.verdict("discard Kd"), at.verdict("show Kd")} == {"XA-4"}
    assert at.verdict("discard Qs") == LEGAL
    before = poker_rum([hand.replace("8c", "Kd"), "", "", ""], pile="Kd").make("take")
    assert {before.verdict("discard Kd"), before.verdict("show Kd")} == {LEGAL}, "he held another before"
