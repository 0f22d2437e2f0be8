"""The command line `upcard`. Names every command and loads only the one that is asked for, so that `upcard check` runs
where no Redis, Flask or RQ is installed."""

from importlib import import_module
from typing import Final, NamedTuple

import click


class Place(NamedTuple):
    """Where a command is, as `module:attribute`, and its line in the list of commands."""

    target: str
    help: str


COMMANDS: Final = {
    "check": Place("service.cli_check:check", "Check deal records against the rules."),
    "web": Place("service.cli_run:web", "Serve HTTP."),
    "worker": Place("service.cli_run:worker", "Score finished deals."),
    "sweeper": Place("service.cli_run:sweeper", "See to it that no finished deal is forgotten."),
    "webhooks": Place("service.cli_run:webhooks", "Send events to webhooks."),
    "ledger": Place("service.cli_ledger:ledger", "Check the scoring ledger, or make it anew."),
    "verify": Place("service.cli_verify:verify_files", "Check an export off line."),
    "audit": Place("service.cli_store:audit", "Audit sessions of the store."),
    "import": Place("service.cli_store:import_export", "Bring an export with all its cards into the store."),
    "forget": Place("service.cli_store:forget", "Erase a player's name everywhere."),
    "key": Place("service.cli_key:key", "Show or rotate the key that signs checkpoints."),
    "backup": Place("service.cli_backup:backup", "Copy all that counts of the data folder, also while it is used."),
    "openapi": Place("service.cli_openapi:openapi", "Print the HTTP contract as an OpenAPI document."),
    "token": Place("service.cli_token:token", "Make, list and revoke tokens."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].target.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - the table above is ours
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.help) for name, place in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="upcard", message="%(package)s %(version)s")
def main() -> None:
    """Card-game sessions recorded, replayed, scored and checked."""


if __name__ == "__main__":
    main()
