"""Whether a play of Single-Pack Rum is possible, whether it is legal, and what it brings.

`forbidden` is the book's table of forbidden plays, row by row in its order.
"""

from collections.abc import Iterable
from typing import assert_never

from replay.rules.cards import Cards
from replay.rules.game import Refusal, still_on
from replay.rules.rums.combinations import Fit, cards_left, fit, with_added
from replay.rules.rums.commands import Discard, Draw, Take
from replay.rules.rums.events import CardDiscarded, CardTaken
from replay.rules.rums.judging import drawn, just_taken, not_to_be_had, out_of_step
from replay.rules.rums.layout import left_of
from replay.rules.single_pack_rum.commands import Command, LayOff, Meld, Splash
from replay.rules.single_pack_rum.deal import make
from replay.rules.single_pack_rum.events import Event, LaidOff, Melded, Splashed
from replay.rules.single_pack_rum.state import State, Table


def impossible(state: State, command: Command) -> str | None:
    """Why no table could make this play, in words; None if one could. Asked only while the deal is on."""
    table = still_on(state, Table)
    layout = table.layout
    match command:
        case Draw() | Take():
            laid = (meld.cards for meld in table.melds)
            return not_to_be_had(command, layout, table.options, make(len(layout.hands), table.options).copies, laid)
        case Discard() | Meld() | LayOff() | Splash():
            if isinstance(command, Splash) and not command.melds and not command.lay_offs:
                return "a splash lays cards down"
            for meld in _labels(command):
                if not 1 <= meld <= len(table.melds):
                    return f"there is no combination m{meld}"
            hand = layout.hands[command.seat - 1]
            if cards_left(hand, _used(command)) is None:
                missing = next(card for card in _used(command) if _used(command).count(card) > hand.count(card))
                return f"{missing} is not in the hand"
            return None
        case _:
            assert_never(command)


def forbidden(state: State, command: Command) -> Refusal | None:
    """The first row of the table of forbidden plays that applies; None if the play is legal."""
    table = still_on(state, Table)
    turn = table.turn
    refusal = out_of_step(turn, command.seat, "S6", draws=isinstance(command, Draw | Take))
    if refusal is not None or isinstance(command, Draw | Take):
        return refusal
    match command:
        case Discard():
            if not turn.drawn:
                return Refusal("S7", "a card must be drawn or taken first")
            return _taken_back(table, command)
        case Meld() | LayOff() | Splash():
            if not turn.drawn:
                return Refusal("S10", "a card must be drawn or taken first")
            return _action_forbidden(table, command)
        case _:
            assert_never(command)


def _action_forbidden(table: Table, command: Meld | LayOff | Splash) -> Refusal | None:
    match command:
        case Splash():
            return _splash_forbidden(table, command)
        case Meld(cards=cards):
            refusal = _no_combination(cards)
            if refusal is None and len(cards) > 3 and table.options.table_actions != "free":
                refusal = Refusal("SA-9", "a layout has exactly three cards")
            return refusal or _beyond_limit(table, command)
        case LayOff(meld=meld, card=card):
            return _no_addition(table, meld, (card,)) or _beyond_limit(table, command)


def _splash_forbidden(table: Table, command: Splash) -> Refusal | None:
    if not table.options.splash:
        return Refusal("SA-14", "the splash is not played in this session")
    if command.seat in table.acted:
        return Refusal("SA-15", "he has laid cards on the table in this deal")
    left = cards_left(table.layout.hands[command.seat - 1], _used(command))
    if left:
        return Refusal("SA-15", f"{len(left)} cards would be left")
    if command.lay_offs and not table.options.splash_layoffs:
        return Refusal("SA-15", "a splash adds nothing to the table")
    if not command.melds:
        return Refusal("SA-28", "no combination comes from the hand")
    added: dict[int, Cards] = {}
    for meld, cards in command.lay_offs:
        added[meld] = (*added.get(meld, ()), *cards)
    return _first_of_row(map(_no_combination, command.melds)) or _first_of_row(
        _no_addition(table, meld, cards) for meld, cards in added.items()
    )


def _first_of_row(refusals: Iterable[Refusal | None]) -> Refusal | None:
    """The refusal of a row that cites SA-10 if a play offends only for its ace; the order of its groups means nothing
    (XA-7)."""
    found = [refusal for refusal in refusals if refusal is not None]
    return next((refusal for refusal in found if refusal.clause != "SA-10"), found[0] if found else None)


def _no_combination(cards: Cards) -> Refusal | None:
    match fit(cards):
        case Fit.COMBINATION:
            return None
        case Fit.ACE_BETWEEN:
            return Refusal("SA-10", f"in {' '.join(cards)} an ace stands between king and deuce")
        case Fit.NOTHING:
            return Refusal("S9", f"{' '.join(cards)} is no combination")


def _no_addition(table: Table, meld: int, cards: Cards) -> Refusal | None:
    """Whether these cards do not fit that combination; all of them together, since one may open the way for another."""
    match with_added(table.melds[meld - 1].cards, cards):
        case Fit.COMBINATION:
            return None
        case Fit.ACE_BETWEEN:
            return Refusal("SA-10", f"{' '.join(cards)} would come next to the ace of m{meld}")
        case Fit.NOTHING:
            return Refusal("SA-9", f"{' '.join(cards)} does not fit m{meld}")


def _beyond_limit(table: Table, command: Meld | LayOff) -> Refusal | None:
    """SA-3, SA-25, SA-26: one table action, and by default one more card to a combination of one's own."""
    options, actions = table.options, table.actions
    if options.table_actions == "free":
        return None
    if options.table_actions == "exclusive":
        return Refusal("SA-3", "one table action a turn") if any(actions) else None
    own = isinstance(command, LayOff) and table.melds[command.meld - 1].seat == command.seat
    main = actions.melds + actions.to_others + (not own)
    if main > 1 or sum(actions) + 1 > 2:
        return Refusal("SA-25", "one table action a turn, and one card more to a combination of one's own")
    return None


def _taken_back(table: Table, command: Discard) -> Refusal | None:
    """XA-4, and SA-24: the card just taken may go if it is the only one left after a table action."""
    if not just_taken(table.layout, table.turn, table.options, command.card):
        return None
    if len(table.layout.hands[command.seat - 1]) == 1 and any(table.actions):
        return None
    return Refusal("XA-4", f"{command.card} has just been taken")


def outcome(state: State, command: Command) -> Event:
    """What a possible play brings. A hand that it empties ends the deal (S11, SA-7, SA-8)."""
    table = still_on(state, Table)
    seat, layout = command.seat, table.layout
    match command:
        case Draw():
            return drawn(layout, table.options, command)
        case Take():
            return CardTaken(seat, layout.pile[-1])
        case Discard(card=card):
            return CardDiscarded(seat, card, _next(table, command, left_of(layout, seat)))
        case Meld(cards=cards):
            return Melded(seat, len(table.melds) + 1, cards, _next(table, command, seat))
        case LayOff(meld=meld, card=card):
            return LaidOff(seat, meld, card, _next(table, command, seat))
        case Splash(melds=melds, lay_offs=lay_offs, discard=discard):
            left = seat if discard is None else left_of(layout, seat)
            return Splashed(seat, melds, lay_offs, discard, _next(table, command, left))
        case _:
            assert_never(command)


def _next(table: Table, command: Discard | Meld | LayOff | Splash, otherwise: int) -> int | None:
    return otherwise if len(table.layout.hands[command.seat - 1]) > len(_used(command)) else None


def _used(command: Discard | Meld | LayOff | Splash) -> Cards:
    """The cards that leave the hand."""
    match command:
        case Discard(card=card) | LayOff(card=card):
            return (card,)
        case Meld(cards=cards):
            return cards
        case Splash(melds=melds, lay_offs=lay_offs, discard=discard):
            used = [card for cards in melds for card in cards]
            used += [card for _, cards in lay_offs for card in cards]
            return (*used, discard) if discard is not None else tuple(used)


def _labels(command: Discard | Meld | LayOff | Splash) -> tuple[int, ...]:
    """The combinations on the table that the play names."""
    match command:
        case LayOff(meld=meld):
            return (meld,)
        case Splash(lay_offs=lay_offs):
            return tuple(meld for meld, _ in lay_offs)
        case _:
            return ()
