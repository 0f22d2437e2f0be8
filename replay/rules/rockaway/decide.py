"""Whether a play of Rockaway is possible, whether it is legal, and what it brings.

`forbidden` is the book's table of forbidden plays, row by row in its order.
"""

from typing import assert_never

from replay.rules.cards import Card, Cards, rank, suit
from replay.rules.game import Refusal
from replay.rules.rockaway.commands import Command, Draw, Pass, Play
from replay.rules.rockaway.deal import make
from replay.rules.rockaway.events import CardDrawn, CardPlayed, Event, Passed
from replay.rules.rockaway.state import Finished, State, Table


def fits(card: Card, top: Card) -> bool:
    """R6: the suit of the top card, or its rank, or an ace (R7). R10 is this rule applied to an ace (RA-16)."""
    return card[1] == top[1] or card[0] == top[0] or card[0] == "A"


def impossible(state: State, command: Command) -> str | None:
    """Why no table could make this play, in words; None if one could. Asked only while the deal is on."""
    table = _on(state)
    match command:
        case Play(seat, card):
            return None if card in table.hands[seat - 1] else f"{card} is not in the hand"
        case Draw(_, card):
            return _undrawable(table, card)
        case Pass():
            return None
        case _:
            assert_never(command)


def forbidden(state: State, command: Command) -> Refusal | None:
    """The first row of the table of forbidden plays that applies; None if the play is legal."""
    table = _on(state)
    if command.seat != table.turn:
        return Refusal("R5", f"it is seat {table.turn}'s turn")
    hand, top = table.hands[command.seat - 1], table.top
    match command:
        case Play(_, card):
            if not fits(card, top):
                return Refusal("R10" if rank(top) == "A" else "R6", f"{card} does not fit {top}")
            return None
        case Draw():
            fitting = _fitting_plain(hand, top)
            if fitting is not None and not _may_draw_past(table, hand):
                return Refusal("R11", f"{fitting} fits {top} and must be played, or an ace")
            return None
        case Pass():
            return _pass_forbidden(table, hand, top)
        case _:
            assert_never(command)


def outcome(state: State, command: Command) -> Event:
    """What a possible play brings. A hand played empty ends the deal (R13), and so does the last pass (RA-14)."""
    table = _on(state)
    seat = command.seat
    left = seat % len(table.hands) + 1
    match command:
        case Play(_, card):
            return CardPlayed(seat, card, left if len(table.hands[seat - 1]) > 1 else None)
        case Draw(_, card):
            known = table.stock[table.gone]
            drawn = known if known is not None else card
            if drawn is None:
                raise ValueError("an unknown card was drawn and not named")
            return CardDrawn(seat, drawn, table.stock_count - 1)
        case Pass():
            blocked = table.passes + 1 >= len(table.hands)
            return Passed(seat, None if blocked else left)
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


def _on(state: State) -> Table:
    if isinstance(state, Finished):
        raise ValueError("the deal is over")  # noqa: TRY004 - session.py asks before any game is asked
    return state


def _fitting_plain(hand: Cards, top: Card) -> Card | None:
    """A fitting card that is not an ace: the only kind that must be played (R11, R12)."""
    top_rank, top_suit = rank(top), suit(top)
    for card in hand:
        if (card[1] == top_suit or card[0] == top_rank) and card[0] != "A":
            return card
    return None


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
    if table.exhausted:
        return "the stock is empty"
    known = table.stock[table.gone]
    if named is None:
        return "nobody has said which card was drawn" if known is None else None
    if known is not None:
        return None if named == known else f"the next card of the stock is {known}"
    copies = make(len(table.hands), table.options).copies[named]
    seen = table.pile.count(named) + table.stock[table.gone :].count(named)
    seen += sum(hand.count(named) for hand in table.hands)
    return None if seen < copies else f"every {named} of the pack is elsewhere"
