"""Each clause of the Rockaway book on players, cards, playing, drawing and the end of a deal, by id.

Clauses on scoring and on the session are in test_rockaway_clauses_score.py; examples in test_rockaway_examples.py and
test_rockaway_procedure.py.
"""

import pytest

from replay.rules.cards import JOKER, PACK, parse_card
from replay.rules.game import Dealt, ImpossiblePlayError, RefusedError, Setting, decide
from replay.rules.rockaway.commands import Pass, Play
from replay.rules.rockaway.events import Passed
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.session_decide import UnseatableError, open_session
from tests.rules.book.rockaway import STOCK
from tests.rules.layout import (
    IMPOSSIBLE,
    LEGAL,
    allowed,
    cards,
    exhaust,
    make,
    on,
    options,
    over,
    read,
    table,
    verdict,
)
from tests.rules.sittings import Sitting

clause = pytest.mark.clause
OTHER = "7c 8c"


def opened(seats: int) -> None:
    open_session(ROCKAWAY, seats=seats, options={}, mode="dealt", public=True, owner="organiser")


@clause("R1")
def test_r1_two_to_eight_may_play() -> None:
    for seats in range(2, 9):
        opened(seats)
    for seats in (0, 1, 9, 10):
        with pytest.raises(UnseatableError):
            opened(seats)


@clause("R2", "R3", "R4", "XA-17")
@pytest.mark.parametrize("seats", range(2, 9))
def test_r2_r3_r4_what_a_deal_is_made_of(seats: int) -> None:
    made = ROCKAWAY.make(seats, options())
    copies = 1 if seats <= 4 else 2
    assert dict(made.copies) == dict.fromkeys(PACK, copies)
    assert made.copies[JOKER] == 0
    assert made.hand_size == 7
    assert made.copies.total() - 7 * seats - 1 == STOCK[seats]


@clause("R3", "R2")
def test_r2_r3_other_deals_are_no_deals() -> None:
    seven, six = cards("2c 3c 4c 5c 6c 7c 8c"), cards("2d 3d 4d 5d 6d 7d")
    for hands, upcard in (
        ((seven, six), "Kh"),
        ((seven, (*six, parse_card("8d"), parse_card("9d"))), "Kh"),
        ((seven, (*six, parse_card("2c"))), "Kh"),
        ((seven, (*six, JOKER)), "Kh"),
        ((seven, (*six, parse_card("8d"))), "2c"),
    ):
        with pytest.raises(ImpossiblePlayError):
            Sitting(2).deal(hands, parse_card(upcard))
    Sitting(2).deal((seven, (*six, parse_card("8d"))), parse_card("Kh"))


@clause("RA-26", "XA-7")
def test_ra_26_either_copy_may_be_played_and_the_other_stays() -> None:
    state = table(["9c 9c Kd", "2h", "2d", "2s", "3h"], "9h", "4s")
    assert allowed(state) == {"play 9c"}
    assert ROCKAWAY.legal(state, 1) == (Play(1, parse_card("9c")),), "equal cards are one choice"
    after = on(make(state, "play 9c"))
    assert after.hands[0] == cards("9c Kd")
    swapped = on(make(table(["9c Kd 9c", "2h", "2d", "2s", "3h"], "9h", "4s"), "play 9c"))
    assert sorted(swapped.hands[0]) == sorted(after.hands[0])


@clause("R4", "RA-17", "RA-19", "XA-12")
@pytest.mark.parametrize("dealer", [1, 2, 3])
def test_r4_ra_17_ra_19_the_start_of_a_deal(dealer: int) -> None:
    hands = tuple(map(cards, ("2c 3c", "2d 3d", "2h 3h")))
    state = on(ROCKAWAY.start(Setting(options(), 1, dealer, (0, 0, 0)), Dealt(hands, parse_card("As"), cards("4s"))))
    assert state.pile == cards("As"), "an ace turned up stays"
    assert state.turn == dealer % 3 + 1
    assert [allowed(state._replace(turn=seat)) for seat in (1, 2, 3)] == [{"draw"}] * 3


@clause("RA-19", "R5")
def test_ra_19_play_goes_clockwise() -> None:
    state = table(["3h 2c", "4h 2d", "5h 2s"], "9h", left=9)
    turns = []
    for play in ("play 3h", "play 4h", "play 5h"):
        turns.append(state.turn)
        state = on(make(state, play))
    assert (*turns, state.turn) == (1, 2, 3, 1)


@clause("R5")
def test_r5_any_play_out_of_turn_is_forbidden_for_that_alone() -> None:
    state = table(["9c", "9d Ah 3s"], "9h", left=9)
    for play in ("play 9d", "play Ah", "play 3s", "draw", "pass"):
        assert verdict(state, play, seat=2) == "R5"
    assert verdict(state, "play Kc", seat=2) == IMPOSSIBLE, "possible comes before forbidden"
    assert verdict(exhaust(state), "draw", seat=2) == IMPOSSIBLE
    assert ROCKAWAY.legal(state, 2) == ()


@clause("RA-18", "R5")
def test_ra_18_one_card_a_turn() -> None:
    state = table(["9c 9d", OTHER], "9h", left=9)
    after = on(make(state, "play 9c"))
    assert len(after.hands[0]) == 1
    assert after.turn == 2
    assert verdict(after, "play 9d", seat=1) == "R5"
    with pytest.raises(ValueError, match="2 cards"):
        read(1, "play 9c 9d")


@clause("R6", "R7")
@pytest.mark.parametrize("top", ["9h", "2s", "Kd", "Tc"])
def test_r6_r7_every_card_on_every_kind_of_top(top: str) -> None:
    for card in PACK:
        if card == top:
            continue
        state = table([f"{card} {'3d' if card != '3d' else '3c'}", OTHER], top, "4s")
        fits = card[0] == top[0] or card[1] == top[1] or card[0] == "A"
        assert verdict(state, f"play {card}") == (LEGAL if fits else "R6"), card


@clause("R9", "R10", "RA-15", "RA-16")
@pytest.mark.parametrize("ace", ["Ac", "Ad", "Ah", "As"])
def test_r9_r10_an_ace_sets_its_own_suit(ace: str) -> None:
    state = make(table([f"2c {ace}", "3c"], "9h" if ace != "Ah" else "9s", left=9), f"play {ace}")
    assert on(state).top == ace
    for card in PACK:
        if card == ace:
            continue
        held = on(state)._replace(hands=(cards("2c"), (card,)))
        fits = card[1] == ace[1] or card[0] == "A"
        assert verdict(held, f"play {card}") == (LEGAL if fits else "R10"), card
    with pytest.raises(ValueError, match="2 cards"):
        read(1, f"play {ace} h")  # no suit can be named with it


@clause("R11", "RA-7")
def test_r11_ra_7_who_can_must_play() -> None:
    state = table(["9c 2s", OTHER], "9h", left=9)
    assert allowed(state) == {"play 9c"}
    assert verdict(state, "draw") == "R11"
    assert verdict(exhaust(state), "pass") == "R11"
    assert allowed(table(["Ac 2s", OTHER], "9h", left=9)) == {"play Ac", "draw"}


@clause("RA-8", "R11")
def test_ra_8_an_ace_instead_of_a_fitting_card() -> None:
    assert verdict(table(["9c Ad", OTHER], "9h", left=9), "play Ad") == LEGAL


@clause("R12", "RA-13")
def test_r12_an_ace_is_never_compulsory() -> None:
    state = table(["Ac Ad", OTHER], "9h", left=9)
    assert allowed(state) == {"play Ac", "play Ad", "draw"}
    assert allowed(exhaust(state)) == {"play Ac", "play Ad", "pass"}


@clause("RA-13")
def test_ra_13_the_option_forces_the_ace_only_on_an_empty_stock_and_only_if_nothing_else_fits() -> None:
    forced = options(ace_forced_when_exhausted=True)
    state = table(["Ac 2s", OTHER], "9h", left=9, rules=forced)
    assert allowed(state) == {"play Ac", "draw"}
    assert verdict(state, "pass") == "RA-12"
    assert verdict(exhaust(state), "pass") == "RA-13"
    plain = exhaust(table(["Ac 2h", OTHER], "9h", left=9, rules=forced))
    assert allowed(plain) == {"play Ac", "play 2h"}
    assert verdict(plain, "pass") == "R11", "the first row that applies"
    assert allowed(exhaust(table(["2s", OTHER], "9h", left=9, rules=forced))) == {"pass"}


@clause("RA-21", "R13")
def test_ra_21_the_last_card_may_be_an_ace() -> None:
    finished = over(make(table(["Ac", OTHER], "9h", left=9), "play Ac"))
    assert (finished.ending, finished.last) == ("out", 1)


@clause("R8")
def test_r8_draws_one_at_a_time_until_a_card_fits() -> None:
    state = on(make(table(["2s", OTHER], "9h", "3c 4c 5h", left=9), "draw"))
    assert (len(state.hands[0]), state.turn, state.stock_count, state.drawn) == (2, 1, 8, 1)
    assert allowed(state) == {"draw"}
    state = on(make(state, "draw", "draw"))
    assert allowed(state) == {"play 5h"}


@clause("R8", "RA-29", "RA-12")
def test_r8_ra_29_with_the_stock_gone_the_turn_passes_by_a_play() -> None:
    state = make(table(["2s", OTHER], "9h", "3c"), "draw")
    assert on(state).turn == 1, "the turn does not pass by itself"
    assert allowed(state) == {"pass"}
    assert on(make(state, "pass")).turn == 2


@clause("RA-9")
def test_ra_9_a_drawn_fitting_card_ends_the_drawing() -> None:
    state = make(table(["2s Ac", OTHER], "9h", "9c", left=9), "draw")
    assert allowed(state) == {"play 9c", "play Ac"}
    assert verdict(state, "draw") == "R11"


@clause("RA-28")
def test_ra_28_by_option_only_who_has_drawn_and_holds_an_ace_draws_on() -> None:
    past = options(draw_past_fitting=True)
    drawn = make(table(["2s Ac", OTHER], "9h", "9c 3h 4s", left=9, rules=past), "draw")
    assert allowed(drawn) == {"play 9c", "play Ac", "draw"}
    again = make(drawn, "draw")
    assert allowed(again) == {"play 9c", "play 3h", "play Ac", "draw"}
    assert verdict(make(table(["2s", OTHER], "9h", "9c", left=9, rules=past), "draw"), "draw") == "R11", "no ace"
    first = table(["9c Ac", OTHER], "9h", left=9, rules=past)
    assert verdict(first, "draw") == "R11", "the first draw needs a hand in which only aces fit"
    ace_drawn = make(table(["2s", OTHER], "9h", "Ac 9c", left=9, rules=past), "draw", "draw")
    assert "draw" in allowed(ace_drawn), "a drawn ace is an ace held"


@clause("RA-28")
def test_ra_28_what_was_drawn_in_an_earlier_turn_does_not_count() -> None:
    past = options(draw_past_fitting=True)
    state = make(table(["2s Ac 5d", "4d 7d"], "9h", "9c 3h 6d", left=9, rules=past), "draw", "play 9c")
    assert on(state).drawn == 0
    state = make(on(state)._replace(hands=(cards("2c Ac 5d"), cards("8c 7d"))), "play 8c")
    assert allowed(state) == {"play 2c", "play Ac"}


@clause("RA-28", "R11")
def test_ra_28_ends_with_the_stock() -> None:
    past = options(draw_past_fitting=True)
    state = make(table(["2s Ac", OTHER], "9h", "9c", rules=past), "draw")
    assert allowed(state) == {"play 9c", "play Ac"}
    assert verdict(state, "pass") == "R11"
    assert verdict(state, "draw") == IMPOSSIBLE


@clause("RA-10", "RA-11")
def test_ra_10_ra_11_a_drawn_ace_may_be_kept_and_drawing_broken_off_by_it() -> None:
    state = make(table(["2s", OTHER], "9h", "Ac 3c 4c", left=9), "draw")
    assert allowed(state) == {"play Ac", "draw"}
    state = make(state, "draw")
    assert allowed(state) == {"play Ac", "draw"}
    after = on(make(state, "play Ac"))
    assert (after.turn, after.drawn, after.top) == (2, 0, "Ac")


@clause("RA-12")
@pytest.mark.parametrize("hand", ["2s", "9c", "Ac", "Ac 9c"])
def test_ra_12_nobody_passes_while_there_is_stock(hand: str) -> None:
    assert verdict(table([hand, OTHER], "9h", left=1), "pass") == "RA-12"


@clause("RA-6")
def test_ra_6_played_cards_stay_on_the_pile() -> None:
    state = on(make(table(["9c 2s", "8c 2d"], "9h", "3d"), "play 9c", "play 8c", "draw", "pass"))
    assert state.pile == cards("9h 9c 8c")
    assert state.stock_count == 0
    assert allowed(state) == {"pass"}, "the pile is never turned"


@clause("RA-29")
def test_ra_29_a_pass_is_a_play_even_when_nothing_else_is_legal() -> None:
    state = exhaust(table(["2s", OTHER], "9h", "3d"))
    assert ROCKAWAY.legal(state, 1) == (Pass(1),)
    event = decide(ROCKAWAY, state, Pass(1))
    assert event == Passed(1, turn=2)
    assert ROCKAWAY.write_play(event) == "pass"


@clause("R13")
def test_r13_the_first_without_cards_ends_the_deal() -> None:
    finished = over(make(table(["9c", OTHER], "9h", left=9), "play 9c"))
    assert (finished.ending, finished.last) == ("out", 1)
    assert ROCKAWAY.ending(finished) == "out"
    assert ROCKAWAY.score(finished).points == (0, 15)
    assert [ROCKAWAY.legal(finished, seat) for seat in (1, 2)] == [(), ()]


@clause("RA-14")
@pytest.mark.parametrize("seats", range(2, 9))
def test_ra_14_as_many_passes_as_players(seats: int) -> None:
    state = exhaust(table([f"{n + 2}s" for n in range(seats)], "Kh", "3d"))
    for _ in range(seats - 1):
        state = on(make(state, "pass"))
    finished = over(make(state, "pass"))
    assert finished.ending == ROCKAWAY.ending(finished) == "blocked"
    assert ROCKAWAY.score(finished).points == tuple(2 * (n + 2) if n + 2 < 10 else 20 for n in range(seats))


@clause("RA-14")
def test_ra_14_a_card_played_between_starts_the_count_again() -> None:
    state = exhaust(table(["2s 3s", "4h 5s", "6s 7s"], "Kh", "3d"))
    state = on(make(state, "pass", "play 4h", "pass", "pass"))
    assert (state.passes, state.turn) == (2, 2)
    assert over(make(state, "pass")).ending == "blocked"


@clause("RA-14")
def test_ra_14_an_ace_declined_counts_as_held() -> None:
    finished = over(make(exhaust(table(["Ac", "2s"], "Kh", "3d")), "pass", "pass"))
    assert ROCKAWAY.score(finished).points == (40, 4)


@clause("XA-16")
def test_xa_16_a_refused_play_changes_nothing() -> None:
    sitting = Sitting(2)
    sitting.deal((cards("2c 3c 4c 5c 6c 7c 8c"), cards("2d 3d 4d 5d 6d 7d 8d")), parse_card("Kc"))
    before = sitting.session
    for play, forbids in (("draw 9s", "R11"), ("pass", "RA-12"), ("play 2d", None)):
        with pytest.raises(RefusedError) as refused:
            sitting.play(read(1, play))
        assert refused.value.clause == forbids
    assert sitting.session == before
    assert sitting.session.totals == (0, 0), "there are no penalties"
