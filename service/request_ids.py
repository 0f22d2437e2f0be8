"""The id of a request, by which its answer, its lines in the log and its event can be brought together.

A client may bring an id of its own, which is then taken over; else one is made here. Says nothing of who asked.
"""

import re
from typing import TYPE_CHECKING, Final

from flask import has_request_context, request
from uuid_utils import uuid7

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

HEADER: Final = "X-Request-Id"
ENVIRON: Final = "upcard.request"
"""Where a request keeps its id."""

_SENT: Final = "HTTP_X_REQUEST_ID"
# No spaces, quotes or brackets: it is written into logs, headers and events as it came.
_VALID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")


def give_id(environ: "WSGIEnvironment") -> str:
    """Give the request its id: the caller's own if it is one (1 to 64 letters, digits, `.`, `_`, `:`, `-`)."""
    sent = environ.get(_SENT)
    given = sent if sent is not None and _VALID.fullmatch(sent) else str(uuid7())
    environ[ENVIRON] = given
    return given


def request_id() -> str:
    """The id of the request that is being answered; empty outside of one."""
    if not has_request_context():
        return ""
    given: str = request.environ.get(ENVIRON, "")
    return given
