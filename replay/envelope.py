"""A stored event: what is written round every event of every game, its bytes, its seals and its digest.

STORAGE: add, never change. The public part is what everybody may see, as canonical JSON (RFC 8785). What not everybody
may see is sealed there: the public part has SHA-256 of the canonical JSON of `[salt, value]`, and value and salt lie
beside it. A digest is SHA-256 of the digest before it and the public part, so that it is the same for every viewer.

Left out: which fields are sealed, which is declared with the event types; who may open a seal, which codec.py answers.
"""

import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson

from replay.rules.session_state import BrokenLogError

SALT_BYTES: Final = 16


def canonical(value: Any) -> bytes:
    """The canonical JSON (RFC 8785) of whole numbers below 2**53, text, lists, and objects whose keys are ASCII."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def fresh_salt() -> str:
    """A salt that nobody has seen: 128 bits, in hexadecimal."""
    return secrets.token_hex(SALT_BYTES)


Opening = Sequence[Any]
"""What opens a seal: its salt, then its value."""


def seal_of(opening: Opening) -> str:
    """The seal that this opens, in hexadecimal."""
    return sha256(canonical(opening)).hexdigest()


def by_seat(opening: Sequence[Any]) -> bool:
    """Whether this is no opening but a list of them, one a seat: an opening begins with its salt, which is text."""
    return not opening or not isinstance(opening[0], str)


Seals = Mapping[str, Any]
"""By field its seal; of a field that holds one value a seat, the list of theirs."""
Openings = Mapping[str, Sequence[Any]]
"""By field its Opening; of a field that holds one value a seat, the list of theirs, None where there is none here."""


class Stamp(NamedTuple):
    """What the service writes on an event beside what happened."""

    at: str
    """When it was recorded: RFC 3339, UTC, by the service's clock."""
    who: str
    """Who gave the command: `seat:2`, or an organiser's name."""
    request: str = ""
    """The request that it came with, as the service's own log names it."""


class Tip(NamedTuple):
    """How far a log goes: its last version, and the digest there, which is the session's head."""

    version: int
    head: bytes


class Envelope(NamedTuple):
    """One stored event. Its version is its place in the session's stream, from 1."""

    version: int
    kind: str
    schema: int
    stamp: Stamp
    data: Mapping[str, Any]
    """The public fields."""
    seals: Seals
    opened: Openings
    """Seals that can be opened here: in the store all of them, in an export what its viewer may see."""
    digest: bytes
    raw: bytes
    """The public part as stored."""

    @property
    def tip(self) -> Tip:
        """The log up to this event."""
        return Tip(self.version, self.digest)

    def sealed_bytes(self) -> bytes:
        """What opens the seals, as stored; empty if nothing is sealed."""
        return canonical(self.opened) if self.opened else b""


_NOTHING: Final[Mapping[str, Any]] = {}


def sealed(after: Tip, kind: str, schema: int, stamp: Stamp, data: Mapping[str, Any], opened: Openings) -> Envelope:
    """The event that follows `after`."""
    seals = {name: seals_of(opening) for name, opening in opened.items()} if opened else _NOTHING
    version = after.version + 1
    raw = canonical(
        {
            "at": stamp.at,
            "data": data,
            "kind": kind,
            "request": stamp.request,
            "schema": schema,
            "seals": seals,
            "version": version,
            "who": stamp.who,
        }
    )
    return Envelope(version, kind, schema, stamp, data, seals, opened, digest(after.head, raw), raw)


def seals_of(opening: Sequence[Any]) -> Any:
    """The seal of an opening; of a list of them, seat by seat, the list of seals."""
    return list(map(seal_of, opening)) if by_seat(opening) else seal_of(opening)


def digest(before: bytes, public: bytes) -> bytes:
    """The digest of an event, from that of the event before it (32 bytes) and the event's public part."""
    return sha256(before + public).digest()


def genesis(session: str, game: str, revision: int, options: Mapping[str, Any]) -> bytes:
    """The digest before the first event: it binds the log to the session's id, game, revision and options."""
    return sha256(canonical({"game": game, "options": options, "revision": revision, "session": session})).digest()


def envelope(version: int, public: bytes, beside: bytes, head: bytes) -> Envelope:
    """The envelope that these stored bytes are; raises BrokenLogError if they are none."""
    try:
        parts = orjson.loads(public)
        opened = orjson.loads(beside) if beside else _NOTHING
        data, seals, kind, schema = parts["data"], parts["seals"], parts["kind"], parts["schema"]
        stamp = Stamp(parts["at"], parts["who"], parts["request"])
        if not (type(data) is type(seals) is dict and isinstance(opened, dict) and type(schema) is int):
            raise TypeError("a part of it is of another type")
        if not all(isinstance(text, str) for text in (kind, *stamp)) or not all(map(_is_list, opened.values())):
            raise TypeError("a part of it is of another type")
        if type(parts["version"]) is not int or parts["version"] != version:
            raise ValueError("it says that it is another version")
    except (ValueError, TypeError, LookupError, AttributeError) as fault:
        raise BrokenLogError(version, f"it cannot be read: {fault}") from fault
    return Envelope(version, kind, schema, stamp, data, seals, opened, head, public)


def _is_list(value: object) -> bool:
    return isinstance(value, list)
