"""Figures of this process for whoever runs it: counted here, read by `/metrics`.

Labels have few values, whatever strangers send: routes as they are declared, methods that HTTP has, clauses of the rule
books. No session, no token, no name. With several web processes prometheus-client keeps the figures in files that all
of them share (`share`).
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from replay.log import Appended

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The name under which prometheus-client looks for the folder of shared figures."""
METHODS: Final = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})

_REGISTRY: Final = CollectorRegistry()
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

_SECONDS: Final = Histogram(
    "upcard_request_seconds",
    "Time until an answer began.",
    ("method", "route"),
    registry=_REGISTRY,
    buckets=_BUCKETS,
)
_ANSWERS: Final = Counter("upcard_answers", "Answers sent.", ("method", "route", "status"), registry=_REGISTRY)
_APPENDS: Final = Counter("upcard_appends", "Appends to logs, by what came of them.", ("outcome",), registry=_REGISTRY)
_EVENTS: Final = Counter("upcard_events", "Events recorded.", registry=_REGISTRY)
_REFUSALS: Final = Counter(
    "upcard_refusals", "Plays that the rules refused.", ("game", "problem", "clause"), registry=_REGISTRY
)
_DIVERGED: Final = Counter("upcard_diverged", "Answers withheld because a log fails its audit.", registry=_REGISTRY)
_found: dict[tuple[str, str, str], tuple[Histogram, Counter]] = {}
"""Those of each kind of answer: to look them up anew takes as long as to count."""
_outcomes: dict[type, Counter] = {}
"""The same of what came of appends."""


def answered(method: str, route: str, status: str, seconds: float) -> None:
    """Count an answer. `route` is a declared one, or a word of ours for none."""
    found = _found.get((method, route, status))
    if found is None:
        known = method if method in METHODS else "other"
        found = _SECONDS.labels(known, route), _ANSWERS.labels(known, route, status)
        if known == method:
            _found[method, route, status] = found
    found[0].observe(seconds)
    found[1].inc()


def appended(outcome: object, events: int) -> None:
    """Count what came of an append of so many events."""
    kind = type(outcome)
    found = _outcomes.get(kind)
    if found is None:
        found = _outcomes[kind] = _APPENDS.labels(kind.__name__.lower())
    found.inc()
    if kind is Appended:
        _EVENTS.inc(events)


def refused(game: str, problem: str, clause: str | None) -> None:
    """Count a refusal of the rules."""
    _REFUSALS.labels(game, problem, clause or "none").inc()


def diverged() -> None:
    """Count an answer that could not be given, since its log is broken."""
    _DIVERGED.inc()


class _Now(Collector):
    """Figures that are asked for only when somebody looks."""

    def __init__(self, found: Iterable[Metric]) -> None:
        self._found: Final = list(found)

    def collect(self) -> Iterable[Metric]:
        return self._found


def printed(now: Iterable[Metric]) -> bytes:
    """All figures in the text format of Prometheus: those counted, and those of this moment."""
    if SHARED in os.environ:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]  # the package types this in part
    else:
        counted = _REGISTRY
    moment = CollectorRegistry()
    moment.register(_Now(now))
    return generate_latest(counted) + generate_latest(moment)


def share(folder: Path) -> None:
    """Have all processes started from here keep their figures in this folder, which is emptied.

    To be called before any of them loads this module.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    os.environ[SHARED] = str(folder)
