"""A bot for Rockaway that plays as a sensible beginner would. It knows what cards cost; what is legal it is told."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

Fields = Mapping[str, Any]

NEARLY_OUT: Final = 2
"""Cards in another hand at which the deal may end any moment."""
STOCK_LOW: Final = 6
"""Cards in the stock at which it is nearly exhausted, and every score about to be doubled or trebled."""
HAND_FULL: Final = 9
"""Cards in the own hand at which drawing on is no longer worth an ace."""


def choose(view: Fields, plays: Sequence[Fields]) -> Fields:
    """One of the plays: high cards first; aces are kept while the deal is young and got rid of when it is late."""
    deal = view["deal"]
    hands = {hand["seat"]: hand for hand in deal["hands"]}
    own: Sequence[str] = hands[deal["turn"]]["cards"]
    others = [hand["count"] for seat, hand in hands.items() if seat != deal["turn"]]
    late = min(others) <= NEARLY_OUT or len(own) <= NEARLY_OUT or deal["stock_count"] <= STOCK_LOW
    cards = [play for play in plays if play["type"] == "play"]
    aces = [play for play in cards if play["card"][0] == "A"]
    plain = [play for play in cards if play["card"][0] != "A"]
    suits = Counter(card[1] for card in own)
    # Of equal cards the one whose suit is held most often: what follows may then be played too.
    aces.sort(key=lambda play: suits[play["card"][1]], reverse=True)
    plain.sort(key=lambda play: (_worth(play["card"]), suits[play["card"][1]]), reverse=True)
    no_card = [play for play in plays if play["type"] != "play"]
    keep = not late and len(own) < HAND_FULL
    order = [*plain, *no_card, *aces] if keep else [*aces, *plain, *no_card]
    return order[0]


def _worth(card: str) -> int:
    """What the card costs its holder at the end."""
    return 10 if card[0] in "TJQK" else int(card[0])
