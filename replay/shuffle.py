"""The shuffle: a pack's order from a seed, by a rule that anybody can follow in any language.

The stream of random bytes is SHA-256(seed + counter) for counter 0, 1, 2 … as eight bytes, big-endian, one block after
another. A number below n is taken from four bytes of it, big-endian; numbers at or above the largest multiple of n
below 2**32 are thrown away, so that no order is likelier than another. For i from the last place down to 1 the cards
at i and at a number below i + 1 change places. Never `random.shuffle`, whose method is nobody's promise.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from replay.rules.cards import Card, Cards

SEED_BYTES: Final = 32


def shuffled(cards: Sequence[Card], seed: bytes) -> Cards:
    """The cards in the order that the seed gives them; raises ValueError for a seed of another length."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    order = list(cards)
    numbers = _numbers(seed)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _numbers(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = sha256(seed + counter.to_bytes(8, "big")).digest()
        for at in range(0, len(block), 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    limit = 2**32 - 2**32 % bound
    while (number := next(numbers)) >= limit:
        pass
    return number % bound
