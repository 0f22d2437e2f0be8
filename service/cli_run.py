"""`upcard web`, `worker`, `sweeper`, `webhooks`: the service's processes. Each refuses an unsafe store."""

import logging
import signal
import time
from threading import Event
from typing import Final

import click
from granian import Granian
from granian.constants import Interfaces

from replay.log import StoreUnavailableError
from replay.redis_client import Store, connect, durability_faults
from replay.redis_log import RedisLog
from service.context import office
from service.figures import share
from service.grants import Grants
from service.logs import configure
from workers.jobs import Kicker, connect_jobs
from workers.settings import Settings, SettingsError, read_settings
from workers.sweeper import Sweeper
from workers.worker import run_worker

log = logging.getLogger(__name__)

_PATIENCE: Final = 30.0
"""Seconds that a starting process waits for its store, since both may be starting at once."""


@click.command("web")
def web() -> None:
    """Serve HTTP until stopped by SIGTERM or SIGINT."""
    serve("service.wsgi:app", _ready_to_start("web"))


@click.command("worker")
def worker() -> None:
    """Score finished deals until stopped by SIGTERM or SIGINT."""
    settings = _ready_to_start("worker")
    run_worker(connect_jobs(settings.jobs_url))


@click.command("sweeper")
def sweeper() -> None:
    """See to it that no finished deal is forgotten, until stopped by SIGTERM or SIGINT."""
    settings = _ready_to_start("sweeper")
    stop = _stopped_by_signals()
    events = RedisLog(Store(connect(settings.events_url)))
    kicker = Kicker(connect_jobs(settings.jobs_url))
    Sweeper(events, kicker, _milliseconds).run(stop)


@click.command("webhooks")
def webhooks() -> None:
    """Send events to the receivers that organisers have named, until stopped by SIGTERM or SIGINT."""
    settings = _ready_to_start("webhooks")
    stop = _stopped_by_signals()
    store = Store(connect(settings.events_url))
    grants = Grants(store, time.time)
    office(settings, store).rounds(RedisLog(store), _milliseconds, grants.ended).run(stop)


def _stopped_by_signals() -> Event:
    stop = Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stop.set())
    return stop


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


def serve(application: str, settings: Settings) -> None:
    """Serve an application, named as `module:attribute`, until stopped by SIGTERM or SIGINT."""
    if settings.web_workers > 1:
        share(settings.data / "figures")
    server = Granian(
        application,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        workers=settings.web_workers,
        # Each stream has a thread of its own, so that however many there are, plays find theirs.
        blocking_threads=settings.web_threads + settings.streams,
        # Answers wait for the store, not for the processor: a queue as long as there may be callers.
        backpressure=max(settings.web_threads, 128) + settings.streams,
        # A worker killed from outside comes back.
        respawn_failed_workers=True,
        workers_kill_timeout=10,
        websockets=False,
        log_access=False,
        # What the web server says goes through our own handler.
        log_dictconfig={
            "loggers": {name: {"handlers": [], "propagate": True} for name in ("_granian", "granian.access")}
        },
    )
    server.serve()


def _ready_to_start(process: str) -> Settings:
    """The settings, once their store has been found and found safe; ends the process if it is not."""
    try:
        settings = read_settings()
    except SettingsError as fault:
        raise click.ClickException(f"settings: {fault}") from None
    configure(process, settings.log_level)
    store = Store(connect(settings.events_url))
    faults = _when_reachable(store, everysec_allowed=settings.durability == "everysec")
    if faults:
        raise click.ClickException(f"this Redis could lose or evict events: {'; '.join(faults)}")
    return settings


def _when_reachable(store: Store, *, everysec_allowed: bool) -> list[str]:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return durability_faults(store, everysec_allowed=everysec_allowed)
        except StoreUnavailableError as fault:
            if time.monotonic() > deadline:
                raise click.ClickException(f"the events' Redis cannot be used: {fault}") from None
            log.info("waiting for the store: %s", fault)
            time.sleep(0.5)
