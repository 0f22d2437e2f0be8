"""Kicks: jobs that tell a worker to look at a session. A kick is never the truth; lost or doubled, nothing changes."""

import time
from collections.abc import Sequence
from typing import Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from replay.log import StoreUnavailableError

QUEUE: Final = "upcard"
SCORE: Final = "workers.scoring.score"

QUEUE_ENOUGH: Final = 20
"""With so many jobs waiting the workers are behind, or there are none: then many sessions in one job are cheaper."""
TIMEOUT: Final = 2.0
"""Seconds; a player's answer may wait for a kick, and whoever waits in vain loses nothing. RQ's worker sets its own."""
_DIVERGED: Final = "upcard:diverged"
_DAY: Final = 86_400
"""Seconds."""
_KEEP_FAILED: Final = 86_400
"""Seconds for which a failed job can be looked at."""


def connect_jobs(url: str) -> Redis:
    """A client for the jobs' Redis: short time-outs, no retries. Connects when first used."""
    client: Redis = Redis.from_url(
        url, socket_connect_timeout=TIMEOUT, socket_timeout=TIMEOUT, retry=Retry(NoBackoff(), 0)
    )
    return client


class Kicker:
    """Puts jobs into the queue; raises StoreUnavailableError if that cannot be done."""

    def __init__(self, client: Redis) -> None:
        self._client: Final = client
        self._queue: Final = Queue(QUEUE, connection=client, serializer=JSONSerializer)

    def kick(self, sessions: Sequence[str]) -> bool:
        """Have these sessions looked at by a worker, all in one job.

        False if enough jobs wait already: the sweeper comes back to these sessions when the queue is shorter, many in a
        job. So the queue stays short however long there is no worker.
        """
        try:
            if self._queue.count >= QUEUE_ENOUGH:
                return False
            self._queue.enqueue(SCORE, list(sessions), result_ttl=0, failure_ttl=_KEEP_FAILED)
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot queue a job: {fault}") from fault
        return True

    def saw(self, process: str, seconds: int) -> None:
        """Note that a process of this kind is alive, for so long."""
        try:
            self._client.set(_seen(process), b"1", ex=seconds)
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot note a process: {fault}") from fault

    def seen(self, process: str) -> bool:
        """Whether a process of this kind has been noted lately."""
        try:
            return bool(self._client.exists(_seen(process)))
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot look for a process: {fault}") from fault

    def standing(self) -> dict[str, int]:
        """How many jobs there are, by how they stand."""
        queue = self._queue
        try:
            waiting, started, failed = queue.count, queue.started_job_registry.count, queue.failed_job_registry.count
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot look at the jobs: {fault}") from fault
        return {"waiting": waiting, "started": started, "failed": failed}

    def found_diverged(self, session: str) -> None:
        """Note that a session's log fails its audit, or its scores do not follow from it."""
        try:
            self._client.zadd(_DIVERGED, {session: time.time()})
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot note a session: {fault}") from fault

    def diverged_count(self) -> int:
        """How many sessions have been found diverged within a day."""
        try:
            self._client.zremrangebyscore(_DIVERGED, "-inf", time.time() - _DAY)
            return int(self._client.zcard(_DIVERGED))
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot count sessions: {fault}") from fault


def _seen(process: str) -> str:
    return f"upcard:seen:{process}"
