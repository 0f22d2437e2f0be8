"""`upcard token`: tokens made, listed and revoked by whoever runs the service, who here is the first organiser.

A token is shown once, or kept in a file that its owner alone can read.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, cast

import click

from replay.folder import Folder
from replay.log import StoreUnavailableError
from replay.redis_client import Store, connect
from replay.redis_log import RedisLog
from service.granting import faults_of
from service.grants import EVERYONE, FIRST, AlreadyRevokedError, Held, Role, seat_of_id, written
from service.tokens import NewToken, Tokens, another_first_token, first_token, server_key
from workers.settings import SettingsError, read_settings

_PAGE: Final = 100
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


class _Span(click.ParamType[int]):
    """A span of time: `90s`, `30m`, `12h`, `7d`."""

    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        match = re.fullmatch(r"([1-9][0-9]{0,6})([smhd])", value) if isinstance(value, str) else None
        if match is None:
            self.fail("say a number and s, m, h or d, as in 12h", param, ctx)
        return int(match[1]) * _SECONDS[match[2]]


@click.group("token")
def token() -> None:
    """Tokens of organisers, auditors, onlookers and seats. Seats also get one in the answer that opens a session."""


@token.command("first")
@click.option("--new", is_flag=True, help="Make another, and the one before worthless.")
def first(new: bool) -> None:
    """See to it that the first organiser's token exists; says in which file, not what it is."""
    with _faults_in_words():
        data, tokens = read_settings().data, _open().tokens
        click.echo(another_first_token(data, tokens) if new else first_token(data, tokens))


@token.command("create")
@click.option("--role", type=click.Choice(["organiser", "auditor", "watch", "seat"]), default="organiser")
@click.option("--session", "sessions", multiple=True, help="Which sessions it is for; every one if not given.")
@click.option("--seat", type=click.IntRange(1, 8), help="Which seat a seat's token is for.")
@click.option("--label", help="What it is for, in your words; shown in lists.")
@click.option("--expires-in", "expires_in", type=_Span(), help="After which time it ends: 90s, 30m, 12h, 7d.")
def create(role: str, sessions: tuple[str, ...], seat: int | None, label: str | None, expires_in: int | None) -> None:
    """Make a token, and show it this once.

    An organiser rules the sessions that he opens. An auditor reads everything, and his looks at hidden cards are noted.
    Who watches sees a private session as an onlooker does.
    """
    with _faults_in_words():
        opened, kind = _open(), cast("Role", role)
        said: dict[str, Any] = {"sessions": sessions or None, "seat": seat}
        faults = faults_of(kind, said, opened.seats_of)
        if faults:
            raise click.ClickException("; ".join(f"{name}: {' '.join(texts)}" for name, texts in faults.items()))
        new = NewToken(kind, FIRST, sessions, seat or 0, label, expires_in)
        click.echo(opened.tokens.make(new).token)


@token.command("list")
@click.option("--session", help="Only tokens that name this session, and its seats' first ones.")
def listed(session: str | None) -> None:
    """List tokens, the newest first: id, role, what for, when it ends or ended. Never the tokens themselves."""
    with _faults_in_words():
        opened = _open()
        grants = opened.tokens.grants
        if session is not None:
            seats = opened.seats_of(session)
            if seats is None:
                raise click.ClickException("there is no such session")
            for held in grants.seats(session, seats):
                click.echo(_line(held))
        before: str | None = None
        while True:
            page = grants.listed(EVERYONE, _PAGE, before, session=session)
            for held in page:
                click.echo(_line(held))
            if len(page) < _PAGE:
                return
            before = page[-1].grant.id


@token.command("revoke")
@click.argument("token_id", required=False)
@click.option("--token", help="The token itself, if its id is not known. Without either it is asked for, unseen.")
def revoke(token_id: str | None, token: str | None) -> None:
    """Make a token worthless, by its id or by itself; within a second it opens nothing any more."""
    with _faults_in_words():
        tokens = _open().tokens
        if token_id is None:
            # Not on the command line if it can be helped: a terminal keeps history.
            sent = token if token is not None else click.prompt("Token", hide_input=True)
            if not tokens.revoke(sent.strip()):
                raise click.ClickException("no such token is in use")
        else:
            seat = seat_of_id(token_id)
            held = tokens.grants.get(token_id) if seat is None else tokens.grants.first_of_seat(*seat)
            if held is None:
                raise click.ClickException("there is no such token")
            try:
                tokens.grants.revoke(token_id, held.grant.by)
            except AlreadyRevokedError:
                raise click.ClickException(f"it was revoked already, at {held.revoked_at}") from None
    click.echo("revoked")


def _line(held: Held) -> str:
    grant = held.grant
    what = " ".join(grant.sessions) or ("its own sessions" if grant.role == "organiser" else "all sessions")
    parts = [grant.id, f"seat {grant.seat}" if grant.seat else grant.role, what]
    if grant.rules_all:
        parts[2] = "rules all sessions"
    if grant.label is not None:
        parts.append(repr(grant.label))
    if held.revoked_at is not None:
        parts.append(f"revoked {held.revoked_at}")
    elif grant.expires_at is not None:
        over = grant.expires_at <= datetime.now(UTC).timestamp()
        parts.append(f"{'expired' if over else 'until'} {written(grant.expires_at)}")
    parts.append(f"last used {held.last_used_on or 'never'}")
    return "  ".join(parts)


class _Opened(NamedTuple):
    """The store that the settings name."""

    tokens: Tokens
    folder: Folder

    def seats_of(self, session: str) -> int | None:
        """How many seats a session has; None if there is none."""
        folded = self.folder.now(session)
        return folded.session.seats if folded is not None else None


def _open() -> _Opened:
    settings = read_settings()
    store = Store(connect(settings.events_url))
    return _Opened(Tokens(store, server_key(settings.data), time.monotonic), Folder(RedisLog(store)))


@contextmanager
def _faults_in_words() -> Iterator[None]:
    try:
        yield
    except (SettingsError, StoreUnavailableError, OSError) as fault:
        raise click.ClickException(str(fault)) from None
