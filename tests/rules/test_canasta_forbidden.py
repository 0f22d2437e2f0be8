"""The Canasta book's table of forbidden plays, row by row, and which row is cited where several forbid a play."""

from typing import Any, Final

import pytest

from replay.rules.canasta.canasta import CANASTA
from replay.rules.canasta.commands import Group, Meld, Take
from tests.rules.layout import cards
from tests.rules.layout_canasta import (
    IMPOSSIBLE,
    LEGAL,
    OFFICIAL,
    ask,
    make,
    options,
    read,
    table,
    verdict,
)
from tests.rules.oracles.canasta import FORBIDDEN, could_be_made
from tests.rules.oracles.canasta_table import position

clause = pytest.mark.clause
QUEENS: Final = "Q=Qc,Qc,Qd,Qd,Qh,Qh,Qs"
OPENED: Final = "A=Ac,Ad,Ah"


class At:
    """A position, and plays in it by seat with the rows that each offends against, the first first."""

    def __init__(self, hand: str, plays: dict[str, tuple[int, ...]], **table_has: Any) -> None:
        self.hand: Final = hand
        self.plays: Final = plays
        self.table_has: Final = table_has


NO_ROW: Final = 0
"""In place of rows: a play that no table could make."""
STRICT: Final = options(OFFICIAL, wilds_may_exceed_naturals=False, concealed_waives_minimum=False, ask_limit="per_deal")
CASES: Final = {
    "a question stands": At(
        "9c 9d 9h 8c",
        {
            "1 ask": (1, 18),
            "1 draw": (1, 3),
            "1 yes": (1,),
            "1 meld 9=9c,9d": (1, 9),
            "1 discard 8c": (1,),
            "1 pass": (1, 21),
            "2 yes": (2,),
            "2 draw": (2, 3),
            "2 pass": (2, 21),
            "3 draw": (2, 3),
            "3 pass": (2, 21),
            "3 ask": (2, 18),
            "3 yes": (),
            "3 no": (),
            "4 no": (2,),
        },
        phase="asked",
        on_table=QUEENS,
        asked=True,
    ),
    "before the draw": At(
        "9c 9d 9h 8c",
        {
            "2 draw": (2,),
            "3 draw": (2,),
            "3 yes": (19,),
            "2 yes": (2, 19),
            "1 no": (19,),
            "1 meld 9=9c,9d": (3, 9, 14),
            "1 meld 9=9c,9d,9h": (3, 14, 17),
            "1 ask": (3, 18),
            "1 discard 8c": (3,),
            "1 pass": (21,),
            "1 draw": (),
            "2 take 9=": (2, 8, 9, 10, 14, 17),
        },
        others={2: "7c", 3: "7c"},
    ),
    "after the draw": At(
        "9c 9d 9h 8c",
        {"1 draw": (3,), "1 take 9=9c,9d": (3, 14), "1 take 8=8c": (3, 6, 8, 9, 14), "1 pass": (21,)},
        phase="melding",
    ),
    "a black three on top": At(
        "3s 3s 4c 5d", {"1 take 3=3s,3s": (4, 13), "1 take 4=4c": (4, 6, 8, 9)}, pile="3c", on_table=OPENED
    ),
    "a deuce on top": At(
        "2s 2h 4c 5d", {"1 take 2=2s,2h": (4, 7, 10), "1 take 4=4c": (4, 6, 7, 9, 10)}, pile="9c 2d", on_table=OPENED
    ),
    "one card for one": At(
        "4c",
        {"1 take K=": (5,), "1 take 4=4c": (5, 6, 9)},
        pile="Kh",
        on_table=f"K=Kc,Kd,Ks {QUEENS}",
        rules=STRICT,
    ),
    "one card for one, no canasta": At("4c", {"1 take K=": (5, 17)}, pile="Kh", on_table="K=Kc,Kd,Ks", rules=STRICT),
    "the first group": At(
        "4c 4d 4h Kc Kd 9s 8s",
        {"1 take 4=4c,4d,4h": (6, 8, 9), "1 take 4=4c,4d,4h K=Kc,Kd": (6, 8, 9), "1 take K=Kc,Kd 4=4c,4d,4h": ()},
        pile="Kh",
        on_table=OPENED,
    ),
    "frozen by a deuce": At(
        "Kc 2s 5d 6d 7d",
        {"1 take K=": (7,), "1 take K=Kc": (7,), "1 take K=Kc,2s": (7,), "1 take K=Kc,5d": (7, 9)},
        pile="2h 9c Kh",
        on_table="K=Kd,Kd,Ks",
    ),
    "frozen by options": At("Kc 2s 5d 6d 7d", {"1 take K=Kc,2s": (7, 14)}, pile="9c Kh", rules=STRICT),
    "no way": At(
        "Kc 2s 5d 6d 7d",
        {"1 take K=": (8, 9, 10), "1 take K=Kc": (8, 9), "1 take K=2s": (8, 9, 10), "1 take K=Kc,2s": ()},
        pile="9c Kh",
        on_table=OPENED,
    ),
    "no melds": At(
        "Ac Ac As Kc Kd 4s 4h 2c 2d 2h Jk 8c 9d",
        {
            "1 meld K=Kc,Kd": (9,),
            "1 meld K=Kc,Kd,4s": (9,),
            "1 meld K=Kc,4s": (9,),
            "1 meld K=Kc,2c": (9, 10),
            "1 meld K=Kc,2c,2d": (10, 11),
            "1 meld K=Kc,Kd,2c,2d,2h": (11,),
            "1 meld K=Kc,Kd,2c,2d,2h,Jk": (10, 11),
            "1 meld K=Kc,Kd,2c 4=4s,4h": (9,),
            "1 meld A=Ac A=Ac": (12,),
            "1 meld A=Ac,4s A=Ac": (9, 12),
            "1 meld A=2c,2d,2h,Jk A=Ac": (10, 11, 12),
            "1 meld A=2c,2d,2h A=Ac": (12,),
        },
        phase="melding",
        on_table=OPENED,
        rules=STRICT,
    ),
    "black threes": At(
        "3c 3c 3s 2c 8c",
        {
            "1 meld 3=3c,3c": (9, 13),
            "1 meld 3=3c,2c": (9, 10, 13),
            "1 meld 3=3c,3c,3s": (13,),
            "1 meld 3=3c,3c,2c": (13,),
            "1 meld 3=3c,3c,3s,2c": (13,),
        },
        phase="melding",
        on_table=QUEENS,
    ),
    "black threes too early and too small": At("3c 3c 3s 8c 9d", {"1 meld 3=3c,3c,3s": (13, 14)}, phase="melding"),
    "black threes without a canasta": At(
        "3c 3c 3s 8c", {"1 meld 3=3c,3c,3s": (13, 17)}, phase="melding", on_table=OPENED
    ),
    "black threes after no": At(
        "3c 3c 3s", {"1 meld 3=3c,3c,3s": (13, 16, 17)}, phase="melding", on_table=QUEENS, answer="no"
    ),
    "too small": At(
        "Kc Kd Kh 8c 8d",
        {"1 meld K=Kc,Kd,Kh": (14,), "1 meld K=Kc,Kd,Kh K=8c": (9, 10, 12, 14, 17)},
        phase="melding",
    ),
    "too small and too few left": At("Kc Kd Kh 8c", {"1 meld K=Kc,Kd,Kh": (14, 17)}, phase="melding"),
    "too small and nothing left": At("Kc Kd Kh", {"1 meld K=Kc,Kd,Kh": (14, 15, 17)}, phase="melding"),
    "emptied without a canasta": At(
        "Kc Kd Kh", {"1 meld K=Kc,Kd,Kh": (15, 17), "1 meld K=Kc,Kd": (9, 17)}, phase="melding", on_table=OPENED
    ),
    "emptied by a discard": At("Kc", {"1 discard Kc": (15,)}, phase="melding", on_table=OPENED),
    "emptied after no, without a canasta": At(
        "Kc", {"1 discard Kc": (15, 16)}, phase="melding", on_table=OPENED, answer="no"
    ),
    "after no": At(
        "Kc Kd Kh 8c",
        {"1 meld K=Kc,Kd,Kh": (17,), "1 discard Kc": (), "1 ask": (18,), "1 pass": (21,)},
        phase="melding",
        on_table=QUEENS,
        answer="no",
    ),
    "emptied after no": At("Kc Kd Kh", {"1 meld K=Kc,Kd,Kh": (16, 17)}, phase="melding", on_table=QUEENS, answer="no"),
    "after yes": At(
        "Kc Kd 2h 8c 8d",
        {"1 discard Kc": (16,), "1 meld Q=2h": (16,), "1 meld K=Kc,Kd,2h": (16,), "1 pass": (20, 21), "1 ask": (18,)},
        phase="melding",
        on_table=QUEENS,
        answer="yes",
    ),
    "asking in vain": At(
        "Kc 5c", {"1 ask": (18,)}, phase="melding", on_table=QUEENS, asked_before=frozenset({1}), rules=STRICT
    ),
    "asking once too often": At(
        "Qs 5c", {"1 ask": (18,)}, phase="melding", on_table=QUEENS, asked_before=frozenset({1}), rules=STRICT
    ),
    "an empty stock": At(
        "9c 9d 5d 6d",
        {"1 pass": (22,), "1 take 7=": ()},
        stock="",
        pile="Kh 7c",
        on_table="7=7d,7h,7s",
    ),
    "the last card a red three": At(
        "9c 9d 9h 6d",
        {"1 discard 6d": (23,), "1 meld 9=9c,9d,9h": (), "1 pass": (), "1 draw": (NO_ROW,)},
        stock="",
        phase="last_red",
        on_table=OPENED,
    ),
    "the last card a red three, one card left": At(
        "6d", {"1 discard 6d": (15, 23), "1 pass": ()}, stock="", phase="last_red", on_table=OPENED
    ),
    "the last card a red three, after yes": At(
        "Qs",
        {"1 discard Qs": (23,), "1 meld Q=Qs": (), "1 pass": (20,)},
        stock="",
        phase="last_red",
        on_table=QUEENS,
        answer="yes",
    ),
}


@clause("XA-16", "CA-35")
@pytest.mark.parametrize("name", CASES)
def test_rows(name: str) -> None:
    case = CASES[name]
    state = table(case.hand, **case.table_has)
    at = position(state)
    for written, rows in case.plays.items():
        seat, _, play = written.partition(" ")
        command = read(int(seat), play)
        if rows == (NO_ROW,):
            assert ask(state, command) == IMPOSSIBLE, written
            continue
        assert could_be_made(at, command), written
        applies = [row(at, command) for _, row in FORBIDDEN]
        found = tuple(number for number, said in enumerate(applies, start=1) if said is not None)
        assert found == rows, f"{written}: {found}"
        assert ask(state, command) == (applies[rows[0] - 1] if rows else LEGAL), written


def test_every_row_is_cited_and_overruled_somewhere() -> None:
    first = {rows[0] for case in CASES.values() for rows in case.plays.values() if rows}
    later = {row for case in CASES.values() for rows in case.plays.values() for row in rows[1:]}
    assert first >= set(range(1, len(FORBIDDEN) + 1))
    assert later >= {3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 23}


@clause("CA-8", "C12")
def test_by_name_a_take_may_have_its_groups_in_any_order() -> None:
    state = table("4c 4d 4h Kc Kd 9s 8s", pile="Kh", on_table=OPENED)
    fours, kings = Group("4", cards("4c 4d 4h")), Group("K", cards("Kc Kd"))
    assert ask(state, Take(1, (fours, kings))) == "CA-8"
    assert ask(state, Take(1, (fours, kings), any_order=True)) == LEGAL
    event = CANASTA.outcome(state, Take(1, (fours, kings), any_order=True))
    assert CANASTA.write_play(event) == "take K=Kc,Kd 4=4c,4d,4h"
    assert ask(state, Take(1, (fours,), any_order=True)) == "CA-8"


@clause("CA-9")
def test_only_the_group_that_takes_may_be_empty() -> None:
    state = table("4c 4d 4h 9s 8s", pile="Kh", on_table="K=Kc,Kd,Ks A=Ac,Ad,Ah")
    assert ask(state, Take(1, (Group("A", ()), Group("K", ())), any_order=True)) == IMPOSSIBLE
    assert ask(state, Take(1, (Group("K", ()),), any_order=True)) == LEGAL
    drawn = make(state, "draw")
    assert ask(drawn, Meld(1, (Group("K", ()),))) == IMPOSSIBLE


@clause("XA-7")
def test_a_hand_holds_equal_cards_so_often_as_it_holds_them() -> None:
    state = table("Kc Kc Kd 9s 8s", phase="melding", on_table=OPENED)
    assert verdict(state, "meld K=Kc,Kc,Kd") == LEGAL
    assert verdict(state, "meld K=Kc,Kd,Kd") == IMPOSSIBLE
    assert verdict(state, "meld K=Kc,Kc,Kd 9=Kc") == IMPOSSIBLE
    assert CANASTA.impossible(state, read(1, "meld K=Kc,Kd,Kd")) == "Kd is not in the hand so often"
    assert CANASTA.impossible(state, read(1, "discard As")) == "As is not in the hand"


@clause("CA-35", "XA-16")
@pytest.mark.parametrize("name", CASES)
def test_a_refusal_names_only_cards_that_are_seen(name: str) -> None:
    """Only the own hand, the pile's top, what lies on the table, and the cards of the play."""
    case = CASES[name]
    state = table(case.hand, **case.table_has)
    for written in case.plays:
        seat, _, play = written.partition(" ")
        command = read(int(seat), play)
        refusal = CANASTA.forbidden(state, command) if CANASTA.impossible(state, command) is None else None
        if refusal is None:
            continue
        seen = {*state.hands[int(seat) - 1], state.pile[-1]} if state.pile else set(state.hands[int(seat) - 1])
        seen.update(card for side in state.sides for laid in side.melds for card in laid.cards)
        words = set(refusal.detail.replace(",", " ").split())
        assert not {word for word in words if word in CANASTA.make(4, state.options).copies} - seen, refusal
