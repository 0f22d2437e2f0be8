"""The least deadwood of a hand of Poker Rum, exactly (PA-10), and the arrangement that reaches it.

A suit is a whole number: bit n is set if a card of rank n (the ace 0) is held, bit 13 + n if its second copy is too.
What the cards of one suit leave over when only runs are laid is remembered for each such number. Groups are then
tried against that: a group is worth while if it takes up more than the runs lose by it. Only where a card could serve
both is there anything to try, and a rank none of whose cards lies in a run gives all its cards to its group. Laying
the longest run first, or the groups first, does not always find the least (PE-4, PE-11).

Leaves out who may show; that is decide.py's.
"""

from itertools import product
from typing import Final

from replay.rules.cards import RANKS, SUITS, Card, Cards, without
from replay.rules.rums.combinations import cards_left, combinations_in, in_order

_ORDER: Final = "A23456789TJQK"
_RANKS: Final = 13
_SUIT: Final = (1 << _RANKS) - 1
_BOTH: Final = 1 | 1 << _RANKS
"""Times the bit of a rank: both copies of that card."""
_CODES: Final = {
    Card(rank + suit): 1 << (_RANKS * at + _ORDER.index(rank)) for at, suit in enumerate(SUITS) for rank in RANKS
}
_code: Final = _CODES.__getitem__

Arrangement = tuple[tuple[Cards, ...], Cards]
"""The combinations of a hand, and its deadwood."""


def deadwood(hand: Cards, ace_value: int) -> int:
    """The points of the cards that are in no combination, over the best of all arrangements."""
    left = _LEFT[ace_value]
    code = sum(map(_code, hand))
    if code.bit_count() == len(hand):  # two equal bits would have carried, and there would be fewer
        a, b, c, d = code & _SUIT, code >> 13 & _SUIT, code >> 26 & _SUIT, code >> 39
        groups = a & b & (c | d) | c & d & (a | b)  # the ranks that three suits hold
    else:
        once = sum(map(_code, set(hand)))
        twice = code - once
        a, b, c, d = once & _SUIT, once >> 13 & _SUIT, once >> 26 & _SUIT, once >> 39
        e, f, g, h = twice & _SUIT, twice >> 13 & _SUIT, twice >> 26 & _SUIT, twice >> 39
        ab, cd = a & b, c & d
        # The ranks that three suits hold, or two of which one has both copies.
        groups = ab & (c | d) | cd & (a | b) | (ab | cd | (a | b) & (c | d)) & (e | f | g | h)
        a, b, c, d = a | e << 13, b | f << 13, c | g << 13, d | h << 13
    if not groups:
        return left[a] + left[b] + left[c] + left[d]
    contested = groups & (_IN_RUNS[a & _SUIT] | _IN_RUNS[b & _SUIT] | _IN_RUNS[c & _SUIT] | _IN_RUNS[d & _SUIT])
    if contested != groups:
        stay = ~((groups ^ contested) * _BOTH)
        a, b, c, d = a & stay, b & stay, c & stay, d & stay
    return _least(left, a, b, c, d, contested)


def _least(left: "_Left", a: int, b: int, c: int, d: int, contested: int) -> int:
    """What four suits leave at least, when each contested rank makes no group or one of those that it could."""
    if not contested:
        return left[a] + left[b] + left[c] + left[d]
    bit = contested & -contested
    others = contested ^ bit
    at = bit.bit_length() - 1
    held = a >> at & _BOTH | (b >> at & _BOTH) << 1 | (c >> at & _BOTH) << 2 | (d >> at & _BOTH) << 3
    least = _least(left, a, b, c, d, others)
    for w, x, y, z in _GROUPS[held]:
        least = min(least, _least(left, a - w * bit, b - x * bit, c - y * bit, d - z * bit, others))
    return least


def shows(hand: Cards, ace_value: int, limit: int) -> dict[Card, int]:
    """The cards of a hand without which the rest has deadwood within the limit, each with what that is."""
    counts = {card: deadwood(without(hand, card), ace_value) for card in dict.fromkeys(hand)}
    return {card: count for card, count in counts.items() if count <= limit}


def arrangement(hand: Cards, ace_value: int) -> Arrangement:
    """An arrangement that leaves the least deadwood: of equal ones the one whose first combination is longest, then a
    group before a run, then by rank and suit, and so on with what is left. The order of the hand means nothing."""
    rest = tuple(sorted(hand, key=_by_rank))
    least = deadwood(rest, ace_value)
    laid: list[Cards] = []
    for size in range(len(rest), 2, -1):
        for cards in dict.fromkeys(combinations_in(rest, size)):
            # What cannot be laid now cannot be laid later: with fewer cards left it would only cost more.
            while (left := cards_left(rest, cards)) is not None and deadwood(left, ace_value) == least:
                rest = left
                laid.append(in_order(cards))
    return tuple(laid), rest


def _by_rank(card: Card) -> tuple[int, int]:
    return _ORDER.index(card[0]), SUITS.index(card[1])


def _value(place: int, ace_value: int) -> int:
    """P1, PA-1: court cards ten, the ace eleven or ten, other cards their number."""
    return ace_value if place == 0 else min(place + 1, 10)


class _InRuns(dict[int, int]):
    """By the ranks of a suit: those that lie in a stretch of three or more, the ace counted at both ends (P2)."""

    def __missing__(self, suit: int) -> int:
        row = suit | (suit & 1) << _RANKS
        third = row & row >> 1 & row >> 2
        stretch = third | third << 1 | third << 2
        found = self[suit] = (stretch | stretch >> _RANKS) & _SUIT
        return found


class _Left(dict[int, int]):
    """By the number of a suit: the points of what its runs leave over at least."""

    def __init__(self, ace_value: int) -> None:
        super().__init__()
        self.worth: Final = tuple(_value(place, ace_value) for place in range(_RANKS))

    def __missing__(self, suit: int) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        once, twice = suit & _SUIT, suit >> _RANKS  # whoever has the second copy has the first
        runs = _IN_RUNS[once]
        if twice & runs:
            points = self._points(once & ~runs) + self._points(twice & ~runs)
            points += self._points(once & runs) + self._points(twice & runs) - self._saved(once & runs, twice & runs)
        else:
            points = self._points(once & ~runs) + self._points(twice)
            if once & _NEAR_THE_ACE == _ACE_TWICE:
                points += self._points(_LOW_END)  # the ace is in the dearer run, and two cards of the other are left
        self[suit] = points
        return points

    def _points(self, ranks: int) -> int:
        """Of one card of each of these ranks."""
        points = 0
        while ranks:
            place = ranks.bit_length() - 1
            points += self.worth[place]
            ranks ^= 1 << place
        return points

    def _saved(self, once: int, twice: int) -> int:
        """The most points that runs take up of cards of which each could lie in one; some are held twice.

        Goes from place to place, from the low ace to the high, with two runs growing side by side (PA-8: each has a
        rank once, and two copies at most there are).
        """
        copies = [(once >> place & 1) + (twice >> place & 1) for place in range(_RANKS)]
        best = 0
        for low in range(copies[0] + 1):  # so many aces stand below the deuce
            states = {0: 0}
            for held, value in zip((low, *copies[1:], copies[0] - low), (*self.worth, self.worth[0]), strict=True):
                after: dict[int, int] = {}
                for state, points in states.items():
                    for grown, laid in _GROWTH[held][state]:
                        reached = points + laid * value
                        if after.get(grown, -1) < reached:
                            after[grown] = reached
                states = after
            best = max(best, *(points for state, points in states.items() if state in _ENDED))
        return best


def _growth() -> tuple[tuple[tuple[tuple[int, int], ...], ...], ...]:
    """By the copies held of a place, then by the state of two runs before it: the states after it, each with how many
    cards were laid. A state is the lengths of the runs up to three, which is long enough to end; as one number."""
    return tuple(
        tuple(
            tuple(
                (4 * lengths[0] + lengths[1], first + second)
                for first, second in product((0, 1), repeat=2)
                if first + second <= copies and _may_end(one, first) and _may_end(other, second)
                for lengths in (sorted((min(one + 1, 3) * first, min(other + 1, 3) * second)),)
            )
            for one, other in product(range(4), repeat=2)
        )
        for copies in (0, 1, 2)
    )


def _may_end(length: int, grows: int) -> bool:
    return bool(grows) or length in (0, 3)


def _all_groups() -> dict[int, tuple[tuple[int, ...], ...]]:
    """By the copies that the four suits hold of one rank: every group of three or more, as what it takes of each suit
    in bits of that rank. The key has a suit's first copy at bits 0 to 3, its second at bits 13 to 16."""
    taken = {0: (0,), 1: (0, 1), 2: (0, 1 << _RANKS, _BOTH)}  # of two copies the second goes first
    found = {}
    for copies in product((0, 1, 2), repeat=4):
        key = sum(taken[n][n] << at for at, n in enumerate(copies))
        choices = product(*(range(n + 1) for n in copies))
        found[key] = tuple(
            tuple(taken[n][k] for n, k in zip(copies, chosen, strict=True)) for chosen in choices if sum(chosen) >= 3
        )
    return found


_REMEMBERED: Final = 1 << 17
"""Suits of one pack are 8,192; of two packs 1.6 million could be, but only tens of thousands are dealt."""
_LOW_END: Final = 0b110
"""Deuce and three."""
_ACE_TWICE: Final = 0b11_0000_0000_111
"""A suit's ranks whose one ace could end two runs of three."""
_NEAR_THE_ACE: Final = 0b111_0000_001111
"""The ranks that tell whether it does so, and whether one of those runs can do without it."""
_GROWTH: Final = _growth()
_ENDED: Final = frozenset(4 * one + other for one, other in product((0, 3), repeat=2))
_IN_RUNS: Final = _InRuns()
_LEFT: Final = {ace_value: _Left(ace_value) for ace_value in (10, 11)}
_GROUPS: Final = _all_groups()
