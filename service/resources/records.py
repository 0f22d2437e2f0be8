"""Records: a session written down elsewhere, judged, and stored as a recorded session."""

from typing import Final

import orjson
from flask import Response

from replay.records.checking import Walk, malformed, walk
from replay.records.malformed import MalformedRecordError
from replay.records.reading import read_json, read_toml
from replay.records.record import Record
from replay.shards import new_session_id
from service.answers import after, answer, subject
from service.auth import granted_to, opener
from service.commands import Command, append
from service.context import context
from service.document import Resource, query
from service.problems import ProblemError, invalid
from service.render import over, session_fields
from service.requests import command_key, flag, known_arguments, raw_body
from service.schemas.answers import ImportedSchema
from service.schemas.bodies import CheckSchema
from service.schemas.shown import RecordSchema

resource = Resource("records", "/v1/records", "Records of whole sessions")

_DRY_RUN: Final = query("dry_run", "boolean", "Judge the record, store nothing.")
_PUBLIC: Final = query("public", "boolean", "Make the session public.")
_FORMS: Final = ("application/json", "application/toml")

_STORED: Final = ("clean", "unfinished", "irregular", "mismatch")


@resource.post(
    "",
    201,
    ImportedSchema,
    RecordSchema,
    _DRY_RUN,
    _PUBLIC,
    forms=_FORMS,
    headers=("Location",),
    also={200: CheckSchema},
)
def import_record() -> Response:
    """Judge a record and store it as a session; with `?dry_run=true` only judge it."""
    someone = opener("bring a record")
    raw, form = raw_body(*_FORMS)
    record = _read(raw, form)
    known_arguments("dry_run", "public")
    dry_run, public = flag("dry_run"), flag("public")
    key = command_key(someone, raw, 201)
    walked = _walk(record, public=public, owner=someone.name)
    if dry_run:
        return answer(walked.verdict.plain())
    if walked.verdict.verdict not in _STORED:
        problem = invalid("Such a record is not stored.")
        problem.members["check"] = walked.verdict.plain()
        raise problem
    session_id = new_session_id(like=key.key if key else None)
    assert isinstance(record, Record)  # noqa: S101 - what is none is malformed, and not stored
    command = Command(session_id, someone.name, None, key, 201)
    carried = append(context(), command, None, walked.events, record.players)
    if carried is None:
        raise ProblemError("store-unavailable", "The new session's id was taken; nothing was recorded. Try again.")
    folded, moment = after(carried)
    granted = granted_to(someone, carried.session, folded)
    if granted is None:
        raise ProblemError("not-found", "There is no such session.")
    headers = {"Location": f"/v1/sessions/{carried.session}"}
    if carried.replayed:
        headers["Idempotency-Replayed"] = "true"
    session = session_fields(subject(carried.session, folded), moment, granted.viewer, over=over(moment.session))
    return answer({"session": session, "check": walked.verdict.plain()}, carried.status, headers)


def _read(raw: bytes, form: str) -> Record | MalformedRecordError:
    """The record, or why it is none. A body that is no JSON at all is a 400 problem."""
    try:
        return read_toml(raw) if form == "application/toml" else read_json(raw)
    except MalformedRecordError as fault:
        if form == "application/json" and not _is_json(raw):
            raise ProblemError("malformed", "The body is not JSON.") from None
        return fault


def _walk(record: Record | MalformedRecordError, *, public: bool, owner: str) -> Walk:
    """The record played through; what is none has a verdict too."""
    if isinstance(record, MalformedRecordError):
        return Walk(malformed(record.detail), ())
    return walk(record, public=public, owner=owner)


def _is_json(raw: bytes) -> bool:
    try:
        orjson.loads(raw)
    except orjson.JSONDecodeError:
        return False
    return True
