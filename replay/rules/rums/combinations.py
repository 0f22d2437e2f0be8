"""Combinations: groups of one rank and runs of one suit, with the ace below the deuce or above the king.

Knows what is a combination, and what is not one only because of an ace; how many may be laid is each game's affair.
"""

from collections.abc import Iterator
from enum import Enum
from itertools import combinations
from typing import Final

from replay.rules.cards import Card, Cards, rank, suit

_ORDER: Final = "A23456789TJQK"
_LOW: Final = {letter: place for place, letter in enumerate(_ORDER, start=1)}
_ACE_HIGH: Final = 14
_ROW: Final = _ORDER + "A"


class Fit(Enum):
    """What cards make together."""

    COMBINATION = "combination"
    ACE_BETWEEN = "ace between"
    """A sequence but for an ace that stands neither at its bottom nor at its top."""
    NOTHING = "nothing"


def fit(cards: Cards) -> Fit:
    """What three or more cards make; fewer make nothing."""
    if len(cards) < 3:
        return Fit.NOTHING
    if len({rank(card) for card in cards}) == 1:
        return Fit.COMBINATION
    if len({suit(card) for card in cards}) > 1 or len({rank(card) for card in cards}) < len(cards):
        return Fit.NOTHING
    places = sorted(_LOW[rank(card)] for card in cards)
    if _consecutive(places) or _consecutive(_ace_high(places)):
        return Fit.COMBINATION
    return Fit.ACE_BETWEEN if _round_the_corner(places) else Fit.NOTHING


def in_order(cards: Cards) -> Cards:
    """Cards laid out as people lay them: by rank and suit, an ace below the deuce or above the king.

    What a recorded table laid out irregularly has its order too.
    """
    low = sorted(cards, key=lambda card: (_LOW[rank(card)], suit(card)))
    if len(low) > 1 and (rank(low[0]), rank(low[-1])) == ("A", "K") and rank(low[1]) != "2":
        return (*low[1:], low[0])
    return tuple(low)


def combinations_in(hand: Cards, size: int) -> Iterator[Cards]:
    """Every combination of so many cards that the hand holds, three or more; equal cards may repeat a group."""
    for letter in dict.fromkeys(map(rank, hand)):
        yield from combinations([card for card in hand if rank(card) == letter], size)
    held = set(hand)
    for letter in dict.fromkeys(map(suit, hand)):
        for start in range(len(_ROW) - size + 1):
            run = tuple(Card(each + letter) for each in _ROW[start : start + size])
            if held.issuperset(run) and size < len(_ROW):  # an ace serves one end
                yield run


def with_added(combination: Cards, added: Cards) -> Fit:
    """What a combination and cards added to it make. A group stays a group, and a run a run."""
    return fit((*combination, *added))


def _consecutive(places: list[int]) -> bool:
    return places[-1] - places[0] == len(places) - 1


def _ace_high(places: list[int]) -> list[int]:
    return [*places[1:], _ACE_HIGH] if places[0] == 1 else places


def _round_the_corner(places: list[int]) -> bool:
    """Whether places that make no run would make one if the deuce could follow an ace above the king."""
    gaps = sum((after - before) % 13 != 1 for before, after in zip(places, [*places[1:], places[0]], strict=True))
    return gaps <= 1


def cards_left(hand: Cards, used: Cards) -> Cards | None:
    """The hand without these cards, or None if it does not hold them all."""
    rest: list[Card] = list(hand)
    for card in used:
        if card not in rest:
            return None
        rest.remove(card)
    return tuple(rest)
