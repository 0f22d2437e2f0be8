"""The command line of the launcher: `python -m service.launcher up|down`, which `ops/up` and `ops/down` call.

In the foreground, detached, or with a demonstration. Left out: how the parts are started (`launch`) and kept alive
(`supervisor`).
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import click

from service.embedded_store import StoreError
from service.launch import AlreadyRunningError, Readiness, launch
from service.launch_lock import find_running, stop_running
from service.launch_settings import LaunchSettings, read_settings
from service.supervisor import StartFailedError, Supervisor
from workers.lifeline import tied
from workers.settings import SettingsError

# What `up` returns when another launcher has the data folder: detaching asks no more than that something runs there.
ALREADY_RUNNING = 3
# Ends the report of a detached launcher that has come up; without it, it has not.
READY_LINE = "\x00ready"
DOWN_PATIENCE = 90.0
OTHERS_PATIENCE = 120.0
# -P keeps the folder we happen to be in from being taken for the product.
LAUNCHER = [sys.executable, "-P", "-m", "service.launcher"]

Say = Callable[[str], None]


def say(text: str) -> None:
    """Speak to whoever started us; a full disk or a closed terminal must not end the service."""
    with suppress(OSError):
        print(text, flush=True)


def say_stamped(text: str) -> None:
    """Speak into a log that is read later."""
    say(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {text}")


def ready_text(settings: LaunchSettings, stop: str) -> str:
    """What a person needs to know once all is up."""
    return (
        f"Upcard is ready:    {settings.url}\n"
        f"  organiser's token {settings.token_file}\n"
        f"  data and logs     {settings.data}\n"
        f"  to stop           {stop}"
    )


def settings_or_exit() -> LaunchSettings:
    """The settings, or a clean end with all faults named."""
    try:
        return read_settings()
    except SettingsError as error:
        raise click.ClickException(str(error)) from None


@click.group()
def main() -> None:
    """Start and stop Upcard on this machine."""


@main.command()
@click.option("--detach", is_flag=True, help="Return once everything is ready; `down` stops it.")
@click.option("--demo", is_flag=True, help="When ready, play a whole session with bots and print what came of it.")
@click.option("--game", default="rockaway", show_default=True, help="The game that the demonstration plays.")
@click.option("--exit", "exit_after", is_flag=True, help="Stop everything after the demonstration.")
@click.option("--report-to", type=int, hidden=True, help="A descriptor to tell the detaching parent by.")
def up(*, detach: bool, demo: bool, game: str, exit_after: bool, report_to: int | None) -> None:
    """Start the store, web, worker and sweeper, and keep them up until Ctrl-C."""
    if exit_after and (detach or not demo):
        raise click.UsageError("--exit goes with --demo, and not with --detach.")
    settings = settings_or_exit()
    try:
        if detach:
            status = run_detached(settings)
            if status == 0 and demo:
                status = 0 if play_demo(settings, game) else 1
        else:
            line = [*LAUNCHER, "demo", "--game", game] if demo else None
            status = run_here(settings, line, exit_after=exit_after, report_to=report_to)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    sys.exit(status)


@main.command()
def down() -> None:
    """Stop the Upcard that runs on this data folder, and wait until it is gone."""
    if not stop_running(settings_or_exit().data, say, DOWN_PATIENCE):
        sys.exit(1)


@main.command(hidden=True)
@click.option("--game", required=True)
def demo(game: str) -> None:
    """Play the demonstration against the service that the settings name."""
    sys.exit(0 if play_demo(settings_or_exit(), game) else 1)


def run_here(settings: LaunchSettings, demo_line: list[str] | None, *, exit_after: bool, report_to: int | None) -> int:
    """Run everything as children of this process; give the exit status."""
    speak, report = (say, None) if report_to is None else reporting(report_to)
    demo_status = 0

    def when_ready(supervisor: Supervisor) -> int | None:
        nonlocal demo_status
        speak(ready_text(settings, "Ctrl-C, or ops/down" if report is None else "ops/down"))
        if report is not None:
            report(READY_LINE)
        if demo_line is None:
            return None
        demo_status = run_demo(supervisor, demo_line)
        if exit_after:
            return demo_status
        speak(f"Upcard goes on serving at {settings.url}. Ctrl-C stops it.")
        return None

    try:
        return launch(settings, speak, when_ready) or demo_status
    except AlreadyRunningError as error:
        speak(str(error))
        return ALREADY_RUNNING
    except (StartFailedError, StoreError) as error:
        speak(f"Upcard did not start. {error}")
        return 1


def run_demo(supervisor: Supervisor, line: list[str]) -> int:
    """Run the demonstration beside the service, as a process at the terminal, and give its exit status."""
    # In our own process group: it draws progress on the terminal, and a Ctrl-C may well reach it first.
    with subprocess.Popen(tied(line), stdin=subprocess.DEVNULL) as process:  # noqa: S603 - our own command, no shell
        try:
            supervisor.run_until(lambda: process.poll() is not None)
        finally:
            process.kill()
    return 0 if process.returncode == 0 else 1


def play_demo(settings: LaunchSettings, game: str) -> bool:
    """Play a whole session through the HTTP API and print what came of it; whether all of it was as it should be."""
    from service.demo import run  # noqa: PLC0415 - a client of the service, which the launcher otherwise does without

    return run(settings.url, settings.token_file.read_text().strip(), game, settings.data / "demo")


def reporting(descriptor: int) -> tuple[Say, Say]:
    """For a detached launcher: how to speak (to its log, and to the parent until ready), and how to end the report."""
    pipe = os.fdopen(descriptor, "w")

    def report(text: str) -> None:
        if pipe.closed:
            return
        with suppress(OSError):  # the parent may be gone; the service does not depend on it
            print(text, file=pipe, flush=True)
            if text == READY_LINE:
                pipe.close()

    def speak(text: str) -> None:
        say_stamped(text)
        report(text)

    return speak, report


def run_detached(settings: LaunchSettings) -> int:
    """Start a launcher of its own and return once it is ready, or has failed."""
    running = find_running(settings.data)
    if running is not None:
        return join_running(settings)
    logs = settings.make_folders()
    reader, writer = os.pipe()
    with (logs / "launcher.log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own launcher, no shell
            [*LAUNCHER, "up", "--report-to", str(writer)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(writer,),
            start_new_session=True,
        )
    os.close(writer)
    ready = False
    try:
        with os.fdopen(reader) as report:
            for line in report:
                if line.rstrip("\n") == READY_LINE:
                    ready = True
                else:
                    say(line.rstrip("\n"))
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        say("Stopped before it was ready.")
        return 1
    if ready:
        return 0
    status = process.wait()
    return join_running(settings) if status == ALREADY_RUNNING else status or 1


def join_running(settings: LaunchSettings) -> int:
    """Another launcher has the folder: say so, and return once its service is ready."""
    running = find_running(settings.data)
    if running is None:
        say("It has just stopped; try again.")
        return 1
    say(f"Upcard already runs on {settings.data}: {running.url} (process {running.pid}).")
    ready = Readiness(running.url)
    deadline = time.monotonic() + OTHERS_PATIENCE
    while not ready():
        if find_running(settings.data) != running or time.monotonic() >= deadline:
            say(f"It is not ready: {ready.said}.")
            return 1
        time.sleep(0.1)
    return 0


if __name__ == "__main__":
    main()
