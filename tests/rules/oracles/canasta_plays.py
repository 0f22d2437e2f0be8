"""What is asked of Canasta's plays in seeded play: plays by the dozen, and whether a list of legal plays is a good one.

Beside the oracle, which judges them; imports as little of the game.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final

from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Group, Meld, Pass, Take
from replay.rules.canasta.state import State
from replay.rules.cards import PACK, Card
from tests.rules.oracles.canasta import IMPOSSIBLE, RANKS, could_be_made, judge, shares_of
from tests.rules.oracles.canasta_table import Position, position, wild


def sayable(state: State, seat: int) -> Iterator[Command]:
    """Plays to be asked of this seat: all the simple ones, and takes and melds by the dozen, sensible and senseless.

    Which ones follows from what the seat sees, so a state always gives the same.
    """
    at = position(state)
    hand = at.hands[seat - 1]
    chance = Random(f"{seat} {hand} {at.pile} {at.melds} {at.phase}")
    yield from (Draw(seat), Pass(seat), Ask(seat), Answer(seat, yes=True), Answer(seat, yes=False))
    yield from (Draw(seat, tuple(chance.choices(PACK, k=count))) for count in (1, 2))
    yield from (Discard(seat, card) for card in dict.fromkeys(hand))
    yield Discard(seat, chance.choice(PACK))
    for _ in range(10):
        yield Meld(seat, _some_groups(chance, at, seat, None))
    yield Meld(seat, _all_groups(chance, hand, None))
    if at.pile:
        top = at.pile[-1][0] if chance.random() < 0.9 else chance.choice(RANKS)
        yield from (Take(seat, (Group(top, cards),)) for cards in _taking(hand, at.pile[-1][0]))
        for _ in range(6):
            yield Take(seat, _some_groups(chance, at, seat, top), any_order=chance.random() < 0.5)
        yield Take(seat, _all_groups(chance, hand, top))


def _taking(hand: list[Card], rank: str) -> list[tuple[Card, ...]]:
    own = [card for card in hand if card[0] == rank and not wild(card)]
    wilds = [card for card in hand if wild(card)]
    return list({tuple(cards): None for cards in ([], own[:1], own[:2], own, own[:1] + wilds[:1], own[:2] + wilds[:1])})


def _some_groups(chance: Random, at: Position, seat: int, first: str | None) -> tuple[Group, ...]:
    """One to three groups of the hand; now and then with too many wild cards, a strange card, or a rank twice."""
    hand = list(at.hands[seat - 1])
    chance.shuffle(hand)
    wilds = [card for card in hand if wild(card)]
    counts = Counter(card[0] for card in hand if not wild(card))
    likely = [rank for rank, count in counts.items() if count > 1 or rank in at.table(seat)] + list(at.table(seat))
    groups: list[Group] = []
    for n in range(chance.choice((1, 1, 1, 2, 2, 3))):
        rank = first if n == 0 and first else chance.choice(likely or RANKS)
        own = [card for card in hand if card[0] == rank and not wild(card)]
        cards = own[: chance.choice((1, 2, 3, 9, 9, 9))]
        for _ in range(chance.choice((0, 0, 0, 0, 1, 1, 2, 4))):
            if wilds:
                cards.append(wilds.pop())
        if chance.random() < 0.05:
            cards.append(chance.choice(hand or PACK))
        groups.append(Group(rank, tuple(cards)))
        if chance.random() < 0.9:
            hand = [card for card in hand if card not in cards]
    return tuple(groups)


def _all_groups(chance: Random, hand: list[Card], first: str | None) -> tuple[Group, ...]:
    """All of the hand that is of a rank with another, wild cards spread at random."""
    counts = Counter(card[0] for card in hand if not wild(card))
    ranks = [rank for rank, count in counts.items() if count > 1 or rank == first]
    if first is not None:
        ranks = [first, *(rank for rank in ranks if rank != first)]
    groups = {rank: [card for card in hand if card[0] == rank and not wild(card)] for rank in ranks or [hand[0][0]]}
    for card in hand:
        if wild(card):
            groups[chance.choice(list(groups))].append(card)
    return tuple(Group(rank, tuple(cards)) for rank, cards in groups.items())


def list_fault(state: State, seat: int, listed: tuple[Command, ...]) -> str | None:
    """What is wrong with a list of legal plays that need not hold every meld: something in it is illegal, a simple play
    is missing, or takes or melds are missing where there are any."""
    at = position(state)
    acts = at.partner(at.seat) or at.seat if at.phase == "asked" else at.seat
    if at.ending or seat != acts:
        return f"{listed} is listed out of turn" if listed else None
    if len(set(listed)) != len(listed):
        return "something is listed twice"
    for it in listed:
        could = bool(at.stock) if isinstance(it, Draw) else could_be_made(at, it)
        if not could or judge(at, it):
            return f"{it} is listed, and is {judge(at, it) if could else IMPOSSIBLE}"
    simple = {it for it in _simple(at, seat) if judge(at, it) is None}
    given = {it for it in listed if not isinstance(it, Take | Meld)}
    if simple != given:
        return f"{given} is listed, {simple} is legal"
    if len(at.stock) % SEARCHED_EVERY:
        return None
    for kind, taking in ((Take, True), (Meld, False)):
        if not any(isinstance(it, kind) for it in listed) and (missed := _any_laying(at, seat, taking=taking)):
            return f"no {kind.__name__} is listed, and {missed} is legal"
    return None


def _simple(at: Position, seat: int) -> Iterator[Command]:
    if at.stock:
        yield Draw(seat)
    yield from (Pass(seat), Ask(seat), Answer(seat, yes=True), Answer(seat, yes=False))
    yield from (Discard(seat, card) for card in at.hands[seat - 1])


SEARCHED_EVERY: Final = 6
"""In so many states one is searched for takes and melds that are not listed: each with an empty stock, for one."""
MOST_WAYS: Final = 400
"""Ways to lay cards that are tried where none is listed; a hand that has more is left out."""


def _any_laying(at: Position, seat: int, *, taking: bool) -> Command | None:
    """A legal take or meld, found by trying them all."""
    if (taking and (at.phase != "start" or not at.pile)) or (not taking and at.phase not in ("melding", "last_red")):
        return None
    ways = layings(at, seat, taking=taking)
    return next((it for it in ways if judge(at, it) is None), None) if ways is not None else None


def layings(at: Position, seat: int, *, taking: bool, most: int = MOST_WAYS) -> list[Command] | None:
    """Every take, or every meld, that differs in the ranks and kinds of its cards; None if they are too many."""
    hand = at.hands[seat - 1]
    wilds = sorted(filter(wild, hand), reverse=True)
    own = {rank: [card for card in hand if card[0] == rank and not wild(card)] for rank in RANKS}
    first = at.pile[-1][0] if taking else None
    ranks = [rank for rank in RANKS if own[rank] or rank in at.table(seat) or rank == first]
    counts = 1
    for rank in ranks:
        counts *= len(own[rank]) + 1
    if counts * (len(ranks) + 1) ** len(wilds) > most:
        return None
    shares = [share for used in range(len(wilds) + 1) for share in shares_of(used, len(ranks))]
    found: list[Command] = []
    for laid in product(*(range(len(own[rank]) + 1) for rank in ranks)):
        for share in shares:
            rest = list(wilds)
            groups = []
            for rank, naturals, with_wild in zip(ranks, laid, share, strict=True):
                cards = (*own[rank][:naturals], *(rest.pop(0) for _ in range(with_wild)))
                if cards or rank == first:
                    groups.append(Group(rank, cards))
            if groups:
                groups.sort(key=lambda group: group.rank != first)
                found.append(Take(seat, tuple(groups)) if taking else Meld(seat, tuple(groups)))
    return found
