"""Whether a play of Poker Rum is possible, whether it is legal, and what it brings.

`forbidden` is the book's table of forbidden plays, row by row in its order.
"""

from typing import assert_never

from replay.rules.cards import without
from replay.rules.game import Refusal, still_on
from replay.rules.poker_rum.commands import Command, Show
from replay.rules.poker_rum.deadwood import deadwood, shows
from replay.rules.poker_rum.deal import make
from replay.rules.poker_rum.events import Event, HandShown
from replay.rules.poker_rum.state import Finished, State, Table
from replay.rules.rums.commands import Discard, Draw, Take
from replay.rules.rums.events import CardDiscarded, CardTaken
from replay.rules.rums.judging import drawn, just_taken, not_to_be_had, out_of_step
from replay.rules.rums.layout import left_of


def impossible(state: State, command: Command) -> str | None:
    """Why no table could make this play, in words; None if one could. Asked only while the deal is on."""
    table = still_on(state, Table)
    layout = table.layout
    match command:
        case Draw() | Take():
            copies = make(len(layout.hands), table.options).copies
            return not_to_be_had(command, layout, table.options, copies)
        case Discard(seat=seat, card=card) | Show(seat=seat, card=card):
            return None if card in layout.hands[seat - 1] else f"{card} is not in the hand"
        case _:
            assert_never(command)


def forbidden(state: State, command: Command) -> Refusal | None:
    """The first row of the table of forbidden plays that applies; None if the play is legal."""
    table = still_on(state, Table)
    turn = table.turn
    refusal = out_of_step(turn, command.seat, "P8", draws=isinstance(command, Draw | Take))
    if refusal is not None or isinstance(command, Draw | Take):
        return refusal
    if not turn.drawn:
        return Refusal("P8", "a card must be drawn or taken first")
    if just_taken(table.layout, turn, table.options, command.card):
        return Refusal("XA-4", f"{command.card} has just been taken")
    return _too_high(table, command) if isinstance(command, Show) else None


def _too_high(table: Table, show: Show) -> Refusal | None:
    """P9, PA-2: whether the ten other cards leave more deadwood than one may show with."""
    kept = without(table.layout.hands[show.seat - 1], show.card)
    left = deadwood(kept, table.options.ace_value)
    if left <= table.options.call_limit:
        return None
    return Refusal("P9", f"without {show.card} the deadwood is {left}, more than {table.options.call_limit}")


def outcome(state: State, command: Command) -> Event:
    """What a possible play brings. A show ends the deal (P10)."""
    table = still_on(state, Table)
    match command:
        case Draw():
            return drawn(table.layout, table.options, command)
        case Take(seat=seat):
            return CardTaken(seat, table.layout.pile[-1])
        case Discard(seat=seat, card=card):
            return CardDiscarded(seat, card, left_of(table.layout, seat))
        case Show(seat=seat, card=card):
            return HandShown(seat, card)
        case _:
            assert_never(command)


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """The book's table of legal plays: draw and take; then each discard, and each show, in the order of the hand."""
    if isinstance(state, Finished) or seat != state.turn.seat:
        return ()
    if not state.turn.drawn:
        return (Draw(seat), Take(seat)) if state.layout.pile else (Draw(seat),)
    layout, turn, options = state.layout, state.turn, state.options
    cards = [card for card in dict.fromkeys(layout.hands[seat - 1]) if not just_taken(layout, turn, options, card)]
    shown = shows(layout.hands[seat - 1], options.ace_value, options.call_limit)
    return (*(Discard(seat, card) for card in cards), *(Show(seat, card) for card in cards if card in shown))
