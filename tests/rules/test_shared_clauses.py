"""The decisions that all rule books share, by id, as far as they bind a session: XA-5 to XA-12 and XA-15 to XA-17.

Played with Rockaway, but nothing here asks what only Rockaway answers.
"""

import pytest

from replay.rules.cards import NotACardError, parse_card
from replay.rules.game import ImpossiblePlayError, NotNowError
from replay.rules.registry import UnknownGameError, find_game
from replay.rules.rockaway.commands import Draw, Pass
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, UnseatableError, close, dealt, open_session, play, start_deal
from replay.rules.session_events import DealEnded
from replay.rules.session_state import BrokenLogError
from tests.rules.layout import cards, read
from tests.rules.sittings import Sitting, leave

clause = pytest.mark.clause
HANDS = (cards("2c 3c 4c 5c 6c 7c 8c"), cards("2d 3d 4d 5d 6d 7d 8d"))
UPCARD = parse_card("Kc")


@clause("XA-5")
@pytest.mark.parametrize("seats", range(2, 9))
def test_xa_5_cards_are_dealt_one_at_a_time_from_the_dealers_left(seats: int) -> None:
    sitting = Sitting(seats, {"deals": None})
    pack = tuple(ROCKAWAY.make(seats, sitting.session.options).copies.elements())
    for _ in range(seats + 1):
        dealer = sitting.session.next_dealer
        lie = dealt(sitting.session, pack)
        order = [(dealer + n) % seats for n in range(seats)]  # seats from 0, the dealer's left first, the dealer last
        assert [lie.hands[seat][0] for seat in order] == list(pack[:seats])
        assert [lie.hands[seat][6] for seat in order] == list(pack[6 * seats : 7 * seats])
        assert (lie.upcard, lie.stock) == (pack[7 * seats], pack[7 * seats + 1 :])
        sitting.take(start_deal(sitting.session, DealCommand(*lie)))
        sitting.take(DealEnded(sitting.session.next_number - 1, "void", (0,) * seats, None, None, None))


@clause("XA-6")
def test_xa_6_the_same_cards_and_plays_give_the_same_deal() -> None:
    sessions = []
    for _ in range(2):
        sitting = Sitting(3, first_deal=4)
        leave(sitting, ["5s 6d", "Ah", "9c"], out=None, exhausted=True)
        sessions.append((sitting.session, sitting.events))
    assert sessions[0] == sessions[1]


@clause("XA-7")
def test_xa_7_a_hand_is_a_multiset() -> None:
    sitting = Sitting(5)
    hands = [cards("9c 9c 2d 2d 3d 3d 4d"), *(cards("5s 6s 7s 8s 9s Ts Js") for _ in range(2))]
    hands += [cards("5h 6h 7h 8h 9h Th Jh") for _ in range(2)]
    sitting.deal(hands, parse_card("9d"))
    for _ in range(2):
        sitting.play(read(1, "play 9c"), irregular=True)
    with pytest.raises(ImpossiblePlayError):
        sitting.play(read(1, "play 9c"), irregular=True)
    deal = sitting.deal_on
    assert sorted(deal.state.hands[0]) == sorted(cards("2d 2d 3d 3d 4d"))


@clause("XA-7", "R2")
def test_xa_7_no_card_beyond_the_packs() -> None:
    three = [cards("9c 9c 9c 2d 3d 3d 4d"), *(cards("5s 6s 7s 8s Ts Js Qs") for _ in range(2))]
    three += [cards("5h 6h 7h 8h 9h Th Jh") for _ in range(2)]
    with pytest.raises(ImpossiblePlayError, match="3 cards 9c"):
        Sitting(5).deal(three, parse_card("9d"))


@clause("XA-8")
def test_xa_8_whichever_comes_first() -> None:
    by_number = Sitting(2, {"deals": 1, "target": 1000})
    leave(by_number, ["", "5c"], out=1, exhausted=False)
    assert by_number.session.winners == (1,)
    by_target = Sitting(2, {"deals": 10, "target": 5})
    leave(by_target, ["", "5c"], out=1, exhausted=False)
    assert by_target.session.winners == (1,)
    neither = Sitting(2, {"deals": 10, "target": 6})
    leave(neither, ["", "5c"], out=1, exhausted=False)
    assert neither.session.winners is None


@clause("XA-8", "XA-15")
@pytest.mark.parametrize(
    ("options", "first_deal", "totals", "over"),
    [
        ({}, 10, (1, 2), False),
        ({}, 11, (1, 2), True),
        ({"target": 50}, 3, (49, 2), False),
        ({"target": 50}, 3, (50, 2), True),
        ({"deals": None}, 99, (500, 2), False),
    ],
)
def test_xa_8_what_is_brought_forward_may_have_ended_the_session(
    options: dict[str, object], first_deal: int, totals: tuple[int, ...], over: bool
) -> None:
    sitting = Sitting(2, options, first_deal=first_deal, totals=totals)
    assert (sitting.session.winners is not None) == over
    if over:
        with pytest.raises(NotNowError) as refused:
            sitting.deal(HANDS, UPCARD)
        assert refused.value.clause == "XA-15"
    else:
        sitting.deal(HANDS, UPCARD)


@clause("XA-9")
@pytest.mark.parametrize(("totals", "winners"), [((5, 7, 9), (1,)), ((9, 5, 5), (2, 3)), ((4, 4, 4), (1, 2, 3))])
def test_xa_9_the_lowest_total_wins_and_ties_win_together(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert ROCKAWAY.lowest_wins
    sitting = Sitting(3, {"deals": None}, totals=totals)
    sitting.close()
    assert sitting.session.winners == winners


@clause("XA-10")
def test_xa_10_an_open_session_ends_when_it_is_closed() -> None:
    sitting = Sitting(2, {"deals": None})
    for _ in range(12):
        leave(sitting, ["", "5c"], out=1, exhausted=False)
        assert sitting.session.status == "waiting"
    sitting.close()
    assert (sitting.session.winners, sitting.session.status) == ((1,), "over")
    with pytest.raises(NotNowError) as refused:
        sitting.close()
    assert refused.value.clause == "XA-15"


@clause("XA-10")
@pytest.mark.parametrize("options", [{}, {"deals": None, "target": 100}, {"deals": 3, "target": 9}])
def test_xa_10_others_are_not_closed_but_by_a_record(options: dict[str, object]) -> None:
    sitting = Sitting(2, options)
    with pytest.raises(NotNowError) as refused:
        sitting.close()
    assert refused.value.clause == "XA-10"
    assert close(sitting.session, on_record=True).winners == (1, 2)
    sitting.deal(HANDS, UPCARD)
    with pytest.raises(NotNowError, match="still on"):
        close(sitting.session, on_record=True)


@clause("XA-11")
def test_xa_11_a_void_deal_has_a_number_and_scores_nothing() -> None:
    sitting = Sitting(2, {"deals": 2}, totals=(3, 4))
    sitting.deal(HANDS, UPCARD)
    sitting.take(DealEnded(1, "void", (0, 0), None, None, None))
    assert sitting.session.totals == (3, 4)
    assert (sitting.session.next_number, sitting.session.next_dealer) == (2, 1)
    leave(sitting, ["", "5c"], out=1, exhausted=False)
    assert sitting.ended.number == 2
    assert sitting.session.winners == (1,), "it counts towards the number of deals"


@clause("XA-12")
def test_xa_12_the_last_seat_deals_first_and_the_deal_passes_to_the_left() -> None:
    sitting = Sitting(3, {"deals": None})
    dealers, starters = [], []
    for dealer in (None, None, None, 2, None):
        hands = (*HANDS, cards("2h 3h 4h 5h 6h 7h 8h"))
        sitting.deal(hands, UPCARD, dealer=dealer)
        deal = sitting.deal_on
        dealers.append(deal.dealer)
        starters.append(deal.state.turn)
        sitting.take(DealEnded(deal.number, "void", (0, 0, 0), None, None, None))
    assert dealers == [3, 1, 2, 2, 3], "a record may name another dealer, and the deal goes on from there"
    assert starters == [1, 2, 3, 3, 1]


@clause("XA-15")
def test_xa_15_nothing_after_the_end() -> None:
    sitting = Sitting(2, {"deals": 1})
    with pytest.raises(NotNowError, match="no deal"):
        sitting.play(Pass(1))
    leave(sitting, ["", "5c"], out=1, exhausted=False)
    for irregular in (False, True):
        for written in ("play 5c", "play Ks", "draw", "pass"):
            with pytest.raises(NotNowError) as refused:
                play(sitting.session, read(2, written), irregular=irregular)
            assert refused.value.clause == "XA-15", "before anything else is asked"
    with pytest.raises(NotNowError) as refused:
        sitting.deal(HANDS, UPCARD)
    assert refused.value.clause == "XA-15"


@clause("XA-15")
def test_xa_15_one_deal_at_a_time() -> None:
    sitting = Sitting(2)
    sitting.deal(HANDS, UPCARD)
    with pytest.raises(NotNowError, match="still on"):
        sitting.deal(HANDS, UPCARD)


@clause("XA-16")
def test_xa_16_a_refusal_costs_nothing_and_an_irregular_play_is_a_fact() -> None:
    sitting = Sitting(2)
    sitting.deal(HANDS, UPCARD, cards("9s"))
    before = sitting.session
    with pytest.raises(Exception, match="stock"):
        sitting.play(Pass(1))
    assert sitting.session == before
    sitting.play(Pass(1), irregular=True)
    deal = sitting.deal_on
    assert [(it.play, it.seat, it.clause) for it in deal.irregularities] == [(1, 1, "RA-12")]
    assert sitting.session.totals == (0, 0)


@clause("XA-17")
def test_xa_17_the_stock_has_its_whole_length_however_much_is_written() -> None:
    sitting = Sitting(2)
    sitting.deal(HANDS, UPCARD, cards("9s Ts"))
    deal = sitting.deal_on
    assert deal.state.stock_count == 37
    assert deal.state.stock[:3] == (*cards("9s Ts"), None)
    assert not deal.state.exhausted


@clause("XA-17")
def test_xa_17_beyond_what_is_written_a_draw_names_its_card() -> None:
    sitting = Sitting(2)
    sitting.deal(HANDS, UPCARD)
    state = sitting.deal_on.state
    assert ROCKAWAY.impossible(state, Draw(1)) is not None
    assert ROCKAWAY.impossible(state, Draw(1, parse_card("2c"))) is not None, "it is in a hand"
    assert ROCKAWAY.impossible(state, Draw(1, UPCARD)) is not None, "it lies on the pile"
    assert ROCKAWAY.impossible(state, Draw(1, parse_card("Ks"))) is None
    with pytest.raises(ImpossiblePlayError):
        Sitting(2).deal(HANDS, UPCARD, (None,) * 38)


def test_sessions_that_cannot_be_opened() -> None:
    def opening(totals: tuple[int, ...]) -> None:
        open_session(ROCKAWAY, seats=2, options={}, mode="dealt", public=True, owner="o", totals=totals)

    opening((0, 0))
    with pytest.raises(UnseatableError):
        opening((0, 0, 0))
    with pytest.raises(UnknownGameError):
        find_game("rockaway", 2)
    with pytest.raises(UnknownGameError):
        find_game("whist")


def test_cards_are_read_and_printed_and_nothing_else_is_one() -> None:
    for text in ("Ah", "Td", "7c", "2s", "Jk"):
        assert str(parse_card(text)) == text
    for text in ("", "10h", "ah", "AH", "1s", "??", "Ah ", "A", "Jk2", "♠A"):
        with pytest.raises(NotACardError):
            parse_card(text)


def test_a_broken_log_is_loud_and_says_where() -> None:
    sitting = Sitting(2)
    sitting.deal(HANDS, UPCARD, cards("9s"))
    sitting.play(read(1, "play 2c"))
    opened, started, played = sitting.events
    for events, version in (([], 0), ([started], 0), ([opened, opened], 2), ([opened, started, started], 3)):
        with pytest.raises(BrokenLogError) as broken:
            fold(None, events)
        assert broken.value.version == version
    with pytest.raises(BrokenLogError):
        fold(None, [opened, started, played, played])
