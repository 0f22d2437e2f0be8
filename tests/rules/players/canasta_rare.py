"""What is rare at Canasta, named as it happens in seeded play: what a play shows, how a deal ends, what is refused."""

from collections.abc import Iterator
from typing import Final

from replay.rules.canasta.commands import Answer, Command, Discard, Draw, Meld, Pass, Take
from replay.rules.canasta.state import Finished, Side, State, Table
from replay.rules.cards import Cards
from tests.rules.oracles.canasta import frozen, judge, judge_of, minimum
from tests.rules.oracles.canasta_plays import sayable
from tests.rules.oracles.canasta_table import BLACK, RED, position, sheets, wild
from tests.rules.players.canasta import laid_worth

REFUSED_EVERY: Final = 20
"""In one state of so many is asked what would be refused; in more of them near the end."""

WANTED: Final = {
    "upcard covered": 200,
    "red three replaced more than once": 60,
    "red three in a taken pile": 20,
    "frozen by a wild card": 10_000,
    "frozen for one side only": 5_000,
    "taken by a pair": 1_000,
    "taken by a natural and a wild card": 300,
    "taken by adding": 3_000,
    "first meld at 15": 30,
    "first meld at 50": 500,
    "first meld at 90": 300,
    "first meld at 120": 1_000,
    "first meld to the point": 500,
    "natural canasta spoilt": 15,
    "canasta grown": 500,
    "three wild cards in a meld": 500,
    "black threes melded": 100,
    "stop card": 3_000,
    "asked yes": 30,
    "asked no": 20,
    "concealed": 100,
    "out without a discard": 200,
    "stock exhausted by a pass": 200,
    "forced take": 15,
    "last card a red three": 20,
    "four red threes with a meld": 60,
    "four red threes without a meld": 15,
    "negative total": 40,
    "both over the target": 100,
    "refused CA-22": 5_000,
    "refused CA-32": 5_000,
    "refused CA-10": 500,
    "refused CA-30": 40,
    "refused CA-8": 3_000,
    "refused C20": 1_000,
    "refused CA-7": 300,
    "refused C12": 5_000,
    "refused C14": 500,
    "refused CA-16": 40,
    "refused CA-14": 300,
    "refused C19": 200,
    "refused CA-19": 5,
    "refused C16": 500,
    "refused C21": 300,
    "refused C23": 60,
    "refused CA-21": 1_000,
    "refused CA-42": 5_000,
    "refused CA-47": 15,
    "refused CA-26": 20,
}


def rare(before: Table, command: Command, after: State) -> Iterator[str]:
    """What this play shows that not every deal does."""
    table = after.table if isinstance(after, Finished) else after
    match command:
        case Draw():
            yield from _drawn(before, command, table)
        case Take():
            yield from _taken(before, command)
            yield from _laid(before, command, table)
        case Meld():
            yield from _laid(before, command, table)
        case Discard(card=card):
            if card in BLACK and isinstance(after, Table):
                yield "stop card"
        case Answer(yes=yes):
            yield f"asked {'yes' if yes else 'no'}"
        case _:
            pass
    if before.phase == "start":
        yield from _at_start(before)
    if isinstance(after, Finished):
        yield from _ended(before, command, after)
    every = 5 if len(before.hands[before.to_act - 1]) < 4 else REFUSED_EVERY
    if before.turn.answer or len(before.stock) % every == 0:
        verdict = judge_of(before)
        yield from {f"refused {clause}" for it in sayable(before, before.to_act) if (clause := verdict(it))}


def _at_start(before: Table) -> Iterator[str]:
    untouched = not any(side.melds for side in before.sides)
    if untouched and len(before.pile) > 1 and all(wild(card) or card in RED for card in before.pile[:-1]):
        yield "upcard covered"
    if any(map(wild, before.pile)):
        yield "frozen by a wild card"
    elif len({frozen(position(before), seat) for seat in range(1, len(before.hands) + 1)}) > 1:
        yield "frozen for one side only"


def _drawn(before: Table, command: Draw, after: Table) -> Iterator[str]:
    if len(after.side(command.seat).red_threes) - len(before.side(command.seat).red_threes) > 1:
        yield "red three replaced more than once"
    if after.turn.last_red:
        yield "last card a red three"


def _taken(before: Table, command: Take) -> Iterator[str]:
    first = next(group for group in command.groups if group.rank == before.pile[-1][0])
    naturals = sum(not wild(card) for card in first.cards)
    if naturals > 1:
        yield "taken by a pair"
    elif before.side(command.seat).meld(first.rank):
        yield "taken by adding"
    else:
        yield "taken by a natural and a wild card"
    if any(card in RED for card in before.pile):
        yield "red three in a taken pile"
    if not before.stock and judge(position(before), Pass(command.seat)) == "CA-47":
        yield "forced take"


def _laid(before: Table, command: Take | Meld, after: Table) -> Iterator[str]:
    old, new = before.side(command.seat), after.side(command.seat)
    if not old.melds:
        needed = minimum(position(before), command.seat)
        yield f"first meld at {needed}"
        if laid_worth(before, command) == needed:
            yield "first meld to the point"
    for laid in new.melds:
        was = _meld(old, laid.rank)
        wilds = sum(map(wild, laid.cards))
        if len(was) >= 7 and len(laid.cards) > len(was):
            yield "canasta grown"
            if wilds and not any(map(wild, was)):
                yield "natural canasta spoilt"
        if wilds == 3 and sum(map(wild, was)) < 3:
            yield "three wild cards in a meld"
        if laid.rank == "3":
            yield "black threes melded"


def _meld(side: Side, rank: str) -> Cards:
    laid = side.meld(rank)
    return laid.cards if laid else ()


def _ended(before: Table, command: Command, after: Finished) -> Iterator[str]:
    table = after.table
    items = sheets(position(after), after.last)
    if after.ending == "out":
        if any(sheet[1] for sheet in items):
            yield "concealed"
        if not isinstance(command, Discard):
            yield "out without a discard"
    elif before.phase == "start":
        yield "stock exhausted by a pass"
    for side in table.sides:
        if len(side.red_threes) == 4:
            yield f"four red threes {'with' if side.melds else 'without'} a meld"
    totals = [total + sheet[8] for total, sheet in zip(table.totals, items, strict=True)]
    target = table.options.target
    if min(totals) < 0:
        yield "negative total"
    if target is not None and sum(total >= target for total in totals) > 1:
        yield "both over the target"
