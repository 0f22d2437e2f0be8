"""A draw from a stock that may be only partly written down: which card can come."""

from collections import Counter
from collections.abc import Iterable

from replay.rules.cards import Card


def undrawable(
    known: Card | None, named: Card | None, copies: Counter[Card], seen: Iterable[Iterable[Card | None]]
) -> str | None:
    """Why the named card cannot be the next of the stock, in words; None if it can.

    `known` is the next card as it was written down, None if it was not; `seen` are all cards whose place is known. A
    card that is neither known nor named cannot be drawn, since nobody could say what the hand then holds.
    """
    if known is not None:
        return None if named is None or named == known else f"the next card of the stock is {known}"
    if named is None:
        return "nobody has said which card was drawn"
    if not copies[named]:
        return f"there is no {named} in the pack"
    present = sum(sum(card == named for card in cards) for cards in seen)
    return None if present < copies[named] else f"every {named} of the pack is elsewhere"
