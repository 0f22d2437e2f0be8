"""Sessions: opening, listing, reading, closing; and the record of one."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response, request

from replay.chain import read_checked
from replay.codec import decode
from replay.log import Summary
from replay.records.export import record_of
from replay.records.printing import to_json, to_toml
from replay.rules import session_decide
from replay.rules.options import OptionError
from replay.rules.registry import UnknownGameError, find_game
from replay.rules.session_events import SessionOpened
from replay.rules.session_state import BrokenLogError
from replay.rules.session_terms import TermError
from replay.shards import new_session_id
from service.answers import answer, done, page_answer, session_at, session_now, subject
from service.auth import access, access_to_past, authenticated, caller, granted_to, may_know, opener, ruled
from service.commands import Command, append, carry_out
from service.context import context
from service.document import CURSOR, IF_MATCH, LIMIT, Resource, query
from service.pages import cursor_of, read_cursor
from service.problems import ProblemError, invalid
from service.render import over, session_fields
from service.requests import accepted, canonical, command_key, condition, known_arguments, page, read_object, whole
from service.schemas.answers import SessionsSchema
from service.schemas.bodies import CloseBody, OpenBody
from service.schemas.reading import load
from service.schemas.shown import OpenedSchema, OpenSchema, RecordSchema, SessionSchema
from service.tokens import Caller

resource = Resource("sessions", "/v1/sessions", "Sessions and their record")

_SCAN: Final = 1_000
"""Sessions looked at for one page of a filtered list; past that the page is cut short, with a cursor to go on."""

_FILTERS: Final = (
    query("game", "string", "Only sessions of this game."),
    query("status", "string", "Only sessions of this status.", enum=["waiting", "playing", "over"]),
    query("player", "string", "Only sessions in which somebody of this name plays."),
)
_OPEN: Final = OpenBody()
_CLOSE: Final = CloseBody()


@resource.post("", 201, OpenedSchema, OpenSchema, headers=("Location",))
def open_session() -> Response:
    """Open a session."""
    someone = opener("open a session")
    body = read_object()
    fields = load(_OPEN, body)
    opened = _opened(fields, someone)
    key = command_key(someone, canonical(body), 201)
    session_id = new_session_id(like=key.key if key else None)
    using = context()
    carried = append(
        using, Command(session_id, someone.name, None, key, 201), None, (opened,), tuple(fields["players"])
    )
    if carried is None:
        raise ProblemError("store-unavailable", "The new session's id was taken; nothing was recorded. Try again.")
    seats = range(1, opened.seats + 1)
    tokens = {str(seat): using.tokens.seat(carried.session, seat) for seat in seats}
    return done(someone, carried, {"seat_tokens": tokens})


def _opened(body: dict[str, Any], someone: Caller) -> SessionOpened:
    """The opening that the body asks for; raises a 422 problem."""
    try:
        return session_decide.open_session(
            find_game(body["game"], body.get("revision")),
            seats=len(body["players"]),
            options=body["options"],
            mode=body["mode"],
            public=body["public"],
            owner=someone.name,
            terms=body["terms"],
            seed=context().seed() if body["mode"] == "dealt" else None,
        )
    except UnknownGameError as fault:
        raise invalid("There is no such game.", {"game": [str(fault)]}) from None
    except OptionError as fault:
        errors = {"options": {name: [text] for name, text in fault.faults.items()}}
        raise invalid("The options cannot be agreed on.", errors) from None
    except TermError as fault:
        raise invalid("The terms cannot be agreed on.", {"terms": {fault.name[:40]: [fault.reason]}}) from None
    except session_decide.UnseatableError as fault:
        raise invalid("The game cannot be played so.", {"players": [str(fault)]}) from None


@resource.get("", SessionsSchema, *_FILTERS, LIMIT, CURSOR)
def list_sessions() -> Response:
    """The sessions that the caller may see, the newest first."""
    someone = caller()
    known_arguments("game", "status", "player", "limit", "cursor")
    wanted = {name: request.args.get(name) for name in ("game", "status", "player")}
    if wanted["status"] not in (None, "waiting", "playing", "over"):
        raise invalid("There is no such status.", {"status": ["Must be waiting, playing or over."]})
    limit, before = page(most=100, default=20), read_cursor()
    using = context()
    found: list[dict[str, Any]] = []
    looked_at = 0
    while looked_at < _SCAN:
        listed = using.log.sessions(before, limit + 1)
        for session_id, summary in listed:
            if len(found) == limit:
                return page_answer("sessions", found, cursor_of(before))
            looked_at, before = looked_at + 1, session_id
            if _fits(session_id, summary, wanted) and may_know(
                someone, session_id, public=summary.public, owner=summary.owner
            ):
                found += _listed(session_id, someone)
        if len(listed) <= limit:
            return page_answer("sessions", found, None)
    return page_answer("sessions", found, cursor_of(before))


def _fits(session_id: str, summary: Summary, wanted: Mapping[str, str | None]) -> bool:
    """Whether a session is one of those asked for."""
    game, status, player = wanted["game"], wanted["status"], wanted["player"]
    if game not in (None, summary.game) or status not in (None, summary.status):
        return False
    return player is None or player in context().names(session_id)


def _listed(session_id: str, someone: Caller) -> list[dict[str, Any]]:
    """The session as an item of a list; nothing if the caller may not know of it, or its log cannot be believed."""
    try:
        folded = context().folder.now(session_id)
    except BrokenLogError:
        return []
    granted = granted_to(someone, session_id, folded) if folded else None
    if granted is None:
        return []
    about = subject(session_id, granted.folded)
    return [session_fields(about, granted.folded.now, granted.viewer, over=over(granted.session))]


@resource.get("/<session_id>", SessionSchema, query("at", "integer", "An earlier version.", minimum=1))
def read_session(session_id: str) -> Response:
    """The session as the caller sees it, now or at an earlier version (`?at=`)."""
    granted = access_to_past(session_id, caller())
    known_arguments("at")
    version = whole("at", least=1)
    reached = granted.session.version
    if granted.broken is not None and (version is None or version > reached):
        raise granted.broken
    if version is None:
        return session_now(session_id, granted)
    if version > reached:
        raise invalid(f"The session is at version {reached}.", {"at": ["Not yet reached."]})
    return session_at(session_id, granted, version)


@resource.post("/<session_id>/close", 200, SessionSchema, CloseBody, IF_MATCH, optional_body=True)
def close_session(session_id: str) -> Response:
    """End a session that has neither `deals` nor `target` (XA-10)."""
    someone = authenticated()
    ruled(session_id, someone)
    body = read_object(optional=True)
    load(_CLOSE, body)
    seen, key = condition(), command_key(someone, canonical(body), 200)
    command = Command(session_id, someone.name, seen, key, 200)
    carried = carry_out(context(), command, lambda session: (session_decide.close(session),))
    return done(someone, carried)


@resource.get("/<session_id>/record", RecordSchema, forms=("application/json", "application/toml"))
def read_record(session_id: str) -> Response:
    """The session's finished deals as a record; and the one in progress for who sees all its cards."""
    granted = access(session_id, caller())
    known_arguments()
    form = accepted("application/json", "application/toml")
    using = context()
    events = decode(read_checked(using.log, session_id, limit=granted.session.version))
    record = record_of(events, using.names(session_id), include_unfinished=granted.viewer.everything)
    if form == "application/toml":
        return Response(to_toml(record), content_type="application/toml")
    return answer_bytes(to_json(record))


def answer_bytes(body: bytes) -> Response:
    """JSON that is printed already."""
    made = answer(None)
    made.set_data(body)
    return made
