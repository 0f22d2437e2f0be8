"""`upcard key`: the key that signs checkpoints and exports. Private parts are never printed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click
import orjson

from service.signing import Keyring, keyring
from workers.settings import SettingsError, read_settings


@click.group("key")
def key() -> None:
    """The key that signs checkpoints and exports, and those that did before it."""


@key.command("show")
def show() -> None:
    """Print the public keys as JSON, the present one first: what `GET /v1/key` answers."""
    with _ring() as ring:
        click.echo(orjson.dumps({"keys": [each._asdict() for each in ring.public_keys()]}))


@key.command("rotate")
def rotate() -> None:
    """Make a new key. What the old one signed can still be verified; running servers sign with the new one at once."""
    with _ring() as ring:
        click.echo(ring.rotate(datetime.now(UTC)).id)


@contextmanager
def _ring() -> Iterator[Keyring]:
    try:
        yield keyring(read_settings().data)
    except (SettingsError, OSError) as fault:
        raise click.ClickException(str(fault)) from None
