"""Whether a play of Rockaway is possible, whether it is legal, and what it brings.

`forbidden` is the book's table of forbidden plays, row by row in its order.
"""

from typing import Final, assert_never

from replay.rules.cards import PACK, Card, Cards, rank
from replay.rules.game import Refusal
from replay.rules.rockaway.commands import Command, Draw, Pass, Play
from replay.rules.rockaway.deal import make
from replay.rules.rockaway.events import CardDrawn, CardPlayed, Event, Passed
from replay.rules.rockaway.state import Finished, State, Table
from replay.rules.stock import undrawable


def fits(card: Card, top: Card) -> bool:
    """R6: the suit of the top card, or its rank, or an ace (R7). R10 is this rule applied to an ace (RA-16)."""
    return card[1] == top[1] or card[0] == top[0] or card[0] == "A"


# By top card: what must be played if it is held, since R11 exempts aces alone (R12).
_BINDING: Final = {top: frozenset(card for card in PACK if fits(card, top) and rank(card) != "A") for top in PACK}


def impossible(state: State, command: Command) -> str | None:
    """Why no table could make this play, in words; None if one could. Asked only while the deal is on."""
    if not isinstance(state, Table):
        raise _over()
    match command:
        case Play():
            held = command.card in state.hands[command.seat - 1]
            return None if held else f"{command.card} is not in the hand"
        case Draw():
            return _undrawable(state, command.card)
        case Pass():
            return None
        case _:
            assert_never(command)


def forbidden(state: State, command: Command) -> Refusal | None:
    """The first row of the table of forbidden plays that applies; None if the play is legal."""
    if not isinstance(state, Table):
        raise _over()
    seat = command.seat
    if seat != state.turn:
        return Refusal("R5", f"it is seat {state.turn}'s turn")
    hand, top = state.hands[seat - 1], state.pile[-1]
    match command:
        case Play():
            if not fits(command.card, top):
                return Refusal("R10" if rank(top) == "A" else "R6", f"{command.card} does not fit {top}")
            return None
        case Draw():
            fitting = _fitting_plain(hand, top)
            if fitting is not None and not _may_draw_past(state, hand):
                return Refusal("R11", f"{fitting} fits {top} and must be played, or an ace")
            return None
        case Pass():
            return _pass_forbidden(state, hand, top)
        case _:
            assert_never(command)


def outcome(state: State, command: Command) -> Event:
    """What a possible play brings. A hand played empty ends the deal (R13), and so does the last pass (RA-14)."""
    if not isinstance(state, Table):
        raise _over()
    seat, hands = command.seat, state.hands
    match command:
        case Play():
            return CardPlayed(seat, command.card, seat % len(hands) + 1 if len(hands[seat - 1]) > 1 else None)
        case Draw():
            drawn = state.stock[state.gone] or command.card
            if drawn is None:
                raise ValueError("an unknown card was drawn and not named")
            return CardDrawn(seat, drawn, len(state.stock) - state.gone - 1)
        case Pass():
            blocked = state.passes + 1 >= len(hands)
            return Passed(seat, None if blocked else seat % len(hands) + 1)
        case _:
            assert_never(command)


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """The book's table of legal plays: fitting cards in the order of the hand, then `draw`, then `pass`."""
    if isinstance(state, Finished) or seat != state.turn:
        return ()
    hand, top = state.hands[seat - 1], state.top
    plays: list[Command] = [Play(seat, card) for card in dict.fromkeys(hand) if fits(card, top)]
    if not state.exhausted:
        if _fitting_plain(hand, top) is None or _may_draw_past(state, hand):
            plays.append(Draw(seat))
    elif _pass_forbidden(state, hand, top) is None:
        plays.append(Pass(seat))
    return tuple(plays)


def _over() -> ValueError:
    """What none of these may be asked: the session asks first whether the deal is over."""
    return ValueError("the deal is over")


def _fitting_plain(hand: Cards, top: Card) -> Card | None:
    """A fitting card that is not an ace: the only kind that must be played (R11, R12)."""
    binding = _BINDING[top]
    if binding.isdisjoint(hand):
        return None
    return next(card for card in hand if card in binding)


def _may_draw_past(table: Table, hand: Cards) -> bool:
    """RA-28: with the option, who has drawn in this turn and holds an ace may draw past a fitting card."""
    return table.options.draw_past_fitting and table.drawn > 0 and _holds_ace(hand)


def _holds_ace(hand: Cards) -> bool:
    return any(card[0] == "A" for card in hand)


def _pass_forbidden(table: Table, hand: Cards, top: Card) -> Refusal | None:
    if not table.exhausted:
        return Refusal("RA-12", "the stock still holds a card")
    fitting = _fitting_plain(hand, top)
    if fitting is not None:
        return Refusal("R11", f"{fitting} fits {top} and must be played, or an ace")
    if table.options.ace_forced_when_exhausted and _holds_ace(hand):
        return Refusal("RA-13", "an ace is held and must be played")
    return None


def _undrawable(table: Table, named: Card | None) -> str | None:
    """Why this card cannot come from the stock: none is left, another lies there, or all copies are elsewhere."""
    if table.gone == len(table.stock):
        return "the stock is empty"
    known = table.stock[table.gone]
    if known is not None and named is None:
        return None
    seen = (*table.hands, table.pile, table.stock[table.gone :])
    return undrawable(known, named, make(len(table.hands), table.options).copies, seen)
