"""Bots for Poker Rum and Single-Pack Rum that play as sensible beginners would: they keep what goes together.

They know which cards go together; what is legal they are told. Left out: what the others may be waiting for.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

Fields = Mapping[str, Any]

RANKS: Final = "A23456789TJQK"
NEAR: Final = 2
"""Two cards of a suit that are no further apart may come to stand in one sequence."""


def choose(view: Fields, plays: Sequence[Fields]) -> Fields:
    """One of the plays: what ends the deal, what can be laid, a discard that goes with nothing; the upcard is taken if
    it completes something."""
    deal = view["deal"]
    hand: Sequence[str] = next(each["cards"] for each in deal["hands"] if each["seat"] == deal["turn"])
    by_type: dict[str, list[Fields]] = {}
    for play in plays:
        by_type.setdefault(play["type"], []).append(play)
    for ends in ("show", "splash"):
        if ends in by_type:
            return by_type[ends][0]
    if "meld" in by_type:
        return max(by_type["meld"], key=lambda play: (len(play["cards"]), sum(map(_worth, play["cards"]))))
    if "lay_off" in by_type:
        return max(by_type["lay_off"], key=lambda play: _worth(play["card"]))
    if "take" in by_type and (_completes(deal["upcard"], hand) or _joins(deal["upcard"], deal.get("melds", ()))):
        return by_type["take"][0]
    if "draw" in by_type:
        return by_type["draw"][0]
    return min(by_type["discard"], key=lambda play: _use(play["card"], hand))


def _use(card: str, hand: Sequence[str]) -> tuple[bool, int, int]:
    """What keeps a card in the hand: that it stands in a combination, then its company; of equal ones the dear go."""
    others = [other for other in hand if other != card]
    company = sum(_near(card, other) for other in others)
    return _completes(card, others), company, -_worth(card)


def _near(card: str, other: str) -> int:
    if card[0] == other[0]:
        return 2
    apart = abs(RANKS.index(card[0]) - RANKS.index(other[0]))
    return max(0, NEAR + 1 - apart) if card[1] == other[1] else 0


def _completes(card: str, hand: Iterable[str]) -> bool:
    """Whether the card makes three of a kind or a sequence of three with two of these."""
    others = set(hand) - {card}
    if sum(other[0] == card[0] for other in others) >= 2:
        return True
    at = RANKS.index(card[0])
    beside = [at + step in range(len(RANKS)) and RANKS[at + step] + card[1] in others for step in (-2, -1, 1, 2)]
    return any(one and next_one for one, next_one in pairwise(beside))


def _joins(card: str, melds: Iterable[Fields]) -> bool:
    """Whether the card goes on to a combination on the table."""
    for meld in melds:
        cards: Sequence[str] = meld["cards"]
        if len({each[0] for each in cards}) == 1:
            if card[0] == cards[0][0]:
                return True
        elif card[1] == cards[0][1] and any(_near(card, each) == NEAR for each in cards):
            return True
    return False


def _worth(card: str) -> int:
    """What the card costs its holder at the end."""
    return min(RANKS.index(card[0]) + 1, 10)
