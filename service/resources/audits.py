"""The audit of a deal: whether the log can be believed up to its end, check by check."""

from flask import Response

from service.answers import answer
from service.auth import access_to_past, caller
from service.context import context
from service.document import Resource
from service.problems import ProblemError
from service.requests import known_arguments
from service.schemas.trust import AuditSchema
from workers.auditing import audit_session

resource = Resource("audits", "/v1/sessions/<session_id>/deals/<int:number>/audit", "The audit of a deal")


@resource.get("", AuditSchema, problems=("not-now",))
def read_audit(session_id: str, number: int) -> Response:
    """The audit of a deal that is over, and of all that it rests on.

    Of a log that cannot be believed so far it says from where on.
    """
    granted = access_to_past(session_id, caller())
    known_arguments()
    session = granted.session
    last = next((span.last for span in session.finished if span.number == number), None)
    if last is None and granted.broken is None:
        on = session.deal is not None and session.deal.number == number
        if on:
            raise ProblemError("not-now", "The deal is not over; its cards are not everybody's yet.")
        raise ProblemError("not-found", "There is no such deal.")
    using = context()
    report = audit_session(using.log, using.ledger, session_id, using.keys.public, last)
    if report is None:
        raise ProblemError("not-found", "There is no such session.")
    return answer({"session": session_id, "deal": number, **report.plain()})
