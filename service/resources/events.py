"""Events of a session: as pages, waited for if there are none yet, and as streams, told apart by `Accept`."""

import time
from typing import Any, cast

from flask import Response, request

from replay.chain import read_checked
from service.answers import page_answer
from service.auth import Access, access_to_past, caller
from service.context import context
from service.document import CURSOR, JSON, LIMIT, Resource, query
from service.event_stream import HEADERS, NDJSON, SSE, Asked, EventStream, Form, line, too_many
from service.gate import outside
from service.pages import cursor_of, read_number_cursor
from service.problems import invalid
from service.render import event_fields
from service.requests import accepted, flag, known_arguments, page, whole
from service.schemas.answers import EventsSchema
from service.watching import TooManyStreamsError

resource = Resource("events", "/v1/sessions/<session_id>/events", "The log")

_AFTER = query("after", "integer", "Only events after this version.", minimum=0)
_WAIT = query("wait", "integer", "Seconds to wait for an event if there is none yet; pages only.", minimum=0)
_FOLLOW = query("follow", "boolean", "Whether `application/x-ndjson` goes on for ever.")
_LAST_SEEN = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "Where a `text/event-stream` goes on: the `id` received last. Wins over `after`.",
    "schema": {"type": "string"},
}


@resource.get(
    "",
    EventsSchema,
    *(_AFTER, _WAIT, _FOLLOW, LIMIT, CURSOR, _LAST_SEEN),
    forms=(JSON, SSE, NDJSON),
    problems=("too-many-streams",),
    headers=("X-Accel-Buffering",),
)
def list_events(session_id: str) -> Response:
    """Events after a version, in order, as the caller may see them.

    A stream goes on with each event as it is recorded. What has been sent is not sent again when a deal is over and its
    cards may be seen by all: read those events once more for that.
    """
    granted = access_to_past(session_id, caller())
    form = accepted(JSON, SSE, NDJSON)
    if form == SSE:
        known_arguments("after")
        return _stream(session_id, granted, SSE, _last_seen())
    if form == NDJSON and flag("follow"):
        known_arguments("after", "follow")
        return _stream(session_id, granted, NDJSON, whole("after", default=0) or 0)
    known_arguments("after", "wait", "limit", "cursor", *(["follow"] if form == NDJSON else []))
    return _page(session_id, granted, form)


def _last_seen() -> int:
    """Where a stream goes on; raises a 422 problem."""
    after = whole("after", default=0) or 0
    header = request.headers.get("Last-Event-ID", "").strip()
    if not header:
        return after
    if not header.isascii() or not header.isdecimal() or len(header) > 18:
        errors = {"Last-Event-ID": ["Not an id of an event."]}
        raise invalid("`Last-Event-ID` must be an `id` that a stream here gave.", errors)
    return int(header)


def _stream(session_id: str, granted: Access, form: Form, after: int) -> Response:
    if request.method == "HEAD":
        # It would take a place, and nobody would give it back.
        return Response(content_type=form, headers=HEADERS)
    if granted.broken is not None:
        raise granted.broken
    environ = request.environ
    authorization, address = environ.get("HTTP_AUTHORIZATION"), environ.get("REMOTE_ADDR", "")
    body = EventStream(context(), Asked(session_id, after, form, authorization, address), granted)
    return Response(cast("Any", body), content_type=form, headers=HEADERS)


def _page(session_id: str, granted: Access, form: str) -> Response:
    limit = page(most=500, default=100)
    after = max(whole("after", default=0) or 0, read_number_cursor() or 0)
    seconds = whole("wait", most=context().watching.limits.longest_wait)
    if seconds and granted.session.version <= after and request.method != "HEAD":
        granted = _waited(session_id, granted, after, seconds)
    session = granted.session
    if granted.broken is not None and after >= session.version:
        raise granted.broken
    room = max(min(limit, session.version - after), 0)
    stored = read_checked(context().log, session_id, after, room)
    # After the last event that can be believed the next page says why there are no more.
    more = bool(stored) and (stored[-1].version < session.version or granted.broken is not None)
    following = cursor_of(stored[-1].version) if more else None
    if form == JSON:
        events = [event_fields(envelope, session, granted.viewer) for envelope in stored]
        return page_answer("events", events, following)
    made = page_answer("events", [], following)
    made.set_data(b"".join(line(envelope, session, granted.viewer, NDJSON) for envelope in stored))
    made.content_type = NDJSON
    return made


def _waited(session_id: str, granted: Access, after: int, seconds: int) -> Access:
    """What the caller is to the session after an event has come, or so many seconds; raises a 503 problem if there is
    no place to wait."""
    watching = context().watching
    try:
        with (
            watching.place(request.environ.get("REMOTE_ADDR", "")),
            watching.watch(session_id, granted.session) as watcher,
            outside(request.environ),
        ):
            deadline = time.monotonic() + seconds
            while not watcher.ended and (left := deadline - time.monotonic()) > 0:
                # May end early for a stream to show that it is still there, which a poll cannot.
                if watcher.wait(after, left):
                    break
    except TooManyStreamsError:
        raise too_many() from None
    # As if he had asked only now: his token may have been revoked meanwhile.
    return access_to_past(session_id, caller())
