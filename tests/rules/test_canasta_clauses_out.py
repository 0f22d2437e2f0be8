"""Clauses of Canasta on going out, asking, the concealed hand and the empty stock that no example shows alone."""

import pytest

from replay.rules.canasta.canasta import CANASTA
from replay.rules.canasta.state import Phase
from replay.rules.game import ONLOOKER
from tests.rules.layout import cards
from tests.rules.layout_canasta import (
    IMPOSSIBLE,
    LEGAL,
    OFFICIAL,
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
QUEENS = "Q=Qc,Qc,Qd,Qd,Qh,Qh,Qs"
MIXED = "7=7c,7d,7h,7s,7s,2c,2d"


@clause("CA-20", "C21", "C22")
def test_the_canasta_may_be_completed_in_the_same_turn() -> None:
    state = table("Qs 9c 9d 9h", phase="melding", on_table=QUEENS.replace("Qc,", "", 1))
    assert verdict(state, "meld 9=9c,9d,9h") == "CA-21"
    assert over(make(state, "meld Q=Qs 9=9c,9d,9h")).ending == "out"
    assert over(make(state, "meld Q=Qs", "meld 9=9c,9d,9h")).ending == "out"
    pile = table("Qs 8c", pile="9s Qd", on_table=QUEENS.replace("Qc,", "", 1))
    assert hand(make(pile, "take Q=Qs"), 1) == ("8c", "9s")


@clause("CA-51", "CA-48")
def test_two_canastas_where_two_draw_two() -> None:
    rules = options(two_handed_draw_two=True)
    held = "9c 9d 9h 8c"
    for seats, on_table, said in (
        (2, QUEENS, "CA-21"),
        (2, f"{QUEENS} {MIXED}", LEGAL),
        (3, QUEENS, LEGAL),
        (4, QUEENS, LEGAL),
    ):
        state = table(held, phase="melding", seats=seats, on_table=on_table, rules=rules)
        assert verdict(state, "meld 9=9c,9d,9h") == said
    state = table("8c", phase="melding", seats=2, on_table=QUEENS, rules=rules)
    assert verdict(state, "discard 8c") == "C21"
    three = table("Kc", stock="5d 6d", seats=3, rules=rules)
    assert hand(make(three, "draw"), 1) == ("5d", "Kc"), "three players draw one"


@clause("CA-50", "CA-48")
def test_a_draw_of_two_at_the_end_of_the_stock() -> None:
    rules = options(two_handed_draw_two=True)
    one = on(make(table("Kc", stock="5d", seats=2, rules=rules), "draw"))
    assert (hand(one, 1), one.phase) == (("5d", "Kc"), "melding")
    red = on(make(table("Kc", stock="3d 5d", seats=2, rules=rules), "draw"))
    assert (hand(red, 1), red.phase) == (("5d", "Kc"), "melding"), "the last card is no red three"
    last = on(make(table("Kc", stock="3d 3h", seats=2, rules=rules), "draw"))
    assert (hand(last, 1), last.phase) == (("Kc",), "last_red")


@clause("C23", "CA-22", "CA-42")
def test_a_question_and_who_may_speak() -> None:
    state = table("9c 9d 9h 8c", phase="melding", on_table=QUEENS)
    asked = make(state, "ask")
    assert on(asked).to_act == 3
    for play in ("yes", "no", "ask", "discard 8c", "meld 9=9c,9d,9h", "draw", "pass"):
        assert verdict(asked, play, seat=1) == "CA-22"
        assert verdict(asked, play, seat=2) == (
            "CA-32" if play not in {"discard 8c", "meld 9=9c,9d,9h"} else IMPOSSIBLE
        )
        assert verdict(asked, play, seat=3) in {LEGAL if play in {"yes", "no"} else "CA-32", IMPOSSIBLE}
    view = CANASTA.view(asked, ONLOOKER)
    assert (view.turn, view.further["phase"]) == (3, "asked")
    after = make(asked, "yes")
    assert CANASTA.view(after, ONLOOKER).further["answer"] == "yes"
    assert verdict(state, "yes") == "CA-22"
    assert verdict(state, "yes", seat=3) == "CA-22"
    assert verdict(state, "yes", seat=2) == "CA-32"
    unasked = make(state, "meld 9=9c,9d,9h", "discard 8c")
    assert over(unasked).ending == "out", "he need not ask"


@clause("CA-42")
@pytest.mark.parametrize(
    ("held", "on_table", "phase", "totals", "said"),
    [
        ("8c 9d", QUEENS, "melding", 0, "CA-42"),
        ("Qs 9d", QUEENS, "melding", 0, LEGAL),
        ("9d", QUEENS, "melding", 0, "CA-42"),  # it could not end with a card held
        ("Qs", QUEENS, "last_red", 0, LEGAL),
        ("Qs 9d", QUEENS, "last_red", 0, "CA-42"),  # no discard
        ("9c 9d 9h 8c", "A=Ac,Ad,Ah", "melding", 0, "CA-42"),  # no canasta
        ("9c 9d 9h 8c", QUEENS, "melding", 0, LEGAL),
        ("9c 9d 2h 8c", QUEENS, "melding", 0, LEGAL),
        ("9c 9d 2h 2d 2c Jk 8c", f"{QUEENS} A=Ac,Ad,2s,2s,2d", "melding", 0, LEGAL),
        ("2h 2d 2c Jk Jk", f"{QUEENS} A=Ac,Ad,2s,2s,2d", "melding", 0, "CA-42"),  # four fit nowhere, one is discarded
        ("2h 2d 2c Jk", f"{QUEENS} A=Ac,Ad,2s,2s,2d", "melding", 0, LEGAL),
        ("3c 3c 3s 8c", QUEENS, "melding", 0, LEGAL),
        ("3c 3s 2s 8c", QUEENS, "melding", 0, "CA-42"),
        ("7c 7c 7d 7d 7h 7h 7s 8c", "", "melding", 0, "CA-42"),  # 35 points
        ("7c 7c 7d 7d 7h 7h 7s 2c 8c", "", "melding", 0, LEGAL),  # 55
        ("7c 7c 7d 7d 7h 7h 7s 2c 8c", "", "melding", 1500, "CA-42"),
        ("Qs Qs 2c 8c", "Q=Qc,Qd,Qh,Qh", "melding", 0, LEGAL),  # the canasta is made on the way
    ],
)
def test_what_makes_asking_honourable(held: str, on_table: str, phase: Phase, totals: int, said: str) -> None:
    state = table(held, phase=phase, on_table=on_table, totals=(totals, 0))
    assert verdict(state, "ask") == said


@clause("CA-22", "CA-44")
def test_how_often_one_may_ask() -> None:
    state = table("9c 9d 9h 8c", phase="melding", on_table=QUEENS, stock="8h 8s")
    once = make(state, "ask", "no")
    assert verdict(once, "ask") == "CA-22"
    before = frozenset({1})
    again = table("9c 9d 9h 8c", phase="melding", on_table=QUEENS, asked_before=before)
    assert verdict(again, "ask") == LEGAL, "once a turn"
    rules = options(ask_limit="per_deal")
    per_deal = table("9c 9d 9h 8c", phase="melding", on_table=QUEENS, asked_before=before, rules=rules)
    assert verdict(per_deal, "ask") == "CA-22"
    partner = table("9c 9d 9h 8c", phase="melding", on_table=QUEENS, asked_before=frozenset({3}), rules=rules)
    assert verdict(partner, "ask") == LEGAL, "each player once"
    lost = on(make(table("Qs 9c 9d 9h 8c", phase="melding", on_table=QUEENS), "ask", "no", "meld Q=Qs"))
    assert verdict(lost._replace(hands=(cards("8c 9c"), *lost.hands[1:])), "ask") == "CA-42", "the first row counts"


@clause("CA-43", "C23")
def test_after_yes_he_must_go_out() -> None:
    state = make(table("9c 9d 9h 2c 8c 8d", phase="melding", on_table=QUEENS), "ask", "yes")
    assert verdict(state, "discard 8c") == "C23"
    assert verdict(state, "meld 9=9c,9d,9h,2c") == "C23", "two eights would be left"
    assert verdict(state, "meld Q=2c") == "C23"
    assert verdict(state, "meld 9=9c,9d,9h") == LEGAL
    assert verdict(state, "meld 8=8c,8d,2c") == LEGAL
    assert over(make(state, "meld 8=8c,8d,2c", "meld 9=9c,9d,9h")).ending == "out"
    last = make(table("Qs", phase="last_red", on_table=QUEENS), "ask", "yes")
    assert verdict(last, "pass") == "C23"
    assert over(make(last, "meld Q=Qs")).ending == "out"


@clause("CA-43", "CA-41", "C23")
def test_after_no_he_must_not() -> None:
    state = make(
        table("Qs Qs", phase="melding", on_table=QUEENS.replace("Qc,Qc,", "") + " K=Kc,Kc,Kd,Kd,Kh,Kh,Ks"), "ask", "no"
    )
    assert verdict(state, "meld Q=Qs,Qs") == "C23"
    assert verdict(state, "meld Q=Qs") == "CA-21"
    assert verdict(state, "discard Qs") == LEGAL
    last = make(table("Qs Qs", phase="last_red", on_table=f"{QUEENS}"), "ask", "no")
    assert verdict(last, "meld Q=Qs") == LEGAL, "no discard follows"
    assert verdict(last, "meld Q=Qs,Qs") == "C23"
    assert over(make(last, "meld Q=Qs", "pass")).ending == "stock_exhausted"


@clause("CA-23", "CA-46", "C25")
@pytest.mark.parametrize(
    ("case", "item2"),
    [
        ("plain", 100),
        ("laid before", 0),
        ("added", 0),
        ("taken", 100),
        ("taken, option", 0),
        ("in two plays", 100),
        ("own canasta", 100),
        ("none of his own", 0),
    ],
)
def test_what_is_a_concealed_hand(case: str, item2: int) -> None:
    held = "9c 9d 9h 9s 5c 5d 5h 8c"
    rules = options(
        concealed_allows_pile=case != "taken, option",
        concealed_needs_own_canasta=case in {"own canasta", "none of his own"},
    )
    before = frozenset({1} if case == "laid before" else ())
    phase: Phase = "start" if case.startswith("taken") else "melding"
    state = table(
        held,
        pile="9d",
        phase=phase,
        on_table=QUEENS,
        laid_before=before,
        rules=rules,
    )
    plays = {
        "added": ("meld Q=Qs", "meld 9=9c,9d,9h,9s 5=5c,5d,5h", "discard 8c"),
        "taken": ("take 9=9c,9d 5=5c,5d,5h", "meld 9=9h,9s", "discard 8c"),
        "taken, option": ("take 9=9c,9d 5=5c,5d,5h", "meld 9=9h,9s", "discard 8c"),
        "in two plays": ("meld 9=9c,9d,9h", "meld 9=9s", "meld 5=5c,5d,5h", "discard 8c"),
        "own canasta": ("meld 9=9c,9c,9d,9d,9h,9h,9s", "discard 8c"),
    }.get(case, ("meld 9=9c,9d,9h,9s 5=5c,5d,5h", "discard 8c"))
    if case == "added":
        state = state._replace(hands=(cards(f"Qs {held}"), *state.hands[1:]))
    if case == "own canasta":
        state = state._replace(hands=(cards("9c 9c 9d 9d 9h 9h 9s 8c"), *state.hands[1:]))
    assert sheet(make(state, *plays))[:2] == (100, item2)


@clause("CA-24", "C16")
def test_a_concealed_hand_and_the_minimum() -> None:
    held = "7c 7c 7d 7d 7h 7h 7s 8c"
    play = "meld 7=7c,7c,7d,7d,7h,7h,7s"
    assert verdict(table(held, phase="melding"), play) == "C16"
    rules = options(concealed_waives_minimum=True)
    state = table(held, phase="melding", rules=rules)
    assert over(make(state, play, "discard 8c")).ending == "out"
    assert verdict(state, "ask") == LEGAL
    two_left = table(f"{held} 9d", phase="melding", rules=rules)
    assert verdict(two_left, play) == "C16", "one play must leave one card at most"
    assert verdict(table(held.replace("7h 7h ", ""), phase="melding", rules=rules), "meld 7=7c,7c,7d,7d,7s") == "C16"
    taking = table(held.replace("7h 7h", "7h"), pile="7h", rules=rules)
    assert verdict(taking, "take 7=7c,7c,7d,7d,7h,7s") == LEGAL
    assert verdict(taking._replace(pile=cards("4d 7h")), "take 7=7c,7c,7d,7d,7h,7s") == "C16", "the pile counts"
    no_pile = rules._replace(concealed_allows_pile=False)
    assert verdict(taking._replace(options=no_pile), "take 7=7c,7c,7d,7d,7h,7s") == "C16"


@clause("CA-25", "CA-47")
def test_on_an_empty_stock() -> None:
    state = table("7c 8d 9c Td", stock="", pile="Kh 7s", on_table="A=Ac,Ad,Ah")
    assert verdict(state, "draw") == IMPOSSIBLE
    assert verdict(state, "pass") == LEGAL, "nothing of the rank lies there"
    taken = make(table("7c 7d 9c Td", stock="", pile="Kh 7s", on_table="A=Ac,Ad,Ah"), "take 7=7c,7d")
    assert verdict(taken, "pass") == "CA-32"
    after = on(make(taken, "discard Kh"))
    assert (after.seat, after.phase) == (2, "start"), "the turn goes on as usual"
    full = table("7c 8d", pile="7s", on_table="7=7d,7h,7s")
    assert verdict(full, "pass") == "CA-32"
    unforced = table(
        "7c 8d", stock="", pile="7s", on_table="7=7d,7h,7s", rules=options(forced_take_on_empty_stock=False)
    )
    assert verdict(unforced, "pass") == LEGAL
    stopped = table("7c 8d", stock="", pile="7s 3c", on_table="7=7d,7h,7s")
    assert over(make(stopped, "pass")).ending == "stock_exhausted"


@clause("CA-7", "CA-9")
def test_frozen_for_one_side_only() -> None:
    rules = options(OFFICIAL)
    opened = table("Kc 2s Qd 4d", pile="5c Kh", on_table="A=Ac,Ad,Ah", rules=rules)
    assert verdict(opened, "take K=Kc,2s") == LEGAL
    closed = table("Kc 2s Qd 4d", pile="5c Kh", theirs="A=Ac,Ad,Ah", rules=rules)
    assert verdict(closed, "take K=Kc,2s") == "CA-7"
    sides = CANASTA.view(closed, ONLOOKER).further["sides"]
    assert isinstance(sides, tuple)
    assert [(side["frozen"], side["frozen_by"]) for side in sides if isinstance(side, dict)] == [
        (True, "CA-7"),
        (False, None),
    ]
    wild = closed._replace(pile=cards("2h Kh"))
    assert verdict(wild, "take K=Kc,2s") == "C20", "CA-7 only where nothing else freezes it"


@clause("XA-15")
def test_nothing_may_be_played_after_the_end() -> None:
    ended = over(make(table("8c", phase="melding", on_table=QUEENS), "discard 8c"))
    assert all(not CANASTA.legal(ended, seat) for seat in (1, 2, 3, 4))
    assert CANASTA.hints(ended, 1) == {}
    with pytest.raises(ValueError, match="over"):
        CANASTA.forbidden(ended, CANASTA.read_play(2, "draw", []))
