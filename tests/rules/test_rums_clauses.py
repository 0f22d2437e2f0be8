"""The decisions that are for the two rum games (XA-1 to XA-4, XA-13, XA-14), held for both alike; and irregular plays.

What a recorded irregular play does the books do not say: these are the consequences that evolve has fixed for every log
ever stored.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest

from replay.rules.cards import parse_card
from replay.rules.game import AnyGame
from replay.rules.poker_rum.poker_rum import POKER_RUM
from replay.rules.rums.events import CardDiscarded, CardDrawn, CardTaken, DealVoided
from replay.rules.single_pack_rum.single_pack_rum import SINGLE_PACK_RUM
from tests.rules.layout import cards
from tests.rules.layout_rums import IMPOSSIBLE, LEGAL, At, poker_rum, single_pack_rum
from tests.rules.sittings import Sitting

clause = pytest.mark.clause

Opened = Callable[..., At]


def _single(hands: list[str], pile: str = "Jd", stock: str = "9c", **given: Any) -> At:
    return single_pack_rum(hands, (), pile, stock, **given)


BOTH: Final = pytest.mark.parametrize("opened", [poker_rum, _single], ids=["poker_rum", "single_pack_rum"])
PILE: Final = "5h Kd 2c 9s Jc"
HANDS: Final = ["2h 3s 7d Th", "8d 7c Qs 4h"]


@clause("XA-1")
@BOTH
def test_xa_1_the_oldest_discard_is_drawn_first_and_the_rest_in_order(opened: Opened) -> None:
    at = opened(HANDS, PILE, "")
    drawn = []
    for _ in range(5):
        seat, before = at.turn, at.hand(at.turn)
        at = at.make("draw")
        drawn.append(next(card for card in at.hand(seat) if card not in before))
        at = at.make(f"discard {drawn[-1]}")
    assert drawn == list(cards(PILE))
    assert at.state.layout.turnovers == 1


@clause("XA-1", "XA-6")
@BOTH
def test_xa_1_nothing_is_shuffled_however_often_the_pile_is_turned(opened: Opened) -> None:
    at = opened(HANDS, PILE, "")
    for turnover in range(1, 5):
        for _ in range(5):
            at = at.make("draw")
            drawn = next(card for card in cards(PILE) if card in at.hand(at.turn))
            at = at.make(f"discard {drawn}")
        assert at.state.layout.pile == cards(PILE)
        assert at.state.layout.turnovers == turnover


@clause("XA-2")
@BOTH
def test_xa_2_only_who_wants_the_stock_turns_the_pile(opened: Opened) -> None:
    at = opened(HANDS, PILE, "9c").make("draw")
    assert (at.seen.stock_count, at.seen.upcard, at.seen.further["turnovers"]) == (0, "Jc", 0), "not by itself"
    after = at.make("discard 9c")
    assert after.listed() == {"draw", "take"}
    taken = after.make("take")
    assert taken.seen.further["turnovers"] == 0
    assert taken.seen.upcard == "Jc"
    turned = after.make("draw")
    assert (turned.seen.upcard, turned.seen.discard_count, turned.seen.stock_count) == (None, 0, 5)
    assert turned.seen.further["turnovers"] == 1
    assert turned.make("discard 8d").seen.upcard == "8d", "nothing lay face up until this"


@clause("XA-2")
@BOTH
def test_xa_2_without_a_discard_there_is_nothing_to_take(opened: Opened) -> None:
    at = opened(HANDS, "", "9c Td")
    assert at.verdict("take") == IMPOSSIBLE
    assert at.listed() == {"draw"}
    assert opened(HANDS, "", "").verdict("draw") == IMPOSSIBLE, "there is always a rest, but a record may be wrong"


@clause("XA-3", "XA-13")
@BOTH
@pytest.mark.parametrize("limit", [None, 0, 1, 3])
def test_xa_3_xa_13_turned_so_often_and_then_a_draw_voids_the_deal(opened: Opened, limit: int | None) -> None:
    for turnovers in range(5):
        at = opened(HANDS, PILE, "", turnovers=turnovers, max_turnovers=limit)
        assert at.listed() == {"draw", "take"}
        assert at.verdict("draw 5h") == (IMPOSSIBLE if limit is not None and turnovers >= limit else LEGAL)
        drawn = at.make("draw")
        if limit is None or turnovers < limit:
            assert drawn.seen.further["turnovers"] == turnovers + 1
            continue
        assert (drawn.ending, drawn.points) == ("void", (0, 0))
        assert drawn.game.score(drawn.state).lines == ()
        assert drawn.hand() == at.hand(), "nothing is turned or drawn"
        assert drawn.seen.upcard == "Jc"
        assert at.make("take").ending is None, "the top discard may still be taken"


@clause("XA-13")
@BOTH
def test_xa_13_with_cards_in_the_stock_the_limit_says_nothing(opened: Opened) -> None:
    assert opened(HANDS, PILE, "9c", turnovers=1, max_turnovers=1).make("draw").ending is None


@clause("XA-14")
@BOTH
def test_xa_14_the_top_discard_stays(opened: Opened) -> None:
    at = opened(HANDS, PILE, "", turnover_keeps_top=True).make("draw")
    assert "5h" in at.hand()
    assert at.state.layout.stock == cards("Kd 2c 9s")
    assert at.state.layout.pile == cards("Jc")
    after = at.make("discard 5h", "take", "discard 8d")
    assert after.state.layout.pile == cards("Jc 8d")


@clause("XA-4", "XA-7")
@BOTH
def test_xa_4_the_card_taken_stays_unless_by_option(opened: Opened) -> None:
    at = opened(HANDS, PILE, "9c").make("take")
    assert at.seen.further["taken"] == "Jc"
    assert at.verdict("discard Jc") == "XA-4"
    assert at.verdict("discard 2h") == LEGAL
    assert opened(HANDS, PILE, "9c", may_discard_taken_card=True).make("take").verdict("discard Jc") == LEGAL
    drawn = opened(HANDS, PILE, "9c").make("draw")
    assert drawn.seen.further["taken"] is None
    assert drawn.verdict("discard 9c") == LEGAL


@clause("XA-17")
@BOTH
def test_xa_17_an_unwritten_card_is_named_when_it_is_drawn(opened: Opened) -> None:
    at = opened(HANDS, "Jd", "")
    layout = at.state.layout._replace(stock=(None, parse_card("9c")))
    unwritten = At(at.game, at.state._replace(layout=layout))
    assert unwritten.verdict("draw") == IMPOSSIBLE
    for elsewhere in ("2h", "8d", "Jd", "9c"):
        assert unwritten.verdict(f"draw {elsewhere}") == IMPOSSIBLE, elsewhere
    drawn = unwritten.make("draw 6s")
    assert "6s" in drawn.hand()
    assert drawn.state.layout.stock == cards("9c")
    assert drawn.make("discard 6s").verdict("draw 6s") == IMPOSSIBLE, "the next card is written down"


@clause("XA-13", "XA-11", "XA-8")
@pytest.mark.parametrize("game", [POKER_RUM, SINGLE_PACK_RUM], ids=["poker_rum", "single_pack_rum"])
def test_xa_13_a_void_deal_counts_and_the_deal_passes_on(game: AnyGame) -> None:
    sitting = Sitting(2, {"deals": 2, "max_turnovers": 0}, game=game, totals=(7, -7))
    hands = [cards("2c 4d 6h 8s Tc Qd 3h 5s 7c 9d"), cards("2d 4h 6s 8c Td Qh 3s 5c 7d 9h")]
    rest = [card for card in game.make(2, sitting.session.options).copies if card not in (*hands[0], *hands[1])]
    sitting.deal(hands, rest[0], tuple(rest[1:]))
    while sitting.session.playing:
        seat = sitting.deal_on.state.turn.seat
        sitting.play(game.read_play(seat, "draw", []))
        if sitting.session.playing:
            drawn = sitting.deal_on.state.layout.hands[seat - 1][-1]
            sitting.play(game.read_play(seat, "discard", [drawn]))
    ended = sitting.ended
    assert (ended.number, ended.ending, ended.points, ended.winners) == (1, "void", (0, 0), None)
    assert sitting.session.totals == (7, -7)
    assert (sitting.session.next_number, sitting.session.next_dealer) == (2, 1)
    assert sitting.deal_on.plays == 2 * 31 + 1


@BOTH
def test_irregular_a_draw_or_take_out_of_turn_takes_the_turn_with_it(opened: Opened) -> None:
    at = opened(HANDS, PILE, "9c Td").make("take")
    drawn = at.force("draw", 2)
    assert (drawn.turn, drawn.seen.further["taken"]) == (2, None)
    assert drawn.make("discard 8d").turn == 1
    assert at.force("take", 2).seen.further["taken"] == "9s"


@BOTH
def test_irregular_two_draws_leave_a_card_more_and_no_draw_one_less(opened: Opened) -> None:
    at = opened(HANDS, PILE, "9c Td").make("draw").force("draw")
    assert len(at.hand()) == 6
    less = opened(HANDS, PILE, "9c Td").force("discard 2h")
    assert (len(less.hand()), less.turn, less.seen.upcard) == (3, 2, "2h")


@BOTH
def test_irregular_the_card_taken_may_have_gone_back(opened: Opened) -> None:
    at = opened(HANDS, PILE, "9c Td").make("take").force("discard Jc")
    assert (at.turn, at.seen.upcard, at.seen.further["taken"]) == (2, "Jc", None)


@BOTH
def test_irregular_a_second_draw_keeps_what_was_taken(opened: Opened) -> None:
    at = opened(HANDS, PILE, "9c Td").make("take").force("draw")
    assert at.verdict("discard Jc") == "XA-4"


@clause("XA-15")
@BOTH
def test_an_event_after_the_end_is_never_ignored(opened: Opened) -> None:
    void = opened(HANDS, PILE, "", max_turnovers=0).make("draw")
    card = parse_card("2h")
    for event in (CardDrawn(1, card, False, 3), CardTaken(1, card), CardDiscarded(1, card, 2), DealVoided(1)):
        with pytest.raises(ValueError, match="after the end"):
            void.game.evolve(void.state, event)


def test_irregular_a_show_above_the_limit_is_settled_as_any() -> None:
    at = poker_rum(["2h 3s 7d Th", "8d 8c 8s"], stock="Kc").make("draw").force("show Kc")
    assert (at.ending, at.points) == ("shown", (-44, 44))


def test_irregular_a_show_out_of_turn_is_its_players() -> None:
    at = poker_rum(["2h 3s", "8d 8c 8s Kc"]).force("show Kc", 2)
    assert (at.ending, at.state.last, at.points) == ("shown", 2, (-5, 5))


def test_irregular_what_is_no_combination_lies_there_all_the_same() -> None:
    at = single_pack_rum(["7d 2c Ah 5s", "8d 9d"], drawn="draw").force("meld 7d").force("meld Ah 2c")
    assert (at.laid(1), at.laid(2), at.turn) == (cards("7d"), cards("Ah 2c"), 1)
    other = at.make("discard 5s")
    assert other.ending == "out"


def test_irregular_a_meld_out_of_turn_takes_the_turn_with_it() -> None:
    at = single_pack_rum(["7d 2c", "8d 9d Td 3c"], drawn="draw").force("meld 8d 9d Td", 2)
    assert (at.turn, at.seen.further["phase"]) == (2, "start")
    assert at.verdict("discard 3c") == "S7"
    assert at.make("draw").verdict("lay_off m1 3c") == "SA-9"


def test_irregular_a_splash_that_leaves_cards_ends_nothing() -> None:
    at = single_pack_rum(["7d 8d 9d 2c Kh", "8s 9s"], drawn="draw", splash=True).force("splash 7d 8d 9d discard Kh")
    assert (at.ending, at.turn, at.hand(), at.laid()) == (None, 2, cards("2c"), cards("7d 8d 9d"))
    kept = single_pack_rum(["7d 8d 9d 2c Kh", "8s 9s"], drawn="draw", splash=True).force("splash 7d 8d 9d")
    assert (kept.ending, kept.turn) == (None, 1)
    assert kept.make("discard Kh").turn == 2


def test_irregular_a_splash_with_the_option_off_scores_as_a_splash() -> None:
    at = single_pack_rum(["7d 8d 9d", "8s 9s"], drawn="draw").force("splash 7d 8d 9d")
    assert (at.ending, at.points) == ("out", (34, -34))
