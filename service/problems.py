"""Problems (RFC 9457): the one table from what can go wrong to what a client is told.

Everything below the service raises errors of its own; here, and only here, they get a status.
"""

import logging
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, NamedTuple

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from replay.log import OutcomeUnknownError, StoreUnavailableError
from replay.rules.session_state import BrokenLogError
from service import figures
from service.bounds import in_words
from service.context import context
from service.wire import body_of
from workers.entries import ScoreDivergedError

log = logging.getLogger(__name__)


class Kind(NamedTuple):
    """A kind of problem: its status and title. Its slug is its name for ever."""

    status: HTTPStatus
    title: str


KINDS: Final[Mapping[str, Kind]] = {
    "malformed": Kind(HTTPStatus.BAD_REQUEST, "The body is not JSON"),
    "unauthenticated": Kind(HTTPStatus.UNAUTHORIZED, "A valid token is needed"),
    "forbidden": Kind(HTTPStatus.FORBIDDEN, "This token may not do that"),
    "not-found": Kind(HTTPStatus.NOT_FOUND, "There is no such thing"),
    "method-not-allowed": Kind(HTTPStatus.METHOD_NOT_ALLOWED, "This resource does not take that method"),
    "not-acceptable": Kind(HTTPStatus.NOT_ACCEPTABLE, "None of the accepted forms can be given"),
    "not-now": Kind(HTTPStatus.CONFLICT, "It is not the time for that"),
    "impossible-play": Kind(HTTPStatus.CONFLICT, "No table could make this play"),
    "illegal-play": Kind(HTTPStatus.CONFLICT, "The rules forbid this play now"),
    "frozen": Kind(HTTPStatus.CONFLICT, "A dispute holds the session up"),
    "impossible-ruling": Kind(HTTPStatus.CONFLICT, "That cannot be ruled"),
    "information-shown": Kind(HTTPStatus.CONFLICT, "A card has been seen since"),
    "diverged": Kind(HTTPStatus.CONFLICT, "The log of this session fails its audit"),
    "stale-version": Kind(HTTPStatus.PRECONDITION_FAILED, "The session is at another version"),
    "too-large": Kind(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The body is too large"),
    "unsupported-media-type": Kind(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body has a form that is not read here"),
    "invalid": Kind(HTTPStatus.UNPROCESSABLE_ENTITY, "The request says something that cannot be"),
    "key-reused": Kind(HTTPStatus.UNPROCESSABLE_ENTITY, "The idempotency key came with another body before"),
    "version-required": Kind(HTTPStatus.PRECONDITION_REQUIRED, "If-Match is needed"),
    "rate-limited": Kind(HTTPStatus.TOO_MANY_REQUESTS, "That is too often"),
    "store-unavailable": Kind(HTTPStatus.SERVICE_UNAVAILABLE, "The store is away; nothing was recorded"),
    "outcome-unknown": Kind(HTTPStatus.SERVICE_UNAVAILABLE, "It may have been recorded"),
    "too-many-streams": Kind(HTTPStatus.SERVICE_UNAVAILABLE, "No more streams can be open at a time"),
    "internal": Kind(HTTPStatus.INTERNAL_SERVER_ERROR, "Something failed here"),
}

TYPE: Final = "application/problem+json"


class ProblemError(Exception):
    """An answer that is a problem. `members` go beside the standard ones: clause, legal, version, errors."""

    def __init__(self, slug: str, detail: str, /, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.slug: Final = slug
        self.detail: Final = detail
        self.headers: Final = headers or {}
        self.members: Final = members

    def response(self) -> Response:
        """The problem as an answer."""
        kind = KINDS[self.slug]
        body = {
            "type": f"/problems/{self.slug}",
            "title": kind.title,
            "status": int(kind.status),
            "detail": self.detail,
            **self.members,
        }
        # Errors of a list are keyed by place.
        text = orjson.dumps(body, default=str, option=orjson.OPT_NON_STR_KEYS)
        answer = Response(text, status=kind.status, content_type=TYPE)
        answer.headers.update(self.headers)
        return answer


def invalid(detail: str, errors: Mapping[str, Any] | None = None) -> ProblemError:
    """422: the request is readable, and says something that cannot be."""
    return ProblemError("invalid", detail, **({"errors": errors} if errors else {}))


def too_large() -> ProblemError:
    """413: a body that is larger than any may be."""
    return ProblemError("too-large", f"A body may have {in_words(context().bounds.body)}.")


_BY_STATUS: Final = {
    HTTPStatus.BAD_REQUEST: "malformed",
    HTTPStatus.UNAUTHORIZED: "unauthenticated",
    HTTPStatus.FORBIDDEN: "forbidden",
    HTTPStatus.NOT_FOUND: "not-found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method-not-allowed",
    HTTPStatus.NOT_ACCEPTABLE: "not-acceptable",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too-large",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "unsupported-media-type",
    HTTPStatus.UNPROCESSABLE_ENTITY: "invalid",
}


def as_problem(error: Exception) -> ProblemError:
    """The problem that an error of the layers below, or of the framework, is to a client."""
    match error:
        case ProblemError():
            return error
        case StoreUnavailableError():
            return ProblemError(
                "store-unavailable", "The store cannot be used just now; try again.", {"Retry-After": "1"}
            )
        case OutcomeUnknownError():
            detail = "Send it again with the same Idempotency-Key, or read the session's version."
            return ProblemError("outcome-unknown", detail, {"Retry-After": "1"})
        case BrokenLogError():
            detail = f"Nothing from version {error.version} on can be believed, so no state after it is shown."
            return ProblemError("diverged", detail, version=error.version)
        case ScoreDivergedError():
            return ProblemError("diverged", "A stored result is not what its cards score.")
        case HTTPException(code=code) if code in _BY_STATUS:
            allow = error.get_response().headers.get("Allow")
            return ProblemError(_BY_STATUS[HTTPStatus(code)], _detail(code), {"Allow": allow} if allow else None)
        case _:
            return ProblemError("internal", "It has been logged. Whether anything was recorded, the version tells.")


def _detail(code: int) -> str:
    match code:
        case HTTPStatus.NOT_FOUND:
            return "There is no such resource."
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return f"{request.method} is not for this resource."
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return too_large().detail
        case _:
            return "The request cannot be read."


def _take_in_body() -> None:
    """Read a body that was refused unread: a client that still sends it would see its connection break, not the answer.

    One that is announced as too large is not waited for.
    """
    limit = context().bounds.body
    if 0 < (request.content_length or 0) <= limit:
        with suppress(HTTPException, OSError):
            body_of(request, limit)


def _note_diverged(error: Exception) -> None:
    """Say that a log cannot be believed, and from where; why, its text may say with a card in it."""
    session = (request.view_args or {}).get("session_id", "")
    version = error.version if isinstance(error, BrokenLogError) else None
    log.error("diverged: %s in session %s, version %s", type(error).__name__, session, version)
    figures.diverged()
    with suppress(StoreUnavailableError):
        context().kicker.found_diverged(session)


def install(app: Flask) -> None:
    """Have every error of the application answered as a problem."""

    # flask-smorest has a form of its own for what the framework raises, so that is named beside all the rest.
    @app.errorhandler(HTTPException)
    @app.errorhandler(Exception)
    def _answer(error: Exception) -> Response:
        _take_in_body()
        problem = as_problem(error)
        if problem.slug == "internal":
            app.logger.error("unexpected error in %s", request.endpoint, exc_info=error)
        elif problem.slug == "diverged":
            _note_diverged(error)
        return problem.response()
