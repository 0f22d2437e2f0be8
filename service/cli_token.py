"""`upcard token`: tokens of organisers. Tokens are shown once, or kept in a file that its owner alone can read."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from replay.log import StoreUnavailableError
from replay.redis_client import Store, connect
from service.tokens import Tokens, first_token, server_key
from workers.settings import SettingsError, read_settings


@click.group("token")
def token() -> None:
    """Organisers' tokens. Seats' tokens come with the answer that opens a session."""


@token.command("first")
def first() -> None:
    """See to it that the first organiser's token exists; says in which file, not what it is."""
    with _faults_in_words():
        click.echo(first_token(read_settings().data, _tokens()))


@token.command("create")
def create() -> None:
    """Make a token for one more organiser, who rules the sessions that he opens. It is shown this once."""
    with _faults_in_words():
        click.echo(_tokens().organiser(rules_all=False))


@token.command("revoke")
@click.option("--token", prompt=True, hide_input=True, help="Asked for if it is not given: a terminal keeps history.")
def revoke(token: str) -> None:
    """Make an organiser's token worthless; within a second it opens nothing any more."""
    with _faults_in_words():
        if not _tokens().revoke(token.strip()):
            raise click.ClickException("no organiser has this token")
    click.echo("revoked")


def _tokens() -> Tokens:
    settings = read_settings()
    return Tokens(Store(connect(settings.events_url)), server_key(settings.data), time.monotonic)


@contextmanager
def _faults_in_words() -> Iterator[None]:
    try:
        yield
    except (SettingsError, StoreUnavailableError, OSError) as fault:
        raise click.ClickException(str(fault)) from None
