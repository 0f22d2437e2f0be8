"""The examples of the Single-Pack Rum book by id: what is left in hands and what it scores, and procedure."""

from typing import Any, NamedTuple

import pytest

from tests.rules.layout_rums import IMPOSSIBLE, LEGAL, At, single_pack_rum

clause = pytest.mark.clause
X_Y_Z = ("Ks 9d 2c", "Qh Qd Qc", "Ah Jc")


def out(left: tuple[str, ...], *, by_splash: bool = False, **given: Any) -> At:
    """The end of a deal in which seat 1, W, goes out by a discard or by a splash and the others hold these hands."""
    if by_splash:
        at = single_pack_rum(["3d 4d 5d", *left], drawn="draw", splash=True, **given)
        return at.make("splash 3d 4d 5d")
    return single_pack_rum(["6s", *left], drawn="draw", **given).make("discard 6s")


class Left(NamedTuple):
    """One row of the book's table: the others' hands, and the points of W and of each."""

    hands: tuple[str, ...]
    points: tuple[int, ...]
    by_splash: bool = False
    settlement: str = "zero_sum"


ROWS = {
    "SE-1": Left(X_Y_Z, (72, -24, -36, -12)),
    "SE-2": Left(X_Y_Z, (144, -48, -72, -24), by_splash=True),
    "SE-4": Left(("Th Td 5c 5s Ac",), (31, -31)),
    "SE-5": Left(("Kh Kd Kc",), (39, -39)),
    "SE-6": Left(("Js Qs Ks",), (36, -36)),
    "SE-8": Left(("8s 8d 8c 3h 2s",), (29, -29)),
    "SE-10": Left(("As Ad Ah Ac",), (4, -4)),
    "SE-11": Left(("Kh Kd Ts 9s 8s 7c 5d 4d 2h Ah",), (144, -144), by_splash=True),
    "SE-13": Left(X_Y_Z, (72, 0, 0, 0), settlement="winner_credit"),
}


@clause("S13", "SA-11", "SA-12", "SA-13", "SA-17", "S14")
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_what_is_left_scores_as_the_table_says(row: Left) -> None:
    at = out(row.hands, by_splash=row.by_splash, settlement=row.settlement)
    assert at.ending == "out"
    sheet = at.game.score(at.state)
    assert sheet.points == row.points
    credited = row.settlement == "winner_credit"
    assert sum(sheet.points) == (row.points[0] if credited else 0)
    assert len(sheet.lines) == len(row.hands) * (1 if credited else 2), "a payment is two lines"
    for line in sheet.lines:
        loser = line.other if line.unit == 1 else line.unit
        assert loser is not None
        assert line.cards == at.state.table.layout.hands[loser - 1]
        assert line.clause == ("SA-17" if row.by_splash else "S13" if line.unit == 1 else "SA-13")
        assert line.text


@clause("S9", "S10", "SA-2", "SA-25", "S11", "S15")
def test_se_15_one_layout_a_turn() -> None:
    at = single_pack_rum(["4c 5c 6c 9h 9d Ks", "2d"], stock="9s 3d 2h").make("draw")
    assert {"meld 4c 5c 6c", "meld 9h 9d 9s"} <= at.listed()
    laid = at.make("meld 9h 9d 9s")
    assert laid.verdict("meld 4c 5c 6c") == "SA-25"
    next_turn = laid.make("discard Ks", "draw", "discard 2d", "draw", "meld 4c 5c 6c")
    assert next_turn.hand() == ("2h",)
    finished = next_turn.make("discard 2h")
    assert (finished.ending, finished.state.splash) == ("out", False)


@clause("S14", "SA-14", "SA-16")
def test_se_16_the_same_cards_as_a_splash() -> None:
    at = single_pack_rum(["4c 5c 6c 9h 9d Ks"], stock="9s", splash=True).make("draw")
    finished = at.make("splash 4c 5c 6c | 9h 9d 9s discard Ks")
    assert (finished.ending, finished.state.splash) == ("out", True)
    off = single_pack_rum(["4c 5c 6c 9h 9d Ks"], stock="9s").make("draw")
    assert off.verdict("splash 4c 5c 6c | 9h 9d 9s discard Ks") == "SA-14"


@clause("SA-4", "SA-5", "SA-21", "SA-25")
def test_se_17_one_card_to_another_players_combination() -> None:
    at = single_pack_rum(["Td Jd 3s", "2c"], [(2, "7d 8d 9d")], drawn="draw").make("lay_off m1 Td")
    assert at.laid() == ("7d", "8d", "9d", "Td")
    assert at.verdict("lay_off m1 Jd") == "SA-25"
    assert at.listed() == {"discard 3s", "discard Jd"}


@clause("SA-2", "SA-9", "SA-3", "SA-25")
def test_se_18_four_of_a_kind() -> None:
    at = single_pack_rum(["8c 8d 8h 8s 2c 3d Qh"], drawn="draw")
    assert at.listed("meld") == {"meld 8c 8d 8h", "meld 8c 8d 8s", "meld 8c 8h 8s", "meld 8d 8h 8s"}
    assert at.verdict("meld 8c 8d 8h 8s") == "SA-9"
    laid = at.make("meld 8c 8d 8h", "lay_off m1 8s")
    assert laid.laid() == ("8c", "8d", "8h", "8s")
    exclusive = single_pack_rum(["8c 8d 8h 8s 2c 3d Qh", "Jc"], stock="Ts 9h", drawn="draw", table_actions="exclusive")
    laid = exclusive.make("meld 8c 8d 8h")
    assert laid.verdict("lay_off m1 8s") == "SA-3"
    assert laid.make("discard Qh", "draw", "discard Jc", "draw").verdict("lay_off m1 8s") == LEGAL


@clause("S11", "SA-7")
def test_se_19_out_by_a_layout_without_a_discard() -> None:
    finished = single_pack_rum(["5h 5s", "Kc"], stock="5c").make("draw", "meld 5h 5s 5c")
    assert (finished.ending, finished.state.last, finished.points) == ("out", 1, (13, -13))


@clause("S11", "SA-5")
@pytest.mark.parametrize("table_actions", ["own_extra", "exclusive", "free"])
def test_se_20_out_by_a_discard_after_an_addition(table_actions: str) -> None:
    at = single_pack_rum(["Td", "Kc"], [(2, "7d 8d 9d")], stock="4h", table_actions=table_actions)
    finished = at.make("draw", "lay_off m1 Td", "discard 4h")
    assert (finished.ending, finished.state.last) == ("out", 1)


@clause("SA-10", "S1", "SA-9")
def test_se_21_nothing_beyond_an_ace() -> None:
    at = single_pack_rum(["Ks As 2s 9d", "3d"], [(2, "Ts Js Qs")], drawn="draw")
    assert at.verdict("lay_off m1 As") == "SA-9"
    king = at.make("lay_off m1 Ks")
    assert king.verdict("lay_off m1 As") == "SA-25", "in another turn"
    ace = single_pack_rum(["As 2s Kd 9s", "3d"], [(2, "Ts Js Qs Ks")], drawn="draw").make("lay_off m1 As")
    assert ace.laid() == ("Ts", "Js", "Qs", "Ks", "As")
    after = single_pack_rum(["2s 9s Kd 3s", "3d"], [(2, "Ts Js Qs Ks As")], drawn="draw")
    assert after.verdict("lay_off m1 2s") == "SA-10"
    assert after.verdict("lay_off m1 Kd") == "SA-9"
    assert after.verdict("lay_off m1 9s") == LEGAL, "at the other end it grows"
    low = single_pack_rum(["4h Kh", "3d"], [(2, "Ah 2h 3h")], drawn="draw")
    assert (low.verdict("lay_off m1 4h"), low.verdict("lay_off m1 Kh")) == (LEGAL, "SA-10")


@clause("SA-21")
def test_se_22_a_card_that_fits_both() -> None:
    at = single_pack_rum(["9c 2d Ks"], [(2, "9h 9d 9s"), (2, "6c 7c 8c")], drawn="draw")
    assert at.listed("lay_off") == {"lay_off m1 9c", "lay_off m2 9c"}
    assert at.make("lay_off m1 9c").laid(1) == ("9c", "9d", "9h", "9s")
    assert at.make("lay_off m2 9c").laid(2) == ("6c", "7c", "8c", "9c")


@clause("SA-15", "SA-16", "S14")
def test_se_23_any_number_of_longer_combinations_but_all_the_hand() -> None:
    eight = single_pack_rum(["3h 4h 5h 6h Js Jd Jc Jh", "", ""], drawn="draw", splash=True)
    finished = eight.make("splash 3h 4h 5h 6h | Js Jd Jc Jh")
    assert (finished.ending, finished.state.splash) == ("out", True)
    two_left = single_pack_rum(["3h 4h 5h Js Jd Jc 2c 9d", "", ""], drawn="draw", splash=True)
    assert two_left.listed("splash") == set()
    for play in ("splash 3h 4h 5h | Js Jd Jc", "splash 3h 4h 5h | Js Jd Jc discard 2c"):
        assert two_left.verdict(play) == "SA-15"


@clause("SA-15", "SA-27")
def test_se_24_no_splash_after_an_addition() -> None:
    at = single_pack_rum(["Td 4c 5c 6c 2h", "Kc Qd"], [(2, "7d 8d 9d")], drawn="draw", stock="Jc 9h", splash=True)
    fourth = at.make("lay_off m1 Td", "discard 2h", "draw", "discard Jc", "draw")
    assert fourth.verdict("splash 4c 5c 6c discard 9h") == "SA-15"
    finished = fourth.make("meld 4c 5c 6c", "discard 9h")
    assert (finished.ending, finished.state.splash, finished.points[0]) == ("out", False, 25)


SHORT_PILE = "5h Kd 2c 9s Jc"


@clause("XA-1", "XA-2", "S12", "SA-19", "S8")
def test_se_25_the_pile_is_turned_as_a_block() -> None:
    at = single_pack_rum(["2h 3s", "8d"], pile=SHORT_PILE, stock="")
    drawn = at.make("draw")
    assert "5h" in drawn.hand()
    assert drawn.state.layout.stock == ("Kd", "2c", "9s", "Jc")
    assert (drawn.seen.upcard, drawn.seen.discard_count) == (None, 0)
    taken = at.make("take")
    assert "Jc" in taken.hand()
    assert (taken.seen.discard_count, taken.seen.stock_count, taken.state.layout.turnovers) == (4, 0, 0)


@clause("SA-24", "SA-18", "XA-4")
def test_se_26_the_card_taken_as_the_only_one_left() -> None:
    at = single_pack_rum(["6h", "Kc"], [(2, "3h 4h 5h")], pile="9d").make("take")
    assert at.verdict("discard 9d") == "XA-4"
    assert at.verdict("discard 6h") == LEGAL
    finished = at.make("lay_off m1 6h", "discard 9d")
    assert (finished.ending, finished.state.last) == ("out", 1)


@clause("S13", "SA-12")
def test_se_27_nothing_is_laid_down_after_the_call() -> None:
    finished = out(("Qh Qd Qc",))
    assert finished.game.legal(finished.state, 2) == ()
    with pytest.raises(ValueError, match="over"):
        finished.game.forbidden(finished.state, finished.read("meld Qh Qd Qc", seat=2))
    assert finished.points == (36, -36)


@clause("SA-25", "SA-3", "SA-22")
def test_se_28_a_layout_and_one_more_card_to_his_own() -> None:
    def at(table_actions: str) -> At:
        hand = "4c 5c 6c 9s Kd"
        return single_pack_rum([hand, "2h"], [(1, "9c 9d 9h")], drawn="draw", table_actions=table_actions)

    finished = at("own_extra").make("meld 4c 5c 6c", "lay_off m1 9s", "discard Kd")
    assert (finished.ending, finished.state.last) == ("out", 1)
    assert at("own_extra").make("lay_off m1 9s", "meld 4c 5c 6c", "discard Kd").ending == "out", "before or after"
    assert at("exclusive").make("meld 4c 5c 6c").verdict("lay_off m1 9s") == "SA-3"


@clause("SA-26")
def test_se_29_four_at_once_when_free() -> None:
    at = single_pack_rum(["8c 8d 8h 8s 2c 3d Qh"], drawn="draw", table_actions="free")
    assert "meld 8c 8d 8h 8s" in at.listed()
    assert at.make("meld 8c 8d 8h 8s").laid() == ("8c", "8d", "8h", "8s")


@clause("XA-13", "XA-3", "XA-11")
def test_se_30_the_pile_is_turned_once_and_no_more() -> None:
    at = single_pack_rum(["2h 3s", "8d 7c"], pile=SHORT_PILE, stock="", max_turnovers=1).make("draw", "discard 2h")
    assert at.state.layout.turnovers == 1
    empty = single_pack_rum(["2h 3s", "8d 7c"], pile=SHORT_PILE, stock="", turnovers=1, max_turnovers=1)
    assert empty.listed() == {"draw", "take"}
    assert "Jc" in empty.make("take").hand()
    void = empty.make("draw")
    assert (void.ending, void.points) == ("void", (0, 0))
    assert void.hand() == ("2h", "3s"), "nothing is drawn"


@clause("XA-14", "XA-2")
def test_se_31_the_top_card_stays() -> None:
    at = single_pack_rum(["2h 3s", "8d"], pile=SHORT_PILE, stock="", turnover_keeps_top=True).make("draw")
    assert "5h" in at.hand()
    assert at.state.layout.stock == ("Kd", "2c", "9s")
    assert (at.seen.upcard, at.seen.discard_count) == ("Jc", 1)


@clause("SA-24", "SA-15")
def test_se_32_a_splash_may_discard_the_card_taken() -> None:
    at = single_pack_rum(["4c 5c 6c 9h 9d 9s"], pile="Kd", splash=True).make("take")
    assert at.verdict("discard Kd") == "XA-4"
    finished = at.make("splash 4c 5c 6c | 9h 9d 9s discard Kd")
    assert (finished.ending, finished.state.splash, finished.seen.upcard) == ("out", True, "Kd")


@clause("SA-28", "SA-15")
def test_se_33_a_splash_that_adds_to_the_table() -> None:
    def at(splash_layoffs: bool) -> At:
        hand = "4c 5c 6c 7c Td Jd Kh"
        return single_pack_rum(
            [hand, "2h"], [(2, "7d 8d 9d")], drawn="draw", splash=True, splash_layoffs=splash_layoffs
        )

    play = "splash 4c 5c 6c 7c | m1 Td Jd discard Kh"
    finished = at(True).make(play)
    assert (finished.ending, finished.state.splash) == ("out", True)
    assert finished.laid(1) == ("7d", "8d", "9d", "Td", "Jd")
    assert at(True).listed("splash") == {play}
    assert at(False).verdict(play) == "SA-15"
    assert at(False).listed("splash") == set()


def test_an_impossible_play_is_neither_legal_nor_against_a_clause() -> None:
    at = single_pack_rum(["4c 5c 6c 7c", "2h"], [(2, "7d 8d 9d")], drawn="draw", splash=True)
    for play in (
        "discard 2h",
        "meld 4c 5c 2h",
        "meld 4c 4c 4c",
        "lay_off m1 Td",
        "lay_off m2 4c",
        "splash 4c 5c 6c 2h",
        "splash 4c 5c 6c | m2 7c",
    ):
        assert at.verdict(play) == IMPOSSIBLE, play
