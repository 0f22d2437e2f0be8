"""Figures in the text format of Prometheus: what this service has done, and how it stands."""

import time
from collections.abc import Callable, Iterator
from typing import Final

from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from replay.log import StoreUnavailableError
from service.auth import caller
from service.context import Context, context
from service.document import Resource
from service.figures import printed
from service.grants import FIRST
from service.problems import ProblemError
from service.requests import known_arguments
from workers.webhooks.register import Register

resource = Resource("metrics", "/metrics", "For whoever runs it")

FORM: Final = CONTENT_TYPE_LATEST


@resource.get("", None, forms=("text/plain",), problems=("forbidden",))
def read_metrics() -> Response:
    """Counters of the web processes, and how the service stands at this moment.

    For anyone, unless `UPCARD_METRICS` is `token`: then for the first organiser, and auditors of all sessions.
    """
    someone, using = caller(), context()
    known_arguments()
    sees_all = someone.rules_all or (someone.role == "auditor" and not someone.sessions and someone.by == FIRST)
    if using.bounds.metrics == "token" and not sees_all:
        slug = "unauthenticated" if someone.role == "nobody" else "forbidden"
        headers = {"WWW-Authenticate": 'Bearer realm="upcard"'} if slug == "unauthenticated" else None
        raise ProblemError(slug, "These figures are for who runs the service.", headers)
    return Response(printed(_now(using)), content_type=FORM)


def _now(using: Context) -> Iterator[Metric]:
    """How things stand; what cannot be found out is left out, and `upcard_reachable` says so."""
    yield _gauge("upcard_open_streams", "Event streams and long polls open in this process.", using.watching.open)
    reachable = GaugeMetricFamily("upcard_reachable", "Whether a Redis answers.", labels=("redis",))
    for redis, found in (("events", _of_events), ("jobs", _of_jobs)):
        try:
            yield from list(found(using))
        except StoreUnavailableError:
            reachable.add_metric([redis], 0)
        else:
            reachable.add_metric([redis], 1)
    yield reachable


def _of_events(using: Context) -> Iterator[Metric]:
    due = using.log.due(1)
    now = time.time()
    oldest = min((since for _, _, since in due), default=None)
    lag = 0.0 if oldest is None else max(0.0, now - oldest / 1000)
    yield _gauge("upcard_oldest_unscored_deal_seconds", "How long the oldest deal has waited for its score.", lag)
    register = Register(using.store)
    dead = sum(register.dead_count(webhook) for webhook in register.stored())
    yield _gauge("upcard_dead_letters", "Deliveries of webhooks that were given up.", dead)


def _of_jobs(using: Context) -> Iterator[Metric]:
    queue = using.kicker.standing()
    jobs = GaugeMetricFamily("upcard_jobs", "Jobs, by how they stand.", labels=("state",))
    for state, count in queue.items():
        jobs.add_metric([state], count)
    yield jobs
    yield _gauge("upcard_diverged_sessions", "Sessions found diverged within a day.", using.kicker.diverged_count())
    alive = GaugeMetricFamily("upcard_alive", "Whether a process of this kind was seen lately.", labels=("process",))
    for process in ("worker", "sweeper"):
        alive.add_metric([process], int(using.kicker.seen(process)))
    yield alive


def _gauge(name: str, says: str, value: float | Callable[[], float]) -> Metric:
    return GaugeMetricFamily(name, says, value=value() if callable(value) else value)
