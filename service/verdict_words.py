"""A verdict in words, for whoever reads a terminal: a line for each record, what is wrong under it.

What is judged is replay.records; names of players are the only text of a record that is shown, and hold no controls.
"""

from collections.abc import Iterator

from replay.records.checking import DealVerdict, Verdict
from replay.records.record import Record
from replay.rules.clauses import SHARED
from replay.rules.game import AnyGame


def in_words(place: str, record: Record | None, verdict: Verdict) -> str:
    """The lines about one record (None if it is none), each with its end."""
    line = f"{place}: {verdict.verdict}"
    if record is None:
        return f"{line}\n  {verdict.detail}\n"
    deals = len(record.deals)
    line += f", {deals} deal" if deals == 1 else f", {deals} deals"
    if verdict.winners:
        line += ", won by " + " and ".join(f"{record.players[seat - 1]} (seat {seat})" for seat in verdict.winners)
    faults = [
        f"  deal {deal.number}{words}\n"
        for deal, written in zip(verdict.deals, record.deals, strict=False)
        for words in _faults(record.game, deal, written.points)
    ]
    return f"{line}\n{''.join(faults)}"


def _faults(game: AnyGame, deal: DealVerdict, claimed: tuple[int, ...] | None) -> Iterator[str]:
    for marked in deal.irregularities:
        against = f"against {_clause(game, marked.clause)}" if marked.clause else "but legal"
        yield f', play {marked.play} "{marked.text}": marked irregular, {against}'
    if deal.verdict == "mismatch" and deal.points is not None and claimed is not None:
        yield f": claims {_row(claimed)}, scored {_row(deal.points)}"
    if deal.verdict == "unfinished":
        yield ": not over"
    stop = deal.stopped_at
    if stop is not None:
        where = f', play {stop.play} "{stop.text}"' if stop.text is not None else ""
        why = f"{stop.detail}, against {_clause(game, stop.clause)}" if stop.clause else f"impossible, {stop.detail}"
        yield f"{where}: {why}"


def _clause(game: AnyGame, clause: str) -> str:
    known = game.clauses.get(clause) or SHARED[clause]
    return f"{clause} ({known.sentence})"


def _row(points: tuple[int, ...]) -> str:
    return " ".join(map(str, points))
