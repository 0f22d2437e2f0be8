"""Who looked at cards that were still hidden, for the organiser of the session."""

from flask import Response

from service.answers import page_answer
from service.auth import authenticated, ruled
from service.context import context
from service.document import CURSOR, LIMIT, Resource
from service.pages import cursor_of, read_number_cursor
from service.requests import known_arguments, page
from service.schemas.tokens import PrivilegedReadsSchema

resource = Resource("privileged reads", "/v1/sessions/<session_id>/privileged_reads", "Looks at hidden cards")


@resource.get("", PrivilegedReadsSchema, LIMIT, CURSOR, who="token", problems=("forbidden",))
def list_privileged_reads(session_id: str) -> Response:
    """Each look of an auditor at the session while a deal was on, the oldest first."""
    ruled(session_id, authenticated())
    known_arguments("limit", "cursor")
    limit, after = page(most=200, default=100), read_number_cursor() or 0
    found = context().reads.listed(session_id, after, limit + 1)
    return page_answer("privileged_reads", found[:limit], cursor_of(after + limit) if len(found) > limit else None)
