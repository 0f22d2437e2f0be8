"""The ledger of a session: its entries in order, and the balances that they add up to."""

from flask import Response

from service.answers import page_answer
from service.auth import access, caller
from service.context import context
from service.document import CURSOR, LIMIT, Resource, query
from service.pages import cursor_of, read_number_cursor
from service.requests import known_arguments, page, whole
from service.schemas.bodies import LedgerSchema

resource = Resource("ledger", "/v1/sessions/<session_id>/ledger", "The ledger")

_AS_OF = query("as_of", "integer", "Only entries that rest on events up to this version.", minimum=0)


@resource.get("", LedgerSchema, _AS_OF, LIMIT, CURSOR)
def read_ledger(session_id: str) -> Response:
    """Entries, and the balances as of a version (`?as_of=`) or of all that is posted."""
    granted = access(session_id, caller())
    known_arguments("as_of", "limit", "cursor")
    as_of, limit, cursor = whole("as_of"), page(most=200, default=100), read_number_cursor() or 0
    posted = context().ledger.entries(session_id)
    entries = [entry for entry in posted if as_of is None or entry["versions"][1] <= as_of]
    nothing = [0] * len(granted.session.totals)
    balances = [sum(column) for column in zip(nothing, *(entry["points"] for entry in entries), strict=True)]
    reversals = {entry["answers"]: entry["number"] for entry in entries if entry["kind"] == "reversal"}
    entries = [
        {**entry, "answered_by": reversals[entry["number"]]} if entry["number"] in reversals else entry
        for entry in entries
    ]
    shown = entries[cursor : cursor + limit]
    more = cursor + limit < len(entries)
    return page_answer("entries", shown, cursor_of(cursor + limit) if more else None, balances=balances)
