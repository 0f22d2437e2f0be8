"""Clauses of a rule book: their ids, grounds and sentences; and the decisions that all four games share.

Each game keeps its own table of the same shape beside its RULES.md.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Ground = Literal["text", "law", "house"]


class Clause(NamedTuple):
    """One numbered clause: on what ground it stands, what it says, and whether it binds."""

    ground: Ground
    sentence: str
    advice: bool = False
    """True if it advises and forbids nothing, so that no play can offend against it."""


SHARED: Final[Mapping[str, Clause]] = {
    "XA-1": Clause(
        "text", "The pile is turned as a block, unshuffled: the oldest discard is drawn first, the rest follow."
    ),
    "XA-2": Clause(
        "house", "It is turned, its top card too, only when a player wants an empty stock; he may take the top instead."
    ),
    "XA-3": Clause(
        "house", "It may be turned any number of times, so that a deal need never end; an option sets a limit."
    ),
    "XA-4": Clause("house", "A card taken from the pile may not be discarded in the same turn."),
    "XA-5": Clause("house", "Cards are dealt one at a time, clockwise, beginning on the dealer's left."),
    "XA-6": Clause("house", "A deal is fixed by its cards in order and its plays; no play leaves anything to chance."),
    "XA-7": Clause("house", "Equal cards of two packs are interchangeable, and a hand is a multiset."),
    "XA-8": Clause("house", "A session is over after deal number `deals`, or once some total stands at `target`."),
    "XA-9": Clause("house", "The lowest total wins at Rockaway, the highest elsewhere; those who tie win together."),
    "XA-10": Clause("house", "Without `deals` and `target` a session is open until its organiser closes it."),
    "XA-11": Clause("house", "A void deal has a number, scores nothing and counts towards `deals`."),
    "XA-12": Clause("house", "The last seat deals first; then the deal passes to the left, unless a record says not."),
    "XA-13": Clause("house", "Once the pile may not be turned any more, a draw from the empty stock voids the deal."),
    "XA-14": Clause("house", "By option the top discard stays face up, and the rest of the pile is turned."),
    "XA-15": Clause("house", "After its end a deal takes no more plays, and a finished session no more deals."),
    "XA-16": Clause("house", "An illegal play is refused and changes nothing; there are no penalties."),
    "XA-17": Clause("house", "The size of the stock follows from packs, hands and upcard, however much is written."),
}
