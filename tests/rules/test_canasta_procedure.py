"""The procedure examples of the Canasta book (CE-21 to CE-34), by id."""

import pytest

from replay.records.checking import check
from replay.records.structure import record_from
from replay.rules.canasta.canasta import CANASTA
from tests.rules.canasta_sheets import Printed, record
from tests.rules.layout import cards
from tests.rules.layout_canasta import (
    GOREN,
    IMPOSSIBLE,
    LEGAL,
    OFFICIAL,
    PRESETS,
    dealt,
    force,
    hand,
    make,
    on,
    options,
    over,
    sheet,
    table,
    verdict,
)

clause = pytest.mark.clause
BOTH = pytest.mark.parametrize("preset", PRESETS)
CANASTA_OF_QUEENS = "Q=Qc,Qc,Qd,Qd,Qh,Qh,Qs"


@clause("CA-21", "CA-41", "C21", "C22")
@BOTH
def test_ce_21_a_card_must_be_held_without_a_canasta(preset: str) -> None:
    held = "9c 9d 9h Qc"
    lacking = table(held, phase="melding", on_table="A=Ac,Ad,Ah", rules=options(preset))
    assert verdict(lacking, "meld 9=9c,9d,9h") == "CA-21"
    state = table(held, phase="melding", on_table="A=Ac,Ac,Ad,Ad,Ah,Ah,2s", rules=options(preset))
    after = make(state, "meld 9=9c,9d,9h")
    assert over(make(after, "discard Qc")).ending == "out"


@clause("C23", "CA-43", "CA-41")
@BOTH
def test_ce_22_after_no_a_card_must_be_kept(preset: str) -> None:
    state = table("5c 5d 5h 8c", phase="melding", on_table=CANASTA_OF_QUEENS, rules=options(preset))
    after = make(state, "ask", "no")
    assert on(after).to_act == 1
    assert verdict(after, "meld 5=5c,5d,5h") == "CA-21"
    assert verdict(after, "discard 8c") == LEGAL


@clause("CA-31", "XA-8", "XA-9")
@BOTH
def test_ce_23_both_sides_over_the_target(preset: str) -> None:
    ours = Printed(("4c 4c 4d 4d 4h 4s 2c",), "", ("Ac", "Kc Kd"), out=False, items=())
    theirs = Printed(("5c 5d 5d 5h 5s 5s 2d",), "", ("Ad Ah", "Ks Kh"), out=False, items=())
    written = {**record(ours, theirs), "options": {"preset": preset}}
    found = check(record_from({**written, "totals": [4880, 4905]}))
    assert found.deals[0].points == (310, 290)
    assert found.deals[0].totals == (5190, 5195)
    assert found.winners == (2, 4)
    tied = check(record_from({**written, "totals": [4880, 4900]}))
    assert tied.deals[0].totals == (5190, 5190)
    assert tied.winners is None, "another deal is played"


@clause("CA-26", "CA-34", "C18", "C26")
@BOTH
def test_ce_24_the_last_card_is_a_red_three(preset: str) -> None:
    state = table("8c 8d 8h Qc 4s", stock="3h", on_table="A=Ac,Ad,Ah", rules=options(preset))
    drawn = on(make(state, "draw"))
    assert drawn.phase == "last_red"
    assert drawn.side(1).red_threes == cards("3h")
    assert hand(drawn, 1) == ("4s", "8c", "8d", "8h", "Qc")
    assert verdict(drawn, "discard Qc") == "CA-26"
    melded = make(drawn, "meld 8=8c,8d,8h")
    assert verdict(melded, "discard Qc") == "CA-26"
    finished = over(make(melded, "pass"))
    assert finished.ending == "stock_exhausted"
    assert sheet(finished)[:3] == (0, 0, 100)


@clause("CA-25", "CA-47")
@BOTH
def test_ce_25_a_pile_that_fits_must_be_taken(preset: str) -> None:
    state = table("7c 7d 9c Td", stock="", pile="Kh 7c", on_table="7=7d,7h,7s", rules=options(preset))
    assert verdict(state, "draw") == IMPOSSIBLE
    assert verdict(state, "pass") == "CA-47"
    assert verdict(state, "take 7=") == LEGAL
    assert verdict(state, "take 7=7c,7d") == LEGAL, "any other legal take will do as well"
    frozen = state._replace(pile=cards("2h 7c"))
    assert verdict(frozen, "take 7=") == "C20"
    assert verdict(frozen, "take 7=7c,7d") == LEGAL
    assert over(make(frozen, "pass")).ending == "stock_exhausted"


@clause("CA-46", "CA-23", "C25")
@BOTH
def test_ce_26_adding_to_the_partners_meld_is_no_concealed_hand(preset: str) -> None:
    state = table("9c 9d 9h 9s 5c 5d 5h Qc", phase="melding", on_table=CANASTA_OF_QUEENS, rules=options(preset))
    finished = make(state, "meld 9=9c,9d,9h,9s 5=5c,5d,5h Q=Qc")
    assert sheet(finished)[:2] == (100, 0)


@clause("CA-30", "CA-41", "C22", "CA-49")
def test_ce_27_one_card_takes_one_card() -> None:
    on_table = f"K=Kc,Kd,Ks {CANASTA_OF_QUEENS}"
    goren = table("4c", pile="Kh", on_table=on_table, rules=options(GOREN))
    finished = over(make(goren, "take K=", "discard 4c"))
    assert finished.ending == "out"
    official = table("4c", pile="Kh", on_table=on_table, rules=options(OFFICIAL))
    assert verdict(official, "take K=") == "CA-30"
    assert verdict(official._replace(pile=cards("5c Kh")), "take K=") == LEGAL
    without = table("4c", pile="Kh", on_table="K=Kc,Kd,Ks", rules=options(GOREN))
    assert verdict(without, "take K=") == "CA-21"


@clause("CA-47", "CA-30")
def test_ce_28_the_same_on_an_empty_stock() -> None:
    on_table = f"K=Kc,Kd,Ks {CANASTA_OF_QUEENS}"
    goren = table("4c", pile="Kh", stock="", on_table=on_table, rules=options(GOREN))
    assert verdict(goren, "pass") == "CA-47"
    official = table("4c", pile="Kh", stock="", on_table=on_table, rules=options(OFFICIAL))
    assert over(make(official, "pass")).ending == "stock_exhausted"
    lacking = table("4c", pile="Kh", stock="", on_table="K=Kc,Kd,Ks", rules=options(GOREN))
    assert verdict(lacking, "pass") == LEGAL, "a take that CA-41 forbids is not forced"


@clause("C7", "C8", "CA-5", "CA-6", "CA-38", "C9")
@BOTH
def test_ce_29_red_threes_are_replaced_and_the_upcard_covered(preset: str) -> None:
    hands = [
        "4c 4d 5c 5h 6c 6d 7c 7d 8d 9c 9d",
        "3d 4h 5d 6h 7h 8h 9h Tc Jc Qc Kc",
        "4s 5s 6s 7s 8s 9s Ts Js Qs Ks As",
        "Th Jh Qh Kh Ah Td Jd Qd Kd Ad Ac",
    ]
    state = dealt(hands, "2c", "3h 8c Jk 6s 5d", dealer=4, rules=options(preset))
    assert state.seat == 1
    assert state.side(2).red_threes == cards("3d 3h")
    assert state.side(1).red_threes == ()
    assert sorted(state.hands[1]) == sorted(cards("8c 4h 5d 6h 7h 8h 9h Tc Jc Qc Kc"))
    assert state.pile == cards("2c Jk 6s")
    assert verdict(state, "take 6=6c,2d") == IMPOSSIBLE
    assert CANASTA.hints(state, 1)["frozen_by"] == "C20"
    assert CANASTA.outcome(state, CANASTA.read_play(1, "draw", [])).cards == cards("5d")  # type: ignore[union-attr]


@clause("CA-27", "CA-7")
def test_ce_30_a_red_three_in_the_pile() -> None:
    held, on_table = "6c 2d 9h Qc", "A=Ac,Ad,Ah"
    goren = table(held, pile="3h 6s", on_table=on_table, rules=options(GOREN))
    after = on(make(goren, "take 6=6c,2d"))
    assert after.side(1).red_threes == cards("3h")
    assert hand(after, 1) == ("9h", "Qc"), "no card for the red three"
    official = table(held, pile="3h 6s", on_table=on_table, rules=options(OFFICIAL))
    assert verdict(official, "take 6=6c,2d") == "CA-7"
    two = table("6c 6d 9h Qc", pile="3h 6s", on_table=on_table, rules=options(OFFICIAL))
    assert verdict(two, "take 6=6c,6d") == LEGAL


@clause("CA-39", "C20")
@BOTH
def test_ce_31_further_cards_beside_the_pair(preset: str) -> None:
    state = table("Kc Kd 2s 8h 9c", pile="4d 2h 5s Kh", rules=options(preset))
    assert verdict(state, "take K=Kc,Kd,2s") == LEGAL
    assert verdict(state, "take K=Kc,2s") == "C20"
    assert verdict(state, "take K=Kc,Kd") == "C16"


@clause("CA-23", "C25")
@pytest.mark.parametrize(("preset", "bonus"), [(GOREN, 200), (OFFICIAL, 100)])
def test_ce_32_a_concealed_hand_without_a_canasta_of_its_own(preset: str, bonus: int) -> None:
    state = table(
        "9c 9d 9h 5c 5d 5h 5s 8c 8d 8h 8s Tc", phase="melding", on_table=CANASTA_OF_QUEENS, rules=options(preset)
    )
    finished = make(state, "meld 9=9c,9d,9h 5=5c,5d,5h,5s 8=8c,8d,8h,8s", "discard Tc")
    assert sum(sheet(finished)[:2]) == bonus


@clause("CA-42", "CA-43", "CA-22")
@BOTH
def test_ce_33_asking(preset: str) -> None:
    state = table(
        "9c 9d 9h Qc", phase="melding", on_table=CANASTA_OF_QUEENS.replace("Qc,Qc", "Qs,Qs"), rules=options(preset)
    )
    assert verdict(state, "ask") == LEGAL
    yes = make(state, "ask", "yes")
    assert verdict(yes, "discard Qc") == "C23"
    assert verdict(yes, "meld 9=9c,9d,9h") == LEGAL
    no = make(state, "ask", "no")
    assert verdict(no, "meld 9=9c,9d,9h") == "CA-21"
    two = table("Kc 5c", phase="melding", on_table=CANASTA_OF_QUEENS, rules=options(preset))
    assert verdict(two, "ask") == "CA-42"


@clause("CA-48", "CA-50", "CA-34")
@BOTH
def test_ce_34_two_players_draw_two(preset: str) -> None:
    rules = options(preset, two_handed_draw_two=True)
    state = table("Kc 7c 8s", stock="3h 5d 9c 6c", seats=2, rules=rules)
    event = CANASTA.outcome(state, CANASTA.read_play(1, "draw", []))
    assert CANASTA.write_play(event) == "draw 3h 5d 9c"
    drawn = on(CANASTA.evolve(state, event))
    assert hand(drawn, 1) == ("5d", "7c", "8s", "9c", "Kc")
    assert drawn.side(1).red_threes == cards("3h")
    short = table("Kc 7c 8s", stock="5d 3h", seats=2, rules=rules)
    event = CANASTA.outcome(short, CANASTA.read_play(1, "draw", []))
    assert CANASTA.write_play(event) == "draw 5d 3h"
    last = on(CANASTA.evolve(short, event))
    assert hand(last, 1) == ("5d", "7c", "8s", "Kc")
    assert last.side(1).red_threes == cards("3h")
    assert verdict(last, "discard Kc") == "CA-26"
    assert verdict(last, "pass") == LEGAL


@clause("CA-35", "XA-16")
def test_a_take_that_was_made_all_the_same_is_a_fact_of_a_recorded_table() -> None:
    state = table("4c 5c", pile="9d Kh", on_table="K=Kc,Kd,Ks")
    after = on(force(state, 1, "take K="))
    assert hand(after, 1) == ("4c", "5c", "9d")
