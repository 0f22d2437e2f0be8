"""Whether a play of Canasta is possible, whether it is legal, and what it brings.

`forbidden` is the book's table of forbidden plays, row by row in its order; what concerns melds is in melds.py.
"""

from collections.abc import Sequence
from typing import assert_never

from replay.rules.canasta.cards import is_red_three, wilds
from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Group, Meld, Pass, Take
from replay.rules.canasta.drawing import drawn_cards, undrawable_cards
from replay.rules.canasta.events import (
    Answered,
    Asked,
    CardDiscarded,
    CardsDrawn,
    Event,
    Groups,
    Melded,
    Passed,
    PileTaken,
)
from replay.rules.canasta.evolve import evolve
from replay.rules.canasta.going_out import can_go_out, may_be_left, waived
from replay.rules.canasta.melds import frozen_by, laid_points, melding_refused, minimum, taking_refused
from replay.rules.canasta.state import State, Table, partner
from replay.rules.cards import Card, Cards
from replay.rules.game import Refusal, still_on


def impossible(state: State, command: Command) -> str | None:
    """Why no table could make this play, in words; None if one could. Asked only while the deal is on."""
    table = still_on(state, Table)
    match command:
        case Draw(cards=cards):
            return undrawable_cards(table, cards)
        case Take() | Meld():
            if isinstance(command, Take) and not table.pile:
                return "there is no pile to take"
            # The first group of a take may be empty, where the upcard alone joins a meld.
            bare = command.groups if isinstance(command, Meld) else in_taking_order(table, command)[1:]
            if not all(group.cards for group in bare):
                return "a group has no cards"
            used = tuple(card for group in command.groups for card in group.cards)
            return _not_held(table.hands[command.seat - 1], used)
        case Discard(seat=seat, card=card):
            return _not_held(table.hands[seat - 1], (card,))
        case Ask() | Answer() | Pass():
            return None
        case _:
            assert_never(command)


def _not_held(hand: Cards, used: Cards) -> str | None:
    missing = next((card for card in used if used.count(card) > hand.count(card)), None)
    return None if missing is None else f"{missing} is not in the hand" + (" so often" if missing in hand else "")


def forbidden(state: State, command: Command) -> Refusal | None:
    """The first row of the table of forbidden plays that applies; None if the play is legal."""
    table = still_on(state, Table)
    if isinstance(command, Answer):
        return _answer_forbidden(table, command)
    if table.phase == "asked" and command.seat == table.seat:
        return Refusal("CA-22", "his question stands and must be answered first")
    if command.seat != table.seat or table.phase == "asked":
        return Refusal("CA-32", f"it is for seat {table.to_act} to act")
    started = table.phase != "start"
    match command:
        case Draw():
            return Refusal("CA-32", "he has drawn or taken already") if started else None
        case Take():
            if started:
                return Refusal("CA-32", "he has drawn or taken already")
            return _take_forbidden(table, command)
        case Pass():
            return _pass_forbidden(table)
        case Meld() | Ask() | Discard():
            if not started:
                return Refusal("CA-32", "a turn starts with a draw or with taking the pile")
            return _later_forbidden(table, command)
        case _:
            assert_never(command)


def _later_forbidden(table: Table, command: Meld | Ask | Discard) -> Refusal | None:
    match command:
        case Meld(seat=seat, groups=groups):
            return _laying_forbidden(table, seat, groups, None)
        case Ask(seat=seat):
            return _ask_forbidden(table, seat)
        case Discard():
            return _discard_forbidden(table, command)


def _answer_forbidden(table: Table, command: Answer) -> Refusal | None:
    if table.phase == "asked":
        if command.seat == partner(table, table.seat):
            return None
        if command.seat == table.seat:
            return Refusal("CA-22", "his question stands and must be answered by his partner")
        return Refusal("CA-32", f"it is for seat {table.to_act} to act")
    if command.seat in (table.seat, partner(table, table.seat)):
        return Refusal("CA-22", "no question stands")
    return Refusal("CA-32", f"it is for seat {table.to_act} to act")


def _take_forbidden(table: Table, command: Take) -> Refusal | None:
    groups = in_taking_order(table, command)
    upcard = table.pile[-1]
    return taking_refused(table, command.seat, groups[0]) or _laying_forbidden(table, command.seat, groups, upcard)


def in_taking_order(table: Table, command: Take) -> tuple[Group, ...]:
    """The groups with the one that takes the pile first."""
    if not command.any_order:
        return command.groups
    upcard = table.pile[-1]
    return tuple(sorted(command.groups, key=lambda group: group.rank != upcard[0]))


def _laying_forbidden(table: Table, seat: int, groups: Sequence[Group], upcard: Card | None) -> Refusal | None:
    """The rows that hold for `meld` and `take` alike, once the pile may be taken."""
    refusal = melding_refused(table, seat, groups, upcard)
    if refusal is not None:
        return refusal
    after = _after_laying(table, seat, groups, upcard)
    left = len(after.hands[seat - 1])
    return (
        _black_threes_forbidden(table, after, groups)
        or _first_meld_too_small(table, after, groups, upcard)
        or _emptying_forbidden(after, left)
        or _left_too_few(after, left)
    )


def _after_laying(table: Table, seat: int, groups: Sequence[Group], upcard: Card | None) -> Table:
    """The table after the play, if it were made; the rest of a taken pile is then in the hand."""
    written = _written(groups)
    event = Melded(seat, written, seat) if upcard is None else _pile_taken(table, seat, groups, seat)
    after = evolve(table, event)
    assert isinstance(after, Table)  # noqa: S101 - the event says that the deal goes on
    return after


def _black_threes_forbidden(table: Table, after: Table, groups: Sequence[Group]) -> Refusal | None:
    """C19, CA-45: only with a play that leaves no card, or one to discard; CA-19: without wild cards."""
    threes = next((group for group in groups if group.rank == "3"), None)
    if threes is None:
        return None
    left = len(after.hands[table.seat - 1])
    lacks = after.side(table.seat).canastas < table.canastas_needed
    if left > may_be_left(table) or lacks or table.turn.answer == "no":
        return Refusal("C19", "black threes are melded only by who goes out")
    if wilds(threes.cards) and not table.options.black_three_wilds:
        return Refusal("CA-19", "black threes are melded without wild cards")
    return None


def _first_meld_too_small(table: Table, after: Table, groups: Sequence[Group], upcard: Card | None) -> Refusal | None:
    if table.side(table.seat).melds:
        return None
    needed = minimum(table.totals[table.side_of(table.seat)], table.options)
    laid = laid_points(groups, upcard)
    if laid >= needed or _concealed_enough(table, after, taking=upcard is not None):
        return None
    return Refusal("C16", f"the first meld needs {needed} points, and this is {laid}")


def _concealed_enough(table: Table, after: Table, *, taking: bool) -> bool:
    """CA-24, with the canastas needed."""
    seat = table.seat
    enough = after.side(seat).canastas >= table.canastas_needed
    return enough and waived(table, seat, len(after.hands[seat - 1]), taking=taking)


def _emptying_forbidden(after: Table, left: int) -> Refusal | None:
    """C21, C23: the hand may not be emptied without the canastas needed, or after a no; after a yes it must be."""
    if left == 0:
        if after.side(after.seat).canastas < after.canastas_needed:
            return Refusal("C21", "his side has not the canastas needed to go out")
        if after.turn.answer == "no":
            return Refusal("C23", "his partner has said no")
    elif after.turn.answer == "yes" and not can_go_out(after, after.seat):
        return Refusal("C23", "his partner has said yes, and after this he could not go out")
    return None


def _left_too_few(after: Table, left: int) -> Refusal | None:
    """CA-41: who may not go out must be left two cards, or one if no discard follows."""
    lacks = after.side(after.seat).canastas < after.canastas_needed
    if (lacks or after.turn.answer == "no") and left <= may_be_left(after):
        return Refusal("CA-21", "he must hold a card at the end of his turn")
    return None


def _ask_forbidden(table: Table, seat: int) -> Refusal | None:
    if partner(table, seat) == seat:
        return Refusal("CA-42", "there is no partner to ask")
    could_keep = len(table.hands[seat - 1]) > may_be_left(table)
    if not (could_keep and can_go_out(table, seat)):
        return Refusal("CA-42", "one of the answers could not be honoured")
    if table.turn.asked or (table.options.ask_limit == "per_deal" and seat in table.asked_before):
        return Refusal("CA-22", "he has asked already")
    return None


def _pass_forbidden(table: Table) -> Refusal | None:
    if table.turn.answer == "yes":
        return Refusal("C23", "his partner has said yes, and he must go out")
    if table.phase == "last_red":
        return None
    if table.stock or table.phase != "start":
        return Refusal("CA-32", "the deal is passed out only on an empty stock, at the start of a turn")
    if _forced_take(table):
        return Refusal("CA-47", f"{table.pile[-1]} fits a meld of his side, and the pile must be taken")
    return None


def _forced_take(table: Table) -> bool:
    """CA-47: whether adding the upcard alone to a meld of the side would be legal."""
    if not table.options.forced_take_on_empty_stock or not table.pile or frozen_by(table, table.seat) is not None:
        return False
    rank = table.pile[-1][0]
    if table.side(table.seat).meld(rank) is None:
        return False
    return _take_forbidden(table, Take(table.seat, (Group(rank, ()),))) is None


def _discard_forbidden(table: Table, command: Discard) -> Refusal | None:
    left = len(table.hands[command.seat - 1]) - 1
    if left == 0:
        if table.side(command.seat).canastas < table.canastas_needed:
            return Refusal("C21", "his side has not the canastas needed to go out")
        if table.turn.answer == "no":
            return Refusal("C23", "his partner has said no")
    elif table.turn.answer == "yes":
        return Refusal("C23", "his partner has said yes, and this does not go out")
    if table.turn.last_red:
        return Refusal("CA-26", "no discard follows when the last card of the stock was a red three")
    return None


def outcome(state: State, command: Command) -> Event:
    """What a possible play brings. A hand that it empties ends the deal (C21)."""
    table = still_on(state, Table)
    seat = command.seat
    match command:
        case Draw():
            cards, last_red = drawn_cards(table, command.cards)
            reds = tuple(filter(is_red_three, cards))
            return CardsDrawn(seat, cards, reds, len(table.stock) - len(cards), last_red)
        case Take():
            groups = in_taking_order(table, command)
            left = len(_after_laying(table, seat, groups, table.pile[-1]).hands[seat - 1])
            return _pile_taken(table, seat, groups, seat if left else None)
        case Meld(groups=groups):
            used = sum(len(group.cards) for group in groups)
            # Who melds, at a recorded table, before his question is answered has not answered it.
            next_seat = table.to_act if seat == table.seat else seat
            return Melded(seat, _written(groups), next_seat if len(table.hands[seat - 1]) > used else None)
        case Discard(card=card):
            next_seat = seat % len(table.hands) + 1
            return CardDiscarded(seat, card, next_seat if len(table.hands[seat - 1]) > 1 else None)
        case Ask():
            return Asked(seat, partner(table, seat))
        case Answer(yes=yes):
            return Answered(seat, yes, table.seat)
        case Pass():
            return Passed(seat)
        case _:
            assert_never(command)


def _pile_taken(table: Table, seat: int, groups: Sequence[Group], turn: int | None) -> PileTaken:
    reds = tuple(filter(is_red_three, table.pile[:-1]))
    return PileTaken(seat, table.pile[-1], _written(groups), reds, turn)


def _written(groups: Sequence[Group]) -> Groups:
    return tuple((group.rank, group.cards) for group in groups)
