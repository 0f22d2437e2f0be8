"""A stored event: what is written round every event of every game, and its bytes.

STORAGE: add, never change. The public part is what everybody may see; what not everybody may see lies beside it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from replay.rules.session import BrokenLogError


class Envelope(NamedTuple):
    """One stored event. Its version is its place in the session's stream, from 1."""

    version: int
    kind: str
    schema: int
    at: str
    """When it was recorded: RFC 3339, UTC, by the service's clock."""
    who: str
    """Who gave the command: `seat:2`, or an organiser's name."""
    public: Mapping[str, Any]
    sealed: Mapping[str, Any]
    """Fields that not everybody may see, by name; empty for most events."""

    def public_bytes(self) -> bytes:
        """The public part as stored: keys sorted, no blanks."""
        return orjson.dumps((self.kind, self.schema, self.at, self.who, self.public), option=orjson.OPT_SORT_KEYS)

    def sealed_bytes(self) -> bytes:
        """The sealed part as stored; empty if nothing is sealed."""
        return orjson.dumps(self.sealed, option=orjson.OPT_SORT_KEYS) if self.sealed else b""


_NOTHING: Mapping[str, Any] = {}


def envelope(version: int, public: bytes, sealed: bytes) -> Envelope:
    """The envelope that these stored bytes are; raises BrokenLogError if they are none."""
    try:
        kind, schema, at, who, data = orjson.loads(public)
        return Envelope(version, kind, schema, at, who, data, orjson.loads(sealed) if sealed else _NOTHING)
    except (ValueError, TypeError) as fault:
        raise BrokenLogError(version, f"it cannot be read: {fault}") from fault
