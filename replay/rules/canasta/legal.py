"""What a seat may play at Canasta, usefully rather than exhaustively: one play for each essentially different choice.

Everything listed is legal, and if nothing is listed nothing is. `hints` says the rest: why the pile cannot be taken,
what each rank could meld, what the first meld needs.
"""

from collections.abc import Iterator, Mapping

from replay.rules.canasta.cards import RANKS, is_red_three, is_wild
from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Group, Meld, Pass, Take
from replay.rules.canasta.decide import forbidden, impossible
from replay.rules.canasta.going_out import can_go_out
from replay.rules.canasta.melds import frozen_by, minimum
from replay.rules.canasta.state import Finished, State, Table
from replay.rules.cards import Card, Cards
from replay.rules.scores import Plain


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """The plays, the simple ones first."""
    if isinstance(state, Finished) or seat != state.to_act:
        return ()
    return tuple(dict.fromkeys(command for command in _candidates(state, seat) if _allowed(state, command)))


def _allowed(table: Table, command: Command) -> bool:
    """Whether a table could make the play and the rules allow it. A draw of a card not known yet will name it."""
    if isinstance(command, Draw):
        return bool(table.stock) and forbidden(table, command) is None
    return impossible(table, command) is None and forbidden(table, command) is None


def _candidates(table: Table, seat: int) -> Iterator[Command]:
    if table.phase == "asked":
        yield from (Answer(seat, yes=True), Answer(seat, yes=False))
    elif table.phase == "start":
        yield Draw(seat)
        yield from _takes(table, seat)
        yield Pass(seat)
    else:
        yield from _melds(table, seat)
        yield Ask(seat)
        yield from (Discard(seat, card) for card in dict.fromkeys(table.hands[seat - 1]))
        yield Pass(seat)


def _takes(table: Table, seat: int) -> Iterator[Take]:
    """Ways to take the pile: with the fewest cards of the hand first, then with more, then with a first meld's rest."""
    if not table.pile:
        return
    rank, hand = table.pile[-1][0], table.hands[seat - 1]
    naturals = tuple(card for card in hand if card[0] == rank and not is_wild(card))
    wild = tuple(sorted(filter(is_wild, hand), reverse=True))
    firsts = [(), naturals[:1] + wild[:1], naturals[:2], naturals, naturals[:2] + wild[:1]]
    for first in dict.fromkeys(map(tuple, firsts)):
        yield Take(seat, (Group(rank, first),))
    if table.side(seat).melds:
        return
    for first in dict.fromkeys(map(tuple, firsts)):
        for further in _openings(without_cards(hand, first), rank):
            yield Take(seat, (Group(rank, first), *further))


def _melds(table: Table, seat: int) -> Iterator[Meld]:
    """Each rank alone, with and without wild cards; what opens a side; and what lays all that can be laid."""
    hand, side = table.hands[seat - 1], table.side(seat)
    wild = tuple(sorted(filter(is_wild, hand), reverse=True))
    for rank in RANKS:
        naturals = _naturals(hand, rank)
        options = [naturals, *(naturals + wild[:n] for n in (1, 2, 3) if n <= len(wild))]
        if side.meld(rank) is not None:
            options += [naturals[:1], *(wild[:n] for n in (1, 2, 3) if n <= len(wild))]
        elif len(naturals) > 3:
            options.append(naturals[:3])
        yield from (Meld(seat, (Group(rank, cards),)) for cards in dict.fromkeys(options) if cards)
    if not side.melds:
        yield from (Meld(seat, groups) for groups in _openings(hand, None) if len(groups) > 1)
    yield from (Meld(seat, groups) for groups in _everything(table, seat))


def _openings(hand: Cards, but: str | None) -> Iterator[tuple[Group, ...]]:
    """Groups of a first meld from the hand: the dearest ranks first, one more each time; then with the wild cards."""
    wild = tuple(sorted(filter(is_wild, hand), reverse=True))
    threes = [Group(rank, _naturals(hand, rank)) for rank in RANKS if rank not in (but, "3")]
    whole = [group for group in threes if len(group.cards) >= 3]
    pairs = [group for group in threes if len(group.cards) == 2]
    for count in range(1, len(whole) + 1):
        yield tuple(whole[:count])
    for spread in range(1, min(len(wild), len(pairs)) + 1):
        filled = [Group(pair.rank, (*pair.cards, wild[at])) for at, pair in enumerate(pairs[:spread])]
        for count in range(len(whole) + 1):
            yield (*whole[:count], *filled)
    for used in range(1, min(3, len(wild)) + 1):
        for group in whole + pairs:
            rest = [each for each in whole if each is not group]
            yield (Group(group.rank, (*group.cards, *wild[:used])), *rest)


def _everything(table: Table, seat: int) -> Iterator[tuple[Group, ...]]:
    """Lay the whole hand, or all but one card: naturals to their ranks, wild cards where they are needed most."""
    hand = table.hands[seat - 1]
    if len(hand) < 2 or not can_go_out(table, seat):
        return
    for left_out in (None, *dict.fromkeys(hand)):
        cards = hand if left_out is None else without_cards(hand, (left_out,))
        groups = _shared_out(table, seat, cards)
        if groups:
            yield groups


def _shared_out(table: Table, seat: int, cards: Cards) -> tuple[Group, ...]:
    """These cards as groups: each rank its naturals; wild cards to pairs, then towards a canasta, then anywhere."""
    side = table.side(seat)
    groups = {rank: list(_naturals(cards, rank)) for rank in RANKS if _naturals(cards, rank)}
    wild = sorted(filter(is_wild, cards), reverse=True)

    def size(rank: str) -> int:
        lying = side.meld(rank)
        return len(groups.get(rank, ())) + (len(lying.cards) if lying else 0)

    def room(rank: str) -> int:
        lying = side.meld(rank)
        here = [*groups.get(rank, ()), *(lying.cards if lying else ())]
        used = sum(map(is_wild, here))
        by_naturals = len(here) - 2 * used
        most = 3 - used if table.options.wilds_may_exceed_naturals else min(3 - used, by_naturals)
        return 0 if rank == "3" and not table.options.black_three_wilds else most

    ranks = [*groups, *(laid.rank for laid in side.melds if laid.rank not in groups)]
    while wild:
        open_ranks = [rank for rank in ranks if room(rank) > 0]
        if not open_ranks:
            return ()
        short = [rank for rank in open_ranks if size(rank) < 3]
        towards = [rank for rank in open_ranks if 3 <= size(rank) < 7 and size(rank) + room(rank) >= 7]
        rank = short[0] if short else max(towards or open_ranks, key=size)
        groups.setdefault(rank, []).append(wild.pop())
    return tuple(Group(rank, tuple(laid)) for rank, laid in groups.items())


def _naturals(hand: Cards, rank: str) -> Cards:
    return tuple(card for card in hand if card[0] == rank and not is_wild(card) and not is_red_three(card))


def without_cards(hand: Cards, used: Cards) -> Cards:
    """The hand less these cards."""
    rest: list[Card] = list(hand)
    for card in used:
        rest.remove(card)
    return tuple(rest)


def hints(state: State, seat: int) -> Mapping[str, Plain]:
    """What the list of plays leaves out, for the seat that must act: its own cards and what lies open, no more."""
    if isinstance(state, Finished) or seat != state.to_act:
        return {}
    side = state.side(seat)
    points = state.totals[state.side_of(seat)]
    return {
        "minimum": None if side.melds else minimum(points, state.options),
        "frozen_by": frozen_by(state, seat) if state.pile else None,
        "take": _why_no_take(state, seat),
        "melds": {rank: len(naturals) for rank in RANKS if (naturals := _naturals(state.hands[seat - 1], rank))},
        "wilds": sum(map(is_wild, state.hands[seat - 1])),
        "may_go_out": state.phase in ("melding", "last_red") and can_go_out(state, seat),
    }


def _why_no_take(table: Table, seat: int) -> Plain:
    """The clause that keeps the pile from being taken, by the way that comes nearest; None if it can be taken."""
    if table.phase != "start" or not table.pile:
        return {"clause": "CA-32", "detail": "the pile is taken at the start of a turn"}
    nearest = None
    for take in _takes(table, seat):
        if impossible(table, take) is not None:
            continue
        refusal = forbidden(table, take)
        if refusal is None:
            return None
        nearest = refusal
    if nearest is None:
        return {"clause": "CA-8", "detail": "nothing in hand goes with the upcard"}
    return {"clause": nearest.clause, "detail": nearest.detail}
