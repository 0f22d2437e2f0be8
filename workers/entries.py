"""What the ledger of a session must hold: its entries, worked out from the log alone. Pure.

Because of that the ledger can be thrown away. An entry is posted as of the moment when its deal ended, not of the
moment when some worker came to it: else a ledger made anew could not equal the old one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from replay.chain import check_chain
from replay.codec import decode
from replay.envelope import Envelope
from replay.rules.game import AnyGame
from replay.rules.scores import Line
from replay.rules.session import fold
from replay.rules.session_amend import Counted, counted_deal
from replay.rules.session_events import DealEnded, Event, Ruled, SessionOpened
from replay.rules.session_state import Deal, Session, span_of


class Entry(NamedTuple):
    """One ledger entry. `kind`: `brought_forward` (`deal` is None), `deal_score`, `reversal`, or `ruling`: what a deal
    counts after one."""

    number: int
    kind: str
    deal: int | None
    points: tuple[int, ...]
    lines: tuple[dict[str, Any], ...]
    versions: tuple[int, int]
    """The first and last event that it rests on."""
    revision: int
    posted_at: str
    answers: int | None = None
    """The entry that a reversal takes back, or the reversal that a new entry replaces."""
    ruling: int | None = None
    """The ruling that called for it."""

    def to_bytes(self) -> bytes:
        """The entry as stored: JSON, keys sorted; what only a correction has is left out of all others."""
        fields = self._asdict()
        if self.ruling is None:
            del fields["answers"], fields["ruling"]
        return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)

    @property
    def due(self) -> int | None:
        """What it answers in the outbox: the version of the event that called for it. A reversal answers nothing yet:
        the entry that comes with it must be posted too."""
        return None if self.kind == "reversal" else self.versions[1]


class ScoreDivergedError(Exception):
    """A stored result is not what its deal scores under the session's rules."""


def due(event: Event) -> bool:
    """Whether the ledger must answer this event."""
    if isinstance(event, SessionOpened):
        return any(event.totals)
    return isinstance(event, DealEnded) or (isinstance(event, Ruled) and event.points is not None)


def entries(session_id: str, stored: Sequence[Envelope]) -> Iterator[Entry]:
    """The entries that this log calls for, in order; raises BrokenLogError, or ScoreDivergedError."""
    check_chain(session_id, None, stored)
    events = decode(stored)
    made: list[Entry] = []
    ends: dict[int, Deal] = {}
    session: Session | None = None
    after = 0
    for version, (each, event) in enumerate(zip(stored, events, strict=True), start=1):
        if not due(event):
            continue
        session = fold(session, events[after:version])
        after, known, at = version, len(made), each.stamp.at
        if isinstance(event, SessionOpened):
            made.append(Entry(1, "brought_forward", None, event.totals, (), (1, 1), event.revision, at))
        elif isinstance(event, Ruled):
            made += _corrections(session, event, made, ends, at)
        elif session.deal is not None:
            ends[session.deal.first] = session.deal
            made.append(_deal_score(session, len(made) + 1, at))
        yield from made[known:]


def _deal_score(session: Session, number: int, at: str) -> Entry:
    deal, game = session.deal, session.game
    if deal is None or deal.last is None or deal.points is None:
        raise ScoreDivergedError("the end of a deal that is not on")
    if deal.ending == "void" and game.ending(deal.state) is None:
        # Ended by a ruling, with its cards still on the table.
        return Entry(number, "deal_score", deal.number, deal.points, (), (deal.first, deal.last), game.revision, at)
    sheet = game.score(deal.state)
    if sheet.points != deal.points:
        raise ScoreDivergedError(f"deal {deal.number} is stored with {deal.points}, its cards score {sheet.points}")
    lines = tuple(line_fields(game, line) for line in sheet.lines)
    return Entry(number, "deal_score", deal.number, sheet.points, lines, (deal.first, deal.last), game.revision, at)


def _corrections(
    session: Session, ruled: Ruled, made: Sequence[Entry], ends: Mapping[int, Deal], at: str
) -> tuple[Entry, Entry]:
    """A reversal of what a deal counted, and what it counts after a ruling."""
    span = span_of(session, ruled.deal or 0)
    standing = next((each for each in reversed(made) if each.deal == ruled.deal and each.kind != "reversal"), None)
    if span is None or standing is None or ruled.points is None:
        raise ScoreDivergedError(f"ruling {ruled.number} is on a deal that has no result")
    negated = tuple({**line, "points": -line["points"]} for line in standing.lines)
    less = tuple(-points for points in standing.points)
    number, revision, versions = len(made) + 1, session.game.revision, (span.first, session.version)
    back = Entry(number, "reversal", ruled.deal, less, negated, versions, revision, at, standing.number, ruled.number)
    counted = counted_deal(session, span, lambda each: ends[each.first])
    if counted.points != ruled.points:
        raise ScoreDivergedError(f"ruling {ruled.number} is stored with {ruled.points}, it makes {counted.points}")
    lines = counted_lines(session, counted)
    new = Entry(number + 1, "ruling", ruled.deal, ruled.points, lines, versions, revision, at, number, ruled.number)
    return back, new


def counted_lines(session: Session, counted: Counted) -> tuple[dict[str, Any], ...]:
    """The lines of what a deal counts: of its sheet, then of what rulings added."""
    lines = [line_fields(session.game, line) for line in counted.sheet.lines] if counted.sheet else []
    unit = "seat" if len(session.totals) == session.seats else "side"
    for each in counted.added:
        for number, points in enumerate(each.delta or (), start=1):
            text = f"ruling {each.number}: {each.ruling}"
            line = {unit: number, "points": points, "clause": each.clause, "text": text, "cards": ()}
            lines += [line] if points else []
    return tuple(lines)


def line_fields(_game: AnyGame, line: Line) -> dict[str, Any]:
    """A line of a score sheet as it is stored and shown."""
    unit = "seat" if line.item is None else "side"
    fields = {unit: line.unit, "points": line.points, "clause": line.clause, "text": line.text, "cards": line.cards}
    if line.other is not None:
        fields["to" if line.points < 0 else "from"] = line.other
    if line.item is not None:
        fields["item"] = line.item
    return fields
