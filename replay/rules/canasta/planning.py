"""What a hand could lay down in one play: all that differs in the cards kept, the wild cards used, or the canastas.

Naturals of one rank count alike and wild cards serve alike, so a plan is a number of naturals and of wild cards for
each rank; of plans that come to the same the one with most points is kept. Judges melds and the way to take the pile;
leaves the minimum, going out and what must be kept in hand to those who ask.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from replay.rules.canasta.cards import CANASTA, CANASTA_POINTS, RANKS, is_red_three, is_wild, points, wilds
from replay.rules.canasta.commands import Group
from replay.rules.canasta.melds import frozen_by
from replay.rules.canasta.state import Table
from replay.rules.cards import Card, Cards


class Plan(NamedTuple):
    """Groups that could be laid, and what would come of it."""

    groups: tuple[Group, ...]
    """When the pile is taken, the group that takes it first."""
    kept: int
    """Cards of the hand that are not laid; a taken pile's are not among them."""
    wilds: int
    """Wild cards laid."""
    points: int
    """Card points of all that is laid, the upcard's among them (CA-12, CA-13)."""
    canastas: int
    """Canastas that the side would have."""
    bonus: int
    """What all its canastas would pay."""


class _Way(NamedTuple):
    """What could be laid of one rank."""

    naturals: int
    wilds: int
    kept: int
    """Naturals of the rank that stay in hand."""
    points: int
    """Of the naturals alone, an upcard's among them."""
    canasta: bool
    bonus: int


_Mark = tuple[int, int, int, bool]
"""What plans must have in common to be the same for every rule: wild cards laid, naturals kept, canastas, and whether
black threes are laid."""

_Found = tuple[int, int, tuple[tuple[str, int, int], ...]]
"""Points of naturals, bonus, and for each rank the naturals and wild cards that are laid."""

_NOTHING: Final[_Found] = (0, 0, ())


def plans(table: Table, seat: int, *, taking: bool = False, most_kept: int | None = None) -> Iterator[Plan]:
    """All that this hand could lay now; with `taking` what could take the pile, with `most_kept` only what keeps no
    more cards than that."""
    hand, side = table.hands[seat - 1], table.side(seat)
    upcard = table.pile[-1] if taking else None
    held = {rank: naturals(hand, rank) for rank in RANKS}
    wild = tuple(sorted(filter(is_wild, hand), reverse=True))  # jokers first, which are worth most
    odd = sum(laid.canasta is not None for laid in side.melds if laid.rank not in RANKS)  # a recorded table may have it
    first = None if upcard is None else upcard[0]
    ranks = [rank for rank in RANKS if rank == first or side.meld(rank) or len(held[rank]) + bool(wild) > 2]
    alone = sum(len(cards) for rank, cards in held.items() if rank not in ranks)
    reached: dict[_Mark, _Found] = {(0, alone, odd, False): _NOTHING}
    most = len(hand) if most_kept is None else most_kept
    if alone > most:
        return
    for rank in ranks:
        ways = list(_ways(table, seat, rank, len(held[rank]), takes=rank == first, wild=len(wild)))
        reached = _onwards(reached, rank, ways, len(wild), most)
    for (used, natural, canastas, _), (laid, bonus, chosen) in reached.items():
        kept = natural + len(wild) - used
        if kept <= most:
            groups = _groups(chosen, held, wild, first)
            yield Plan(groups, kept, used, laid + sum(map(points, wild[:used])), canastas, bonus)


def naturals(hand: Cards, rank: str) -> Cards:
    """The natural cards of that rank, in the order of the hand."""
    return tuple(card for card in hand if card[0] == rank and not is_wild(card) and not is_red_three(card))


def _onwards(
    reached: dict[_Mark, _Found], rank: str, ways: list[_Way], wild: int, most_kept: int
) -> dict[_Mark, _Found]:
    onwards: dict[_Mark, _Found] = {}
    for (used, kept, canastas, threes), (laid, bonus, chosen) in reached.items():
        for way in ways:
            with_wilds, still_kept = used + way.wilds, kept + way.kept
            if with_wilds > wild or still_kept > most_kept:
                continue
            there = (with_wilds, still_kept, canastas + way.canasta, threes or (rank == "3" and way.naturals > 0))
            worth = (laid + way.points, bonus + way.bonus)
            if there not in onwards or worth > onwards[there][:2]:
                here = (*chosen, (rank, way.naturals, way.wilds)) if way.naturals or way.wilds else chosen
                onwards[there] = (*worth, here)
    return onwards


def _ways(table: Table, seat: int, rank: str, held: int, *, takes: bool, wild: int) -> Iterator[_Way]:
    """C12 to C16, CA-14, CA-19 for the side's meld of this rank, and CA-8, C20, CA-9 where it takes the pile."""
    options, lying = table.options, table.side(seat).meld(rank)
    there = lying.cards if lying else ()
    foreign = any(card[0] != rank and not is_wild(card) for card in there)
    old_wilds = wilds(there)
    each = points(Card(rank + "s"))
    frozen = takes and frozen_by(table, seat) is not None
    for laid in range(held + 1):
        for with_wilds in range(min(3, wild) + 1):
            touched = takes or laid + with_wilds > 0
            natural = len(there) - old_wilds + laid + takes
            total, wild_total = natural + old_wilds + with_wilds, old_wilds + with_wilds
            if touched and (foreign or total < 3 or natural < 2 or wild_total > 3):
                continue
            if touched and wild_total > natural and not options.wilds_may_exceed_naturals:
                continue
            if rank == "3" and with_wilds and not options.black_three_wilds:
                continue
            if takes and laid < 2 and (frozen or not (lying or (laid and with_wilds))):
                continue
            bonus = CANASTA_POINTS["mixed" if wild_total else "natural"] if total >= CANASTA else 0
            yield _Way(laid, with_wilds, held - laid, each * (laid + takes), total >= CANASTA, bonus)


def _groups(
    chosen: tuple[tuple[str, int, int], ...], held: dict[str, Cards], wild: Cards, first: str | None
) -> tuple[Group, ...]:
    """The chosen numbers as cards; the upcard may join a meld alone, and then takes with no card of the hand."""
    groups = [] if first is None or any(rank == first for rank, _, _ in chosen) else [Group(first, ())]
    for rank, laid, with_wilds in chosen:
        groups.append(Group(rank, (*held[rank][:laid], *wild[:with_wilds])))
        wild = wild[with_wilds:]
    return tuple(sorted(groups, key=lambda group: group.rank != first))
