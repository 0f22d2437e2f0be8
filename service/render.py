"""What is shown: sessions, deals, events, score sheets as the HTTP contract has them, for one viewer.

The only place where hidden cards could get out, so everything here takes the viewer as an argument.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from replay.codec import seat_of, shown
from replay.envelope import Envelope, by_seat
from replay.folder import Folded, Moment
from replay.log import Names
from replay.rules.game import Viewer
from replay.rules.session_amend import Counted
from replay.rules.session_events import LinePlay
from replay.rules.session_state import Deal, Dispute, Irregularity, Ruling, Session
from workers.entries import counted_lines

Fields = dict[str, Any]

ALL: Final = Viewer(everything=True, seeds=True)
"""How a deal that is over is seen, by everybody."""


class Subject(NamedTuple):
    """Which session is shown, and what is said of it that does not lie in its log."""

    id: str
    folded: Folded
    names: Names


def session_fields(shown: Subject, moment: Moment, viewer: Viewer, *, over: int | None = None) -> Fields:
    """The session at one of its versions. `over`: deals up to this number are known to be over, and open to all."""
    session = moment.session
    return {
        "id": shown.id,
        "game": session.game.name,
        "revision": session.game.revision,
        "options": session.options._asdict(),
        "mode": session.mode,
        "public": session.public,
        "version": session.version,
        "status": session.status,
        "players": [{"seat": seat, "name": name} for seat, name in enumerate(shown.names, start=1)],
        "totals": session.totals,
        "winners": session.winners,
        "opened_at": shown.folded.opened_at,
        "head": moment.head.hex(),
        "commitment": moment.commitment,
        "entropy": session.entropy,
        "terms": session.terms._asdict(),
        "disputes": [each.number for each in session.disputes if each.status == "open"],
        "rulings": len(session.rulings),
        "deal": deal_fields(session, viewer, over=over),
    }


def deal_fields(session: Session, viewer: Viewer, *, over: int | None = None) -> Fields | None:
    """The deal in progress, or the last one; None before the first."""
    deal = session.deal
    if deal is None:
        return None
    if deal.last is not None or (over is not None and deal.number <= over):
        viewer = ALL
    view = session.game.view(deal.state, viewer)
    fields = {
        "number": deal.number,
        "dealer": deal.dealer,
        "turn": view.turn,
        "upcard": view.upcard,
        "stock_count": view.stock_count,
        "discard_count": view.discard_count,
        "ending": deal.ending,
        "hands": [
            {"seat": seat, "count": count, "cards": cards}
            for seat, (count, cards) in enumerate(zip(view.counts, view.hands, strict=True), start=1)
        ],
        **view.further,
    }
    if session.mode == "recorded":
        fields["irregularities"] = irregularities(deal)
    return fields


def irregularities(deal: Deal) -> list[Fields]:
    """The irregular plays of a deal, each with its clause; null where the mark was mistaken."""
    return [_irregularity(each) for each in deal.irregularities]


def _irregularity(irregularity: Irregularity) -> Fields:
    return irregularity._asdict()


def over(session: Session) -> int | None:
    """The number of the last deal that is over; None if none is."""
    return session.finished[-1].number if session.finished else None


def open_until(session: Session) -> int:
    """The version up to which every card of the log may be seen by all: the end of the last finished deal."""
    return session.finished[-1].last if session.finished else 0


def seen_as(stored: Envelope, session: Session, viewer: Viewer) -> Viewer:
    """As whom this viewer sees an event. `session` is the session now: the cards of a deal that is over are open to
    all, and so is the seed that it was dealt from, which the event before it holds."""
    if stored.version <= open_until(session):
        seeds = stored.version < session.finished[-1].first
        return Viewer(everything=True, seeds=seeds, table=viewer.table)
    return viewer


def event_fields(stored: Envelope, session: Session, viewer: Viewer) -> Fields:
    """An event as the viewer may see it, with what it takes to check its digest. `session` is the session now."""
    data, opened = shown(stored, seen_as(stored, session, viewer))
    at, who, request = stored.stamp
    return {
        "version": stored.version,
        "kind": stored.kind,
        "schema": stored.schema,
        "seat": seat_of(stored),
        "at": at,
        "who": who,
        "request": request,
        "data": data,
        "seals": stored.seals,
        "salts": {name: _salts(opening) for name, opening in opened.items()},
        "digest": stored.digest.hex(),
    }


def _salts(opening: Sequence[Any]) -> Any:
    """The salt of an opening; of a list of openings the list of salts."""
    return [each and each[0] for each in opening] if by_seat(opening) else opening[0]


def playing_sheet(session: Session) -> Fields:
    """The outcome of the deal that is on: none yet."""
    deal = session.deal
    if deal is None:
        raise ValueError("no deal")
    fields: Fields = {"number": deal.number, "status": "playing", "ending": None, "points": None, "lines": []}
    fields |= {"posted_at": None, "result": None, "final_at": None, "rulings": [], "disputes": _disputed(session, deal)}
    if session.mode == "recorded":
        fields["irregularities"] = irregularities(deal)
    return fields


def _disputed(session: Session, deal: Deal) -> list[int]:
    return [each.number for each in session.disputes if each.status == "open" and each.deal == deal.number]


def sheet_fields(session: Session, counted: Counted, deal: Deal) -> Fields:
    """What a finished deal counts, with the lines that make it. `deal`: as it stands after the rulings on it."""
    ruled = [each.event.number for each in session.rulings if each.event.deal == deal.number]
    fields: Fields = {
        "number": deal.number,
        "ending": deal.ending if counted.sheet is not None else "void",
        "points": counted.points,
        "lines": counted_lines(session, counted),
        "rulings": ruled,
        "disputes": _disputed(session, deal),
    }
    if counted.sheet is not None and counted.sheet.sheets is not None:
        fields["sheets"] = counted.sheet.sheets
    if session.mode == "recorded":
        fields["irregularities"] = irregularities(deal)
    return fields


def dispute_fields(dispute: Dispute, viewer: Viewer) -> Fields:
    """A dispute; its words only for those of the table."""
    fields = dispute._asdict()
    if not viewer.table:
        fields["words"] = None
    return fields


def ruling_fields(ruling: Ruling, *, cards: bool) -> Fields:
    """A ruling; the plays of an amended deal only where all cards may be seen."""
    event = ruling.event
    fields = event._asdict()
    del fields["seed"]
    fields["line"] = [LinePlay(*play)._asdict() for play in event.line] if event.line and cards else None
    return {"version": ruling.version, **fields, "overruled": ruling.overruled}
