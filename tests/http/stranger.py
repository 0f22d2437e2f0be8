"""What somebody who trusts nobody makes of the events that he was given: chain, seals and shuffles, worked out anew.

Written from the product's words alone (replay/envelope.py, replay/shuffle.py), with nothing but SHA-256, HMAC and JSON:
none of the product's own code is imported here.
"""

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple


def canonical(value: Any) -> bytes:
    """RFC 8785, for whole numbers, text, and objects whose keys are ASCII."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def beginning(session: Mapping[str, Any]) -> str:
    """The digest before the first event."""
    bound = {"session": session["id"], **{name: session[name] for name in ("game", "revision", "options")}}
    return sha256(canonical(bound)).hexdigest()


def public(event: Mapping[str, Any]) -> bytes:
    """What everybody may see of an event: what it says but its digest and openings, without the fields that are sealed
    and with the seat among its data."""
    data = {name: value for name, value in event["data"].items() if name not in event["seals"]}
    if event["seat"] is not None:
        data["seat"] = event["seat"]
    said = ("at", "kind", "request", "schema", "seals", "version", "who")
    return canonical({**{name: event[name] for name in said}, "data": data})


def heads(session: Mapping[str, Any], events: Iterable[Mapping[str, Any]]) -> list[str]:
    """The head after each event of a whole log."""
    found = [beginning(session)]
    for event in events:
        found.append(sha256(bytes.fromhex(found[-1]) + public(event)).hexdigest())
    return found[1:]


class Sealed(NamedTuple):
    """One seal of an event, with what this viewer may open it with."""

    seal: str
    salt: str | None
    value: Any

    @property
    def opens(self) -> bool:
        """Whether salt and value are what was sealed."""
        return sha256(canonical([self.salt, self.value])).hexdigest() == self.seal


def sealed(events: Iterable[Mapping[str, Any]]) -> Iterator[Sealed]:
    """Every seal of these events; of a field with one value a seat each seat's."""
    for event in events:
        for name, seal in event["seals"].items():
            salt, value = event["salts"].get(name), event["data"][name]
            if isinstance(seal, str):
                yield Sealed(seal, salt, value)
            else:
                yield from map(Sealed, seal, salt or [None] * len(seal), value)


def mixed(seed: str, texts: Sequence[str | None]) -> bytes:
    """HMAC-SHA256 under the seed over each text, its length in four bytes before it."""
    parts = [(text or "").encode() for text in texts]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.new(bytes.fromhex(seed), message, sha256).digest()


def shuffled(cards: Sequence[str], key: bytes) -> list[str]:
    """Fisher and Yates from the last place down; 32-bit numbers from SHA-256 of the key and a counter of eight bytes,
    those left out that would favour some places."""
    order, numbers = list(cards), _numbers(key)
    for place in range(len(order), 1, -1):
        number = next(number for number in numbers if number < (1 << 32) // place * place)
        order[place - 1], order[number % place] = order[number % place], order[place - 1]
    return order


def _numbers(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def dealt(pack: Iterable[str], seed: str, texts: Sequence[str | None], dealer: int, size: int) -> dict[str, Any]:
    """Hands, upcard and stock: the sorted pack shuffled and dealt one card at a time from the dealer's left. `texts`:
    the seats' in their order, then the organiser's."""
    cards, seats = shuffled(sorted(pack), mixed(seed, texts)), len(texts) - 1
    hands: list[list[str]] = [[] for _ in range(seats)]
    for turn in range(size * seats):
        hands[(dealer + turn) % seats].append(cards[turn])
    return {"hands": hands, "upcard": cards[size * seats], "stock": cards[size * seats + 1 :]}
