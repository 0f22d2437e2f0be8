"""Events of a session as pages. Streams of them are told apart by `Accept`, and are not given here yet."""

from flask import Response

from service.answers import page_answer
from service.auth import access, caller
from service.context import context
from service.document import CURSOR, LIMIT, Resource, query
from service.pages import cursor_of, read_number_cursor
from service.render import event_fields
from service.requests import accepted, known_arguments, page, whole
from service.schemas.bodies import EventsSchema

resource = Resource("events", "/v1/sessions/<session_id>/events", "The log")

_AFTER = query("after", "integer", "Only events after this version.", minimum=0)


@resource.get("", EventsSchema, _AFTER, LIMIT, CURSOR)
def list_events(session_id: str) -> Response:
    """Events after a version, in order, as the caller may see them."""
    granted = access(session_id, caller())
    known_arguments("after", "limit", "cursor")
    accepted("application/json")
    limit = page(most=500, default=100)
    after = max(whole("after", default=0) or 0, read_number_cursor() or 0)
    session = granted.session
    room = max(min(limit, session.version - after), 0)
    stored = context().log.read(session_id, after, room) if room else []
    events = [event_fields(envelope, session, granted.viewer) for envelope in stored]
    more = bool(stored) and stored[-1].version < session.version
    return page_answer("events", events, cursor_of(stored[-1].version) if more else None)
