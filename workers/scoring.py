"""The job that a worker runs: score the finished deals of some sessions and post them."""

import logging
import time
from functools import cache
from typing import Final

from replay.log import OutcomeUnknownError, StoreUnavailableError
from replay.redis_client import Store, connect
from replay.redis_log import RedisLog
from workers.ledger import Ledger
from workers.settings import read_settings

log = logging.getLogger(__name__)

PUT_OFF: Final = 60_000
"""Milliseconds before a session that cannot be scored is tried again; somebody has to mend it first."""


def score(sessions: list[str]) -> int:
    """Post whatever these sessions' logs call for; how many entries were posted. Safe to repeat, and to kill anywhere.

    A session that cannot be scored does not keep the others from it: it is put off, in this job and in the outbox, and
    its error is raised when all have been tried. A store that is away is no session's fault, and ends the job at once.
    """
    ledger = _ledger()
    posted = 0
    failed: Exception | None = None
    for session in sessions:
        try:
            posted += ledger.post_all(session)
        except (StoreUnavailableError, OutcomeUnknownError):
            raise
        except Exception as fault:
            log.error("session %s cannot be scored: %s", session, type(fault).__name__)  # noqa: TRY400 - RQ logs one trace, this is for all
            failed = fault
            ledger.put_off(session, time.time_ns() // 1_000_000 + PUT_OFF)
    if failed is not None:
        raise failed
    return posted


@cache
def _ledger() -> Ledger:
    store = Store(connect(read_settings().events_url))
    return Ledger(store, RedisLog(store))
