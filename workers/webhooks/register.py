"""The webhooks in the store, and what is kept for each: cursors, waiting deliveries, attempts, dead letters.

Everything lies under one hash tag, so that one script changes it all or nothing. A webhook is small and few; what is
long is the log, of which a cursor only says how far it has been delivered. Every method may raise
StoreUnavailableError, and what writes OutcomeUnknownError too.
"""

import logging
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple

import orjson

from replay.log import CommandKey, KeyReused, StoreUnavailableError
from replay.redis_client import Argument, Script, Store
from workers.webhooks.webhook import Because, Webhook, webhook_of

log = logging.getLogger(__name__)

_WEBHOOKS: Final = "{upcard}:webhooks"
_LEASE: Final = "{upcard}:webhooks:lease"
_BESIDE: Final = ("commands", "cursors", "waiting", "attempts", "count", "dead")

ATTEMPTS_KEPT: Final = 1_000
"""Attempts that can be looked at, for each webhook."""


def _script(name: str) -> Script:
    return Script(files("workers").joinpath(f"lua/webhook_{name}.lua").read_text())


_PUT, _NOTE, _DROP, _LEASED = map(_script, ("put", "note", "drop", "lease"))


@dataclass(frozen=True, slots=True)
class Remembered:
    """A command's key is known: what the first one came to. Nothing was changed now."""

    result: str


Putting = Literal["done", "conflict"] | Remembered | KeyReused
Noting = Literal["noted", "gone", "lost"]


class Row(NamedTuple):
    """A webhook, and the very bytes that it was read from."""

    webhook: Webhook
    stored: bytes


class Pending(NamedTuple):
    """A delivery that has failed, or was asked for by hand: when it is to be tried next. Times in milliseconds."""

    session: str
    version: int
    attempts: int
    """That have failed."""
    tried: int
    """When the last of them was; 0 if none."""
    next: int
    body: str | None
    """As it was sent first, so that it stays the same to the byte; None before the first attempt."""


class Attempt(NamedTuple):
    """One attempt, and what came of it."""

    id: str
    session: str
    version: int
    type: str
    at: str
    attempt: int
    outcome: Literal["delivered", "failed", "dead"]
    status: int | None
    """What the receiver answered; None if it did not."""
    error: str | None
    took_ms: int
    next_at: str | None


class Dead(NamedTuple):
    """An event that was given up; it can be delivered again by hand."""

    id: str
    session: str
    version: int
    type: str
    at: str
    """When it was given up."""
    attempts: int
    status: int | None
    error: str | None
    body: str


class Note(NamedTuple):
    """What to note of an attempt, or of events that were passed over."""

    track: str
    session: str
    message: str
    version: int | None = None
    pending: Pending | None = None
    attempt: Attempt | None = None
    dead: Dead | None = None
    delivered: bool = False


class Desk(NamedTuple):
    """How far the deliveries of one webhook have come."""

    cursors: dict[str, int]
    """By session, the version up to which all is dealt with."""
    waiting: dict[str, Pending]
    """By track: a session's id for the event that its others wait behind, `again:…` for one asked for by hand."""


def again_track(session: str, version: int) -> str:
    """The track of a redelivery, which nothing else waits behind."""
    return f"again:{session}:{version}"


def _key(webhook: str, name: str) -> str:
    return f"{{upcard}}:webhook:{webhook}:{name}"


def _text(value: Any) -> bytes:
    return orjson.dumps(value._asdict()) if value is not None else b""


class Register:
    """The webhooks of all organisers on one store."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    def stored(self) -> dict[str, bytes]:
        """The bytes of every webhook, by id."""
        found = self._store.read("HGETALL", _WEBHOOKS)
        pairs = found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
        return {name.decode(): row for name, row in pairs}

    def rows(self) -> list[Row]:
        """Every webhook, the oldest first."""
        rows = [Row(webhook_of(row), row) for row in self.stored().values()]
        return sorted(rows, key=lambda row: (row.webhook.created_at, row.webhook.id))

    def row(self, webhook: str) -> Row | None:
        """One webhook; None if there is no such."""
        row = self._store.read("HGET", _WEBHOOKS, webhook)
        return Row(webhook_of(row), row) if row is not None else None

    def put(
        self,
        before: Row | None,
        after: Webhook,
        command: CommandKey | None = None,
        result: str = "",
        again: Pending | None = None,
    ) -> Putting:
        """Make or change a webhook, if it is still as it was seen; `again` asks for a redelivery along with it.

        `result` is what to remember for a command that has a key.
        """
        keys = [_WEBHOOKS, _key(after.id, "commands"), _key(after.id, "waiting")]
        answer = self._store.run(
            _PUT,
            keys,
            after.id,
            before.stored if before else b"",
            after.to_bytes(),
            *((command.key, command.body, result) if command else ("", "", "")),
            *((again_track(again.session, again.version), _text(again)) if again else ("", "")),
        )
        match answer[0]:
            case b"done":
                return "done"
            case b"conflict":
                return "conflict"
            case b"repeated":
                return Remembered(answer[1].decode())
            case b"reused":
                return KeyReused()
            case other:
                raise StoreUnavailableError(f"the script answered {other!r}")

    def remembered(self, webhook: str, command: CommandKey) -> Remembered | KeyReused | None:
        """The result of a command whose key is known; None if it is new."""
        known = self._store.read("HGET", _key(webhook, "commands"), command.key)
        if known is None:
            return None
        body, _, result = known.decode().partition(" ")
        return Remembered(result) if body == command.body else KeyReused()

    def disable(self, webhook: str, because: Because) -> None:
        """Disable it, whatever its organiser changes at the same moment."""
        while (row := self.row(webhook)) is not None and row.webhook.enabled:
            if self.put(row, row.webhook._replace(enabled=False, because=because)) == "done":
                log.warning("webhook %s is disabled: %s", webhook, because)
                return

    def drop(self, webhook: str) -> bool:
        """Drop a webhook and all that is kept for it; whether there was one."""
        return bool(self._store.run(_DROP, [_WEBHOOKS, *(_key(webhook, name) for name in _BESIDE)], webhook))

    def desk(self, webhook: str) -> Desk:
        """How far its deliveries have come."""
        cursors = {session.decode(): int(version) for session, version in self._pairs(webhook, "cursors")}
        waiting = {track.decode(): Pending(**orjson.loads(text)) for track, text in self._pairs(webhook, "waiting")}
        return Desk(cursors, waiting)

    def _pairs(self, webhook: str, name: str) -> list[tuple[bytes, bytes]]:
        found = self._store.read("HGETALL", _key(webhook, name))
        return list(found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True))

    def hold(self, holder: str, milliseconds: int) -> bool:
        """Take or renew the lease of the process that sends, or give it up with 0; False if another has it."""
        return bool(self._store.run(_LEASED, [_LEASE], holder, milliseconds))

    def note(self, webhook: str, holder: str, note: Note) -> Noting:
        """Note what has come of an attempt, and let the cursor go on; only for who holds the lease."""
        keys = [
            _WEBHOOKS,
            _LEASE,
            *(_key(webhook, name) for name in ("cursors", "waiting", "attempts", "count", "dead")),
        ]
        arguments: list[Argument] = [
            webhook,
            holder,
            note.track,
            note.session,
            "" if note.version is None else note.version,
            _text(note.pending),
            _text(note.attempt),
            ATTEMPTS_KEPT,
            note.message,
            _text(note.dead),
            int(note.delivered),
        ]
        noting: Noting = self._store.run(_NOTE, keys, *arguments).decode()
        return noting

    def attempts(self, webhook: str, limit: int, before: int | None = None) -> list[dict[str, Any]]:
        """Attempts, the newest first; only those with a `number` below `before` if that is given."""
        skip = 0
        if before is not None:
            newest = self._store.read("LINDEX", _key(webhook, "attempts"), 0)
            # They are numbered without gaps. One that is made meanwhile is filtered out below.
            skip = max(int(newest.partition(b" ")[0]) - before + 1, 0) if newest is not None else 0
        found = self._store.read("LRANGE", _key(webhook, "attempts"), skip, skip + limit - 1)
        told = []
        for each in found:
            number, _, text = each.partition(b" ")
            if before is None or int(number) < before:
                told.append({"number": int(number), **orjson.loads(text)})
        return told

    def waiting_count(self, webhook: str) -> int:
        """How many deliveries have failed, or were asked for, and are tried again."""
        return int(self._store.read("HLEN", _key(webhook, "waiting")))

    def dead(self, webhook: str) -> list[dict[str, Any]]:
        """Dead letters, the oldest first. There are never many more than webhook.DEAD_LETTERS."""
        found = [orjson.loads(text) for _, text in self._pairs(webhook, "dead")]
        return sorted(found, key=lambda each: (each["at"], each["id"]))

    def dead_letter(self, webhook: str, message: str) -> dict[str, Any] | None:
        """One dead letter; None if there is no such."""
        found = self._store.read("HGET", _key(webhook, "dead"), message)
        return orjson.loads(found) if found is not None else None

    def dead_count(self, webhook: str) -> int:
        """How many dead letters it has."""
        return int(self._store.read("HLEN", _key(webhook, "dead")))
