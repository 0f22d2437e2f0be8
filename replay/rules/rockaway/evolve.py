"""How a deal of Rockaway goes from one state to the next. Judges nothing: a recorded irregular play applies too."""

from typing import assert_never

from replay.rules.cards import without
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
    if isinstance(state, Finished):
        raise ValueError("an event after the end of the deal")  # noqa: TRY004 - the log is broken, not a type
    options, last_three, turn, hands, pile, stock, gone, passes, drawn = state
    seat = event.seat
    match event:
        case CardPlayed(card=card, turn=next_turn):
            hand = without(hands[seat - 1], card)
            hands = (*hands[: seat - 1], hand, *hands[seat:])
            pile = (*pile, card)
            if next_turn is None:
                return Finished(Table(options, last_three, turn, hands, pile, stock, gone, 0, 0), "out", seat)
            return Table(options, last_three, next_turn, hands, pile, stock, gone, 0, 0)
        case CardDrawn(card=card):
            hands = (*hands[: seat - 1], (*hands[seat - 1], card), *hands[seat:])
            # A recorded draw out of turn takes the turn with it; the counts of a turn are its own.
            drawn = drawn + 1 if seat == turn else 1
            return Table(options, last_three, seat, hands, pile, stock, gone + 1, 0, drawn)
        case Passed(turn=next_turn):
            if next_turn is None:
                table = Table(options, last_three, turn, hands, pile, stock, gone, passes + 1, 0)
                return Finished(table, "blocked", seat)
            return Table(options, last_three, next_turn, hands, pile, stock, gone, passes + 1, 0)
        case _:
            assert_never(event)
