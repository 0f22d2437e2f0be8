"""Seeded players of Poker Rum: options at random, and styles of play that bring about rare deals.

Judges nothing: what is legal, players are told.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from replay.rules.cards import without
from replay.rules.poker_rum.commands import Command, Show
from replay.rules.poker_rum.deadwood import deadwood
from replay.rules.poker_rum.state import Finished, State, Table
from replay.rules.rums.commands import Discard, Draw, Take
from tests.rules.oracles import poker_rum as oracle
from tests.rules.players import rums
from tests.rules.players.rums import drawing, kinship, most_useless, of_kind


def options(chance: Random) -> dict[str, object]:
    """Options at random; now and then some are left to their default."""
    given = rums.options(chance) | {
        "ace_value": chance.choice((11, 10)),
        "call_limit": chance.choice((15, 15, 14, 5, 30, 50, 50, 0)),
        "caller_tie": chance.choice(("divide", "opponent_wins", "opponent_wins")),
    }
    return rums.some(chance, given)


def anything(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Any legal play; a show mostly, where there is one."""
    shows = of_kind(legal, Show)
    if not state.turn.drawn:
        return _draw(chance, state, legal)
    return chance.choice(shows if shows and chance.random() < 0.5 else legal)


def _draw(chance: Random, state: Table, legal: tuple[Command, ...]) -> Draw | Take:
    return drawing(chance, state.layout, state.turn, legal, keen=4)


def eager(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Shows as soon as may be, whatever the others have."""
    if not state.turn.drawn:
        return _draw(chance, state, legal)
    shows = of_kind(legal, Show)
    return chance.choice(shows) if shows else _throw(state, legal)


def careful(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Keeps its deadwood low, and does not show before the stock is half gone."""
    if not state.turn.drawn:
        return _draw(chance, state, legal)
    shows = of_kind(legal, Show)
    late = len(state.layout.stock) < 20 or state.layout.turnovers
    return _lowest(state, shows if shows and late else of_kind(legal, Discard))


def peeking(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Waits until a show makes others share the win, or towards the end of the stock share it with him; at last shows
    anyhow."""
    if not state.turn.drawn:
        return _draw(chance, state, legal)
    counts = [deadwood(hand, state.options.ace_value) for hand in state.layout.hands]
    shows = of_kind(legal, Show)
    for show in shows:
        counts[show.seat - 1] = _left(state, show)
        shared = counts.count(min(counts)) > 1
        if shared and (counts[show.seat - 1] > min(counts) or len(state.layout.stock) < 8):
            return show
    return _lowest(state, shows if shows and state.layout.turnovers else of_kind(legal, Discard))


def drifter(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Never shows while the pile has not been turned twice, and lays down what it took where it may."""
    if state.layout.turnovers > 1:
        return eager(chance, state, legal)
    takes = of_kind(legal, Take)
    if not state.turn.drawn:
        held = state.layout.pile and state.layout.pile[-1] in state.layout.hands[state.turn.seat - 1]
        return takes[0] if takes and held else _draw(chance, state, legal)
    discards = of_kind(legal, Discard)
    back = [it for it in discards if it.card == state.turn.taken]
    return back[0] if back else chance.choice(discards)


def _throw(state: Table, legal: tuple[Command, ...]) -> Discard:
    return most_useless(of_kind(legal, Discard), state.layout.hands[state.turn.seat - 1])


def _left(state: Table, it: Show | Discard) -> int:
    return deadwood(without(state.layout.hands[it.seat - 1], it.card), state.options.ace_value)


def _lowest(state: Table, plays: Sequence[Show | Discard]) -> Show | Discard:
    hand = state.layout.hands[state.turn.seat - 1]
    return min(plays, key=lambda it: (_left(state, it), kinship(it.card, hand)))


STYLES: Final = (anything, eager, careful, peeking, peeking, drifter, drifter)

WANTED: Final = {
    **rums.WANTED_TURNS,
    "shown": 1000,
    "copy of the taken card discarded": 100,
    "a call that loses": 100,
    "a tie for low with the caller": 40,
    "a tie for low without the caller": 30,
    "an odd point": 19,
    "the caller taken out of the winners": 19,
}


def rare(before: Table, command: Command, after: State) -> Iterator[str]:
    """What this play shows that not every deal does."""
    yield from rums.rare_turns(before, command, after)
    if not isinstance(after, Finished) or after.ending != "shown":
        return
    yield "shown"
    table, caller = after.table, after.last
    counts = tuple(oracle.deadwood(hand, table.options.ace_value) for hand in table.layout.hands)
    settled = oracle.settlement(counts, caller, table.options)
    lowest = [seat for seat, count in enumerate(counts, start=1) if count == min(counts)]
    if caller not in lowest:
        yield "a call that loses"
    if len(lowest) > 1:
        yield "a tie for low with the caller" if caller in lowest else "a tie for low without the caller"
    if sum(settled.payments.values()) % len(settled.winners):
        yield "an odd point"
    if set(settled.winners) < set(lowest):
        yield "the caller taken out of the winners"
