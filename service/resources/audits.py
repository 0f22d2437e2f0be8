"""The audit of a deal for a hearing: whether the log can be believed, and all that was dealt, played and ruled.

As JSON, as text, and as one page to print. Left out: the facts and their forms (hearing.py, hearing_page.py).
"""

from contextlib import suppress
from typing import Any

from flask import Response

from replay.chain import read_checked
from replay.checkpoints import Checkpoint, read_checkpoint
from replay.rules.session_state import span_of
from service.answers import answer
from service.auth import Access, access_to_past, caller
from service.context import context, stamp
from service.document import JSON, Resource
from service.hearing import Matter, last_word, report_of
from service.hearing_page import page_of, policy, text_of
from service.problems import ProblemError
from service.requests import accepted, known_arguments
from service.results import result_of
from service.schemas.trust import AuditSchema
from workers.auditing import audit_session

resource = Resource("audits", "/v1/sessions/<session_id>/deals/<int:number>/audit", "The audit of a deal")

_TEXT = "text/plain"
_PAGE = "text/html"


@resource.get("", AuditSchema, forms=(JSON, _TEXT, _PAGE), headers=("Content-Security-Policy",), problems=("not-now",))
def read_audit(session_id: str, number: int) -> Response:
    """The audit of a deal that is over, and of all that it rests on, with the report for a hearing.

    Of a log that cannot be believed so far it says from where on, as JSON alone, and reports nothing.
    """
    granted = access_to_past(session_id, caller())
    known_arguments()
    form = accepted(JSON, _TEXT, _PAGE)
    session = granted.session
    on = session.deal if session.playing else None
    # One that was over, and is dealt again, is none that is over.
    again = on is not None and on.number == number
    span = None if again else span_of(session, number)
    if again and granted.broken is None:
        raise ProblemError("not-now", "The deal is not over; its cards are not everybody's yet.")
    if span is None and granted.broken is None:
        raise ProblemError("not-found", "There is no such deal.")
    using = context()
    until = None if span is None else last_word(session, span)
    if span is not None and until is not None and on is not None and not granted.sees.everything:
        # What an audit finds amiss may name cards of the deal that is on.
        until = max(span.last, min(until, on.first - 1))
    audit = audit_session(using.log, using.ledger, session_id, using.keys.public, until)
    if audit is None:
        raise ProblemError("not-found", "There is no such session.")
    plain = audit.plain()
    report = None if span is None else _report(session_id, granted, number, audit.version)
    if form == JSON or report is None:
        return answer({"session": session_id, "deal": number, **plain, "report": report})
    if form == _TEXT:
        return Response(text_of(report, plain), content_type=f"{_TEXT}; charset=utf-8")
    headers = {"Content-Security-Policy": policy()}
    return Response(page_of(report, plain), headers=headers, content_type=f"{_PAGE}; charset=utf-8")


def _report(session_id: str, granted: Access, number: int, version: int) -> dict[str, Any]:
    """What is reported of a deal that is over, with what is not in its log: whether it is final, and who signed it."""
    using, session = context(), granted.session
    stored = read_checked(using.log, session_id, limit=session.version)
    matter = Matter(session_id, using.names(session_id), stored, session, number)
    span = span_of(session, number)
    result = None if span is None else result_of(using, session_id, session, span)
    final_at = None if result is None or result.final_at is None else stamp(result.final_at)
    final = result is not None and result.final(using.clock())
    signed = _signed(session_id, version)
    return {
        **report_of(matter, granted.viewer),
        "result": "final" if final else "provisional",
        "final_at": final_at,
        "checkpoint": None if signed is None else signed._asdict(),
    }


def _signed(session_id: str, version: int) -> Checkpoint | None:
    """The last signed head that the audit has seen."""
    found: Checkpoint | None = None
    for fields in context().log.checkpoints(session_id):
        with suppress(ValueError):
            each = read_checkpoint(fields)
            if each.version <= version and (found is None or each.version > found.version):
                found = each
    return found
