"""Cards as values: how they are written, read and named.

A card is its two letters, rank then suit (`Td`), or `Jk` for a joker. Two copies from two packs are equal and
interchangeable (XA-7), so a hand is a multiset and cards carry no identity. What a card is worth is each game's affair.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", str)
Cards = tuple[Card, ...]

RANKS: Final = "AKQJT98765432"
SUITS: Final = "cdhs"
PACK: Final[Cards] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
JOKER: Final = Card("Jk")

_KNOWN: Final = {str(card): card for card in (*PACK, JOKER)}
_RANK_NAMES: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
_SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class NotACardError(ValueError):
    """The text is not the written form of a card."""


def parse_card(text: str) -> Card:
    """Read one card; raises NotACardError, quoting at most the first 20 characters."""
    try:
        return _KNOWN[text]
    except KeyError:
        raise NotACardError(f"{text[:20]!r} is not a card") from None


def rank(card: Card) -> str:
    """The rank letter. A joker has no rank: ask for it before asking this."""
    return card[0]


def suit(card: Card) -> str:
    """The suit letter. A joker has no suit: ask for it before asking this."""
    return card[1]


def name(card: Card) -> str:
    """The card in words: `7 of diamonds`."""
    if card == JOKER:
        return "joker"
    return f"{_RANK_NAMES.get(card[0], card[0])} of {_SUIT_NAMES[card[1]]}"


def without(hand: Cards, card: Card) -> Cards:
    """The hand less one copy of the card, the rest in order; raises ValueError if it holds none."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def make_up(packs: int, jokers: int) -> Counter[Card]:
    """How many copies of each card the game is played with: so many packs of 52, so many jokers in all."""
    copies = Counter(dict.fromkeys(PACK, packs))
    if jokers:
        copies[JOKER] = jokers
    return copies


def excess(cards: Iterable[Card], copies: Counter[Card]) -> tuple[Card, int] | None:
    """A card of which more are present than the packs hold, and how many are present; None if there is none."""
    for card, count in Counter(cards).items():
        if count > copies[card]:
            return card, count
    return None
