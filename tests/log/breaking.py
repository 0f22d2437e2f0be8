"""Ways to spoil the stored bytes of a session: what a broken disk, a careless hand or a liar might do.

Each takes the parts (of each event its public bytes, what opens its seals, and its digest) and changes them where they
are. A careful liar puts right afterwards what can be put right: versions, seals and digests.
"""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

import orjson

from replay.envelope import Envelope, canonical, digest, genesis, seals_of

Parts = list[tuple[bytes, bytes, bytes]]
Change = Callable[[Random, Parts], None]

# The JSON reader still takes so many lists in lists, and Python's own stack does not. Its writer takes fewer.
_DEEP: Final = b"[" * 1000 + b"]" * 1000
_DEEP_MARK: Final = "as deep as can be"
_STRANGE: Final[tuple[Any, ...]] = (
    *(None, True, 0, -1, 1, 2, 3, 99, 2**63, -(2**63), 0.5, 1e300, "", "x", "Jk", "Ac", "\0", _DEEP_MARK),
    *("rockaway", "rockaway.passed", "session.closed", "session.opened", "session.deal_ended"),
    *([], [[]], [1, 2], [None], ["Ac"], {}, {"clause": "R6"}, {"": {}}, {"clause": []}),
)


def parts_of(stored: list[Envelope]) -> Parts:
    """The bytes of these envelopes."""
    return [(each.raw, each.sealed_bytes(), each.digest) for each in stored]


def put_right(session: str, parts: Parts) -> None:
    """What a careful liar does in the end: nothing that can be computed gives him away."""
    head = b""
    for n, (public, beside, _) in enumerate(parts):
        with suppress(ValueError, TypeError, LookupError, AttributeError):
            fields = orjson.loads(public)
            fields["version"] = n + 1
            opened = orjson.loads(beside) if beside else {}
            fields["seals"] |= {name: seals_of(opening) for name, opening in opened.items()}
            public = canonical(fields)  # noqa: PLW2901 - what cannot be put right stays as it is
            if n == 0:
                data = fields["data"]
                head = genesis(session, data["game"], data["revision"], data["options"])
        head = digest(head, public)
        parts[n] = (public, beside, head)


def flip_a_bit(random: Random, parts: Parts) -> None:
    """One bit of one event."""
    n = random.randrange(len(parts))
    all_of_it = [bytearray(part) for part in parts[n]]
    part = random.choice([part for part in all_of_it if part])
    part[random.randrange(len(part))] ^= 1 << random.randrange(8)
    public, beside, head = map(bytes, all_of_it)
    parts[n] = (public, beside, head)


def cut_bytes(random: Random, parts: Parts) -> None:
    """The end of a part."""
    n = random.randrange(len(parts))
    public, beside, head = parts[n]
    if beside and random.random() < 0.5:
        parts[n] = (public, beside[: random.randrange(len(beside))], head)
    else:
        parts[n] = (public[: random.randrange(max(1, len(public)))], beside, head)


def drop_an_event(random: Random, parts: Parts) -> None:
    """One event less."""
    del parts[random.randrange(len(parts))]


def swap_events(random: Random, parts: Parts) -> None:
    """Two events in each other's place."""
    n, m = (random.randrange(len(parts)) for _ in range(2))
    parts[n], parts[m] = parts[m], parts[n]


def repeat_an_event(random: Random, parts: Parts) -> None:
    """One event once more, somewhere."""
    parts.insert(random.randrange(len(parts) + 1), random.choice(parts))


def mix_openings(random: Random, parts: Parts) -> None:
    """What opens the seals of one event at another."""
    n = random.randrange(len(parts))
    public, _, head = parts[n]
    parts[n] = (public, random.choice(parts)[1], head)


def change_a_value(random: Random, parts: Parts) -> None:
    """Somewhere in the JSON a field is dropped, or a strange value stands in its place."""
    # Openings and deals, at the beginning, have most that can be spoilt.
    n = random.randrange(random.choice((1, 2, len(parts))) if len(parts) > 1 else 1)
    public, beside, head = parts[n]
    if beside and random.random() < 0.5:
        parts[n] = (public, _with_change(random, beside), head)
    else:
        parts[n] = (_with_change(random, public), beside, head)


def _with_change(random: Random, part: bytes) -> bytes:
    if _DEEP in part:
        return part
    document = [orjson.loads(part)]
    holder: Any = document
    place: Any = 0
    while isinstance(holder[place], list | dict) and holder[place] and random.random() < 0.9:
        holder = holder[place]
        place = random.choice(list(holder)) if isinstance(holder, dict) else random.randrange(len(holder))
    if isinstance(holder, dict) and random.random() < 0.3:
        del holder[place]
    else:
        holder[place] = random.choice(_STRANGE)
    return orjson.dumps(document[0]).replace(orjson.dumps(_DEEP_MARK), _DEEP)


CHANGES: Final[tuple[Change, ...]] = (
    flip_a_bit,
    cut_bytes,
    drop_an_event,
    swap_events,
    repeat_an_event,
    mix_openings,
    change_a_value,
)
