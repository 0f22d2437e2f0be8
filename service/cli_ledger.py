"""`upcard ledger`: check the ledgers against their logs, or make them anew."""

from collections.abc import Iterator

import click

from replay.log import Log, StoreUnavailableError
from replay.redis_client import Store, connect
from replay.redis_log import RedisLog
from replay.rules.session import BrokenLogError
from workers.entries import ScoreDivergedError
from workers.ledger import Ledger
from workers.settings import SettingsError, read_settings

_PAGE = 200


@click.group("ledger")
def ledger() -> None:
    """The scoring ledger, which can be made anew from the log at any time."""


@ledger.command("check")
@click.argument("sessions", metavar="[SESSION]…", nargs=-1)
@click.pass_context
def check(context: click.Context, sessions: tuple[str, ...]) -> None:
    """Compare ledgers with their logs, to the byte; all sessions if none is named. Exits with 1 if any differs."""
    events, entries = _open()
    differing = count = 0
    for session in sessions or _all(events):
        count += 1
        try:
            fault = entries.check(session)
        except (BrokenLogError, ScoreDivergedError) as error:
            fault = str(error)
        if fault is None and not events.version(session):
            fault = "there is no such session"
        if fault is not None:
            differing += 1
            click.echo(f"{session}: {fault}")
    click.echo(f"{count} ledgers checked, {differing} differ")
    context.exit(1 if differing else 0)


@ledger.command("rebuild")
@click.argument("sessions", metavar="[SESSION]…", nargs=-1)
def rebuild(sessions: tuple[str, ...]) -> None:
    """Throw ledgers away and make them anew from their logs; all sessions if none is named."""
    events, entries = _open()
    count = total = 0
    for session in sessions or _all(events):
        total += entries.rebuild(session)
        count += 1
    click.echo(f"{count} ledgers rebuilt, {total} entries")


def _open() -> tuple[Log, Ledger]:
    try:
        store = Store(connect(read_settings().events_url))
        store.read("PING")
    except (SettingsError, StoreUnavailableError) as fault:
        raise click.ClickException(str(fault)) from None
    events = RedisLog(store)
    return events, Ledger(store, events)


def _all(events: Log) -> Iterator[str]:
    """Every session there is, a page at a time."""
    before: str | None = None
    while listed := events.sessions(before, _PAGE):
        for session, _ in listed:
            yield session
        before = listed[-1][0]
