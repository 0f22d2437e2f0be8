"""Whether two lists hold the same plays, each as often; the order means nothing."""

from collections import Counter
from collections.abc import Iterable
from typing import Any


def same_plays(some: Iterable[Any], others: Iterable[Any]) -> bool:
    """Commands are compared with their kind, since a tuple alone does not know it: a draw of a card and its discard
    hold the same fields."""
    return Counter((type(it), it) for it in some) == Counter((type(it), it) for it in others)
