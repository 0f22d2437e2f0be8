"""Whether all that the service says of a session agrees: sheets, totals, ledger, winners, and the check of its record.

Pure, and knows no game: only which total wins.
"""

from collections.abc import Iterator, Sequence

from service.demo.sitting import Told


def findings(told: Told, *, lowest_wins: bool) -> list[str]:
    """What disagrees, each in a sentence; nothing if all is as it should be."""
    return list(_findings(told, lowest_wins=lowest_wins))


def _findings(told: Told, *, lowest_wins: bool) -> Iterator[str]:
    totals, winners = told.session["totals"], told.session["winners"]
    points = [sheet["points"] for sheet in told.sheets]
    for sheet in told.sheets:
        if sheet["status"] != "posted":
            yield f"Deal {sheet['number']} is {sheet['status']}, not posted."
        if _by_line(sheet["lines"], len(totals)) != sheet["points"]:
            yield f"The lines of deal {sheet['number']} do not add up to its points."
    if _added(points) != totals:
        yield f"The deals add up to {_row(_added(points))}, the totals are {_row(totals)}."
    entries = {entry["deal"]: entry["points"] for entry in told.ledger["entries"]}
    if len(entries) != len(told.ledger["entries"]):
        yield "The ledger holds a deal twice."
    if entries != {sheet["number"]: sheet["points"] for sheet in told.sheets}:
        yield "The ledger's entries are not the points of the score sheets."
    if told.ledger["balances"] != totals:
        yield f"The ledger's balances are {_row(told.ledger['balances'])}, the totals are {_row(totals)}."
    best = (min if lowest_wins else max)(totals)
    seats = range(1, len(told.session["players"]) + 1)
    if winners != [seat for seat in seats if totals[scoring(seat, len(totals))] == best]:
        yield f"The winners are given as {winners}, the {'lowest' if lowest_wins else 'highest'} total is {best}."
    yield from _of_the_check(told)


def _of_the_check(told: Told) -> Iterator[str]:
    check, session = told.check, told.session
    if check["verdict"] != "clean":
        yield f"`upcard check` says {check['verdict']} of {told.record}."
        return
    if check["winners"] != session["winners"]:
        yield f"`upcard check` finds the winners {check['winners']}, the session has {session['winners']}."
    if [deal["points"] for deal in check["deals"]] != [sheet["points"] for sheet in told.sheets]:
        yield "`upcard check` finds other points than the score sheets have."


def scoring(seat: int, units: int) -> int:
    """The place of a seat's points among so many: its own or, where partners sit opposite, its side's."""
    return (seat - 1) % units


def _by_line(lines: Sequence[dict[str, int]], units: int) -> list[int]:
    points = [0] * units
    for line in lines:
        points[(line["side"] if "side" in line else line["seat"]) - 1] += line["points"]
    return points


def _added(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _row(points: Sequence[int]) -> str:
    return " ".join(map(str, points))
