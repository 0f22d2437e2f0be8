"""Finished deals put into the log at once, as the web server would have recorded them; and the ledger they call for."""

import time
from random import Random
from typing import Final

from replay.codec import START
from replay.log import Appended, Batch, Log
from replay.rules.session_events import DealEnded, SessionOpened
from replay.shards import new_session_id
from tests.log.histories import history, stored
from workers.entries import entries

Due = dict[str, list[bytes]]
"""By session the ledger's entries, to the byte, that its log calls for."""

LONG_AGO: Final = 60_000
"""Milliseconds that a deal may have waited, so that a sweep takes it at once."""


def seed(log: Log, random: Random, *, deals: int = 1, like: str | None = None, waited: int = 0) -> Due:
    """Record a session with so many finished deals, which have waited in the outbox for so long (ms)."""
    # Some sessions go on from points at which they are over already.
    while len(events := history(random, deals=deals, finished=True)) == 1:
        continue
    session = new_session_id(like)
    envelopes = stored(events, session)
    due = [version for version, event in enumerate(events, start=1) if isinstance(event, DealEnded)]
    if isinstance(events[0], SessionOpened) and any(events[0].totals):
        due.insert(0, 1)
    batch = Batch(session, START, envelopes, time.time_ns() // 1_000_000 - waited, due=due)
    assert log.append(batch) == Appended(len(envelopes))
    return {session: [entry.to_bytes() for entry in entries(session, envelopes)]}
