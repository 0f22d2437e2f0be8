"""Rulings: making one, what it would change (`?dry_run=true`), and lines that did not happen."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response

from replay.rules import session_decide
from replay.rules.game import BrokenLineError, ImpossibleRulingError, NotNowError, RefusedError
from replay.rules.session import fold
from replay.rules.session_amend import RulingCommand
from replay.rules.session_events import Event
from replay.rules.session_rule import rule
from replay.rules.session_state import Session, span_of
from service.answers import answer, done, page_answer, subject
from service.auth import Access, access, authenticated, caller, ruled
from service.commands import Command, RefusedCommandError, carry_out, require_condition
from service.context import context
from service.document import CURSOR, IF_MATCH, LIMIT, Resource, query
from service.pages import cursor_of, read_number_cursor
from service.previews import line_of, preview_fields
from service.problems import ProblemError, invalid
from service.refusals import refusal_problem
from service.render import ruling_fields, session_fields
from service.requests import canonical, command_key, condition, flag, known_arguments, page, read_object
from service.results import history_of, result_of
from service.schemas.disputes import PreviewSchema, RulingBody, RulingsSchema, WhatIfBody, WhatIfSchema
from service.schemas.games import READERS
from service.schemas.reading import load
from service.schemas.shown import SessionSchema

resource = Resource("rulings", "/v1/sessions/<session_id>", "Rulings on deals")

_RULING: Final = RulingBody()
_WHAT_IF: Final = WhatIfBody()
_DRY_RUN: Final = query("dry_run", "boolean", "Say what it would change, record nothing.")
_LINE: Final = 500
"""Plays of a line that did not happen: more than any deal has."""
_ALWAYS: Final = ("amend", "adjust")
"""What may change a result that is final."""


@resource.post(
    "/rulings",
    201,
    SessionSchema,
    RulingBody,
    IF_MATCH,
    _DRY_RUN,
    also={200: PreviewSchema},
    problems=("impossible-ruling", "information-shown", "illegal-play"),
)
def make_ruling(session_id: str) -> Response:
    """Rule on a deal. With `?dry_run=true` nothing is recorded, and the answer says what would change."""
    someone = authenticated()
    ruled(session_id, someone)
    body = read_object(query=("dry_run",))
    command = _command(load(_RULING, body))
    using, seen = context(), condition()
    history = history_of(using, session_id)

    def decide(session: Session) -> tuple[Event, ...]:
        _require_changeable(session_id, session, command)
        return rule(session, command, history, using.seed() if session.mode == "dealt" else None)

    if flag("dry_run"):
        return _preview(session_id, access(session_id, someone), command, decide)
    key = command_key(someone, canonical(body), 201)
    carried = carry_out(using, Command(session_id, someone.name, seen, key, 201), decide)
    return done(someone, carried)


def _command(fields: dict[str, Any]) -> RulingCommand:
    points, winners = fields.get("points"), fields.get("winners")
    return RulingCommand(
        ruling=fields["ruling"],
        reason=fields["reason"],
        deal=fields.get("deal"),
        disputes=tuple(fields["disputes"]),
        clause=fields.get("clause"),
        rests_on=tuple(fields["rests_on"]),
        despite=fields.get("despite_information"),
        overrules=fields.get("overrules"),
        to=fields.get("to"),
        changes=tuple((each["version"], each["play"]) for each in fields["changes"]),
        delta=None if points is None else tuple(points),
        winners=None if winners is None else tuple(winners),
    )


def _require_changeable(session_id: str, session: Session, command: RulingCommand) -> None:
    """A result that is final is changed by an amendment alone. Raises NotNowError, ImpossibleRulingError."""
    beyond = [version for version in command.rests_on if version > session.version]
    if beyond:
        raise ImpossibleRulingError(f"version {beyond[0]} is not reached yet")
    span = span_of(session, command.deal) if command.deal is not None else None
    if span is None or session.is_on(command.deal) or command.ruling in _ALWAYS:
        return
    using = context()
    if result_of(using, session_id, session, span).final(using.clock()):
        raise NotNowError(f"the result of deal {command.deal} is final; only an amendment changes it")


def _preview(
    session_id: str, granted: Access, command: RulingCommand, decide: Callable[[Session], tuple[Event, ...]]
) -> Response:
    """What a ruling would change, at the version that the caller names."""
    session = granted.session
    require_condition(condition(), session)
    try:
        events: tuple[Event, ...] | None = decide(session)
    except BrokenLineError:
        events = None
    except RefusedError as refusal:
        raise RefusedCommandError(refusal, session) from refusal
    return answer(preview_fields(context(), session_id, granted, command, events))


@resource.get("/rulings", RulingsSchema, LIMIT, CURSOR)
def list_rulings(session_id: str) -> Response:
    """The rulings of a session, in order: who ruled is in their events."""
    granted = access(session_id, caller())
    known_arguments("limit", "cursor")
    limit, after = page(most=200, default=100), read_number_cursor() or 0
    session = granted.session
    found = session.rulings[after : after + limit]
    over = session.finished[-1].last if session.finished else 0
    shown = [ruling_fields(each, cards=granted.viewer.everything or each.version <= over) for each in found]
    more = after + limit < len(session.rulings)
    return page_answer("rulings", shown, cursor_of(after + limit) if more else None)


@resource.post("/what_if", 200, WhatIfSchema, WhatIfBody)
def what_if(session_id: str) -> Response:
    """Play a line that did not happen, from a version on. Nothing is recorded.

    For who may see all the cards of that deal: anybody once it is over, and the organiser of a recorded table.
    """
    someone = authenticated()
    granted = access(session_id, someone)
    fields = load(_WHAT_IF, read_object())
    session = granted.session
    if fields["at"] > session.version:
        raise invalid("The body does not fit.", {"at": [f"The session is at version {session.version}."]})
    if len(fields["plays"]) > _LINE:
        raise invalid("The body does not fit.", {"plays": [f"Must be at most {_LINE}."]})
    using = context()
    moment = using.folder.at(session_id, granted.folded, fields["at"])
    deal = moment.session.deal
    over = deal is not None and any(span.first == deal.first for span in session.finished)
    if not over and not granted.viewer.everything:
        raise ProblemError("forbidden", "Only who sees all cards of a deal may play it otherwise.")
    about = subject(session_id, granted.folded)
    steps: list[dict[str, Any]] = []
    stopped: dict[str, Any] | None = None
    at = moment.session
    reader = READERS[at.game.name]
    for number, body in enumerate(fields["plays"], start=1):
        read = reader.read(canonical(body))
        play = reader.command(_seat(at, read.get("seat")), read)
        try:
            at = fold(at, session_decide.play(at, play, irregular=read.get("irregular", False)))
        except RefusedError as refusal:
            problem = refusal_problem(RefusedCommandError(refusal, at))
            stopped = {"play": number, "clause": refusal.clause, "detail": problem.detail}
            break
        # A line that did not happen has no digests: it shows the head that it departs from.
        shown = session_fields(about, moment._replace(session=at), granted.viewer, over=10**9 if over else None)
        steps.append({"play": body, "state": shown})
    points, lines = line_of(at)
    return answer({"version": fields["at"], "steps": steps, "stopped_at": stopped, "points": points, "lines": lines})


def _seat(session: Session, asked: int | None) -> int:
    if asked is None or not 1 <= asked <= session.seats:
        raise invalid("The play cannot be read.", {"seat": ["Name the seat whose play it is."]})
    return asked
