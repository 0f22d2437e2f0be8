"""Answers: JSON with the headers that every answer has, pages of lists, and a session with its version as ETag."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Response, request

from replay.folder import Folded, Moment
from service.auth import Access, granted_to, viewer
from service.commands import Done
from service.context import context
from service.render import Subject, over, session_fields
from service.tokens import Caller


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(orjson.dumps(body), status, headers, content_type="application/json")


def page_answer(name: str, items: Sequence[Any], following: str | None, **beside: Any) -> Response:
    """One page of a list, with the cursor of the next page and a link to it (RFC 8288)."""
    headers = {}
    if following is not None:
        query = {**request.args.to_dict(), "cursor": following}
        headers["Link"] = f'<{request.path}?{urlencode(query)}>; rel="next"'
    return answer({name: items, **beside, "next": following}, headers=headers)


def session_now(session_id: str, granted: Access, status: int = 200) -> Response:
    """The session as it is now, with its version as ETag."""
    session = granted.session
    body = session_fields(subject(session_id, granted.folded), granted.folded.now, granted.viewer, over=over(session))
    return answer(body, status, {"ETag": f'"{session.version}"'})


def subject(session_id: str, folded: Folded) -> Subject:
    """What is shown of a session beside its log: who plays."""
    return Subject(session_id, folded, context().names(session_id))


def session_at(session_id: str, granted: Access, version: int) -> Response:
    """The session at one of its versions. It is history, so it has no ETag."""
    past = context().folder.at(session_id, granted.folded, version)
    about = subject(session_id, granted.folded)
    return answer(session_fields(about, past, granted.viewer, over=over(granted.session)))


def done(someone: Caller, carried: Done, beside: Mapping[str, Any] | None = None) -> Response:
    """The answer to a command: the session after it, as it was visible then, also when it came before."""
    folded, moment = after(carried)
    granted = granted_to(someone, carried.session, folded)
    sees = granted.viewer if granted else viewer(moment.session, organiser=False, seat=None)
    headers = {"ETag": f'"{carried.version}"'}
    if carried.status == 201 and beside is not None:
        headers["Location"] = f"/v1/sessions/{carried.session}"
    if carried.replayed:
        headers["Idempotency-Replayed"] = "true"
    body = session_fields(subject(carried.session, folded), moment, sees)
    return answer({**body, **(beside or {})}, carried.status, headers)


def after(carried: Done) -> tuple[Folded, Moment]:
    """What is folded of a command's session, and the session after the command's own version."""
    if carried.folded is not None:
        return carried.folded, carried.folded.now
    folder = context().folder
    folded = folder.now(carried.session)
    if folded is None:
        raise LookupError("a remembered command's session is gone")
    return folded, folder.at(carried.session, folded, carried.version)
