"""The examples of the Canasta book on first melds, the pile and the sheet (CE-1 to CE-20), by id.

The procedure examples are in test_canasta_procedure.py.
"""

import pytest

from replay.records.checking import check
from replay.records.structure import record_from
from replay.rules.canasta.canasta import CANASTA
from replay.rules.canasta.cards import total
from replay.rules.canasta.melds import minimum
from tests.rules.canasta_sheets import NOTHING, Printed, finished, record
from tests.rules.layout import cards
from tests.rules.layout_canasta import (
    GOREN,
    LEGAL,
    OFFICIAL,
    PRESETS,
    detail,
    hand,
    make,
    meld,
    on,
    options,
    table,
    verdict,
)

clause = pytest.mark.clause
BOTH = pytest.mark.parametrize("preset", PRESETS)

SHEETS = {
    "CE-9 A": Printed(
        ("Kc Kc Kd Kd Kh Kh Ks", "7c 7c 7d 7h 7s 2c Jk", "Ac Ad Ah"),
        "3d 3h",
        ("", "Qc 5c"),
        out=True,
        items=(100, 0, 200, 500, 300, 225, 1325, 15, 1310),
    ),
    "CE-9 B": Printed(
        (),
        "3d",
        ("Ac Ad Qd Qh 9c 9d 8c 7d 6c 4c 2d", "Jk Jc Jd Tc 5d"),
        out=False,
        items=(0, 0, 0, 0, 0, 0, 0, 310, -310),
    ),
    "CE-11": Printed((), "3d 3d 3h 3h", ("Kc Qc 3c", "Ac 8c 8d"), out=False, items=(0, 0, 0, 0, 0, 0, 0, 865, -865)),
    "CE-14": Printed(
        ("4c 4c 4d 4d 4h 4s 2c", "9c 9d 9h 9s"),
        "3h",
        ("", "Ac Ad Kc Qc Jc 8c 7c 6c 5c 3c 2d"),
        out=True,
        items=(100, 0, 100, 0, 300, 90, 590, 120, 470),
    ),
    "CE-16": Printed(
        ("Kc Kc Kd Kd Kh Kh Ks",), "", ("Jk 4c", "9c 9d"), out=False, items=(0, 0, 0, 500, 0, 70, 570, 75, 495)
    ),
    "CE-18 A": Printed(
        ("8c 8c 8d 8h 8s 2c 2d", "Ac Ad Ah 2h"),
        "3d",
        ("Kc Kd 3c", "Jc Tc 6c 6d"),
        out=False,
        items=(0, 0, 100, 0, 300, 170, 570, 55, 515),
    ),
    "CE-18 B": Printed(
        ("6c 6h 6s",), "", ("Ac Ad Jk 7c", "Qc Qd 9c 5c"), out=False, items=(0, 0, 0, 0, 0, 15, 15, 130, -115)
    ),
    "CE-20": Printed(
        ("Ac Ad Ah As 2c 2d Jk", "Tc Tc Td Td Th Th Ts"),
        "3d 3h",
        ("", "6c 6d"),
        out=True,
        items=(100, 0, 200, 500, 300, 240, 1340, 10, 1330),
    ),
}
"""The book's two tables of sheets, one side each."""

DEALS = {
    "CE-9": (SHEETS["CE-9 A"], SHEETS["CE-9 B"]),
    "CE-11": (SHEETS["CE-11"], NOTHING),
    "CE-14": (SHEETS["CE-14"], NOTHING),
    "CE-16": (SHEETS["CE-16"], NOTHING),
    "CE-18": (SHEETS["CE-18 A"], SHEETS["CE-18 B"]),
    "CE-20": (SHEETS["CE-20"], NOTHING),
}


@clause("C24", "C25", "C26", "C27", "C28", "CA-1", "CA-28", "CA-29")
@pytest.mark.parametrize("name", DEALS)
def test_the_sheets_of_the_book(name: str) -> None:
    sheet = CANASTA.score(finished(*DEALS[name]))
    assert sheet.sheets is not None
    for side, printed in enumerate(DEALS[name]):
        if printed is NOTHING:
            continue
        assert sheet.sheets[side] == printed.items
        assert sheet.points[side] == printed.items[8]
        for item in (1, 2, 3, 4, 5, 6, 8):
            lines = sum(line.points for line in sheet.lines if (line.unit, line.item) == (side + 1, item))
            assert lines == (-printed.items[7] if item == 8 else printed.items[item - 1])


@pytest.mark.parametrize("name", DEALS)
def test_the_sheets_of_the_book_through_upcard_check(name: str) -> None:
    written = record(*DEALS[name])
    found = check(record_from(written)).deals[0]
    assert found.verdict == "irregular", found
    assert found.points is not None
    assert found.points[0] == DEALS[name][0].items[8]
    if DEALS[name][1] is not NOTHING:
        assert found.points[1] == DEALS[name][1].items[8]
    assert found.ending == ("out" if DEALS[name][0].out else "stock_exhausted")
    deal = written["deals"][0]  # type: ignore[index]  # a record's deals are a list
    deal["points"] = list(found.points)
    assert check(record_from(written)).verdict == "irregular"
    deal["points"] = [found.points[0] + 5, found.points[1]]
    assert check(record_from(written)).verdict == "mismatch"


@clause("C24")
def test_working_of_ce_9() -> None:
    kings, sevens, aces = (total(cards(text)) for text in SHEETS["CE-9 A"].melds)
    assert (kings, sevens, aces) == (70, 95, 60)
    assert [total(cards(text)) for text in SHEETS["CE-9 B"].left] == [125, 85]


@clause("C17", "C16", "CA-12")
@BOTH
def test_ce_1_a_meld_too_small_alone(preset: str) -> None:
    state = table("Qc Qd 2h 7c 7d 7h 4s 9d", phase="melding", rules=options(preset))
    assert verdict(state, "meld Q=Qc,Qd,2h") == "C16"
    assert detail(state, "meld Q=Qc,Qd,2h") == "the first meld needs 50 points, and this is 40"
    assert verdict(state, "meld Q=Qc,Qd,2h 7=7c,7d,7h") == LEGAL


@clause("C17")
@BOTH
def test_the_printed_examples_of_points(preset: str) -> None:
    state = table("Ac Ad Ah Jk 2c 2d 9h 8s", phase="melding", rules=options(preset))
    assert total(cards("Qc Qd 2h")) == 40
    assert verdict(state, "meld A=Ac,Ad,Ah") == LEGAL
    assert total(cards("Ac Ad Ah")) == 60
    assert verdict(state._replace(totals=(1500, 0)), "meld A=Ac,Ad,Jk") == LEGAL
    assert total(cards("Ac Ad Jk")) == 90
    assert verdict(state, "meld A=Ac,Ad,2c,2d") == LEGAL
    assert total(cards("Ac Ad 2c 2d")) == 80
    assert verdict(state, "meld A=Ac,2c,2d") == "C14"


@clause("C16", "CA-11", "CA-36")
@pytest.mark.parametrize(
    ("before", "goren", "official"),
    [(0, 50, 50), (1495, 50, 50), (1500, 90, 90), (2995, 90, 90), (3000, 120, 120), (-5, 50, 15)],
)
def test_ce_2_the_total_before_the_deal_decides(before: int, goren: int, official: int) -> None:
    assert minimum(before, options(GOREN)) == goren
    assert minimum(before, options(OFFICIAL)) == official


@clause("C16", "CA-12")
@BOTH
def test_ce_3_exactly_enough(preset: str) -> None:
    state = table("Jk Ac Ad Kc Kd Kh 4s 9d", phase="melding", totals=(3000, 0), rules=options(preset))
    assert verdict(state, "meld A=Jk,Ac,Ad K=Kc,Kd,Kh") == LEGAL
    assert verdict(state, "meld A=Jk,Ac,Ad") == "C16"


@clause("C14", "CA-16", "CA-15", "C15")
@BOTH
def test_ce_4_two_naturals_at_least_and_three_wild_cards_at_most(preset: str) -> None:
    state = table("Ac Ad Ah As 2c 2d 2h Jk 9d 8s", phase="melding", rules=options(preset))
    assert verdict(state, "meld A=Ac,Ad,2c,2d,2h") == LEGAL
    assert total(cards("Ac Ad 2c 2d 2h")) == 100
    assert verdict(state, "meld A=Ac,Ad,2c,2d,2h,Jk") == "C14"
    assert verdict(state, "meld A=Ac,Ad,Ah,2c,2d,2h,Jk") == "C14"
    after = on(make(state, "meld A=Ac,Ad,Ah,As,2c,2d,Jk"))
    laid = after.side(1).melds[0]
    assert (laid.canasta, total(laid.cards)) == ("mixed", 170)


@clause("CA-13", "CA-39", "CA-40", "C11")
@BOTH
def test_ce_5_a_first_meld_with_the_pile(preset: str) -> None:
    state = table("Kc Kd 6c 6d 2s Qh 8s", pile="9c 4d Kh", rules=options(preset))
    assert verdict(state, "take K=Kc,Kd") == "C16"
    assert detail(state, "take K=Kc,Kd") == "the first meld needs 50 points, and this is 30"
    after = make(state, "take K=Kc,Kd 6=6c,6d,2s")
    assert meld(after, "K") == ("Kc", "Kd", "Kh")
    assert hand(after, 1) == ("4d", "8s", "9c", "Qh")
    assert on(after).pile == ()


@clause("CA-7", "CA-8")
def test_ce_6_a_natural_and_a_wild_card_before_the_first_meld() -> None:
    held = "Kc 2s 6c 6d 6h Qh 8s"
    official = table(held, pile="9c 4d Kh", rules=options(OFFICIAL))
    assert verdict(official, "take K=Kc,2s") == "CA-7"
    assert verdict(official, "take K=Kc,2s 6=6c,6d,6h") == "CA-7"
    goren = table(held, pile="9c 4d Kh", rules=options(GOREN))
    assert verdict(goren, "take K=Kc,2s") == "C16"
    assert verdict(goren, "take K=Kc,2s 6=6c,6d,6h") == LEGAL


@clause("CA-8", "CA-9", "C20")
@BOTH
def test_ce_7_the_upcard_joins_a_meld_unless_the_pile_is_frozen(preset: str) -> None:
    table_has = "K=Kc,Kd,Kh"
    state = table("9d 8s 5h", pile="9c 4d Ks", on_table=table_has, rules=options(preset))
    assert meld(make(state, "take K="), "K") == ("Kc", "Kd", "Kh", "Ks")
    frozen = table("Kc Kd 8s 5h", pile="9c 2d Ks", on_table=table_has, rules=options(preset))
    assert verdict(frozen, "take K=") == "C20"
    assert meld(make(frozen, "take K=Kc,Kd"), "K") == ("Kc", "Kc", "Kd", "Kd", "Kh", "Ks")


@clause("CA-10", "C19", "CA-33")
@BOTH
def test_ce_8_a_black_three_and_a_wild_card_on_top(preset: str) -> None:
    theirs = "K=Kc,Kd,Kh"
    state = table(
        "3c 4d 5d",
        pile="Jh",
        phase="melding",
        on_table=theirs,
        theirs="A=Ac,Ad,Ah",
        stock="9h 8h 7h",
        rules=options(preset),
        others={2: "3c 3s 5s Td", 3: "9c 9d 7s 4s"},
    )
    stopped = make(state, "discard 3c")
    assert verdict(stopped, "take 3=3c,3s") == "CA-10"
    after = make(stopped, "draw", "discard 9h")
    taken = on(make(after, "take 9=9c,9d"))
    assert "3c" in taken.hands[2]
    assert "Jh" in taken.hands[2]
    wild = table("2c 4d 5d 8s", phase="melding", pile="Jh", others={2: "2d 2h 5s Td"}, rules=options(preset))
    frozen = make(wild, "discard 2c")
    assert verdict(frozen, "take 2=2d,2h") == "CA-10"
    on_top = on(make(frozen, "draw", "discard 5s"))
    assert on_top.pile == cards("Jh 2c 5s")
    assert CANASTA.hints(on_top, 3)["frozen_by"] == "C20"
