"""`upcard openapi`: the HTTP contract on standard output, with no service running."""

import click

from service.app import contract_document
from service.contract import printed


@click.command("openapi")
def openapi() -> None:
    """Print the OpenAPI document: `upcard openapi > ops/openapi.json` writes the one that is checked in."""
    click.echo(printed(contract_document()), nl=False)
