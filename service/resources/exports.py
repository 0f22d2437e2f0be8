"""What it takes to check a session without trusting this service: its export, its signed heads, the public keys."""

from contextlib import suppress

from flask import Response

from replay.chain import read_checked
from replay.checkpoints import Checkpoint, read_checkpoint
from replay.exports import header_of, lines
from service.answers import answer, page_answer
from service.auth import access, access_to_past, caller
from service.context import context
from service.document import Resource
from service.render import seen_as
from service.requests import accepted, known_arguments
from service.schemas.trust import CheckpointsSchema, KeysSchema

resource = Resource("exports", "/v1", "What it takes to check a session off line")

_NDJSON = "application/x-ndjson"


@resource.get(
    "/sessions/<session_id>/export",
    None,
    forms=(_NDJSON,),
    headers=("Content-Disposition",),
    problems=("not-acceptable",),
)
def read_export(session_id: str) -> Response:
    """The session's log as the caller may see it, to be checked off line by `upcard verify`."""
    granted = access(session_id, caller())
    known_arguments()
    accepted(_NDJSON)
    using, session, viewer = context(), granted.session, granted.viewer
    stored = read_checked(using.log, session_id, limit=session.version)
    keys = [key._asdict() for key in using.keys.public_keys()]
    header = header_of(session_id, session, using.names(session_id), viewer, granted.folded.now.head.hex(), keys)
    events = ((each, seen_as(each, session, viewer)) for each in stored)
    signed = [each.to_bytes() for each in _checkpoints(session_id) if each.version <= session.version]
    body = b"".join(lines(header, events, signed, using.signer))
    name = f'attachment; filename="upcard-{session_id}-{session.version}.ndjson"'
    return Response(body, content_type=_NDJSON, headers={"Content-Disposition": name})


@resource.get("/sessions/<session_id>/checkpoints", CheckpointsSchema)
def list_checkpoints(session_id: str) -> Response:
    """The signed heads of the session, for others to keep."""
    access_to_past(session_id, caller())
    known_arguments()
    return page_answer("checkpoints", [each._asdict() for each in _checkpoints(session_id)], None)


def _checkpoints(session_id: str) -> list[Checkpoint]:
    """The signed heads in order; what is stored among them and is none is left out here, and named by the audit."""
    found = []
    for each in context().log.checkpoints(session_id):
        with suppress(ValueError):
            found.append(read_checkpoint(each))
    return found


@resource.get("/key", KeysSchema)
def read_keys() -> Response:
    """The public key that signs checkpoints and exports, and those that did before it."""
    caller()
    known_arguments()
    return answer({"keys": [key._asdict() for key in context().keys.public_keys()]})
