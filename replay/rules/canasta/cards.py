"""Cards as Canasta sees them: wild, red three, black three, and what each counts."""

from typing import Final

from replay.rules.cards import JOKER, Card, Cards

_POINTS: Final = {"A": 20, "2": 20, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}

RANKS: Final = "AKQJT9876543"
"""Ranks that a meld can be of; threes are black ones (C19)."""

CANASTA: Final = 7
"""C15: cards of a meld that is a canasta."""

CANASTA_POINTS: Final = {"natural": 500, "mixed": 300}
"""C24, items 4 and 5."""


def is_wild(card: Card) -> bool:
    """C3: jokers and deuces."""
    return card[0] == "2" or card == JOKER


def is_red_three(card: Card) -> bool:
    """C7."""
    return card in {"3d", "3h"}


def is_black_three(card: Card) -> bool:
    """C19."""
    return card in {"3c", "3s"}


def points(card: Card) -> int:
    """CA-1."""
    return 50 if card == JOKER else _POINTS[card[0]]


def total(cards: Cards) -> int:
    """The points of all these cards."""
    return sum(map(points, cards))


def wilds(cards: Cards) -> int:
    """How many of them are wild."""
    return sum(map(is_wild, cards))
