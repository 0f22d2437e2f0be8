"""Each clause of the Rockaway book on scoring and on the session, by id. Leaves out the examples of the book."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.rules.cards import PACK, Card
from replay.rules.game import EVERYTHING
from replay.rules.options import OptionError, agree
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.rockaway.score import pip_value, totals_by_ace
from replay.rules.scores import Sheet
from tests.rules.book.rockaway import CLAUSES, OPTIONS
from tests.rules.layout import cards, exhaust, make, options, over, table
from tests.rules.oracles.rockaway import count
from tests.rules.sittings import Sitting, leave

clause = pytest.mark.clause


def sheet(hand: str, *, number: int = 1, exhausted: bool = False, **given_options: object) -> Sheet:
    """The sheet when seat 1 goes out and seat 2 is left with this hand."""
    state = table(["4h", hand], "9h", "2s 3s", number=number, rules=options(**given_options))
    return ROCKAWAY.score(make(exhaust(state) if exhausted else state, "play 4h"))


@clause("R14")
@pytest.mark.parametrize("card", [card for card in PACK if card[0] != "A"])
def test_r14_number_cards_at_face_value_court_cards_ten(card: Card) -> None:
    value = {"T": 10, "J": 10, "Q": 10, "K": 10}
    assert pip_value(card) == (value[card[0]] if card[0] in value else int(card[0]))
    if card not in {"4h", "9h", "2s", "3s"}:
        assert sheet(card).points == (0, pip_value(card))


@clause("R14", "RA-2")
@pytest.mark.parametrize(("rest", "counts"), [("", 20), ("2c", 22), ("9c Td", 39), ("Tc Td", 40), ("Tc Td 2d", 44)])
def test_r14_an_ace_adds_20_or_doubles_whichever_is_more(rest: str, counts: int) -> None:
    assert sheet(f"{rest} Ac").points == (0, counts)


@clause("RA-2")
def test_ra_2_an_ace_that_doubles_adds_nothing_of_its_own() -> None:
    assert sheet("Kc Kd Kh Ks Ac").points == (0, 80)


@clause("RA-24")
@given(st.lists(st.sampled_from([card for card in PACK if card[0] != "A"]), max_size=12), st.sampled_from("cdhs"))
def test_ra_24_an_ace_never_counts_1_or_11(rest: list[Card], suit: str) -> None:
    base, with_ace = totals_by_ace((*rest, Card("A" + suit)), options())
    assert with_ace - base >= 20


@clause("RA-1")
@given(st.lists(st.sampled_from(PACK), max_size=30), st.sampled_from(["per_ace", "once"]))
def test_ra_1_counts_agree_with_the_formula_whatever_the_order(hand: list[Card], rule: str) -> None:
    expected = count(tuple(hand), rule)
    assert totals_by_ace(tuple(hand), options(multi_ace=rule))[-1] == expected
    assert totals_by_ace(tuple(reversed(hand)), options(multi_ace=rule))[-1] == expected


@clause("RA-1")
def test_ra_1_several_aces_one_after_another_or_all_at_once() -> None:
    assert totals_by_ace(cards("9c Td Ac Ad"), options()) == (19, 39, 78)
    assert totals_by_ace(cards("9c Td Ac Ad"), options(multi_ace="once")) == (19, 39, 59)
    assert totals_by_ace(cards("Kc Kd Kh Ks Ac Ad"), options(multi_ace="once")) == (40, 80, 80)


@clause("RA-5")
def test_ra_5_exhausted_once_the_stock_has_reached_nothing_to_the_end_of_the_deal() -> None:
    state = table(["2c 3h", "7d Kc"], "9d", "5d")
    assert not state.exhausted
    drawn = make(state, "draw")
    assert ROCKAWAY.view(drawn, EVERYTHING).further["exhausted"] is True
    later = make(drawn, "play 5d", "play 7d", "pass", "pass")
    finished = over(later)
    assert finished.table.exhausted
    assert ROCKAWAY.score(finished).points == (2 * 5, 2 * 10)


@clause("R16", "R17", "R18", "RA-3", "RA-4")
@pytest.mark.parametrize(
    ("number", "exhausted", "times", "by"),
    [
        (1, False, 1, None),
        (7, False, 1, None),
        (7, True, 2, "R18"),
        (8, False, 3, "R16"),
        (8, True, 9, "R17"),
        (10, False, 3, "R16"),
        (10, True, 9, "R17"),
    ],
)
def test_r16_r17_r18_multipliers_and_their_clauses(number: int, exhausted: bool, times: int, by: str | None) -> None:
    got = sheet("Kc 7d", number=number, exhausted=exhausted)
    assert got.points == (0, 17 * times)
    lines = [(line.clause, line.points) for line in got.lines if not line.cards]
    assert lines == ([] if by is None else [(by, 17 * (times - 1))])


@clause("RA-3")
@pytest.mark.parametrize("by", [1, 2, 3, 7])
def test_ra_3_the_option_replaces_only_the_two(by: int) -> None:
    assert sheet("Kc", exhausted=True, exhausted_multiplier=by).points == (0, 10 * by)
    assert sheet("Kc", exhausted_multiplier=by).points == (0, 10)
    assert sheet("Kc", number=9, exhausted=True, exhausted_multiplier=by).points == (0, 90)
    assert sheet("Kc", number=9, exhausted_multiplier=by).points == (0, 30)


@clause("R19")
def test_r19_the_printed_example() -> None:
    assert totals_by_ace(cards("Ks Qh Jd Kc Ah"), options()) == (40, 80)
    assert sheet("Ks Qh Jd Kc Ah", number=10, exhausted=True).points == (0, 720)


@clause("RA-25")
def test_ra_25_the_running_total_is_never_multiplied() -> None:
    sitting = Sitting(2, first_deal=9, totals=(100, 7))
    leave(sitting, ["", "5c"], out=1, exhausted=False)
    assert sitting.session.totals == (100, 7 + 15)


@clause("RA-23", "R13")
def test_ra_23_the_player_who_is_out_scores_nothing() -> None:
    for number in (1, 9):
        for exhausted in (False, True):
            assert sheet("Kc", number=number, exhausted=exhausted).points[0] == 0


@clause("RA-30")
def test_ra_30_several_lowest_all_score_nothing_and_no_differences_are_paid() -> None:
    rules = options(blocked="lowest_is_out")
    state = exhaust(table(["5s 6d", "Js Ad", "Qc 5d", "6s 5c"], "Kh", "3d", rules=rules))
    got = ROCKAWAY.score(make(state, "pass", "pass", "pass", "pass"))
    assert got.points == (0, 2 * 30, 2 * 15, 0)


@clause("RA-30", "RA-1")
def test_ra_30_lowest_is_judged_with_aces_and_by_the_option_that_counts_them() -> None:
    # Two aces beside 19 count 78 one after another, 59 at once; the other hand counts 60 either way.
    hands = ["9c Td As Ac", "Kc Qc Jd Ts 9s 8s 3s"]
    assert [count(cards(hand), "per_ace") for hand in hands] == [78, 60]
    for rule, points in (("per_ace", (156, 0)), ("once", (0, 120))):
        rules = options(blocked="lowest_is_out", multi_ace=rule)
        state = exhaust(table(hands, "5h", "3d", rules=rules))
        assert ROCKAWAY.score(make(state, "pass", "pass")).points == points


@clause("RA-30", "R13")
def test_ra_30_does_not_touch_a_deal_that_somebody_is_out_of() -> None:
    assert sheet("2c", blocked="lowest_is_out").points == (0, 2)


@clause("R15", "RA-20", "XA-8")
@pytest.mark.parametrize("seats", [2, 3, 7, 8])
def test_r15_ra_20_ten_deals_whatever_the_number_of_players(seats: int) -> None:
    sitting = Sitting(seats)
    spare = ["2c", "3c", "4c", "5c", "6c", "7c", "8c"][: seats - 1]
    for number in range(1, 11):
        assert sitting.session.winners is None
        leave(sitting, ["", *spare], out=1, exhausted=False)
        assert sitting.ended.number == number
    assert sitting.session.winners == (1,)


@clause("RA-27", "R16")
@pytest.mark.parametrize(
    ("deals", "trebled"), [(10, {8, 9, 10}), (4, {2, 3, 4}), (3, {1, 2, 3}), (2, {1, 2}), (1, {1}), (None, set())]
)
def test_ra_27_the_last_three(deals: int | None, trebled: set[int]) -> None:
    numbers = range(1, (deals or 12) + 1)
    assert {number for number in numbers if sheet("2c", number=number, deals=deals).points == (0, 6)} == trebled


@clause("RA-27", "RA-31")
def test_ra_27_a_target_does_not_bring_the_last_three_forward() -> None:
    sitting = Sitting(2, {"target": 5})
    leave(sitting, ["", "5c"], out=1, exhausted=False)
    assert (sitting.ended.points, sitting.session.winners) == ((0, 5), (1,))


@clause("RA-31", "XA-8")
@pytest.mark.parametrize(("target", "winners"), [(11, None), (10, (1,)), (9, (1,))])
def test_ra_31_a_target_reached_ends_the_session(target: int, winners: tuple[int, ...] | None) -> None:
    sitting = Sitting(2, {"target": target, "deals": None})
    leave(sitting, ["", "Kc"], out=1, exhausted=False)
    assert sitting.session.winners == winners


@clause("RA-22", "XA-9")
def test_ra_22_who_tie_for_the_lowest_win_together() -> None:
    sitting = Sitting(3, {"deals": 1})
    leave(sitting, ["5s", "9c", "5d"], out=None, exhausted=True)
    assert sitting.session.totals == (45, 81, 45)
    assert sitting.session.winners == (1, 3)


@clause("R20")
def test_r20_is_advice_and_forbids_nothing() -> None:
    advice = [name for name, it in ROCKAWAY.clauses.items() if it.advice]
    assert advice == ["R20"]
    assert "R20" in dict(CLAUSES)


def test_options_are_those_of_the_book() -> None:
    assert {option.name: option.default for option in ROCKAWAY.options} == {
        name: default for name, (default, _) in OPTIONS.items()
    }
    for option in ROCKAWAY.options:
        assert option.clause in OPTIONS[option.name][1]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("deals", 0),
        ("deals", True),
        ("deals", 1.0),
        ("deals", "10"),
        ("target", 0),
        ("target", -5),
        ("multi_ace", "twice"),
        ("multi_ace", None),
        ("draw_past_fitting", 1),
        ("draw_past_fitting", None),
        ("ace_forced_when_exhausted", "true"),
        ("blocked", "nobody"),
        ("exhausted_multiplier", 0),
        ("exhausted_multiplier", None),
        ("jokers", 2),
    ],
)
def test_other_values_of_options_are_refused(name: str, value: object) -> None:
    with pytest.raises(OptionError) as refused:
        agree(ROCKAWAY.options, {name: value})
    assert list(refused.value.faults) == [name]
