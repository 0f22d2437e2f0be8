"""Seeded players of Rockaway: options at random, styles of play that bring about rare deals, and how cards lie hidden.

Judges nothing: what is legal, players are told.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from replay.rules.cards import Card
from replay.rules.rockaway.commands import Command, Draw, Pass, Play
from replay.rules.rockaway.state import Finished, State, Table


def options(chance: Random) -> dict[str, object]:
    """Options at random; now and then some are left to their default."""
    some: dict[str, object] = {
        "deals": chance.choice((None, 1, 2, 3, 4, 10)),
        "target": chance.choice((None, None, 60, 150, 400)),
        "multi_ace": chance.choice(("per_ace", "once")),
        "draw_past_fitting": chance.random() < 0.5,
        "ace_forced_when_exhausted": chance.random() < 0.5,
        "blocked": chance.choice(("score_all", "lowest_is_out")),
        "exhausted_multiplier": chance.choice((1, 2, 2, 3, 5)),
    }
    return {name: value for name, value in some.items() if chance.random() < 0.9}


def _kinds(legal: tuple[Command, ...]) -> tuple[list[Play], list[Play], list[Draw], list[Pass]]:
    plays = [it for it in legal if isinstance(it, Play)]
    plain = [it for it in plays if it.card[0] != "A"]
    aces = [it for it in plays if it.card[0] == "A"]
    return plain, aces, [it for it in legal if isinstance(it, Draw)], [it for it in legal if isinstance(it, Pass)]


def _first(chance: Random, *kinds: Sequence[Command]) -> Command:
    """Any play of the first kind that there is."""
    return chance.choice(next(kind for kind in kinds if kind))


def anything(chance: Random, _state: Table, legal: tuple[Command, ...]) -> Command:
    """Any legal play."""
    return chance.choice(legal)


def eager(chance: Random, _state: Table, legal: tuple[Command, ...]) -> Command:
    """Rids itself of cards as fast as it may."""
    return _first(chance, *_kinds(legal))


def careful(chance: Random, _state: Table, legal: tuple[Command, ...]) -> Command:
    """Keeps its aces: a plain card, else a draw, else a pass, an ace only when nothing else is left."""
    plain, aces, draws, passes = _kinds(legal)
    return _first(chance, plain, draws, passes, aces)


def hoarder(chance: Random, _state: Table, legal: tuple[Command, ...]) -> Command:
    """Draws as long as it may and keeps its aces, so that the stock goes and deals get blocked."""
    plain, aces, draws, passes = _kinds(legal)
    return _first(chance, draws, passes, plain, aces)


def spoiler(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """A hoarder that plays the card which fewest others fit (it peeks), so that the deal is blocked."""
    plain, aces, draws, passes = _kinds(legal)
    if draws or passes or not plain:
        return _first(chance, draws, passes, aces)
    others = [card for hand in state.hands for card in hand if card[0] != "A"]
    return min(plain, key=lambda it: sum(card[0] == it.card[0] or card[1] == it.card[1] for card in others))


STYLES: Final = (anything, eager, careful, hoarder, spoiler)


def name_draw(state: Table, command: Command, stock: tuple[Card | None, ...]) -> Command:
    """The command with the card that it draws named, if it draws one, from the stock as it was dealt."""
    return command._replace(card=stock[state.gone]) if isinstance(command, Draw) and state.stock_count else command


def tells(command: Command) -> bool:
    """Whether the command names a card of the stock."""
    return isinstance(command, Draw) and command.card is not None


def all_cards(state: State) -> Counter[Card | None]:
    """Where all the cards are: hands, pile, and what is left of the stock, None for what nobody has written down."""
    table = state.table if isinstance(state, Finished) else state
    found: Counter[Card | None] = Counter(table.pile)
    for hand in table.hands:
        found.update(hand)
    found.update(table.stock[table.gone :])
    return found


def twin(chance: Random, state: State, viewer: int | None) -> State:
    """The same to this viewer: hidden hands and the stock, the gone part too, hold one another's cards."""
    if isinstance(state, Finished):
        table = twin(chance, state.table, viewer)
        assert isinstance(table, Table)
        return state._replace(table=table)
    hidden = [seat for seat in range(1, len(state.hands) + 1) if seat != viewer]
    left = state.stock[state.gone :]
    pool = [card for seat in hidden for card in state.hands[seat - 1]] + [card for card in left if card is not None]
    chance.shuffle(pool)
    hands = list(state.hands)
    for seat in hidden:
        hands[seat - 1] = tuple(pool.pop() for _ in hands[seat - 1])
    stock = [card if card is None else pool.pop() for card in left]
    gone = list(state.stock[: state.gone])
    chance.shuffle(gone)
    return state._replace(hands=tuple(hands), stock=(*gone, *stock))


WANTED: Final = {
    "out": 500,
    "blocked": 100,
    "exhausted": 100,
    "drawn past": 100,
    "ace forced": 100,
    "ace declined": 100,
    "pass": 100,
}


def rare(before: Table, command: Command, after: State) -> Iterator[str]:
    """What this play shows that not every deal does."""
    hand, top = before.hands[command.seat - 1], before.pile[-1]
    ace = any(card[0] == "A" for card in hand)
    plain = any(card[0] != "A" and (card[0] == top[0] or card[1] == top[1]) for card in hand)
    if isinstance(command, Draw) and plain:
        yield "drawn past"
    if isinstance(command, Pass):
        yield "ace declined" if ace else "pass"
    if isinstance(command, Play) and before.exhausted and not plain and before.options.ace_forced_when_exhausted:
        yield "ace forced"
    if isinstance(after, Finished):
        yield after.ending
        if after.table.exhausted:
            yield "exhausted"
