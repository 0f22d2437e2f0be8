"""A webhook as it is stored: whose it is, where it leads, which events it wants, and which secrets are good. Pure.

STORAGE: add, never change. A field added later needs a default.
"""

from typing import Any, Final, Literal, NamedTuple

import orjson

Because = Literal["asked", "gone", "dead_letters", "revoked"]
"""Why a webhook is disabled: its organiser said so; its receiver answered 410; too many dead letters; the token that it
was made or enabled with has been revoked or has expired."""

DEAD_LETTERS: Final = 1_000
"""Of one webhook. With so many its receiver is not there: it is disabled, and the rest waits in the log."""
RETIRED: Final = 4
"""Secrets that may still be good beside the newest; the header must not grow without bound."""


class Retired(NamedTuple):
    """A secret that was rotated out, and the moment (ms) until which its signature is still sent."""

    serial: int
    until: int


class Webhook(NamedTuple):
    """One webhook. Times are milliseconds since the epoch unless they are texts."""

    id: str
    owner: str
    """The organiser, as the log names him."""
    url: str
    kinds: tuple[str, ...] | None
    """Kinds of event that it wants; None for all, those that come to be later included."""
    session: str | None
    """The one session whose events it wants; None for all that its owner has opened or will open."""
    enabled: bool
    because: Because | None
    created_at: str
    """RFC 3339, UTC. Events recorded from then on are sent."""
    serial: int
    """Of its newest secret."""
    fingerprint: str
    """Of the newest secret."""
    retired: tuple[Retired, ...] = ()
    changed: int = 0
    """When its organiser last changed it: whatever waits is then tried at once."""
    asked: int = 0
    """How many redeliveries were asked for, so that a look at the row tells of a new one."""

    token: str = ""
    """Digest of the token that it was made with, or last enabled; it sends nothing for one that has ended."""

    def to_bytes(self) -> bytes:
        """As stored: JSON, keys sorted."""
        fields = self._asdict() | {"retired": [tuple(each) for each in self.retired]}
        return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)

    def wants(self, kind: str) -> bool:
        """Whether events of this kind are sent."""
        return self.kinds is None or kind in self.kinds

    def serials(self, now: int) -> list[int]:
        """The secrets that are good at this moment, the newest first."""
        return [self.serial, *(each.serial for each in self.retired if each.until > now)]

    def rotated(self, fingerprint: str, now: int, overlap: int) -> "Webhook":
        """With its next secret; the one until now is good for `overlap` more milliseconds."""
        kept = [each for each in self.retired if each.until > now]
        if overlap > 0:
            kept.append(Retired(self.serial, now + overlap))
        return self._replace(serial=self.serial + 1, fingerprint=fingerprint, retired=tuple(kept[-RETIRED:]))


def webhook_of(stored: bytes) -> Webhook:
    """The webhook that these stored bytes are."""
    fields: dict[str, Any] = orjson.loads(stored)
    kinds = fields["kinds"]
    fields["kinds"] = None if kinds is None else tuple(kinds)
    fields["retired"] = tuple(Retired(*each) for each in fields.get("retired", ()))
    return Webhook(**fields)
