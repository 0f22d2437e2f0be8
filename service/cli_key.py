"""`upcard key`: the key that signs checkpoints and exports. Private parts are never printed."""

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
    click.echo(orjson.dumps({"keys": [each._asdict() for each in _ring().public_keys()]}))


@key.command("rotate")
def rotate() -> None:
    """Make a new key. What the old one signed can still be verified; running servers sign with the new one at once."""
    click.echo(_ring().rotate(datetime.now(UTC)).id)


def _ring() -> Keyring:
    try:
        return keyring(read_settings().data)
    except (SettingsError, OSError) as fault:
        raise click.ClickException(str(fault)) from None
