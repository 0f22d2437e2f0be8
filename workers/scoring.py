"""The job that a worker runs: score the finished deals of some sessions and post them."""

from functools import cache

from replay.redis_client import Store, connect
from replay.redis_log import RedisLog
from workers.ledger import Ledger
from workers.settings import read_settings


def score(sessions: list[str]) -> int:
    """Post whatever these sessions' logs call for; how many entries were posted. Safe to repeat, and to kill anywhere.

    A session that fails does not keep the others from being scored: its error is raised when all have been tried.
    """
    ledger = _ledger()
    posted = 0
    failed: Exception | None = None
    for session in sessions:
        try:
            posted += ledger.post_all(session)
        except Exception as fault:
            failed = fault
    if failed is not None:
        raise failed
    return posted


@cache
def _ledger() -> Ledger:
    store = Store(connect(read_settings().events_url))
    return Ledger(store, RedisLog(store))
