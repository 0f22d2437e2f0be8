"""Seeded players of Single-Pack Rum: options at random, and styles of play that bring about rare deals.

Judges nothing: what is legal, players are told.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from replay.rules.cards import Cards
from replay.rules.rums.commands import Discard, Draw, Take
from replay.rules.single_pack_rum.commands import Command, LayOff, Meld, Splash
from replay.rules.single_pack_rum.state import Finished, State, Table
from tests.rules.oracles.single_pack_rum import covering
from tests.rules.players import rums
from tests.rules.players.rums import drawing, most_useless, of_kind


def options(chance: Random) -> dict[str, object]:
    """Options at random; now and then some are left to their default."""
    given = rums.options(chance) | {
        "five_six_hand": chance.choice((6, 5)),
        "table_actions": chance.choice(("own_extra", "own_extra", "exclusive", "free", "free")),
        "settlement": chance.choice(("zero_sum", "zero_sum", "winner_credit")),
        "splash": chance.random() < 0.8,
        "splash_layoffs": chance.random() < 0.7,
    }
    return rums.some(chance, given)


def _draw(chance: Random, state: Table, legal: tuple[Command, ...]) -> Draw | Take:
    return drawing(chance, state.layout, state.turn, legal)


def _throw(state: Table, legal: tuple[Command, ...]) -> Command:
    """A discard; one of the card just taken, where it may go at all."""
    discards = of_kind(legal, Discard)
    back = [it for it in discards if it.card == state.turn.taken]
    return back[0] if back else most_useless(discards, (*state.layout.hands[state.turn.seat - 1], *_lying(state)))


def _lying(state: Table) -> Cards:
    return tuple(card for laid in state.melds for card in laid.cards)


def anything(chance: Random, _state: Table, legal: tuple[Command, ...]) -> Command:
    """Any legal play."""
    return chance.choice(legal)


def eager(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Lays what it may, of most cards first, and splashes where it can."""
    if not state.turn.drawn:
        return _draw(chance, state, legal)
    splashes, melds, lay_offs = of_kind(legal, Splash), of_kind(legal, Meld), of_kind(legal, LayOff)
    if splashes:
        return chance.choice(splashes)
    if melds:
        return max(melds, key=lambda it: len(it.cards))
    return chance.choice(lay_offs) if lay_offs else _throw(state, legal)


def adder(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Adds to what lies there before it lays out anything of its own."""
    lay_offs = of_kind(legal, LayOff)
    return chance.choice(lay_offs) if lay_offs else eager(chance, state, legal)


def miser(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Lays out what it can, but adds nothing until it can add two cards, or where it may add any number, all it has."""
    lay_offs, hand = of_kind(legal, LayOff), state.layout.hands[state.turn.seat - 1]
    wanted = len(hand) if state.options.table_actions == "free" and not state.layout.turnovers else min(2, len(hand))
    few = len({it.card for it in lay_offs}) < wanted and not any(state.actions)
    return eager(chance, state, tuple(it for it in legal if not (few and isinstance(it, LayOff))))


def holder(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Holds its hand for a splash, and may put that off for a turn, so as to take a card and discard it again; gives
    up once the pile has been turned, or where no splash is played."""
    if not state.options.splash or state.layout.turnovers > 1:
        return eager(chance, state, legal)
    hand, taken = state.layout.hands[state.turn.seat - 1], state.turn.taken
    beside = _lying(state) if state.options.splash_layoffs else ()
    if not state.turn.drawn:
        takes = of_kind(legal, Take)
        if takes and covering(hand)(frozenset(hand)):
            return takes[0]
        return drawing(chance, state.layout, state.turn, legal, keen=3, beside=beside)
    splashes = of_kind(legal, Splash)
    best = [it for it in splashes if it.lay_offs or it.discard in {None, taken}]
    kept = [it.discard for it in splashes if it.discard is not None and not it.lay_offs]
    if kept and not best and chance.random() < 0.85:
        return Discard(state.turn.seat, kept[0])
    if splashes:
        return chance.choice(best or splashes)
    return most_useless(of_kind(legal, Discard), (*hand, *beside))


def sly(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Takes a card only to throw it away again, having laid down all the others (SA-24)."""
    layout, turn = state.layout, state.turn
    takes = of_kind(legal, Take)
    if not turn.drawn:
        few = len(layout.hands[turn.seat - 1]) <= 3 and chance.random() < 0.7
        return takes[0] if takes and few else _draw(chance, state, legal)
    kept = [it for it in of_kind(legal, LayOff) if it.card != turn.taken]
    melds = [it for it in of_kind(legal, Meld) if turn.taken not in it.cards]
    if turn.taken is not None and (kept or melds):
        return (kept or melds)[0]
    return eager(chance, state, legal) if len(layout.hands[turn.seat - 1]) > 4 else _throw(state, legal)


def drifter(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Lays nothing until the pile has been turned twice."""
    if state.layout.turnovers > 1:
        return eager(chance, state, legal)
    return _draw(chance, state, legal) if not state.turn.drawn else chance.choice(of_kind(legal, Discard))


STYLES: Final = (anything, eager, adder, miser, miser, holder, holder, sly, sly, drifter)

WANTED: Final = {
    **rums.WANTED_TURNS,
    "out by a layout": 30,
    "out by an addition": 15,
    "out by a discard": 200,
    "splash": 100,
    "splash with additions": 19,
    "splash that leaves nothing": 15,
    "splash discarding the card taken": 30,
    "SA-24": 50,
    "added before laying out": 100,
    "added to another's": 100,
    "one more to his own": 60,
    "laid out four or more": 50,
    "a high ace": 50,
}


def rare(before: Table, command: Command, after: State) -> Iterator[str]:
    """What this play shows that not every deal does."""
    yield from rums.rare_turns(before, command, after)
    match command:
        case Splash():
            yield from _splashing(before, command)
        case Discard(card=card) if not before.options.may_discard_taken_card and card == before.turn.taken:
            yield "SA-24"
        case Meld(cards=cards) if len(cards) > 3:
            yield "laid out four or more"
        case Meld(cards=cards) if {card[0] for card in cards} == {"Q", "K", "A"}:
            yield "a high ace"
        case LayOff(seat=seat, meld=meld):
            yield from _adding(before, seat, meld)
        case _:
            pass
    if isinstance(after, Finished) and after.ending == "out" and not isinstance(command, Splash):
        yield f"out by {_NAMES[type(command)]}"


_NAMES: Final = {Meld: "a layout", LayOff: "an addition", Discard: "a discard"}


def _adding(before: Table, seat: int, meld: int) -> Iterator[str]:
    if seat not in {laid.seat for laid in before.melds}:
        yield "added before laying out"
    if before.melds[meld - 1].seat != seat:
        yield "added to another's"
    elif before.options.table_actions == "own_extra" and any(before.actions):
        yield "two to his own" if before.actions.to_own else "one more to his own"


def _splashing(before: Table, splash: Splash) -> Iterator[str]:
    yield "splash"
    if splash.lay_offs:
        yield "splash with additions"
    if splash.discard is None:
        yield "splash that leaves nothing"
    elif splash.discard == before.turn.taken:
        yield "splash discarding the card taken"
