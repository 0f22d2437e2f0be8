"""Whether a hand could lawfully be laid down now: what an answer of yes binds a player to (CA-42, CA-43).

All melds can be laid in one play, so the question is only how the wild cards are shared out: every rank in hand needs
so many at least and takes so many at most, and some meld, or two, must come to seven cards.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from replay.rules.canasta.cards import is_wild, total, wilds
from replay.rules.canasta.melds import minimum
from replay.rules.canasta.state import Table
from replay.rules.cards import Cards, without


class Need(NamedTuple):
    """What a meld would take of the wild cards in hand."""

    least: int
    most: int
    to_canasta: int
    """Wild cards that would bring it to seven cards; 0 if it is there without, more than `most` if it cannot be."""


def can_go_out(table: Table, seat: int) -> bool:
    """Whether melds, and one discard where a discard is allowed, could lawfully empty this hand now."""
    hand = table.hands[seat - 1]
    if _lays_all(table, seat, hand):
        return True
    if table.turn.last_red:
        return False
    return any(_lays_all(table, seat, without(hand, card)) for card in dict.fromkeys(hand))


def _lays_all(table: Table, seat: int, cards: Cards) -> bool:
    """Whether exactly these cards could be laid, with the canastas needed on the table after."""
    side = table.side(seat)
    if not cards:
        return side.canastas >= table.canastas_needed
    if not side.melds and not _reaches_minimum(table, seat, cards):
        return False
    hand_wilds = wilds(cards)
    naturals = Counter(card[0] for card in cards if not is_wild(card))
    needs = _needs(table, seat, naturals)
    if needs is None:
        return False
    least, most = sum(need.least for need in needs), sum(need.most for need in needs)
    if not least <= hand_wilds <= most:
        return False
    return any(_enough(needs, hand_wilds, chosen) for chosen in _choices(needs, table.canastas_needed))


def _reaches_minimum(table: Table, seat: int, cards: Cards) -> bool:
    points = table.totals[table.side_of(seat)]
    return total(cards) >= minimum(points, table.options) or waived(table, seat, cards)


def waived(table: Table, seat: int, laid: Cards) -> bool:
    """CA-24: whether these cards, laid in one play, make a concealed hand that is exempt from the minimum.

    The canastas needed are asked elsewhere; a side without a meld has none to add to (CA-46).
    """
    options = table.options
    if not options.concealed_waives_minimum or seat in table.laid_before or table.turn.laid:
        return False
    if table.turn.took_pile and not options.concealed_allows_pile:
        return False
    return len(table.hands[seat - 1]) - len(laid) <= 1


def _needs(table: Table, seat: int, naturals: Counter[str]) -> list[Need] | None:
    """What each meld would take, those on the table included; None if some natural card cannot be laid at all."""
    side, options = table.side(seat), table.options
    needs: list[Need] = []
    for rank in dict.fromkeys((*naturals, *(laid.rank for laid in side.melds))):
        lying = side.meld(rank)
        old_wild = wilds(lying.cards) if lying else 0
        natural = naturals[rank] + (len(lying.cards) - old_wild if lying else 0)
        if natural < 2:
            return None
        room = 3 - old_wild
        if not options.wilds_may_exceed_naturals:
            room = min(room, natural - old_wild)
        if rank == "3" and not options.black_three_wilds:
            room = 0
        least = max(0, 3 - natural - old_wild)
        if least > room:
            return None
        needs.append(Need(least, room, max(0, 7 - natural - old_wild)))
    return needs


def _choices(needs: list[Need], canastas: int) -> Iterator[tuple[Need, ...]]:
    """Melds that could be made the canastas needed."""
    return combinations([need for need in needs if need.to_canasta <= need.most], canastas)


def _enough(needs: list[Need], hand_wilds: int, chosen: tuple[Need, ...]) -> bool:
    """Whether the wild cards suffice to make the chosen melds canastas and to give every other what it needs."""
    others = sum(need.least for need in needs) - sum(need.least for need in chosen)
    return others + sum(max(need.least, need.to_canasta) for need in chosen) <= hand_wilds
