"""The worker process: RQ's forking worker, which says that it is alive and takes its child with it when it dies."""

import sys
from importlib import import_module
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError
from rq import Worker
from rq.serializers import JSONSerializer

from replay.log import StoreUnavailableError
from workers.jobs import QUEUE, SCORE, Kicker
from workers.lifeline import die_with_parent

_SEEN_FOR: Final = 20
"""Seconds; several times the pause between two heartbeats."""


class UpcardWorker(Worker):
    """One job at a time, each in a forked child."""

    # RQ doubles the pause up to a minute, and would sleep on long after its Redis has come back.
    max_connection_wait_time = 1.0

    def heartbeat(self, *arguments: Any, **named: Any) -> None:
        """RQ's own heartbeat, and ours for readiness."""
        super().heartbeat(*arguments, **named)
        try:
            Kicker(self.connection).saw("worker", _SEEN_FOR)
        except StoreUnavailableError as fault:
            self.log.warning("cannot say that this worker is alive: %s", fault)

    def main_work_horse(self, *arguments: Any, **named: Any) -> None:
        """The child: must not outlive a worker that is killed, since its job is then another's."""
        die_with_parent(self.pid)
        super().main_work_horse(*arguments, **named)


def run_worker(client: Redis) -> None:
    """Work until told to stop by SIGTERM or SIGINT, or until the jobs' Redis is gone: that ends the process."""
    # RQ finds the job by its name, too. Loaded before any child is forked, it need not be loaded by each of them.
    import_module(SCORE.rpartition(".")[0])
    try:
        worker = UpcardWorker(
            [QUEUE],
            connection=client,
            serializer=JSONSerializer,
            # A short life makes RQ wait for work at most 5 s at a time, and so beat its heart as often.
            worker_ttl=20,
            job_monitoring_interval=5,
        )
        worker.work(logging_level="INFO")
    except RedisError as fault:
        # While it waits for work RQ outlasts an absence; at any other moment it gives up, and is to be started again.
        sys.exit(f"the jobs' Redis cannot be used: {fault}")
