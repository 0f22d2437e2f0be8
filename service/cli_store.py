"""`upcard audit`, `upcard import`, `upcard forget`: what is done to the store as a whole, from its own machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import click
import orjson

from replay.exports import MalformedExportError
from replay.log import OutcomeUnknownError, StoreRefusesError, StoreUnavailableError, every_session
from replay.redis_client import Store, connect
from replay.redis_log import RedisLog
from service.cli_verify import report_text, trusted_keys
from service.importing import CannotImportError
from service.importing import import_export as brought
from service.signing import Keyring, keyring
from workers.auditing import audit_session
from workers.ledger import Ledger
from workers.settings import SettingsError, read_settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class _Opened(NamedTuple):
    store: Store
    log: RedisLog
    ledger: Ledger
    keys: Keyring


@click.command("audit")
@click.argument("sessions", metavar="[SESSION]…", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a session, in the order given.")
@click.pass_context
def audit(context: click.Context, sessions: tuple[str, ...], as_json: bool) -> None:
    """Audit sessions, all of them if none is named: log, seals, shuffles, plays, scores, checkpoints, ledger.

    Exits with 0 if every one is verified, else 1.
    """
    with _opened() as store:
        verified = True
        count = 0
        for session in sessions or every_session(store.log):
            count += 1
            report = audit_session(store.log, store.ledger, session, store.keys.public)
            if report is None:
                verified = False
                click.echo(f"{session}: there is no such session", err=as_json)
                continue
            verified &= report.verdict == "verified"
            if as_json:
                click.echo(orjson.dumps({"session": session, **report.plain()}))
            elif sessions or report.verdict != "verified":
                click.echo(f"{session}: {report_text(report)}")
        if not as_json:
            click.echo(f"{count} sessions audited, {'all verified' if verified else 'not all verified'}")
        context.exit(0 if verified else 1)


@click.command("import")
@click.argument("file", type=_FILE)
@click.option("--key", "keys", type=_FILE, multiple=True, help="Public keys that you trust: as /v1/key gives them.")
def import_export(file: Path, keys: tuple[Path, ...]) -> None:
    """Bring an export with all its cards into the store, under its own id: same versions, same heads, same ledger."""
    with _opened() as store:
        try:
            session, version = brought(store.log, file.read_bytes(), datetime.now(UTC), trusted_keys(keys))
        except (CannotImportError, MalformedExportError) as fault:
            raise click.ClickException(str(fault)) from None
        click.echo(f"session {session}, version {version}")


@click.command("forget")
@click.argument("player")
def forget(player: str) -> None:
    """Erase a player's name wherever it stands. No event, digest or score changes; backups are yours to see to."""
    with _opened() as store:
        found = store.log.forget(player)
        try:
            # The file of appended commands still has the name until it is written anew.
            store.store.write("BGREWRITEAOF")
        except StoreRefusesError as refusal:
            click.echo(f"the store's own file is not written anew: {refusal}", err=True)
        click.echo(f"forgotten in {len(found)} sessions")


@contextmanager
def _opened() -> Iterator[_Opened]:
    try:
        settings = read_settings()
        store = Store(connect(settings.events_url))
        store.read("PING")
        log = RedisLog(store)
        yield _Opened(store, log, Ledger(store, log), keyring(settings.data))
    except (SettingsError, StoreUnavailableError, OutcomeUnknownError, OSError) as fault:
        raise click.ClickException(str(fault)) from None
