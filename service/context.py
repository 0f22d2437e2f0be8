"""What every request needs: the log, folded sessions, the ledger, tokens, the queue, the clock. Made once a process."""

import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

from flask import Flask, current_app

from replay.checkpoints import Signer
from replay.folder import Folder
from replay.log import Log, Names
from replay.redis_client import Store, connect
from replay.redis_feed import RedisFeed
from replay.redis_log import RedisLog
from replay.shuffle import SEED_BYTES
from service.bounds import HOUR, MINUTE, Bounds
from service.privileged_reads import PrivilegedReads
from service.rates import rate
from service.signing import Keyring, keyring
from service.tokens import Tokens, server_key
from service.watching import Feed, Limits, Watching
from workers.jobs import Kicker, connect_jobs
from workers.ledger import Ledger
from workers.settings import Durability, Settings
from workers.webhooks.addresses import Policy
from workers.webhooks.office import Office

_EXTENSION: Final = "upcard"
"""Under which an application has its context."""
_NAMES_KNOWN: Final = 5.0
"""Seconds for which a process remembers who plays: an answer to every play says it."""
_NAMES_HELD: Final = 10_000
"""Sessions whose players a process remembers: some megabytes at most."""


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class Context:
    """Everything that a request touches beside itself. `entropy` gives seeds of shuffles, `feed` news of sessions."""

    def __init__(
        self,
        *,
        store: Store,
        log: Log,
        ledger: Ledger,
        tokens: Tokens,
        kicker: Kicker,
        keys: Keyring,
        webhooks: Office,
        feed: Feed,
        limits: Limits | None = None,
        bounds: Bounds | None = None,
        clock: Callable[[], datetime] = now,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        durability: Durability = "always",
    ) -> None:
        self.store: Final = store
        self.log: Final = log
        self.folder: Final = Folder(log)
        self.watching: Final = Watching(self.folder, feed, limits)
        self.ledger: Final = ledger
        self.tokens: Final = tokens
        # Else hundreds of streams would ask at once whether their tokens are still good.
        self.watching.before_telling = tokens.refresh
        self.reads: Final = PrivilegedReads(store)
        self.kicker: Final = kicker
        self.webhooks: Final = webhooks
        self.bounds: Final = bounds or Bounds()
        self.per_token: Final = rate(self.bounds.per_token, MINUTE)
        self.per_address: Final = rate(self.bounds.per_address, MINUTE)
        self.openings: Final = rate(self.bounds.openings, HOUR)
        self.clock: Final = clock
        self.durability: Final = durability
        self.keys: Final = keys
        self._entropy: Final = entropy
        self._names: dict[str, tuple[float, Names]] = {}

    @property
    def signer(self) -> Signer:
        """Signs checkpoints and exports."""
        return self.keys.signer

    def seed(self) -> str:
        """A fresh seed for a shuffle, in hexadecimal."""
        return self._entropy(SEED_BYTES).hex()

    def names(self, session: str) -> Names:
        """Who plays; one who has been forgotten may be named for some seconds yet."""
        now = time.monotonic()
        known = self._names.get(session)
        if known is not None and now - known[0] < _NAMES_KNOWN:
            return known[1]
        found = self.log.names(session)
        if len(self._names) >= _NAMES_HELD:
            self._names.clear()
        self._names[session] = (now, found)
        return found

    def install(self, app: Flask) -> None:
        """Make this the context of the application."""
        app.extensions[_EXTENSION] = self
        # One more than a body may have: enough to know that it is too large.
        app.config["MAX_CONTENT_LENGTH"] = self.bounds.body + 1


def connected(settings: Settings) -> Context:
    """The context that the settings describe. Connects to nothing yet."""
    store = Store(connect(settings.events_url))
    log = RedisLog(store)
    bounds = Bounds(
        per_token=settings.rate_per_token,
        per_address=settings.rate_per_address,
        openings=settings.session_rate,
        body=settings.body_limit,
        page=settings.page_limit,
        session_events=settings.session_events,
        tokens=settings.tokens,
        metrics=settings.metrics,
        proxies=settings.proxies,
    )
    return Context(
        store=store,
        log=log,
        ledger=Ledger(store, log),
        tokens=Tokens(store, server_key(settings.data), time.monotonic, most=bounds.tokens),
        bounds=bounds,
        kicker=Kicker(connect_jobs(settings.jobs_url)),
        keys=keyring(settings.data),
        webhooks=office(settings, store),
        # A client of its own: its one connection is nearly always waiting.
        feed=RedisFeed(connect(settings.events_url)),
        limits=Limits(settings.streams, settings.streams_per_address, settings.longest_wait),
        durability=settings.durability,
    )


def office(settings: Settings, store: Store) -> Office:
    """The webhooks of the store, as the settings have them."""
    policy = Policy(settings.webhook_ports, settings.webhook_loopback)
    return Office(store, server_key(settings.data), policy)


SERVING: Final[ContextVar[Context | None]] = ContextVar("serving", default=None)
"""The context of the request that is being answered, so that it need not be looked up by way of the framework."""


def installed(app: Flask) -> Context:
    """The context of this application."""
    found: Context = app.extensions[_EXTENSION]
    return found


def context() -> Context:
    """The context of the application that serves this request."""
    found = SERVING.get()
    if found is None:
        # After its answer has begun: the pieces of a stream, for one.
        found = installed(current_app)
    return found


def stamp(moment: datetime) -> str:
    """A moment (UTC) as it is written in events: RFC 3339, to the millisecond."""
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
