"""Kicks: jobs that tell a worker to look at a session. A kick is never the truth; lost or doubled, nothing changes."""

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

_KEEP_FAILED: Final = 86_400
"""Seconds for which a failed job can be looked at."""


def connect_jobs(url: str) -> Redis:
    """A client for the jobs' Redis. Longer time-outs than for events: RQ blocks on it while waiting for work."""
    client: Redis = Redis.from_url(url, socket_connect_timeout=2.0, socket_timeout=30.0, retry=Retry(NoBackoff(), 0))
    return client


class Kicker:
    """Puts jobs into the queue; raises StoreUnavailableError if that cannot be done."""

    def __init__(self, client: Redis) -> None:
        self._client: Final = client
        self._queue: Final = Queue(QUEUE, connection=client, serializer=JSONSerializer)

    def kick(self, sessions: Sequence[str]) -> None:
        """Have these sessions looked at by a worker, all in one job."""
        try:
            self._queue.enqueue(SCORE, list(sessions), result_ttl=0, failure_ttl=_KEEP_FAILED)
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot queue a job: {fault}") from fault

    def waiting(self) -> int:
        """How many jobs wait for a worker."""
        try:
            return self._queue.count
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot count jobs: {fault}") from fault

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


def _seen(process: str) -> str:
    return f"upcard:seen:{process}"
