"""The process that sends: round after round it finds which sessions have gone on, and hands them to its couriers.

The deliveries of a webhook run in a few lanes, each serial, and a session is always in the same lane: so order holds.
Lanes of webhooks whose receivers are slow or failing run in threads of their own, so they delay nobody else. One
process sends at a time, by a lease; another one stands by.
"""

import logging
from binascii import crc32
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event, Lock
from time import monotonic
from typing import Final

from replay.log import Log, OutcomeUnknownError, StoreUnavailableError
from replay.rules.session_state import BrokenLogError
from workers.webhooks.courier import Courier, LeaseLostError, Walk, WrongKeyError
from workers.webhooks.register import Desk, Register
from workers.webhooks.watch import Watch
from workers.webhooks.webhook import Webhook, webhook_of

log = logging.getLogger(__name__)

EVERY: Final = 0.5
"""Seconds between two rounds, and so about the longest that an event waits for its first attempt."""
LEASE: Final = 10_000
"""Milliseconds; after a kill the next process waits as long."""
LANES: Final = 4
"""Of one webhook: sessions that do not wait for one another."""
THREADS: Final = 16
"""For receivers that answer in time, and as many for the others."""
SLOW: Final = 2_000
"""Milliseconds after which an answer is slow."""
TARDY: Final = 60_000
"""Milliseconds for which a receiver counts as slow after an answer that was slow, or a failure."""
QUIET: Final = 1_000
QUIET_MOST: Final = 60_000
"""Milliseconds for which a webhook is left alone after a failure, doubled with each further one in a row, whatever
session it is for: a receiver that is down is not asked once for each of a thousand sessions."""
BROKEN: Final = 60_000
"""Milliseconds before a session is tried again whose log cannot be read; somebody has to mend it first."""


class _Held:
    """What this process holds of one webhook."""

    def __init__(self, stored: bytes, desk: Desk) -> None:
        self.stored: Final = stored
        self.webhook: Final[Webhook] = webhook_of(stored)
        self.desk: Final = desk
        self.behind: set[str] = set()
        self.busy: set[int] = set()
        self.put_off: dict[str, int] = {}
        """By track, until when (ms) it is left alone, for a fault that is not the receiver's."""
        self.stale = False
        self.tardy_until = 0
        self.failures = 0
        self.quiet_until = 0

    def tracks(self, now: int) -> dict[int, list[str]]:
        """What is due, by lane."""
        lanes: dict[int, list[str]] = {}
        if not self.webhook.enabled or self.stale or self.quiet_until > now:
            return lanes
        again = [track for track in self.desk.waiting if track.startswith("again:")]
        for track in [*again, *self.behind]:
            lane = crc32(track.encode()) % LANES
            if lane not in self.busy and self._due(track, now):
                lanes.setdefault(lane, []).append(track)
        return lanes

    def _due(self, track: str, now: int) -> bool:
        pending = self.desk.waiting.get(track)
        if self.put_off.get(track, 0) > now:
            return False
        # Who has just mended his receiver and says so need not wait for hours.
        return pending is None or pending.next <= now or pending.tried < self.webhook.changed


class Rounds:
    """Sends until told to stop. `clock` gives milliseconds since the epoch; `ended` is asked of tokens' digests."""

    def __init__(
        self,
        events: Log,
        register: Register,
        courier: Courier,
        holder: str,
        clock: Callable[[], int],
        ended: Callable[[str], bool],
    ) -> None:
        self._register: Final = register
        self._courier: Final = courier
        self._holder: Final = holder
        self._clock: Final = clock
        self._ended: Final = ended
        self._watch: Final = Watch(events)
        self._held: dict[str, _Held] = {}
        self._renew_at: int | None = None
        self._lock: Final = Lock()
        self._stop: Final = Event()
        self._prompt: Final = ThreadPoolExecutor(THREADS, "prompt")
        self._tardy: Final = ThreadPoolExecutor(THREADS, "tardy")

    def run(self, stop: Event) -> None:
        """Send until told to stop; a store that is away is waited for."""
        while not stop.wait(EVERY):
            try:
                self.turn()
            except (StoreUnavailableError, OutcomeUnknownError) as fault:
                log.warning("cannot look for deliveries: %s", fault)
        self.close()

    def close(self) -> None:
        """Begin nothing new, wait for what is under way (no longer than an attempt may take), and give the lease up."""
        self._stop.set()
        for pool in (self._prompt, self._tardy):
            pool.shutdown(cancel_futures=True)
        try:
            self._register.hold(self._holder, 0)
        except (StoreUnavailableError, OutcomeUnknownError) as fault:
            log.warning("the lease runs out by itself: %s", fault)

    def settle(self, limit: float = 60.0) -> None:
        """Turn until nothing is due any more; raises TimeoutError after `limit` seconds."""
        deadline = monotonic() + limit
        while under_way := self.turn():
            if wait(under_way, max(0.0, deadline - monotonic())).not_done:
                raise TimeoutError("deliveries are still under way")

    def turn(self) -> Sequence[Future[None]]:
        """One round; what it has begun, nothing if another process has the lease. Raises StoreUnavailableError."""
        now = self._clock()
        stored = self._register.stored()
        if not self._hold(now, needed=bool(stored)):
            return ()
        self._refresh(stored)
        enabled = [held for held in self._held.values() if held.webhook.enabled and self._vouched(held)]
        owners = {held.webhook.owner for held in enabled if held.webhook.session is None}
        named = [held.webhook.session for held in enabled if held.webhook.session is not None]
        versions = self._watch.versions(owners, named, now)
        begun = []
        with self._lock:
            for held in enabled:
                self._mark(held, versions)
                pool = self._tardy if held.tardy_until > now else self._prompt
                for lane, tracks in held.tracks(now).items():
                    held.busy.add(lane)
                    begun.append(pool.submit(self._work, held, lane, tracks))
        return begun

    def _hold(self, now: int, *, needed: bool) -> bool:
        """Whether the lease is ours. It is renewed well before it ends, and not taken for nothing."""
        if self._renew_at is not None and self._renew_at - LEASE < now < self._renew_at:
            return needed
        held = needed and self._register.hold(self._holder, LEASE)
        self._renew_at = now + LEASE // 3 if held else None
        if not held:
            for each in self._held.values():
                each.stale = True
            self._held.clear()
        return held

    def _vouched(self, held: _Held) -> bool:
        """Whether the token that this webhook sends for is still good; if not, it is disabled."""
        if held.webhook.token and self._ended(held.webhook.token):
            held.stale = True
            self._register.disable(held.webhook.id, "revoked")
            return False
        return True

    def _refresh(self, stored: Mapping[str, bytes]) -> None:
        """Take in webhooks that are new or changed, once nothing of what was known of them is under way."""
        for name in [name for name in self._held if name not in stored]:
            self._held.pop(name).stale = True
        for name, row in stored.items():
            held = self._held.get(name)
            if held is not None and held.stored == row and not held.stale:
                continue
            with self._lock:
                if held is not None:
                    held.stale = True
                    if held.busy:
                        continue
            fresh = self._held[name] = _Held(row, self._register.desk(name))
            fresh.behind |= {track for track in fresh.desk.waiting if not track.startswith("again:")}
            fresh.behind |= self._watch.owned(fresh.webhook.owner) if fresh.webhook.session is None else set()

    def _mark(self, held: _Held, versions: dict[str, int]) -> None:
        """Note which of the sessions that were looked at have something for this webhook."""
        webhook, cursors = held.webhook, held.desk.cursors
        mine = self._watch.owned(webhook.owner) if webhook.session is None else {webhook.session}
        for session in mine & versions.keys():
            if versions[session] > cursors.get(session, -1):
                held.behind.add(session)

    def _work(self, held: _Held, lane: int, tracks: Sequence[str]) -> None:
        """One lane's deliveries, up to the first that fails."""
        try:
            for track in tracks:
                if self._idle(held) or not self._deliver(held, track):
                    return
        finally:
            with self._lock:
                held.busy.discard(lane)

    def _idle(self, held: _Held) -> bool:
        return held.stale or self._stop.is_set()

    def _deliver(self, held: _Held, track: str) -> bool:
        """Deliver what a track has; False if the lane should go no further."""
        try:
            if track.startswith("again:"):
                walk = self._courier.again(held.webhook, held.desk, track)
            else:
                walk = self._courier.walk(held.webhook, held.desk, track, lambda: self._idle(held))
        except (StoreUnavailableError, OutcomeUnknownError, LeaseLostError) as fault:
            # What was noted is in the store, and is read again before anything more is sent.
            log.warning("deliveries of webhook %s are interrupted: %s", held.webhook.id, str(fault) or "no more ours")
            held.stale = True
            return False
        except WrongKeyError as fault:
            log.error("%s; rotate its secret, or bring that key back", fault)  # noqa: TRY400 - the trace says no more
            held.quiet_until = self._clock() + QUIET_MOST
            return False
        except (BrokenLogError, LookupError) as fault:
            log.error("webhook %s cannot have %s: %s", held.webhook.id, track, fault)  # noqa: TRY400 - as above
            held.put_off[track] = self._clock() + BROKEN
            return True
        except Exception:
            log.exception("webhook %s cannot have %s", held.webhook.id, track)
            held.put_off[track] = self._clock() + BROKEN
            return True
        self._took(held, track, walk)
        return not walk.failed

    def _took(self, held: _Held, track: str, walk: Walk) -> None:
        now = self._clock()
        with self._lock:
            if walk.failed or (walk.slowest or 0) > SLOW:
                held.tardy_until = now + TARDY
            if not walk.more:
                held.behind.discard(track)
            if walk.slowest is not None:
                held.failures = held.failures + 1 if walk.failed else 0
            if walk.failed:
                held.quiet_until = now + min(QUIET * 2 ** min(held.failures - 1, 10), QUIET_MOST)
