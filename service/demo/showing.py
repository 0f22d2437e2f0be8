"""What the demonstration puts on the terminal: progress while it plays, the score table, and where to look."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from service.demo.findings import scoring
from service.demo.sitting import Told

Fields = Mapping[str, Any]


@contextmanager
def progress(console: Console, deals: int | None) -> Iterator[Callable[[Fields, int], None]]:
    """Tells how far the session is: a bar on a terminal, elsewhere a line for each deal that is over.

    `deals` is how many there will be, if that is known.
    """
    of = "" if deals is None else f" of {deals}"
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Dealing", total=deals)

        def say(session: Fields, plays: int) -> None:
            deal = session["deal"]
            number, ended = deal["number"], deal["ending"] is not None
            bar.update(task, completed=number - (not ended), description=f"Deal {number}{of}, play {plays}")
            if ended and not console.is_terminal:
                console.print(f"Deal {number}{of}: {plays} plays, totals {_row(session['totals'])}")

        yield say


def show(console: Console, told: Told, base_url: str, *, lowest_wins: bool) -> None:
    """The score table, the ledger's balances, the winners, the verdict, and the addresses to look at."""
    console.print(_scores(told))
    names = {player["seat"]: player["name"] for player in told.session["players"]}
    seats = [f"{names[seat]} (seat {seat})" for seat in told.session["winners"]]
    totals = told.session["totals"]
    best = totals[scoring(told.session["winners"][0], len(totals))]
    console.print(f"Won by {' and '.join(seats)} with the {'lowest' if lowest_wins else 'highest'} total, {best}.")
    console.print(f"upcard check {told.record}: {told.check['verdict']}", soft_wrap=True)
    path = f"{base_url}/v1/sessions/{told.session['id']}"
    last = told.sheets[-1]["number"]
    console.print("\nTo look at:")
    for what, where in (
        ("session", path),
        ("score sheet", f"{path}/deals/{last}"),
        ("replay", f"{path}/deals/{last}/replay"),
        ("ledger", f"{path}/ledger"),
        ("record", f"{path}/record"),
        ("the contract", f"{base_url}/openapi.json"),
    ):
        console.print(f"  {what:<13} {where}", soft_wrap=True)


def _scores(told: Told) -> Table:
    game = told.session["game"].replace("_", " ").capitalize()
    table = Table(box=SIMPLE, title=f"{game}, session {told.session['id']}")
    table.add_column("deal")
    table.add_column("ended")
    totals = told.session["totals"]
    for unit in range(len(totals)):
        names = [it["name"] for it in told.session["players"] if scoring(it["seat"], len(totals)) == unit]
        table.add_column(" and ".join(names), justify="right")
    for sheet in told.sheets:
        table.add_row(str(sheet["number"]), sheet["ending"], *map(str, sheet["points"]))
    table.add_section()
    table.add_row("totals", "", *map(str, totals), style="bold")
    table.add_row("balances", "", *map(str, told.ledger["balances"]))
    return table


def _row(points: Sequence[int]) -> str:
    return " ".join(map(str, points))
