"""What the ledger of a session must hold: its entries, worked out from the log alone. Pure.

Because of that the ledger can be thrown away. An entry is posted as of the moment when its deal ended, not of the
moment when some worker came to it: else a ledger made anew could not equal the old one.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from replay.chain import check_chain
from replay.codec import decode
from replay.envelope import Envelope
from replay.rules.game import AnyGame
from replay.rules.scores import Line
from replay.rules.session import Session, fold
from replay.rules.session_events import DealEnded, Event, SessionOpened


class Entry(NamedTuple):
    """One ledger entry. `kind` is `brought_forward` or `deal_score`; `deal` is None for the former."""

    number: int
    kind: str
    deal: int | None
    points: tuple[int, ...]
    lines: tuple[dict[str, Any], ...]
    versions: tuple[int, int]
    """The first and last event that it rests on."""
    revision: int
    posted_at: str

    def to_bytes(self) -> bytes:
        """The entry as stored: JSON, keys sorted."""
        return orjson.dumps(self._asdict(), option=orjson.OPT_SORT_KEYS)

    @property
    def due(self) -> int:
        """What it answers in the outbox: the version of the event that called for it."""
        return self.versions[1]


class ScoreDivergedError(Exception):
    """A stored result is not what its deal scores under the session's rules."""


def due(event: Event) -> bool:
    """Whether the ledger must answer this event."""
    return isinstance(event, DealEnded) or (isinstance(event, SessionOpened) and any(event.totals))


def entries(session_id: str, stored: Sequence[Envelope]) -> Iterator[Entry]:
    """The entries that this log calls for, in order; raises BrokenLogError, or ScoreDivergedError."""
    check_chain(session_id, None, stored)
    events = decode(stored)
    session: Session | None = None
    number = after = 0
    for version, event in enumerate(events, start=1):
        if isinstance(event, SessionOpened) and any(event.totals):
            number += 1
            at = stored[version - 1].stamp.at
            yield Entry(number, "brought_forward", None, event.totals, (), (1, 1), event.revision, at)
        elif isinstance(event, DealEnded):
            session = fold(session, events[after:version])
            after, number = version, number + 1
            yield _deal_score(session, number, stored[version - 1].stamp.at)


def _deal_score(session: Session, number: int, at: str) -> Entry:
    deal, game = session.deal, session.game
    if deal is None or deal.last is None or deal.points is None:
        raise ScoreDivergedError("the end of a deal that is not on")
    sheet = game.score(deal.state)
    if sheet.points != deal.points:
        raise ScoreDivergedError(f"deal {deal.number} is stored with {deal.points}, its cards score {sheet.points}")
    lines = tuple(line_fields(game, line) for line in sheet.lines)
    return Entry(number, "deal_score", deal.number, sheet.points, lines, (deal.first, deal.last), game.revision, at)


def line_fields(_game: AnyGame, line: Line) -> dict[str, Any]:
    """A line of a score sheet as it is stored and shown."""
    unit = "seat" if line.item is None else "side"
    fields = {unit: line.unit, "points": line.points, "clause": line.clause, "text": line.text, "cards": line.cards}
    if line.other is not None:
        fields["to" if line.points < 0 else "from"] = line.other
    if line.item is not None:
        fields["item"] = line.item
    return fields
