"""What a seat may play at Canasta, usefully rather than exhaustively: one play for each essentially different choice.

Everything listed is legal. Where any play is legal some is listed; the same holds of takes, of the melds that open a
side, and of what goes out. `hints` says the rest: why the pile cannot be taken, what each rank holds, what the first
meld needs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from replay.rules.canasta.cards import RANKS, is_black_three, is_red_three, is_wild, total
from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Group, Meld, Pass, Take
from replay.rules.canasta.decide import forbidden
from replay.rules.canasta.going_out import can_go_out, may_be_left, waived, ways_out
from replay.rules.canasta.melds import frozen_by, minimum
from replay.rules.canasta.planning import Plan, naturals, plans
from replay.rules.canasta.state import Finished, State, Table
from replay.rules.cards import Cards
from replay.rules.game import Refusal
from replay.rules.scores import Plain


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """The plays: draw, take, pass; or answers; or melds, ask, discards, pass."""
    if isinstance(state, Finished) or seat != state.to_act:
        return ()
    return tuple(dict.fromkeys(_plays(state, seat)))


def _plays(table: Table, seat: int) -> Iterator[Command]:
    if table.phase == "asked":
        yield from _allowed(table, (Answer(seat, yes=True), Answer(seat, yes=False)))
    elif table.phase == "start":
        if table.stock:  # a card of it that nobody has written down is named when it is drawn
            yield Draw(seat)
        yield from _takes(table, seat)
        yield from _allowed(table, (Pass(seat),))
    else:
        yield from _melds(table, seat)
        discards = (Discard(seat, card) for card in dict.fromkeys(table.hands[seat - 1]))
        yield from _allowed(table, (Ask(seat), *discards, Pass(seat)))


def _allowed(table: Table, commands: Iterable[Command]) -> Iterator[Command]:
    """Those that the rules allow; all are of cards in hand, so that a table could make them."""
    for command in commands:
        if forbidden(table, command) is None:
            yield command


def _takes(table: Table, seat: int) -> list[Command]:
    """Ways to take the pile: with the fewest cards of the hand, with a wild card, with all of the rank; and what opens
    the side. If no such take is legal but another is, one that goes out is among these."""
    if not table.pile:
        return []
    if not _could_match(table, seat):
        return []
    takes = list(_allowed(table, _simple_takes(table, seat)))
    if not table.side(seat).melds or not takes:
        takes += _allowed(table, (Take(seat, plan.groups) for plan in _chosen(table, seat, taking=True)))
    return takes


def _could_match(table: Table, seat: int) -> bool:
    """Whether the hand, or a meld of the side, matches the upcard as the pile wants it (CA-8, C20, CA-10)."""
    upcard, hand = table.pile[-1], table.hands[seat - 1]
    if is_wild(upcard) or is_black_three(upcard):
        return False
    fitting = len(naturals(hand, upcard[0]))
    if fitting >= 2 or frozen_by(table, seat) is not None:
        return fitting >= 2
    return table.side(seat).meld(upcard[0]) is not None or (fitting > 0 and any(map(is_wild, hand)))


def _simple_takes(table: Table, seat: int) -> Iterator[Take]:
    rank, hand = table.pile[-1][0], table.hands[seat - 1]
    fitting, wild = naturals(hand, rank), _wilds(hand)
    for cards in ((), fitting[:1] + wild[:1], fitting[:2], fitting, fitting[:2] + wild[:1]):
        yield Take(seat, (Group(rank, cards),))


def _melds(table: Table, seat: int) -> Iterator[Command]:
    """What goes out; what opens a side; and each rank alone, with and without wild cards."""
    yield from _allowed(table, (Meld(seat, plan.groups) for plan in _spread(ways_out(table, seat))))
    if not table.side(seat).melds:
        yield from _allowed(table, (Meld(seat, plan.groups) for plan in _chosen(table, seat, taking=False)))
    hand, side = table.hands[seat - 1], table.side(seat)
    wild = _wilds(hand)
    for rank in RANKS:
        held = naturals(hand, rank)
        lies = side.meld(rank)
        groups = [held, *(held + wild[:n] for n in (1, 2, 3))]
        groups += [held[:1], *(wild[:n] for n in (1, 2, 3))] if lies else [held[:3], held[:2] + wild[:1]]
        if lies and len(lies.cards) < 3:  # as only a recorded table may have it
            groups += [held[:2], held[:1] + wild[:1]]
        whole = dict.fromkeys(cards for cards in groups if (lies and cards) or (len(held) > 1 and len(cards) > 2))
        yield from _allowed(table, (Meld(seat, (Group(rank, cards),)) for cards in whole))


def _chosen(table: Table, seat: int, *, taking: bool) -> Iterator[Plan]:
    """Of all that may be laid: what keeps the most cards, what uses the fewest wild ones, what counts most."""
    if not _could_open(table, seat, taking=taking):
        return
    lawful = [plan for plan in plans(table, seat, taking=taking) if _lawful(table, seat, plan, taking=taking)]
    if lawful:
        yield min(lawful, key=lambda plan: (-plan.kept, plan.wilds, -plan.points))
        yield min(lawful, key=lambda plan: (plan.wilds, -plan.kept, -plan.points))
        yield min(lawful, key=lambda plan: (-plan.points, plan.wilds, plan.kept))


def _could_open(table: Table, seat: int, *, taking: bool) -> bool:
    """Whether all that could be laid at the very most would be enough for a first meld; spares the search for less."""
    if table.side(seat).melds or table.options.concealed_waives_minimum:
        return True
    hand, upcard = table.hands[seat - 1], table.pile[-1:] if taking else ()
    counts = Counter(card[0] for card in (*hand, *upcard) if not is_wild(card))
    most = total(tuple(card for card in (*hand, *upcard) if is_wild(card) or counts[card[0]] > 1))
    return most >= minimum(table.totals[table.side_of(seat)], table.options)


def _lawful(table: Table, seat: int, plan: Plan, *, taking: bool) -> bool:
    """Whether what plans leave open allows it: the minimum, black threes, and what must be kept (CA-45, CA-41)."""
    left = plan.kept + (sum(not is_red_three(card) for card in table.pile[:-1]) if taking else 0)
    lacks = plan.canastas < table.canastas_needed
    may_not_go_out = lacks or table.turn.answer == "no"
    black_threes = any(group.rank == "3" for group in plan.groups)
    if left <= may_be_left(table) and may_not_go_out:
        return False
    if black_threes and (left > may_be_left(table) or may_not_go_out):
        return False
    if table.side(seat).melds or not plan.groups:
        return bool(plan.groups)
    enough = plan.points >= minimum(table.totals[table.side_of(seat)], table.options)
    return enough or (not lacks and waived(table, seat, left, taking=taking))


def _spread(out: list[Plan]) -> Iterator[Plan]:
    """The best way out, and the best that keeps a card to discard."""
    for kept in (0, 1):
        yield from [plan for plan in out if plan.groups and plan.kept == kept][:1]


def _wilds(hand: Cards) -> Cards:
    return tuple(sorted(filter(is_wild, hand)))


def hints(state: State, seat: int) -> Mapping[str, Plain]:
    """What the list of plays leaves out, for the seat that must act: its own cards and what lies open, no more."""
    if isinstance(state, Finished) or seat != state.to_act:
        return {}
    side, hand = state.side(seat), state.hands[seat - 1]
    points = state.totals[state.side_of(seat)]
    laying = state.phase in ("melding", "last_red")
    return {
        "minimum": None if side.melds else minimum(points, state.options),
        "frozen_by": frozen_by(state, seat) if state.pile else None,
        "take": _why_no_take(state, seat),
        "melds": {rank: len(held) for rank in RANKS if (held := naturals(hand, rank))},
        "wilds": len(_wilds(hand)),
        "may_go_out": laying and state.turn.answer != "no" and can_go_out(state, seat),
    }


_TESTS = ("CA-10", "CA-30", "CA-8", "CA-7", "C20", "C12", "C14", "CA-16", "C19", "CA-19", "C16", "C21", "C23", "CA-21")
"""The test of a take in its order: the later it fails, the nearer it comes."""


def _why_no_take(table: Table, seat: int) -> Plain:
    """The clause that keeps the pile from being taken, by the way that comes nearest; None if it can be taken."""
    if not table.pile:
        return {"clause": None, "detail": "there is no pile to take"}
    if table.phase != "start":
        return {"clause": "CA-32", "detail": "the pile is taken at the start of a turn"}
    if _takes(table, seat):
        return None
    refusals = [refusal for take in _simple_takes(table, seat) if (refusal := forbidden(table, take)) is not None]
    nearest: Refusal = max(refusals, key=lambda refusal: _TESTS.index(refusal.clause))
    return {"clause": nearest.clause, "detail": nearest.detail}
