"""Links of the OpenAPI document: what a client can ask next with what an answer told it.

A link gives parameters of an operation by expressions over the answer. Left out: tokens; an opening has `seat_tokens`.
"""

from collections.abc import Mapping
from typing import Any, Final

Links = dict[str, dict[str, Any]]

_PATH: Final = "$request.path.session_id"


def _to(operation: str, session: str, body: Any = None, **parameters: Any) -> dict[str, Any]:
    given = {name.replace("if_match", "If-Match"): value for name, value in parameters.items()}
    made: dict[str, Any] = {"operationId": operation, "parameters": {"session_id": session, **given}}
    return made if body is None else {**made, "requestBody": body}


def _reads(session: str) -> Links:
    """What can be read of a session."""
    names = ("read_session", "list_plays", "list_events", "read_ledger", "read_record")
    return {name: _to(name, session) for name in names}


def _deal(session: str) -> Links:
    """What can be read of the deal that a session shows."""
    number = "$response.body#/deal/number"
    return {name: _to(name, session, number=number) for name in ("read_deal", "replay_deal")}


_TAG: Final = "$response.header.ETag"
_ID: Final = "$response.body#/id"
_COMMANDS: Final = {
    "start_deal": _to("start_deal", _PATH, {}, if_match=_TAG),
    "close_session": _to("close_session", _PATH, {}, if_match=_TAG),
}
_SEEN: Final = '"{$response.body#/version}"'


def _next(operation: str) -> Links:
    """The next page of a list of a session's."""
    return {"next": _to(operation, _PATH, cursor="$response.body#/next")}


LINKS: Final[Mapping[tuple[str, str], Links]] = {
    ("open_session", "201"): {
        **_reads(_ID),
        "start_deal": _to("start_deal", _ID, {}, if_match=_TAG),
        "close_session": _to("close_session", _ID, {}, if_match=_TAG),
    },
    ("list_sessions", "200"): {
        **_reads("$response.body#/sessions/0/id"),
        "next": {"operationId": "list_sessions", "parameters": {"cursor": "$response.body#/next"}},
    },
    ("read_session", "200"): {**_reads(_PATH), **_deal(_PATH)},
    ("start_deal", "201"): {**_reads(_PATH), **_deal(_PATH)},
    ("list_plays", "200"): {
        "make_play": _to("make_play", _PATH, "$response.body#/plays/0", if_match=_SEEN),
    },
    ("make_play", "201"): {**_reads(_PATH), **_deal(_PATH), **_COMMANDS},
    ("close_session", "200"): _reads(_PATH),
    ("import_record", "201"): _reads("$response.body#/session/id"),
    ("list_events", "200"): _next("list_events"),
    ("read_ledger", "200"): _next("read_ledger"),
    ("replay_deal", "200"): {
        "next": {
            "operationId": "replay_deal",
            "parameters": {
                "session_id": _PATH,
                "number": "$request.path.number",
                "cursor": "$response.body#/next",
            },
        },
    },
}
"""By operation and status of its answer."""
