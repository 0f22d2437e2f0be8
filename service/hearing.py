"""The facts of a deal for a hearing: what was dealt, played, contested and ruled, and what that made of its score.

Pure: everything follows from the events and the moment's session. Left out: how it is shown (hearing_page.py), and
whether the log can be believed, which the audit says.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from replay.codec import decode
from replay.envelope import Envelope
from replay.log import Names
from replay.rules.clauses import SHARED
from replay.rules.game import EVERYTHING, AnyGame, Viewer
from replay.rules.session import NO_PLAYS, fold
from replay.rules.session_amend import counted_deal, deal_as_ruled
from replay.rules.session_events import DealEnded, Event, Irregular, ResultConfirmed
from replay.rules.session_state import Deal, Session, Span, plays_of, span_of, struck_by
from service.render import dispute_fields, ruling_fields
from workers.entries import counted_lines

Fields = dict[str, Any]

LEGAL_SHOWN: Final = 40
"""Plays listed beside one that was made: all, but of the largest hands of Canasta."""


class Matter(NamedTuple):
    """What a hearing is about."""

    id: str
    names: Names
    stored: Sequence[Envelope]
    """The whole log, as far as `session` goes."""
    session: Session
    number: int
    """Of a deal that is over."""


def last_word(session: Session, span: Span) -> int:
    """The last version that says anything about a deal: its end, or what was contested or ruled after it."""
    ruled = [each.version for each in session.rulings if each.event.deal in (span.number, None)]
    contested = [each.version for each in session.disputes if each.deal == span.number]
    return max((span.last, *ruled, *contested))


def report_of(matter: Matter, viewer: Viewer) -> Fields:
    """All of it. Everybody sees the cards of a deal that is over; what a dispute says, only a viewer of the table."""
    session, number = matter.session, matter.number
    span = span_of(session, number)
    if span is None:
        raise LookupError(f"deal {number} is not over")
    walk = _Walk(matter, span)
    start: Any = walk.events[span.first - 1]
    counted = counted_deal(session, span, walk.ended)
    final = deal_as_ruled(session, number, walk.ended)
    plays, rulings = list(walk.plays(final)), list(walk.rulings())
    lines = counted_lines(session, counted)
    made: Fields = {
        "session": matter.id,
        "game": session.game.name,
        "revision": session.game.revision,
        "options": session.options._asdict(),
        "mode": session.mode,
        "players": [{"seat": seat, "name": name} for seat, name in enumerate(matter.names, start=1)],
        "sides": session.game.sides(session.seats),
        "deal": number,
        "dealer": start.dealer,
        "versions": [span.first, span.last],
        "dealt_before": [[each.first, each.last] for each in session.finished if each.number == number][:-1],
        "started_at": matter.stored[span.first - 1].stamp.at,
        "ended_at": matter.stored[span.last - 1].stamp.at,
        "played_at": start.played_at,
        "note": start.note,
        "ending": final.ending if counted.sheet is not None else "void",
        "hands": start.hands,
        "upcard": start.upcard,
        "stock": start.stock,
        "plays": plays,
        "disputes": [walk.dispute(each, viewer) for each in session.disputes if each.deal == number],
        "rulings": rulings,
        "confirmed": list(walk.confirmations()),
        "points": counted.points,
        "lines": lines,
        "totals": session.totals,
        "winners": session.winners,
    }
    made["clauses"] = _sentences(session.game, made)
    return made


class _Walk:
    """The session after each version that the report looks at, folded in one go."""

    def __init__(self, matter: Matter, span: Span) -> None:
        self.matter: Final = matter
        self.span: Final = span
        self.events: Final = decode(matter.stored)
        session, number = matter.session, matter.number
        ruled = [each.version for each in session.rulings if each.event.deal in (number, None)]
        wanted = {*range(span.first, span.last + 1), *(each.last for each in session.finished if each.number == number)}
        for version in ruled:
            wanted |= {version - 1, self.ruled_until(version)}
        self._after: Final = dict(_stages(self.events, wanted))

    def ruled_until(self, version: int) -> int:
        """The last version of a ruling: of the end of its deal, if it brings that."""
        follows = self.events[version : version + 1]
        return version + 1 if follows and isinstance(follows[0], DealEnded) else version

    def ended(self, span: Span) -> Deal:
        """A dealing of this deal as it stood at its end."""
        deal = self._after[span.last].deal
        if deal is None:
            raise LookupError(f"version {span.last} ends no deal")
        return deal

    def plays(self, final: Deal) -> Iterable[Fields]:
        """Every play as it was recorded, those that no longer stand among them."""
        game, standing = self.matter.session.game, dict(plays_of(final.line))
        number = 0
        for version in range(self.span.first + 1, self.span.last + 1):
            event = self.events[version - 1]
            if type(event) in NO_PLAYS:
                continue
            before = self._after[version - 1].deal
            if before is None:
                raise LookupError(f"version {version} is no play of a deal")
            number += version in standing
            at, who, _ = self.matter.stored[version - 1].stamp
            yield {
                "version": version,
                "play": number if version in standing else None,
                "at": at,
                "who": who,
                **_play(game, event),
                **_choice(game, before.state, event),
                "struck_by": None if version in standing else struck_by(self.matter.session, version),
                "amended": self._amended(version, event, standing.get(version)),
            }

    def _amended(self, version: int, event: Event, now: Event | None) -> Fields | None:
        """What stands in place of a play; None if it stands itself, or nothing does."""
        if now is None or now == event:
            return None
        made = [each.event for each in reversed(self.matter.session.rulings) if each.event.line and not each.overruled]
        by = next((each.number for each in made if any(play[0] == version for play in each.line or ())), None)
        return {"ruling": by, **_play(self.matter.session.game, now)}

    def dispute(self, dispute: Any, viewer: Viewer) -> Fields:
        """A dispute, who opened it and when, and the ruling that ended it."""
        ends = (each.event.number for each in self.matter.session.rulings if dispute.number in each.event.disputes)
        at, who, _ = self.matter.stored[dispute.version - 1].stamp
        return {**dispute_fields(dispute, viewer), "who": who, "opened_at": at, "ruling": next(ends, None)}

    def rulings(self) -> Iterable[Fields]:
        """Rulings on the deal, and awards of the session, each with what the deal counted before and after."""
        for each in self.matter.session.rulings:
            if each.event.deal not in (self.matter.number, None):
                continue
            at, who, _ = self.matter.stored[each.version - 1].stamp
            yield {
                **ruling_fields(each, cards=True),
                "who": who,
                "ruled_at": at,
                "before": self._side(each.version - 1),
                "after": self._side(self.ruled_until(each.version)),
            }

    def _side(self, version: int) -> Fields:
        """What the deal counted at a version; no points while it is on, and before it is."""
        session = self._after[version]
        span = span_of(session, self.matter.number)
        counted = None if span is None or session.is_on(self.matter.number) else counted_deal(session, span, self.ended)
        return {
            "points": counted.points if counted else None,
            "lines": counted_lines(session, counted) if counted else [],
            "totals": session.totals,
            "winners": session.winners,
        }

    def confirmations(self) -> Iterable[Fields]:
        """Who agreed to the result, and when."""
        for each, event in zip(self.matter.stored, self.events, strict=True):
            if isinstance(event, ResultConfirmed) and event.deal == self.matter.number:
                yield {"version": each.version, "seat": event.seat, "at": each.stamp.at}


def _stages(events: Sequence[Event], versions: Iterable[int]) -> Iterable[tuple[int, Session]]:
    """The session after each of these versions."""
    session: Session | None = None
    known = 0
    for version in sorted(versions):
        session = fold(session, events[known:version])
        known = version
        yield version, session


def _play(game: AnyGame, event: Event) -> Fields:
    made: Any = event.play if isinstance(event, Irregular) else event
    clause = event.clause if isinstance(event, Irregular) else None
    return {
        "seat": made.seat,
        "text": f"{made.seat} {game.write_play(made)}",
        "irregular": isinstance(event, Irregular),
        "clause": clause,
    }


def _choice(game: AnyGame, state: Any, event: Event) -> Fields:
    """Whose turn it was, and what else the rules allowed him: the play that he made is not among it."""
    made: Any = event.play if isinstance(event, Irregular) else event
    turn = game.view(state, EVERYTHING).turn
    if turn is None:
        return {"turn": None, "legal": [], "legal_count": 0}
    written = f"{made.seat} {game.write_play(made)}"
    if written.split(" ")[1] == "draw":
        written = f"{made.seat} draw"
    texts = dict.fromkeys(_written(game, state, turn, command) for command in game.legal(state, turn))
    others = [text for text in texts if text != written]
    return {"turn": turn, "legal": others[:LEGAL_SHOWN], "legal_count": len(others)}


def _written(game: AnyGame, state: Any, seat: int, command: Any) -> str:
    """A play that could be made, as records write it; a draw without the card that nobody knew."""
    if command == game.read_play(seat, "draw", []):
        return f"{seat} draw"
    return f"{seat} {game.write_play(game.outcome(state, command))}"


def _sentences(game: AnyGame, made: Fields) -> dict[str, str]:
    """What the clauses say that the report names; a law that is of no book says it itself."""
    named = [each["clause"] for each in (*made["plays"], *made["rulings"], *made["lines"])]
    named += [each["amended"]["clause"] for each in made["plays"] if each["amended"]]
    named += [
        line["clause"] for each in made["rulings"] for side in ("before", "after") for line in each[side]["lines"]
    ]
    known = {clause: game.clauses.get(clause) or SHARED.get(clause) for clause in sorted(set(filter(None, named)))}
    return {clause: found.sentence for clause, found in known.items() if found is not None}
