"""What can be set from outside, read once from the environment, with all faults in one message."""

from pathlib import Path
from typing import Final, Literal, NamedTuple, cast

from environs import Env, EnvValidationError, ValidationError, validate

from workers.store_address import EVENTS_DB, JOBS_DB, store_url

Durability = Literal["always", "everysec"]

LEVELS: Final = ("debug", "info", "warning", "error")
_SCHEMES: Final = ("redis://", "rediss://", "unix://")


class SettingsError(Exception):
    """One or more settings cannot be used; the message names each."""


class Settings(NamedTuple):
    """Settings of every process. Each is an environment variable `UPCARD_…`."""

    data: Path
    """Folder of what is kept outside the store: the organiser's token, the server's key, logs, the embedded store."""
    host: str
    port: int
    events_url: str
    """The Redis that holds logs, ledgers and tokens; the embedded store of the data folder if none is named."""
    jobs_url: str
    """The Redis that holds jobs; nothing is lost with it."""
    durability: Durability
    """`everysec` accepts a Redis that may lose its last second."""
    web_workers: int
    web_threads: int
    """By process; each serves one request at a time."""
    streams: int
    """By process: event streams and long polls that are open at a time, each with a thread beside those above."""
    streams_per_address: int
    longest_wait: int
    """Seconds of a long poll."""
    stream_patience: int
    """Seconds after which a connection that takes nothing of what is sent is cut."""
    rate_per_token: int
    """Requests in a minute; 0 for any number, as in all rates."""
    rate_per_address: int
    """The same for requests that come with no token."""
    session_rate: int
    """Sessions that one organiser opens in an hour."""
    body_limit: int
    """Bytes."""
    page_limit: int
    session_events: int
    """Events of a session after which no deal is started any more."""
    tokens: int
    """Of one organiser, that work at a time."""
    metrics: Literal["open", "token"]
    """Who may read the figures of the service."""
    log_level: str
    proxies: int
    """Trusted proxies before the service."""
    webhook_ports: frozenset[int] = frozenset({443})
    """Ports that a webhook's URL may name."""
    webhook_loopback: bool = False
    """For tests: webhooks may lead to this machine, on any port and without TLS."""


def read_settings() -> Settings:
    """The settings of this process; raises SettingsError."""
    env = Env(eager=False)
    data = Path(env.str("UPCARD_DATA", ".upcard") or ".upcard").absolute()
    settings = Settings(
        data=data,
        host=env.str("UPCARD_HOST", "127.0.0.1"),
        port=env.int("UPCARD_PORT", 8000, validate=validate.Range(1, 65535)) or 0,
        events_url=env.str("UPCARD_EVENTS_URL", store_url(data, EVENTS_DB), validate=_redis_address),
        jobs_url=env.str("UPCARD_JOBS_URL", store_url(data, JOBS_DB), validate=_redis_address),
        durability=cast(
            "Durability", env.str("UPCARD_DURABILITY", "always", validate=validate.OneOf(("always", "everysec")))
        ),
        web_workers=env.int("UPCARD_WEB_WORKERS", 1, validate=validate.Range(1, 64)) or 0,
        web_threads=env.int("UPCARD_WEB_THREADS", 16, validate=validate.Range(1, 512)) or 0,
        streams=env.int("UPCARD_STREAMS", 512, validate=validate.Range(0, 4096)) or 0,
        streams_per_address=env.int("UPCARD_STREAMS_PER_ADDRESS", 64, validate=validate.Range(0, 4096)) or 0,
        longest_wait=env.int("UPCARD_LONGEST_WAIT", 60, validate=validate.Range(1, 600)) or 0,
        stream_patience=env.int("UPCARD_STREAM_PATIENCE", 30, validate=validate.Range(1, 3600)) or 0,
        webhook_ports=frozenset(
            env.list("UPCARD_WEBHOOK_PORTS", [443], subcast=int, validate=validate.ContainsOnly(range(1, 65536))) or ()
        ),
        webhook_loopback=bool(env.bool("UPCARD_WEBHOOK_LOOPBACK", False)),
        rate_per_token=_whole(env, "UPCARD_RATE_PER_TOKEN", 6_000, 0, 10_000_000),
        rate_per_address=_whole(env, "UPCARD_RATE_PER_ADDRESS", 3_000, 0, 10_000_000),
        session_rate=_whole(env, "UPCARD_SESSION_RATE", 1_000, 0, 10_000_000),
        body_limit=_whole(env, "UPCARD_BODY_LIMIT", 1024 * 1024, 1024, 64 * 1024 * 1024),
        page_limit=_whole(env, "UPCARD_PAGE_LIMIT", 500, 1, 10_000),
        session_events=_whole(env, "UPCARD_SESSION_EVENTS", 100_000, 100, 10_000_000),
        tokens=_whole(env, "UPCARD_TOKENS", 10_000, 1, 10_000_000),
        metrics=cast(
            "Literal['open', 'token']", env.str("UPCARD_METRICS", "open", validate=validate.OneOf(("open", "token")))
        ),
        log_level=env.str("UPCARD_LOG_LEVEL", "info", validate=validate.OneOf(LEVELS)),
        proxies=_whole(env, "UPCARD_PROXIES", 0, 0, 10),
    )
    try:
        env.seal()
    except EnvValidationError as fault:
        faults = cast("dict[str, list[str]]", fault.error_messages)
        raise SettingsError("; ".join(f"{name}: {' '.join(messages)}" for name, messages in faults.items())) from None
    return settings


def _whole(env: Env, name: str, default: int, least: int, most: int) -> int:
    """A whole number within bounds; what is none is kept by `env` among the faults."""
    return env.int(name, default, validate=validate.Range(least, most)) or 0


def _redis_address(address: str) -> None:
    if not address.startswith(_SCHEMES):
        raise ValidationError(f"Must begin with {' or '.join(_SCHEMES)}.")
