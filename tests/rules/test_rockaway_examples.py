"""The scoring examples of the Rockaway book (RE-1 to RE-23, RE-33, RE-34) by id, as hands, sheets and whole sessions.

Leaves out the procedure examples, which are in test_rockaway_procedure.py.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from replay.rules.cards import Cards
from replay.rules.rockaway.commands import Play
from replay.rules.rockaway.options import Options
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.rockaway.score import pip_value, totals_by_ace
from replay.rules.scores import Sheet
from tests.rules.book.rockaway import ADVANCES
from tests.rules.layout import cards, exhaust, make, options, over, table
from tests.rules.sittings import Sitting, leave

clause = pytest.mark.clause


class Count(NamedTuple):
    """One row of the book's table of scoring examples."""

    hand: str
    number: int
    exhausted: bool
    aces: tuple[int, ...]
    """What each ace adds, the first first."""
    multiplier: tuple[str, int] | None
    """The clause that multiplies, and what that adds."""
    points: int
    once_aces: tuple[int, ...]
    once: int


FOUR_COURTS = "Ks Qh Jd Kc Ah"
COUNTS = {
    "RE-1": Count(FOUR_COURTS, 9, True, (40,), ("R17", 640), 720, (40,), 720),
    "RE-2": Count(FOUR_COURTS, 9, False, (40,), ("R16", 160), 240, (40,), 240),
    "RE-4": Count(FOUR_COURTS, 3, True, (40,), ("R18", 80), 160, (40,), 160),
    "RE-5": Count("Ac", 1, False, (20,), None, 20, (20,), 20),
    "RE-6": Count("Ac", 1, True, (20,), ("R18", 20), 40, (20,), 40),
    "RE-7": Count("Ac", 10, True, (20,), ("R17", 160), 180, (20,), 180),
    "RE-9": Count("Td Tc As", 2, False, (20,), None, 40, (20,), 40),
    "RE-10": Count("Td Tc 2h As", 2, False, (22,), None, 44, (22,), 44),
    "RE-12": Count("Ah Ad", 1, False, (20, 20), None, 40, (20, 20), 40),
    "RE-13": Count("Ah Ad As", 1, False, (20, 20, 40), None, 80, (20, 20, 20), 60),
    "RE-15": Count("Kh Qc As Ad", 7, False, (20, 40), None, 80, (20, 20), 60),
    "RE-17": Count("Ks Qh Jd Kc Ah Ac", 8, False, (40, 80), ("R16", 320), 480, (40, 0), 240),
    "RE-19": Count("2c 3d", 7, True, (), ("R18", 5), 10, (), 10),
}


def sheet(hand: str, number: int, exhausted: bool, rules: Options | None = None) -> Sheet:
    """The sheet of a deal in which seat 1 plays its last card and seat 2 is left with this hand."""
    state = table(["4h", hand], "9h", "2s 3s", number=number, rules=rules)
    return ROCKAWAY.score(make(exhaust(state) if exhausted else state, "play 4h"))


@clause("R14", "RA-1", "RA-2", "R16", "R17", "R18", "RA-3", "RA-4", "R19")
@pytest.mark.parametrize("multi_ace", ["per_ace", "once"])
@pytest.mark.parametrize("row", COUNTS.values(), ids=COUNTS)
def test_hand_left_scores_as_the_table_says(row: Count, multi_ace: str) -> None:
    aces, points = (row.aces, row.points) if multi_ace == "per_ace" else (row.once_aces, row.once)
    got = sheet(row.hand, row.number, row.exhausted, options(multi_ace=multi_ace))
    assert got.points == (0, points)
    plain = [card for card in cards(row.hand) if card[0] != "A"]
    expected: list[tuple[int, str, Cards]] = [(pip_value(card), "R14", (card,)) for card in plain]
    held = [card for card in cards(row.hand) if card[0] == "A"]
    expected += [(added, "RA-1" if n else "R14", (ace,)) for n, (ace, added) in enumerate(zip(held, aces, strict=True))]
    if row.multiplier is not None:
        by_clause, added = row.multiplier
        if multi_ace == "once":  # the multiplier adds as many times the count, whatever that is
            added = points - sum(line[0] for line in expected)
        expected.append((added, by_clause, ()))
    assert [(line.points, line.clause, line.cards) for line in got.lines] == expected
    assert {line.unit for line in got.lines} == {2}
    assert sum(line.points for line in got.lines) == points
    assert all(line.clause in ROCKAWAY.clauses and line.text for line in got.lines)


@clause("RA-23", "R13")
@pytest.mark.parametrize("exhausted", [True, False])
@pytest.mark.parametrize("number", [1, 9])
def test_re_21_the_player_who_is_out_scores_nothing_under_every_multiplier(number: int, exhausted: bool) -> None:
    got = sheet("2c", number, exhausted)
    assert got.points[0] == 0
    assert not [line for line in got.lines if line.unit == 1]


@clause("R14", "RA-1")
@pytest.mark.parametrize(("base", "aces", "per_ace", "once"), ADVANCES)
def test_count_by_number_of_aces(base: int, aces: int, per_ace: int, once: int) -> None:
    # The base is made of plain cards that count it; which ones is no matter.
    plain = {0: "", 19: "Kh 9h", 20: "Kh Qh", 40: "Kh Qh Jh Th"}[base]
    hand = cards(plain + " Ac Ad Ah As"[: 3 * aces])
    assert totals_by_ace(hand, options())[-1] == per_ace
    assert totals_by_ace(hand, options(multi_ace="once"))[-1] == once


BLOCKED = ["5s 6d", "Ah", "9c"]


def blocked(given: Mapping[str, object] | None = None) -> Sitting:
    """Three players, deal 4, the stock gone, three passes in a row."""
    sitting = Sitting(3, given, first_deal=4)
    leave(sitting, BLOCKED, out=None, exhausted=True)
    return sitting


@clause("RA-14", "R18")
def test_re_22_blocked_deal_scores_every_hand() -> None:
    sitting = blocked()
    assert (sitting.ended.number, sitting.ended.ending, sitting.ended.points) == (4, "blocked", (22, 40, 18))
    assert sitting.session.totals == (22, 40, 18)
    assert sitting.session.winners is None


@clause("RA-30")
def test_re_33_blocked_deal_with_lowest_is_out() -> None:
    sitting = blocked({"blocked": "lowest_is_out"})
    assert (sitting.ended.ending, sitting.ended.points) == ("blocked", (22, 40, 0))


@clause("RA-14", "RA-30")
def test_re_22_and_re_33_from_a_table_state() -> None:
    for rule, points in (("score_all", (22, 40, 18)), ("lowest_is_out", (22, 40, 0))):
        state = exhaust(table(BLOCKED, "Kh", "2s", number=4, rules=options(blocked=rule)))
        finished = over(make(state, "pass", "pass", "pass"))
        assert finished.ending == "blocked"
        assert ROCKAWAY.score(finished).points == points


@clause("RA-27", "R14", "R18")
def test_re_34_no_last_three_in_an_open_session() -> None:
    sitting = Sitting(2, {"deals": None}, first_deal=40)
    leave(sitting, ["", "Ks Ah"], out=1, exhausted=True)
    assert (sitting.ended.number, sitting.ended.points) == (40, (0, 60))


@clause("RA-27", "R16")
def test_re_34_every_deal_of_a_short_session_is_one_of_the_last_three() -> None:
    sitting = Sitting(2, {"deals": 2})
    leave(sitting, ["", "Qc"], out=1, exhausted=False)
    assert (sitting.ended.number, sitting.ended.points) == (1, (0, 30))


class DealRow(NamedTuple):
    """One row of the full session: seats A, B, C."""

    exhausted: bool
    left: tuple[str, str, str]
    points: tuple[int, int, int]
    totals: tuple[int, int, int]
    out: int | None


FULL_SESSION = (
    DealRow(False, ("", "4h 3c As", "Kh 4c"), (0, 27, 14), (0, 27, 14), 1),
    DealRow(False, ("Td Tc 2h As", "", "Ac"), (44, 0, 20), (44, 27, 34), 2),
    DealRow(True, ("2c 3d", FOUR_COURTS, ""), (10, 160, 0), (54, 187, 34), 3),
    DealRow(True, ("5s 6d", "Ah", "9c"), (22, 40, 18), (76, 227, 52), None),
    DealRow(False, ("Ts 9h Ac", "", "Qc"), (39, 0, 10), (115, 227, 62), 2),
    DealRow(False, ("", "2d 3h Ah Ad", "8d"), (0, 50, 8), (115, 277, 70), 1),
    DealRow(False, ("Kh Qc As Ad", "3s", ""), (80, 3, 0), (195, 280, 70), 3),
    DealRow(False, ("4d", "", "Ks Qh Jd Kc Ah Ac"), (12, 0, 480), (207, 280, 550), 2),
    DealRow(True, (FOUR_COURTS, "2c", ""), (720, 18, 0), (927, 298, 550), 3),
    DealRow(True, ("", "Ac", "5c"), (0, 180, 45), (927, 478, 595), 1),
)


@clause("R15", "RA-20", "RA-25", "RA-27", "XA-9", "XA-12", "XA-15")
def test_re_23_a_full_session() -> None:
    sitting = Sitting(3)
    for number, row in enumerate(FULL_SESSION, start=1):
        assert sitting.session.winners is None
        leave(sitting, row.left, out=row.out, exhausted=row.exhausted)
        ended = sitting.ended
        assert (ended.number, ended.ending) == (number, "blocked" if row.out is None else "out")
        assert ended.points == row.points, number
        assert sitting.session.totals == row.totals, number
        deal = sitting.deal_on
        assert deal.dealer == (number + 1) % 3 + 1, "the last seat deals first, then the deal goes to the left"
        hands = [sorted(hand) for hand in deal.state.table.hands]
        assert hands == [sorted(cards(hand)) for hand in row.left]
        assert deal.state.table.exhausted == row.exhausted
    assert sitting.session.winners == (2,), "B wins with 478, the lowest total"
    assert sitting.session.status == "over"


@clause("RA-2")
def test_re_1_lines_of_one_card_each_lead_back_to_the_hand() -> None:
    got = sheet(FOUR_COURTS, 9, exhausted=True)
    by_clause: defaultdict[str, int] = defaultdict(int)
    for line in got.lines:
        by_clause[line.clause] += line.points
    assert by_clause == {"R14": 80, "R17": 640}
    assert [card for line in got.lines for card in line.cards] == list(cards(FOUR_COURTS))


@clause("R13", "RA-21", "RA-23")
def test_re_32_last_card_an_ace() -> None:
    finished = over(make(table(["Ah", "Kd"], "4c", "2s"), "play Ah"))
    assert (finished.ending, finished.last) == ("out", 1)
    assert ROCKAWAY.score(finished).points == (0, 10)
    assert not finished.table.hands[0]
    assert Play(1, cards("Ah")[0]) in ROCKAWAY.legal(table(["Ah", "Kd"], "4c", "2s"), 1)
