"""Clauses of Canasta on the deal, the turn and melds that no example of the book shows alone."""

import pytest

from replay.rules.canasta.canasta import CANASTA
from replay.rules.canasta.cards import points
from replay.rules.canasta.options import PRESETS as OPTIONS_BY_PRESET
from replay.rules.cards import JOKER, PACK, parse_card
from replay.rules.game import ImpossiblePlayError
from replay.rules.options import OptionError, agree
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, open_session, start_deal
from replay.rules.session_decide import dealt as deal_out
from tests.rules.book import canasta as book
from tests.rules.layout import cards
from tests.rules.layout_canasta import (
    GOREN,
    IMPOSSIBLE,
    LEGAL,
    OFFICIAL,
    dealt,
    force,
    hand,
    make,
    meld,
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
PLAIN = ["4c 4d 5c 5h 6c 6d 7c 7d 8d 9c 9d", "4h 5d 6h 7h 8h 9h Tc Jc Qc Kc Ac", "4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"]
FOURTH = "Th Jh Qh Kh Ah Td Jd Qd Kd Ad 8c"


@clause("CA-37")
def test_presets() -> None:
    assert OPTIONS_BY_PRESET == {GOREN: {}, OFFICIAL: book.OFFICIAL}
    assert agree(CANASTA.options, {}, CANASTA.presets)["preset"] == GOREN
    single = options(OFFICIAL, negative_minimum=50)
    assert (single.negative_minimum, single.red_upcard_freezes) == (50, True)
    with pytest.raises(OptionError):
        agree(CANASTA.options, {"negative_minimum": 40}, CANASTA.presets)


@clause("C1", "CA-3")
def test_partners_sit_opposite_and_two_or_three_play_alone() -> None:
    assert CANASTA.seats == range(2, 5)
    assert CANASTA.sides(4) == ((1, 3), (2, 4))
    assert CANASTA.sides(3) == ((1,), (2,), (3,))
    assert CANASTA.sides(2) == ((1,), (2,))
    three = table("9c 9d 9h 4c", seats=3, phase="melding", on_table="A=Ac,Ad,Ah", theirs="K=Kc,Kd,Kh")
    assert verdict(three, "ask") == "CA-42"
    assert [on(three).side(seat).meld("A") is not None for seat in (1, 2, 3)] == [True, False, False]


@clause("C2", "C6", "CA-2", "XA-17")
@pytest.mark.parametrize(("seats", "size", "stock"), [(2, 15, 77), (3, 13, 68), (4, 11, 63)])
def test_packs_hands_and_stock(seats: int, size: int, stock: int) -> None:
    made = CANASTA.make(seats, options())
    assert made.hand_size == size
    assert made.copies.total() == 108
    assert made.copies[JOKER] == 4
    assert {made.copies[card] for card in PACK} == {2}
    assert 108 - seats * size - 1 == stock


@clause("C3", "CA-1")
def test_what_cards_count() -> None:
    of_rank = {"A": 20, "2": 20, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("7654", 5)}
    for card in PACK:
        if card[0] != "3":
            assert points(card) == of_rank[card[0]]
    assert {points(parse_card(card)) for card in ("3c", "3s")} == {5}
    assert points(JOKER) == 50
    every = [card for card in (*PACK, *PACK, *[JOKER] * 4) if card not in cards("3d 3h")]
    assert sum(map(points, every)) == 1180


@clause("C4", "C5", "CA-4", "XA-5", "XA-12")
def test_seat_one_is_dealt_to_first_plays_first_and_the_deal_goes_round() -> None:
    opened = open_session(CANASTA, seats=4, options={}, mode="recorded", public=False, owner="organiser", totals=None)
    session = fold(None, [opened])
    pack = tuple(card for card in (*PACK, *PACK, *[JOKER] * 4) if card not in cards("3d 3h")) + cards("3d 3h 3d 3h")
    lie = deal_out(session, pack)
    assert [lie.hands[seat][0] for seat in range(4)] == list(pack[:4])
    session = fold(session, [start_deal(session, DealCommand(*lie))])
    assert session.deal is not None
    assert (session.deal.dealer, session.deal.state.seat) == (4, 1)
    assert session.next_dealer == 1


@clause("C7", "CA-5")
def test_each_lays_all_his_red_threes_and_draws_until_his_hand_is_full() -> None:
    hands = [*PLAIN, FOURTH]
    hands[2] = hands[2].replace("4s 5s", "3d 3h")
    hands[3] = hands[3].replace("Th", "3d")
    state = dealt(hands, "9s", "4s 3h 5s Th Kd", dealer=2)
    # Seat 3 plays first: it lays two, draws 4s, lays 3h, draws 5s; seat 4 then draws Th.
    assert state.seat == 3
    assert state.side(1).red_threes == cards("3d 3h 3h")
    assert state.side(2).red_threes == cards("3d")
    assert sorted(state.hands[2]) == sorted(cards(PLAIN[2]))
    assert state.stock == cards("Kd")


@clause("CA-6", "C19", "CA-10")
def test_what_may_lie_on_top_when_the_deal_begins() -> None:
    hands = [*PLAIN, FOURTH]
    for first, pile in (("2d", "2d 9s"), ("Jk", "Jk 9s"), ("3h", "3h 9s"), ("9h", "9h")):
        assert dealt(hands, first, "9s 4c").pile == cards(pile)
    black = dealt(hands, "3c", "9s 4c")
    assert black.pile == cards("3c")
    assert verdict(black, "take 3=4c,4d") == "CA-10", "it stops the first player"
    assert dealt(hands, "3c", "9s 4c", rules=options(upcard_black_three_stays=False)).pile == cards("3c 9s")
    assert dealt(hands, "3h", "3c 9s", rules=options(upcard_black_three_stays=False)).pile == cards("3h 3c 9s")


@clause("CA-38", "CA-5", "CA-6")
def test_a_stock_too_short_for_the_dealing_cannot_be_dealt() -> None:
    opened = open_session(CANASTA, seats=4, options={}, mode="recorded", public=False, owner="organiser", totals=None)
    session = fold(None, [opened])
    hands = tuple(map(cards, (PLAIN[0].replace("4c", "3d"), *PLAIN[1:], FOURTH)))
    for stock, enough in (("", False), ("8h", False), ("8h 4c", True), ("8h 3h 4c", True), ("3h 8h", False)):
        # A deuce is turned up, so that two cards are needed: for the red three and to cover.
        command = DealCommand(hands, parse_card("2c"), cards(stock))
        if enough:
            assert start_deal(session, command).stock[: len(cards(stock))] == cards(stock)
        else:
            with pytest.raises(ImpossiblePlayError):
                start_deal(session, command)


@clause("CA-32", "C9", "C10", "CA-33")
def test_a_turn() -> None:
    state = table("Ac Ad Ah 8c 4d", stock="5d 6h", on_table=QUEENS)
    assert verdict(state, "discard 8c") == "CA-32"
    assert verdict(state, "meld A=Ac,Ad,Ah") == "CA-32"
    drawn = make(state, "draw")
    assert hand(drawn, 1) == ("4d", "5d", "8c", "Ac", "Ad", "Ah")
    for again in ("draw", "take 9=8c"):
        assert verdict(drawn, again) == "CA-32"
    after = on(make(drawn, "meld A=Ac,Ad,Ah", "discard 5d"))
    assert (after.seat, after.pile, after.phase) == (2, cards("9s 5d"), "start")


@clause("C10", "CA-33", "CA-49")
def test_any_card_may_be_discarded_also_one_that_came_with_the_pile() -> None:
    state = table("9c 9d 2h 8c", pile="9h 9s", on_table=QUEENS)
    taken = make(state, "take 9=9c,9d")
    assert hand(taken, 1) == ("2h", "8c", "9h")
    for card in ("9h", "2h", "8c"):
        assert verdict(taken, f"discard {card}") == LEGAL
    frozen = make(taken, "discard 2h")
    assert CANASTA.hints(frozen, 2)["frozen_by"] == "C20"


@clause("CA-34", "C18")
def test_a_draw_goes_on_past_red_threes() -> None:
    state = table("8c 8d", stock="3d 3h 3h Kc 5d")
    drawn = on(make(state, "draw"))
    assert drawn.side(1).red_threes == cards("3d 3h 3h")
    assert hand(drawn, 1) == ("8c", "8d", "Kc")
    assert drawn.stock == cards("5d")
    assert verdict(state, "draw 3d 3h 3h Kc") == LEGAL
    for wrong in ("draw 3d", "draw 3d 3h 3h", "draw 3d 3h 3h 5d", "draw 3d 3h 3h Kc 5d", "draw Kc"):
        assert verdict(state, wrong) == IMPOSSIBLE


@clause("C18", "CA-34")
def test_a_draw_from_a_stock_that_nobody_has_written_down_must_name_all_that_came() -> None:
    state = table("8c 8d", stock="5d")._replace(stock=(None, None, parse_card("5d")))
    assert verdict(state, "draw") == IMPOSSIBLE
    assert verdict(state, "draw 3h") == IMPOSSIBLE
    assert verdict(state, "draw 3h 3h 5d") == LEGAL
    assert verdict(state, "draw 3h Kc") == LEGAL
    assert verdict(state, "draw Kc") == LEGAL
    assert verdict(state, "draw 8c") == LEGAL, "the second of two"
    both = table("8c 8c", stock="5d")._replace(stock=(None,))
    assert verdict(both, "draw 8c") == IMPOSSIBLE
    assert verdict(both, "draw 9s") == LEGAL, "the second; the first lies on the pile"


@clause("C12", "C14", "CA-15", "CA-16")
def test_what_a_meld_is() -> None:
    state = table("Ac Ad Ah Kc Kd 4s 4h 2c 2d 2h Jk 8c 9d", phase="melding", on_table="T=Tc,Td,Th,2s,2s,2h")
    for play, said in {
        "meld A=Ac,Ad": "C12",
        "meld A=Ac,Ad,Kc": "C12",
        "meld A=Ac,Ad,Ah,Kc": "C12",
        "meld A=Ac,2c,2d": "C14",
        "meld A=2c,2d,2h": "C14",
        "meld 2=2c,2d,2h": "C14",
        "meld A=Ac,Ad,2c,2d,2h,Jk": "C14",
        "meld A=Ac,Ad,2c,2d,Jk": LEGAL,
        "meld T=2c": "C14",
        "meld T=Jk": "C14",
        "meld T=Kc": "C12",
        "meld A=Ac,Ad,Ah K=Kc,Kd": "C12",
        "meld A=Ac,Ad,As": IMPOSSIBLE,
        "meld A=Ac,Ac,Ad": IMPOSSIBLE,
    }.items():
        assert verdict(state, play) == said, play


@clause("CA-16")
def test_by_option_naturals_must_be_as_many_as_wild_cards() -> None:
    rules = options(wilds_may_exceed_naturals=False)
    state = table("Ac Ad Ah 2c 2d 2h 8c 9d", phase="melding", on_table="T=Tc,Td,2s", rules=rules)
    assert verdict(state, "meld A=Ac,Ad,2c,2d") == LEGAL
    assert verdict(state, "meld A=Ac,Ad,2c,2d,2h") == "CA-16"
    assert verdict(state, "meld A=Ac,Ad,Ah,2c,2d,2h") == LEGAL
    assert verdict(state, "meld T=2c") == LEGAL
    assert verdict(state, "meld T=2c,2d") == "CA-16"
    taking = table("Tc 2h 8c 9d", pile="Ts", on_table="T=Tc,Td,2s,2s", rules=rules)
    assert verdict(taking, "take T=Tc,2h") == LEGAL
    assert verdict(taking._replace(pile=cards("4d Ts")), "take T=2h") == LEGAL


@clause("CA-15", "C14")
def test_three_wild_cards_also_where_the_pile_is_taken() -> None:
    state = table("Kc 2h 8c 9d", pile="Ks", on_table="K=Kc,Kd,2c,2d,2s")
    assert verdict(state, "take K=Kc,2h") == "C14"
    assert verdict(state, "take K=Kc") == LEGAL
    assert verdict(state, "take K=2h") == "C14"


@clause("CA-8", "CA-39")
def test_a_joker_is_no_jack() -> None:
    state = table("Jk Jk Jc 4c 5d", pile="2d Jd", on_table=QUEENS)
    assert verdict(state, "take J=Jc,Jk") == "C20", "one natural, frozen"
    assert verdict(state, "take J=Jk,Jk") == "C20"
    unfrozen = state._replace(pile=cards("Jd"))
    assert verdict(unfrozen, "take J=Jc,Jk") == LEGAL
    assert verdict(unfrozen, "take J=Jk,Jk") == "CA-8"
    assert verdict(unfrozen, "take J=Jk") == "CA-8"
    other = make(state, "draw", "discard Jk")
    assert verdict(other, "take J=4c", seat=2) == "CA-10"


@clause("CA-14", "C13", "CA-18")
def test_one_meld_of_each_rank_on_each_side() -> None:
    state = table("Ac Ad Ah Kc Kd 4s 9d", phase="melding", on_table="K=Kh,Ks,Ks", theirs="A=As,As,2h")
    assert verdict(state, "meld K=Kc K=Kd") == "CA-14"
    after = make(state, "meld K=Kc", "meld K=Kd", "meld A=Ac,Ad,Ah")
    assert meld(after, "K") == ("Kc", "Kd", "Kh", "Ks", "Ks")
    assert meld(after, "A") == ("Ac", "Ad", "Ah"), "their own, beside the other side's"
    assert meld(after, "A", seat=2) == ("2h", "As", "As")
    partner = table("Kc Kd 4s 9d", phase="melding", on_table="K=Kh,Ks,Ks", seat=3)
    assert meld(make(partner, "meld K=Kc"), "K") == ("Kc", "Kh", "Ks", "Ks"), "to the partner's meld"
    assert verdict(table("As 4s 9d", phase="melding", theirs="A=Ac,Ad,2h"), "meld A=As") == "C12"


@clause("CA-17", "C15", "C28")
def test_a_canasta_grows_and_a_wild_card_makes_it_mixed() -> None:
    state = table("Qs 2c 8c 9d 4s", phase="melding", on_table=QUEENS, stock="")
    grown = on(make(state, "meld Q=Qs"))
    assert grown.side(1).melds[0].canasta == "natural"
    spoilt = on(make(grown, "meld Q=2c"))
    assert spoilt.side(1).melds[0].canasta == "mixed"
    ended = force(spoilt, 1, "pass")
    assert sheet(ended)[3:6] == (0, 300, 100), "one bonus for nine cards"
    assert sheet(force(grown, 1, "pass"))[3:6] == (500, 0, 80)


@clause("C19", "CA-19", "CA-45")
def test_black_threes() -> None:
    state = table("3c 3c 3s 8c", phase="melding", on_table=QUEENS)
    assert over(make(state, "meld 3=3c,3c,3s", "discard 8c")).ending == "out"
    all_of_it = table("3c 3c 3s", phase="melding", on_table=QUEENS)
    assert over(make(all_of_it, "meld 3=3c,3c,3s")).ending == "out"
    assert verdict(table("3c 3c 3s 8c 9d", phase="melding", on_table=QUEENS), "meld 3=3c,3c,3s") == "C19", "two left"
    assert verdict(table("3c 3c 3s 8c", phase="melding", on_table="Q=Qc,Qd,Qh"), "meld 3=3c,3c,3s") == "C19"
    assert verdict(table("3c 3c 3s 8c", phase="melding", on_table=QUEENS, answer="no"), "meld 3=3c,3c,3s") == "C19"
    last = table("3c 3c 3s 8c", phase="last_red", on_table=QUEENS)
    assert verdict(last, "meld 3=3c,3c,3s") == "C19", "no discard follows, so none may be left"
    assert verdict(table("3c 3c 3s", phase="last_red", on_table=QUEENS), "meld 3=3c,3c,3s") == LEGAL


@clause("CA-19")
def test_wild_cards_with_black_threes_only_by_option() -> None:
    held = "3c 3s 2c 8c"
    assert verdict(table(held, phase="melding", on_table=QUEENS), "meld 3=3c,3s,2c") == "CA-19"
    rules = options(black_three_wilds=True)
    state = table(held, phase="melding", on_table=QUEENS, rules=rules)
    assert verdict(state, "meld 3=3c,3s,2c") == LEGAL
    assert verdict(table("3c 2d 2c 8c", phase="melding", on_table=QUEENS, rules=rules), "meld 3=3c,2d,2c") == "C14"
    assert verdict(table("3c 3s 2c 8c 9d", phase="melding", on_table=QUEENS, rules=rules), "meld 3=3c,3s,2c") == "C19"


@clause("CA-12")
def test_black_threes_count_towards_a_first_meld() -> None:
    rules = options(concealed_waives_minimum=False)
    held = "7c 7c 7d 7d 7h 7h 7s 3c 3c 3s 8c"
    state = table(held, phase="melding", rules=rules, seats=2)
    assert verdict(state, "meld 7=7c,7c,7d,7d,7h,7h,7s 3=3c,3c,3s") == LEGAL, "35 and 15"
    short = table(held.replace("3c 3c", "3c"), phase="melding", rules=rules, seats=2)
    assert verdict(short, "meld 7=7c,7c,7d,7d,7h,7h,7s") == "C16"
