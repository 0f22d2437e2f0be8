"""The least deadwood of a hand of Poker Rum, exactly, and the arrangement that reaches it (PA-10).

A suit is a whole number with four bits for each rank, ace lowest: how many copies of that card the hand holds. Four
such numbers added show in one glance which ranks could make a group. What the runs of one suit can save at most is
worked out once for each such number and remembered; only cards that could serve a run as well as a group are tried
in both. Laying the longest run first, or the groups first, does not always find the least (PE-11).
"""

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from replay.rules.cards import RANKS, SUITS, Card, Cards

_ORDER: Final = "A23456789TJQK"
_SUIT_BITS: Final = 52
_SUIT_MASK: Final = (1 << _SUIT_BITS) - 1
_ONES: Final = int("1" * 13, 16)
_CODES: Final = {
    Card(rank + suit): 1 << (_SUIT_BITS * at + 4 * _ORDER.index(rank))
    for at, suit in enumerate(SUITS)
    for rank in RANKS
}

_GROUP_TEST: Final = 5 * _ONES
"""Added to the counts of a rank, sets its highest bit from three cards on (8 at most fit into four bits)."""
_HIGH_BITS: Final = 8 * _ONES


class Runs(NamedTuple):
    """What the cards of one suit amount to."""

    points: int
    """Of all its cards."""
    saved: int
    """Of the cards that its runs take up at most."""
    coverable: int
    """The ranks that lie in some run, as a number of the same shape with 15 at each."""


def deadwood(hand: Cards, ace_value: int) -> int:
    """The points of the cards that are in no combination, over the best of all arrangements."""
    points, saved = _best(hand, ace_value)
    return points - saved


def _best(hand: Cards, ace_value: int) -> tuple[int, int]:
    """The points of the whole hand, and the most that combinations can save of them."""
    code = 0
    for card in hand:
        code += _CODES[card]
    suits = (
        code & _SUIT_MASK,
        code >> _SUIT_BITS & _SUIT_MASK,
        code >> 2 * _SUIT_BITS & _SUIT_MASK,
        code >> 3 * _SUIT_BITS,
    )
    a, b, c, d = suits
    first, second, third, fourth = _runs(a, ace_value), _runs(b, ace_value), _runs(c, ace_value), _runs(d, ace_value)
    points = first[0] + second[0] + third[0] + fourth[0]
    saved = first[1] + second[1] + third[1] + fourth[1]
    counts = a + b + c + d
    groups = (counts + _GROUP_TEST) & _HIGH_BITS
    if not groups:
        return points, saved
    coverable = first[2] | second[2] | third[2] | fourth[2]
    contested: list[int] = []
    while groups:
        lowest = groups & -groups
        groups ^= lowest
        shift = lowest.bit_length() - 4
        if coverable >> shift & 15:
            contested.append(shift)
        else:
            saved += (counts >> shift & 15) * _value(shift, ace_value)
    if contested:
        saved += _contest(suits, contested, ace_value)
    return points, saved


def _contest(suits: tuple[int, ...], contested: list[int], ace_value: int) -> int:
    """How much more than runs alone is saved when cards of the contested ranks go to groups where that is better."""
    alone = sum(_runs(suit, ace_value)[1] for suit in suits)
    best = 0
    for chosen in product(*(_groups(suits, shift, ace_value) for shift in contested)):
        left, gain = list(suits), -alone
        for taken, points in chosen:
            gain += points
            for at, copies in enumerate(taken):
                left[at] -= copies
        gain += sum(_runs(suit, ace_value)[1] for suit in left)
        best = max(best, gain)
    return best


def _groups(suits: tuple[int, ...], shift: int, ace_value: int) -> list[tuple[tuple[int, ...], int]]:
    """The groups that the rank could make: what they take of each suit, and their points. A card that no run of its
    suit could use is in every one of them, since to leave it out saves nothing."""
    copies = [suit >> shift & 15 for suit in suits]
    coverable = [_runs(suit, ace_value)[2] >> shift & 15 for suit in suits]
    value = _value(shift, ace_value)
    choices = product(*(range(n + 1) if cover else (n,) for n, cover in zip(copies, coverable, strict=True)))
    groups = [(tuple(n << shift for n in kept), sum(kept) * value) for kept in choices if sum(kept) >= 3]
    return [((0, 0, 0, 0), 0), *groups]


def _value(shift: int, ace_value: int) -> int:
    """P1, PA-1: court cards ten, the ace eleven or ten, other cards their number."""
    place = shift // 4 + 1
    return ace_value if place == 1 else min(place, 10)


@lru_cache(maxsize=1 << 16)
def _runs(suit: int, ace_value: int) -> Runs:
    """What the cards of one suit amount to, and what their runs save at most. Remembered for as many suits as a
    process is likely to meet: one pack has 8,192, two packs are dealt some tens of thousands."""
    copies = [suit >> 4 * place & 15 for place in range(13)]
    values = [_value(4 * place, ace_value) for place in range(13)]
    points = sum(n * value for n, value in zip(copies, values, strict=True))
    coverable = _coverable(copies)
    if not coverable:
        return Runs(points, 0, 0)
    saved = 0
    for low_aces in range(copies[0] + 1):
        row = [low_aces, *copies[1:], copies[0] - low_aces]
        saved = max(saved, _saved(row, [*values, values[0]]))
    return Runs(points, saved, coverable)


def _coverable(copies: list[int]) -> int:
    """The ranks that lie in a stretch of three or more, the ace counted at both ends (P2)."""
    row = [*copies, copies[0]]
    found = 0
    for place in range(12):
        if row[place] and row[place + 1] and row[place + 2]:
            for each in (place, place + 1, place + 2):
                found |= 15 << 4 * (each % 13)
    return found


def _saved(row: list[int], values: list[int]) -> int:
    """The most points that runs of one suit take up, with so many copies of each place from the low ace to the high.

    Goes from place to place with two runs growing side by side, each known by its length up to three: that is long
    enough to end (PA-8: each run has a rank once, and two copies at most there are).
    """
    states = {(0, 0): 0}
    for copies, value in zip(row, values, strict=True):
        after: dict[tuple[int, int], int] = {}
        for (one, other), points in states.items():
            for first in (0, 1):
                for second in (0, 1):
                    if first + second > copies or not (_may_end(one, first) and _may_end(other, second)):
                        continue
                    lengths = (min(one + 1, 3) if first else 0, min(other + 1, 3) if second else 0)
                    key = (min(lengths), max(lengths))
                    gained = points + (first + second) * value
                    if gained > after.get(key, -1):
                        after[key] = gained
        states = after
    return max(points for lengths, points in states.items() if all(length in (0, 3) for length in lengths))


def _may_end(length: int, grows: int) -> bool:
    return bool(grows) or length in (0, 3)
