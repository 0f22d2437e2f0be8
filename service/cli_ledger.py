"""`upcard ledger`: check the ledgers against their logs, or make them anew."""

from collections.abc import Callable, Iterable

import click

from replay.log import Log, OutcomeUnknownError, StoreUnavailableError, every_session
from replay.redis_client import Store, connect
from replay.redis_log import RedisLog
from replay.rules.session_state import BrokenLogError
from workers.entries import ScoreDivergedError
from workers.ledger import Ledger
from workers.settings import SettingsError, read_settings


@click.group("ledger")
def ledger() -> None:
    """The scoring ledger, which can be made anew from the log at any time."""


@ledger.command("check")
@click.argument("sessions", metavar="[SESSION]…", nargs=-1)
@click.pass_context
def check(context: click.Context, sessions: tuple[str, ...]) -> None:
    """Compare ledgers with their logs, to the byte; all sessions if none is named. Exits with 1 if any differs."""
    events, entries = _open()

    def fault_of(session: str) -> str | None:
        return entries.check(session) if events.version(session) else "there is no such session"

    count, faults = _each(sessions or every_session(events), fault_of)
    click.echo(f"{count} ledgers checked, {faults} differ")
    context.exit(1 if faults else 0)


@ledger.command("rebuild")
@click.argument("sessions", metavar="[SESSION]…", nargs=-1)
@click.pass_context
def rebuild(context: click.Context, sessions: tuple[str, ...]) -> None:
    """Throw ledgers away and make them anew from their logs; all sessions if none is named.

    A ledger whose log cannot be believed is left as it is; exits with 1 if there is one.
    """
    events, entries = _open()
    made: list[int] = []
    count, faults = _each(sessions or every_session(events), lambda session: made.append(entries.rebuild(session)))
    click.echo(f"{count - faults} ledgers rebuilt, {sum(made)} entries")
    context.exit(1 if faults else 0)


def _each(sessions: Iterable[str], act: Callable[[str], str | None]) -> tuple[int, int]:
    """Do this for each session, and say what is wrong with it; how many there are, and how many have a fault."""
    count = faults = 0
    try:
        for session in sessions:
            count += 1
            try:
                fault = act(session)
            except (BrokenLogError, ScoreDivergedError) as error:
                fault = str(error)
            if fault is not None:
                faults += 1
                click.echo(f"{session}: {fault}")
    except (StoreUnavailableError, OutcomeUnknownError) as error:
        raise click.ClickException(f"the store went away: {error}") from None
    return count, faults


def _open() -> tuple[Log, Ledger]:
    try:
        store = Store(connect(read_settings().events_url))
        store.read("PING")
    except (SettingsError, StoreUnavailableError) as fault:
        raise click.ClickException(str(fault)) from None
    events = RedisLog(store)
    return events, Ledger(store, events)
