"""Entropy: a seat has a text of its own mixed into the seed of the next deal, to which the service has committed."""

from typing import Final

from flask import Response

from replay.rules import session_decide
from service.answers import done
from service.auth import access, authenticated
from service.commands import Command, carry_out
from service.context import context
from service.document import MAY_MATCH, Resource
from service.problems import ProblemError
from service.requests import Condition, canonical, command_key, condition, read_object
from service.schemas.bodies import EntropyBody
from service.schemas.reading import load
from service.schemas.shown import SessionSchema

resource = Resource("entropy", "/v1/sessions/<session_id>/entropy", "What seats mix into the next deal")

_BODY: Final = EntropyBody()


@resource.post("", 201, SessionSchema, EntropyBody, MAY_MATCH)
def add_entropy(session_id: str) -> Response:
    """Add a text of this seat to the next deal: one a deal, and only between deals.

    If-Match may be left out: a text is as good at any version before its deal.
    """
    someone = authenticated()
    seat = access(session_id, someone, fresh=False).seat
    if seat is None:
        raise ProblemError("forbidden", "Only a seat adds entropy so; the organiser sends his with the deal.")
    body = read_object()
    text = load(_BODY, body)["entropy"]
    seen, key = condition() or Condition(None), command_key(someone, canonical(body), 201)
    command = Command(session_id, someone.name, seen, key, 201)
    return done(
        someone, carry_out(context(), command, lambda session: (session_decide.add_entropy(session, seat, text),))
    )
