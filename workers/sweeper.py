"""The sweeper: whatever waits in an outbox for too long is kicked again, so that no lost job loses a score."""

import logging
from collections.abc import Callable, Iterable
from threading import Event
from typing import Final

from replay.log import Log, StoreUnavailableError
from workers.jobs import Kicker

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds between two sweeps."""
GRACE: Final = 1_500
"""Milliseconds that a deal may wait before the sweeper takes it that its first kick was lost."""
AGAIN: Final = 3_000
"""Milliseconds before a session is kicked once more: a worker that died over it has had its time."""
PER_SHARD: Final = 200
"""Deals looked at in one sweep of a shard."""
PER_JOB: Final = 50
"""Sessions in one job: forking a worker costs more than scoring a deal."""


class Sweeper:
    """Looks at the outboxes again and again. `clock` gives milliseconds since the epoch."""

    def __init__(self, events: Log, kicker: Kicker, clock: Callable[[], int]) -> None:
        self._events: Final = events
        self._kicker: Final = kicker
        self._clock: Final = clock
        self._kicked: dict[str, int] = {}

    def sweep(self) -> list[str]:
        """Kick what has waited too long; the sessions that were kicked. Raises StoreUnavailableError."""
        now = self._clock()
        late = dict.fromkeys(session for session, _, since in self._events.due(PER_SHARD) if now - since >= GRACE)
        # What is no longer due has been posted, and need not be remembered.
        self._kicked = {session: when for session, when in self._kicked.items() if session in late}
        kicked: list[str] = []
        for sessions in self._jobs(late, now):
            if not self._kicker.kick(sessions):
                break
            self._kicked.update(dict.fromkeys(sessions, now))
            kicked += sessions
        return kicked

    def _jobs(self, late: Iterable[str], now: int) -> list[list[str]]:
        """What to kick, a list for each job: many sessions at first, and alone what a kick has not helped.

        A session that brings its worker down must not take the same others with it again and again.
        """
        fresh = [session for session in late if session not in self._kicked]
        again = [session for session in late if now - self._kicked.get(session, now) >= AGAIN]
        together = [fresh[start : start + PER_JOB] for start in range(0, len(fresh), PER_JOB)]
        return together + [[session] for session in again]

    def run(self, stop: Event) -> None:
        """Sweep until told to stop; a store that is away is waited for."""
        while not stop.wait(EVERY):
            try:
                self._kicker.saw("sweeper", 10)
                kicked = self.sweep()
            except StoreUnavailableError as fault:
                log.warning("cannot sweep: %s", fault)
            else:
                if kicked:
                    log.info("kicked %d sessions that were waiting", len(kicked))
