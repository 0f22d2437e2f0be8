"""What a recorded irregular play does to a deal of Rockaway: it is applied as the fact it was, and play goes on.

The book says nothing of this; these are the consequences that evolve has fixed for every log ever stored.
"""

import pytest

from replay.rules.cards import parse_card
from replay.rules.game import EVERYTHING
from replay.rules.rockaway.events import CardDrawn, CardPlayed, Event, Passed
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.rockaway.state import State, Table
from tests.rules.layout import allowed, cards, exhaust, make, on, options, over, read, table

clause = pytest.mark.clause


def force(state: State, play: str, seat: int) -> State:
    """The state after a play that is possible, forbidden or not."""
    command = read(seat, play)
    assert ROCKAWAY.impossible(state, command) is None
    return ROCKAWAY.evolve(state, ROCKAWAY.outcome(state, command))


def seen(state: State) -> dict[str, object]:
    return dict(ROCKAWAY.view(state, EVERYTHING).further)


def test_a_card_that_does_not_fit_becomes_the_top() -> None:
    state = on(force(table(["3s 4s", "3d 4d"], "9h", left=9), "play 3s", 1))
    assert (state.top, state.turn, state.hands[0]) == ("3s", 2, cards("4s"))


def test_a_card_out_of_turn_passes_the_turn_to_the_left_of_its_player() -> None:
    state = on(force(table(["3s 4s", "3d 4d", "9c 5h", "6h 7h"], "9h", left=9), "play 9c", 3))
    assert state.turn == 4


def test_a_draw_out_of_turn_takes_the_turn_and_counts_from_one() -> None:
    state = make(table(["3s", "3d 4d"], "9h", "5s 6s 7s", left=9), "draw")
    assert seen(state)["drawn"] == 1
    after = on(force(state, "draw", 2))
    assert (after.turn, after.drawn) == (2, 1)
    again = on(force(after, "draw", 2))
    assert (again.turn, again.drawn) == (2, 2)


@clause("RA-28")
def test_a_draw_of_another_seat_gives_nobody_the_right_to_draw_past() -> None:
    past = options(draw_past_fitting=True)
    state = make(table(["3s", "9c Ad"], "9h", "5s 6s", left=9, rules=past), "draw", "draw")
    assert on(state).drawn == 2
    turned = on(state)._replace(turn=2, drawn=0)
    assert allowed(turned) == {"play 9c", "play Ad"}


@clause("RA-14")
def test_passes_that_a_draw_or_a_card_parts_are_not_in_a_row() -> None:
    state = force(table(["3s", "3d"], "9h", "5s 9c", left=2), "pass", 1)
    assert seen(state)["passes"] == 1
    drawn = make(state, "draw")
    assert seen(drawn)["passes"] == 0
    passed = force(drawn, "pass", 2)
    assert isinstance(passed, Table), "one pass after a draw blocks nothing"
    assert seen(passed)["passes"] == 1


@clause("RA-14")
def test_passes_that_were_forbidden_block_a_deal_all_the_same() -> None:
    finished = over(force(force(table(["9c", "9d"], "9h", left=9), "pass", 1), "pass", 2))
    assert finished.ending == "blocked"
    assert not finished.table.exhausted
    assert ROCKAWAY.score(finished).points == (9, 9)


def test_a_pass_ends_the_turn_with_all_that_was_drawn_in_it() -> None:
    state = make(table(["3s", "3d"], "9h", "5s"), "draw")
    assert seen(state) == {"exhausted": True, "passes": 0, "drawn": 1}
    assert seen(make(state, "pass")) == {"exhausted": True, "passes": 1, "drawn": 0}


@clause("R13")
def test_a_last_card_that_does_not_fit_ends_the_deal() -> None:
    finished = over(force(table(["3s", "3d"], "9h", left=9), "play 3s", 1))
    assert (finished.ending, finished.last) == ("out", 1)


def test_the_end_out_of_turn_is_the_end_of_whoever_made_it() -> None:
    finished = over(force(table(["3s", "3d"], "9h", left=9), "play 3d", 2))
    assert (finished.ending, finished.last) == ("out", 2)
    assert ROCKAWAY.score(finished).points == (3, 0)


@clause("XA-15")
@pytest.mark.parametrize(
    "event", [CardPlayed(2, parse_card("3d"), 1), CardDrawn(2, parse_card("3d"), 3), Passed(2, 1)], ids=repr
)
def test_an_event_after_the_end_is_never_ignored(event: Event) -> None:
    finished = over(make(exhaust(table(["9c", "3d"], "9h", left=9)), "play 9c"))
    with pytest.raises(ValueError, match="after the end"):
        ROCKAWAY.evolve(finished, event)


def test_a_play_of_a_card_that_is_not_held_breaks_the_log() -> None:
    with pytest.raises(ValueError, match="not in"):
        ROCKAWAY.evolve(table(["9c", "3d"], "9h", left=9), CardPlayed(1, parse_card("Kc"), 2))
