"""How a deal of Rockaway goes from one state to the next. Judges nothing: a recorded irregular play applies too."""

from typing import assert_never

from replay.rules.cards import Cards, without
from replay.rules.game import Dealt, Setting
from replay.rules.rockaway.events import CardDrawn, CardPlayed, Event, Passed
from replay.rules.rockaway.state import Finished, State, Table


def start(setting: Setting, dealt: Dealt) -> Table:
    """The table when the cards lie (R3, R4): the seat left of the dealer begins (RA-19)."""
    deals = setting.options.deals
    return Table(
        options=setting.options,
        last_three=deals is not None and setting.number >= deals - 2,
        turn=setting.dealer % len(dealt.hands) + 1,
        hands=dealt.hands,
        pile=(dealt.upcard,),
        stock=dealt.stock,
        gone=0,
        passes=0,
        drawn=0,
    )


def evolve(state: State, event: Event) -> State:
    """Apply what happened. An event after the end can only come from a broken log, and raises ValueError."""
    if not isinstance(state, Table):
        raise ValueError("an event after the end of the deal")  # noqa: TRY004 - the log is broken, not a type
    options, last_three, turn, hands, pile, stock, gone, passes, drawn = state
    if isinstance(event, CardPlayed):
        seat, card, next_turn = event
        hands = _with_hand(hands, seat, without(hands[seat - 1], card))
        pile = pile + (card,)  # noqa: RUF005 - tuples added take half the time of tuples unpacked
        table = Table(options, last_three, next_turn or turn, hands, pile, stock, gone, 0, 0)
        return table if next_turn is not None else Finished(table, "out", seat)
    if isinstance(event, CardDrawn):
        seat, card, _ = event
        hands = _with_hand(hands, seat, hands[seat - 1] + (card,))
        # A recorded draw out of turn takes the turn with it; the counts of a turn are its own.
        return Table(options, last_three, seat, hands, pile, stock, gone + 1, 0, drawn + 1 if seat == turn else 1)
    if isinstance(event, Passed):
        seat, next_turn = event
        table = Table(options, last_three, next_turn or turn, hands, pile, stock, gone, passes + 1, 0)
        return table if next_turn is not None else Finished(table, "blocked", seat)
    assert_never(event)


def _with_hand(hands: tuple[Cards, ...], seat: int, hand: Cards) -> tuple[Cards, ...]:
    return hands[: seat - 1] + (hand,) + hands[seat:]  # noqa: RUF005 - as above
