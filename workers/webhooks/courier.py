"""Delivers what the log of one session has for one webhook: in order, each event until it is delivered or given up.

The cursor goes on only after what came of an attempt is noted. So a process that is killed leaves the event to the next
one, which sends the same id and bytes again. Left out: which sessions to look at, and when (rounds.py).
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

from replay.envelope import Envelope
from replay.log import Log
from workers.webhooks.messages import message_body, message_id
from workers.webhooks.register import Attempt, Dead, Desk, Note, Pending, Register
from workers.webhooks.schedule import delay
from workers.webhooks.sending import Sender, Sent
from workers.webhooks.signing import fingerprint, secret, signed_headers
from workers.webhooks.webhook import DEAD_LETTERS, Webhook

BATCH: Final = 50
"""Events in one walk: a webhook that is far behind lets others have their turn."""
GONE: Final = 410

Going = Literal["on", "stop"]


class Walk(NamedTuple):
    """What a walk has come to."""

    failed: bool
    more: bool
    """Whether there may be more to deliver already."""
    slowest: int | None
    """Milliseconds that the slowest attempt took; None if there was none."""


class LeaseLostError(Exception):
    """Another process sends now, or the webhook has been dropped: whatever this one knows of it is out of date."""


class WrongKeyError(Exception):
    """The server's key here is not the one that the webhook's secret was made from; nothing can be signed."""


class Courier:
    """One process's courier. `clock` gives milliseconds since the epoch, `chance` a number from 0 up to 1."""

    def __init__(
        self,
        events: Log,
        register: Register,
        sender: Sender,
        server_key: bytes,
        holder: str,
        clock: Callable[[], int],
        chance: Callable[[], float],
    ) -> None:
        self._events: Final = events
        self._register: Final = register
        self._sender: Final = sender
        self._key: Final = server_key
        self._holder: Final = holder
        self._clock: Final = clock
        self._chance: Final = chance

    def walk(self, webhook: Webhook, desk: Desk, session: str, stopped: Callable[[], bool]) -> Walk:
        """Deliver what this session has beyond the cursor: a batch at most, and up to the first that fails.

        Keeps `desk` up to date. Raises StoreUnavailableError, OutcomeUnknownError, BrokenLogError, LeaseLostError,
        WrongKeyError.
        """
        cursor = self._start(webhook, desk, session)
        stored = self._events.read(session, cursor, BATCH)
        slowest: int | None = None
        passed = False
        for each in stored:
            if stopped():
                return Walk(failed=False, more=True, slowest=slowest)
            passed = not webhook.wants(each.kind)
            if not passed:
                going, took = self._attempt(webhook, desk, session, session, each)
                slowest = max(slowest or 0, took)
                if going == "stop":
                    return Walk(failed=True, more=True, slowest=slowest)
            desk.cursors[session] = each.version
        if passed:
            # Else events that were not wanted would be delivered once the webhook wants more.
            self._note(webhook, Note(session, session, "", version=desk.cursors[session]))
        return Walk(failed=False, more=len(stored) == BATCH, slowest=slowest)

    def again(self, webhook: Webhook, desk: Desk, track: str) -> Walk:
        """Deliver once more what was asked for by hand. Raises as `walk` does, and LookupError for what never was."""
        pending = desk.waiting[track]
        stored = self._events.read(pending.session, pending.version - 1, 1)
        if not stored:
            raise LookupError(f"session {pending.session} has no version {pending.version}")
        going, took = self._attempt(webhook, desk, track, pending.session, stored[0])
        return Walk(failed=going == "stop", more=False, slowest=took)

    def _start(self, webhook: Webhook, desk: Desk, session: str) -> int:
        """The version up to which all is dealt with; at first that before the first event since the webhook was made.

        Follows from the log, so it need not be stored until something is delivered.
        """
        if session in desk.cursors:
            return desk.cursors[session]
        cursor, version = 0, self._events.version(session)
        last = self._events.read(session, version - 1, 1) if version else []
        if last and last[0].stamp.at < webhook.created_at:
            cursor = version
        while cursor < version:
            stored = self._events.read(session, cursor, BATCH)
            older = next((n for n, each in enumerate(stored) if each.stamp.at >= webhook.created_at), len(stored))
            cursor += older
            if older < BATCH:
                break
        desk.cursors[session] = cursor
        return cursor

    def _attempt(self, webhook: Webhook, desk: Desk, track: str, session: str, stored: Envelope) -> tuple[Going, int]:
        """Send one event and note what came of it; and how many milliseconds it took."""
        known = desk.waiting.get(track)
        if known is not None and known.version != stored.version:
            known = None
        body = known.body.encode() if known and known.body is not None else message_body(session, stored)
        began = self._clock()
        secrets = [secret(self._key, webhook.id, serial) for serial in webhook.serials(began)]
        if fingerprint(secrets[0]) != webhook.fingerprint:
            raise WrongKeyError(f"webhook {webhook.id} was made with another server.key")
        message = message_id(session, stored.version)
        sent = self._sender.send(webhook.url, signed_headers(secrets, message, began // 1_000, body), body)
        failed = known.attempts if known else 0
        note = self._outcome(track, session, stored, sent, failed, body.decode())
        self._note(webhook, note)
        if note.version is not None:
            desk.cursors[session] = note.version
        if note.pending is None:
            desk.waiting.pop(track, None)
        else:
            desk.waiting[track] = note.pending
        self._disable_if_due(webhook, sent, note)
        return "on" if sent.delivered else "stop", sent.took_ms

    def _outcome(self, track: str, session: str, stored: Envelope, sent: Sent, failed: int, body: str) -> Note:
        """What to note: it is dealt with, or it waits for its next attempt, or it is given up.

        Of a receiver that is gone nothing is given up: should it be enabled again, it goes on with this event.
        """
        now = self._clock()
        message = message_id(session, stored.version)
        wait = delay(failed + 1, self._chance())
        told = (message, session, stored.version, stored.kind, _time(now), failed + 1)
        # The cursor belongs to the session's own track; what is sent once more lies behind it.
        on = stored.version if track == session else None
        if sent.delivered:
            attempt = Attempt(*told, "delivered", sent.status, None, sent.took_ms, None)
            return Note(track, session, message, version=on, attempt=attempt, delivered=True)
        error = sent.error or f"it answered {sent.status}"
        if wait is None and sent.status != GONE:
            attempt = Attempt(*told, "dead", sent.status, error, sent.took_ms, None)
            dead = Dead(*told, sent.status, error, body)
            return Note(track, session, message, version=on, attempt=attempt, dead=dead)
        following = now + (wait or 0)
        attempt = Attempt(*told, "failed", sent.status, error, sent.took_ms, _time(following))
        pending = Pending(session, stored.version, failed + 1, now, following, body)
        return Note(track, session, message, pending=pending, attempt=attempt)

    def _note(self, webhook: Webhook, note: Note) -> None:
        if self._register.note(webhook.id, self._holder, note) != "noted":
            raise LeaseLostError

    def _disable_if_due(self, webhook: Webhook, sent: Sent, note: Note) -> None:
        if sent.status == GONE:
            self._register.disable(webhook.id, "gone")
        elif note.dead is not None and self._register.dead_count(webhook.id) >= DEAD_LETTERS:
            self._register.disable(webhook.id, "dead_letters")


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1_000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
