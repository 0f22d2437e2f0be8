"""Disputes: opening and withdrawing them, agreeing to a result, and the organiser's desk."""

from typing import Any, Final

from flask import Response

from replay.rules import session_rule
from replay.rules.session_events import Event
from replay.rules.session_state import BrokenLogError, Session
from service.answers import done, page_answer
from service.auth import Access, access, authenticated, caller, granted_to
from service.commands import Command, carry_out
from service.context import context
from service.document import CURSOR, IF_MATCH, LIMIT, Resource
from service.pages import cursor_of, read_number_cursor
from service.problems import ProblemError
from service.render import dispute_fields
from service.requests import Condition, canonical, command_key, condition, known_arguments, page, read_object
from service.results import require_disputable
from service.schemas.disputes import ConfirmBody, DeskSchema, DisputeBody, DisputesSchema, WithdrawBody
from service.schemas.reading import load
from service.schemas.shown import SessionSchema

resource = Resource("disputes", "/v1", "Disputes over deals")

_DISPUTE: Final = DisputeBody()
_WITHDRAW: Final = WithdrawBody()
_CONFIRM: Final = ConfirmBody()
_PLACE: Final = "/sessions/<session_id>/disputes"


@resource.post(_PLACE, 201, SessionSchema, DisputeBody, problems=("not-now", "impossible-ruling", "stale-version"))
def open_dispute(session_id: str) -> Response:
    """Contest a deal, or a version of it. If-Match may be left out."""
    someone = authenticated()
    granted = _of_the_table(access(session_id, someone, fresh=False))
    body = read_object()
    fields = load(_DISPUTE, body)
    using = context()
    seen, key = condition() or Condition(None), command_key(someone, canonical(body), 201)

    def decide(session: Session) -> tuple[Event, ...]:
        require_disputable(using, session_id, session, fields["deal"], fields["about"])
        opened = session_rule.open_dispute(
            session,
            seat=granted.seat,
            deal=fields["deal"],
            at=fields.get("version"),
            about=fields["about"],
            words=fields["words"],
        )
        return (opened,)

    return done(someone, carry_out(using, Command(session_id, someone.name, seen, key, 201), decide))


def _of_the_table(granted: Access) -> Access:
    if granted.seat is None and not granted.organiser:
        raise ProblemError("forbidden", "Only a seat of the session, or its organiser, may do that.")
    return granted


@resource.post(
    _PLACE + "/<int:number>/withdraw",
    200,
    SessionSchema,
    WithdrawBody,
    optional_body=True,
    problems=("not-now", "impossible-ruling", "stale-version"),
)
def withdraw_dispute(session_id: str, number: int) -> Response:
    """Withdraw a dispute: who opened it, or the organiser. If-Match may be left out."""
    someone = authenticated()
    granted = _of_the_table(access(session_id, someone))
    dispute = next((each for each in granted.session.disputes if each.number == number), None)
    if dispute is None:
        raise ProblemError("not-found", "There is no such dispute.")
    if not granted.organiser and dispute.seat != granted.seat:
        raise ProblemError("forbidden", "Only who opened it may withdraw it, or the organiser.")
    body = read_object(optional=True)
    load(_WITHDRAW, body)
    seat = None if granted.organiser else granted.seat
    seen, key = condition() or Condition(None), command_key(someone, canonical(body), 200)
    command = Command(session_id, someone.name, seen, key, 200)
    carried = carry_out(context(), command, lambda session: (session_rule.withdraw_dispute(session, number, seat),))
    return done(someone, carried)


@resource.post(
    "/sessions/<session_id>/deals/<int:number>/confirm", 200, SessionSchema, ConfirmBody, IF_MATCH, optional_body=True
)
def confirm_result(session_id: str, number: int) -> Response:
    """Agree, as a second person, to a deal's result as it is: any seat. Its organiser is the first person."""
    someone = authenticated()
    granted = access(session_id, someone, fresh=False)
    if granted.seat is None:
        raise ProblemError("forbidden", "A result is confirmed by a seat of the session.")
    body = read_object(optional=True)
    load(_CONFIRM, body)
    seen, key = condition(), command_key(someone, canonical(body), 200)
    command = Command(session_id, someone.name, seen, key, 200)
    carried = carry_out(
        context(), command, lambda session: (session_rule.confirm_result(session, number, granted.seat),)
    )
    return done(someone, carried)


@resource.get(_PLACE, DisputesSchema, LIMIT, CURSOR)
def list_disputes(session_id: str) -> Response:
    """The disputes of a session, in order. What they say is for those of the table."""
    granted = access(session_id, caller())
    known_arguments("limit", "cursor")
    limit, after = page(most=200, default=100), read_number_cursor() or 0
    found = granted.session.disputes[after : after + limit]
    more = after + limit < len(granted.session.disputes)
    shown = [dispute_fields(each, granted.viewer) for each in found]
    return page_answer("disputes", shown, cursor_of(after + limit) if more else None)


@resource.get("/disputes", DeskSchema, LIMIT, CURSOR, who="token", problems=("forbidden",))
def list_open_disputes() -> Response:
    """The organiser's desk: open disputes of all sessions that he rules, the longest open first."""
    someone = authenticated()
    if someone.role != "organiser":
        raise ProblemError("forbidden", "Only an organiser has a desk.")
    known_arguments("limit", "cursor")
    limit, after = page(most=200, default=100), read_number_cursor() or 0
    using = context()
    found: list[dict[str, Any]] = []
    for session_id, _ in using.log.contested():
        try:
            folded = using.folder.now(session_id)
        except BrokenLogError:
            continue
        granted = granted_to(someone, session_id, folded) if folded else None
        if granted is None or not granted.organiser:
            continue
        about = {"session": session_id, "game": granted.session.game.name}
        opened = (each for each in granted.session.disputes if each.status == "open")
        found += [{**about, **dispute_fields(each, granted.viewer)} for each in opened]
    more = after + limit < len(found)
    return page_answer("disputes", found[after : after + limit], cursor_of(after + limit) if more else None)
