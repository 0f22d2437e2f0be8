"""Tokens: made, listed, revoked by organisers. A token is shown when it is made, and never again."""

from typing import Any, Final

from flask import Response, request

from replay.log import CommandKey
from service.answers import answer, page_answer
from service.auth import access, authenticated, organiser, rules_over
from service.commands import reused
from service.context import context
from service.document import CURSOR, LIMIT, Resource, query
from service.granting import faults_of
from service.grants import (
    EVERYONE,
    FIRST,
    AlreadyRevokedError,
    CommandReusedError,
    Held,
    TokensFullError,
    seat_of_id,
    written,
)
from service.pages import cursor_of, read_cursor
from service.problems import ProblemError, invalid
from service.requests import canonical, command_key, known_arguments, page, read_object
from service.schemas.reading import load
from service.schemas.tokens import (
    NEW_TOKEN,
    REVOKE,
    MadeTokenSchema,
    NewTokenBody,
    RevokeBody,
    TokenSchema,
    TokensSchema,
)
from service.tokens import Caller, NewToken

resource = Resource("tokens", "/v1/tokens", "Tokens")

_SESSION: Final = query("session", "string", "Only tokens that name this session, and its seats' first ones.")


@resource.post("", 201, MadeTokenSchema, NewTokenBody, problems=("not-now",), headers=("Location",))
def make_token() -> Response:
    """Make a token: for a session that one rules, or, if one is the first organiser, for another organiser."""
    someone = organiser(authenticated(), "make tokens")
    body = read_object()
    new = _new(someone, load(NEW_TOKEN, body))
    key = command_key(someone, canonical(body), 201)
    try:
        made = context().tokens.make(new, key)
    except CommandReusedError:
        raise reused() from None
    except TokensFullError:
        detail = "This organiser has as many tokens as he may have. Revoke some, or have them expire."
        raise ProblemError("not-now", detail) from None
    headers = {"Location": f"/v1/tokens/{made.held.grant.id}", **_replayed(made.replayed)}
    return answer({**_fields(made.held), "token": made.token}, 201, headers)


def _new(someone: Caller, said: dict[str, Any]) -> NewToken:
    """The token that is asked for; raises problems 403, 422."""
    role, sessions = said["role"], tuple(said.get("sessions", ()))
    if role == "organiser" and not someone.rules_all:
        raise ProblemError("forbidden", "Only the first organiser may make organisers' tokens.")

    def seats_of(session_id: str) -> int | None:
        try:
            granted = access(session_id, someone, fresh=False)
        except ProblemError:
            return None
        if not granted.organiser:
            raise ProblemError("forbidden", "Only the organiser of a session may make tokens for it.")
        return granted.session.seats

    faults = faults_of(role, said, seats_of)
    if faults:
        raise invalid("Such a token cannot be made.", faults)
    return NewToken(role, someone.name, sessions, said.get("seat", 0), said.get("label"), said.get("expires_in"))


@resource.get("", TokensSchema, _SESSION, LIMIT, CURSOR, who="token", problems=("forbidden", "not-found", "diverged"))
def list_tokens() -> Response:
    """The tokens that the caller has made, the newest first; the first organiser's list holds everybody's."""
    someone = organiser(authenticated(), "list tokens")
    known_arguments("session", "limit", "cursor")
    limit, before = page(most=100, default=20), read_cursor()
    session_id = request.args.get("session")
    beside: dict[str, Any] = {}
    grants = context().tokens.grants
    if session_id is not None:
        seats = _ruled_seats(session_id, someone)
        beside["seats"] = [_fields(held) for held in grants.seats(session_id, seats)]
    found = grants.listed(EVERYONE if someone.rules_all else someone.name, limit + 1, before, session=session_id)
    shown = found[:limit]
    following = cursor_of(shown[-1].grant.id) if len(found) > limit else None
    return page_answer("tokens", [_fields(held) for held in shown], following, **beside)


def _ruled_seats(session_id: str, someone: Caller) -> int:
    """How many seats a session has that the caller must rule; raises problems 404, 403."""
    granted = access(session_id, someone, fresh=False)
    if not granted.organiser:
        raise ProblemError("forbidden", "Only the organiser of a session may list its tokens.")
    return granted.session.seats


@resource.get("/<token_id>", TokenSchema, who="token", problems=("forbidden",))
def read_token(token_id: str) -> Response:
    """What is known of a token; never the token itself."""
    someone = organiser(authenticated(), "look at tokens")
    held = _found(token_id, someone)
    known_arguments()
    return answer(_fields(held))


@resource.post("/<token_id>/revoke", 200, TokenSchema, RevokeBody, problems=("not-now",), optional_body=True)
def revoke_token(token_id: str) -> Response:
    """Make a token worthless: within a second it opens nothing any more."""
    someone = organiser(authenticated(), "revoke tokens")
    held = _found(token_id, someone)
    body = read_object(optional=True)
    load(REVOKE, body)
    if held.grant.name == FIRST:
        raise ProblemError("not-now", "The first organiser's token is replaced by `upcard token first --new`.")
    replayed = _revoke(held, command_key(someone, canonical(body), 200))
    return answer(_fields(_found(token_id, someone)), headers=_replayed(replayed))


def _revoke(held: Held, key: CommandKey | None) -> bool:
    try:
        return context().tokens.grants.revoke(held.grant.id, held.grant.by, key)
    except CommandReusedError:
        raise reused() from None
    except AlreadyRevokedError:
        raise ProblemError("not-now", "It has been revoked already.") from None


def _found(token_id: str, someone: Caller) -> Held:
    """A token that the caller has made, or that is for a session which he rules; raises a 404 problem."""
    grants = context().tokens.grants
    seat = seat_of_id(token_id)
    if seat is not None:
        if _rules_one(seat[0], someone, seat[1]):
            return grants.first_of_seat(*seat)
    else:
        held = grants.get(token_id)
        if held is not None and _may_revoke(held, someone):
            return held
    raise ProblemError("not-found", "There is no such token.")


def _may_revoke(held: Held, someone: Caller) -> bool:
    if someone.rules_all or held.grant.by == someone.name:
        return True
    sessions = held.grant.sessions
    # One that is for other sessions too is not his alone to take away.
    return bool(sessions) and all(_rules_one(session, someone) for session in sessions)


def _rules_one(session_id: str, someone: Caller, seat: int = 1) -> bool:
    """Whether the caller rules this session, and it has such a seat."""
    try:
        session = access(session_id, someone, fresh=False).session
    except ProblemError:
        return False
    return rules_over(someone, session.owner) and 1 <= seat <= session.seats


def _replayed(replayed: bool) -> dict[str, str]:
    return {"Idempotency-Replayed": "true"} if replayed else {}


def _fields(held: Held) -> dict[str, Any]:
    grant = held.grant
    is_first_of_seat = seat_of_id(grant.id) is not None
    return {
        "id": grant.id,
        "role": grant.role,
        "name": grant.name,
        "label": grant.label,
        "sessions": grant.sessions or None,
        "seat": grant.seat or None,
        "made_by": None if is_first_of_seat else grant.by,
        "made_at": None if is_first_of_seat else written(grant.made_at),
        "expires_at": None if grant.expires_at is None else written(grant.expires_at),
        "revoked_at": held.revoked_at,
        "last_used_on": held.last_used_on,
    }
