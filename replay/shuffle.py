"""The shuffle: a pack's order from a seed and what others mixed into it, by a rule for any language.

To the byte, with test vectors, in SHUFFLE.md beside this file. Never `random.shuffle`: its method is nobody's promise.
"""

import hmac
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final

from replay.rules.cards import Card, Cards
from replay.rules.session_decide import DealCommand, dealt
from replay.rules.session_state import Session

SEED_BYTES: Final = 32


def mixed(seed: bytes, texts: Iterable[str | None]) -> bytes:
    """The seed of one deal's shuffle: what the service committed to, with the seats' texts in order and then the
    organiser's. A text that was not given counts as empty."""
    message = bytearray()
    for text in texts:
        part = (text or "").encode()
        message += len(part).to_bytes(4, "big") + part
    return hmac.digest(seed, bytes(message), "sha256")


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


def shuffled_deal(session: Session, seed: bytes, entropy: str) -> DealCommand:
    """The session's next deal from this seed, with what the seats and now the organiser mix into it."""
    pack = sorted(session.game.make(session.seats, session.options).copies.elements())
    cards = shuffled(pack, mixed(seed, (*session.entropy, entropy)))
    return DealCommand(*dealt(session, cards), entropy=entropy)


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
