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
        self.ace_value = ace_value

    def __missing__(self, suit: int) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        copies = [(suit >> place & 1) + (suit >> place + _RANKS & 1) for place in range(_RANKS)]
        values = [_value(place, self.ace_value) for place in range(_RANKS)]
        points = sum(n * value for n, value in zip(copies, values, strict=True))
        if _IN_RUNS[suit & _SUIT]:
            rows = ([low, *copies[1:], copies[0] - low] for low in range(copies[0] + 1))
            points -= max(_saved(row, [*values, values[0]]) for row in rows)
        self[suit] = points
        return points


def _saved(row: list[int], values: list[int]) -> int:
    """The most points that runs of one suit take up, with so many copies of each place from the low ace to the high.

    Goes from place to place with two runs growing side by side, each known by its length up to three: that is long
    enough to end (PA-8: each run has a rank once, and two copies at most there are).
    """
    states = {(0, 0): 0}
    for copies, value in zip(row, values, strict=True):
        after: dict[tuple[int, int], int] = {}
        for (one, other), points in states.items():
            for first, second in product((0, 1), repeat=2):
                if first + second > copies or not (_may_end(one, first) and _may_end(other, second)):
                    continue
                lengths = (min(one + 1, 3) if first else 0, min(other + 1, 3) if second else 0)
                key = (min(lengths), max(lengths))
                after[key] = max(after.get(key, 0), points + (first + second) * value)
        states = after
    return max(points for lengths, points in states.items() if all(length in (0, 3) for length in lengths))


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
_IN_RUNS: Final = _InRuns()
_LEFT: Final = {ace_value: _Left(ace_value) for ace_value in (10, 11)}
_GROUPS: Final = _all_groups()
