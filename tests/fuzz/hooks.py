"""What Schemathesis is told beside the document: whose token goes with a play, and what may be refused rightly.

It loads this file by itself (`SCHEMATHESIS_HOOKS`). Left out: anything that the document can say.
"""

import json
import os
from typing import Any, Final

import schemathesis
from schemathesis import AuthContext, Case, CheckContext, HookContext, Response, SerializationContext

AnyCase = Case[Any]

_STATE: Final = {
    "cursor": "only what a list gave out is a cursor",
    "at": "a version that the session has not reached",
    "as_of": "the same",
    "seat": "a seat that the session does not have, or an organiser who names none",
    "follow": "pages do not go on for ever",
    "Last-Event-ID": "only what a stream gave is an id",
    **dict.fromkeys(("type", "card", "meld", "melds", "discard", "lay_offs", "yes"), "a play of another game"),
    "hands": "other seats than the session's, or cards where the service shuffles",
    "upcard": "cards where the service shuffles, or none where it does not",
    "stock": "as hands",
    "dealer": "a seat that the session does not have, or cards where the service shuffles",
    "note": "as hands",
    "cards": "only in a recorded session",
    "irregular": "only in a recorded session",
    "sessions": "only ids of sessions",
    "session": "the same",
    "url": "an address that nobody may have called",
    "entropy": "cards where the service does not shuffle",
    "plays": "more than a line may have",
    "limit": "more items than a page may have",
    "wait": "longer than the service waits",
}
"""Fields that may fit the document and yet not the state of the session, each with the case."""

_seats: Final[dict[str, dict[str, str]]] = {}
"""The tokens of the seats of each session that has been opened here."""
_turns: Final[dict[str, int | None]] = {}
"""Whose turn it was in each session when an answer last said so."""


@schemathesis.serializer("application/toml")
def toml(_context: SerializationContext, value: Any) -> bytes:
    """TOML is text to the document."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """The organiser's token; but in a session that the service deals, plays are the seats', whose turn it is."""

    def get(self, case: AnyCase, _context: AuthContext) -> str:
        """The token that goes with this request."""
        seats = _seats.get(str((case.path_parameters or {}).get("session_id")))
        if seats is None or not case.operation.path.endswith("/plays"):
            return os.environ["UPCARD_FUZZ_TOKEN"]
        return seats[str(_turns.get(str(case.path_parameters["session_id"])) or 1)]

    def set(self, case: AnyCase, data: str, _context: AuthContext) -> None:
        """Send it."""
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def after_call(_context: HookContext, _case: AnyCase, response: Response) -> None:
    """Remember seats' tokens and turns."""
    if response.status_code not in (200, 201) or response.headers.get("content-type") != ["application/json"]:
        return
    body = json.loads(response.content)
    if "seat_tokens" in body and body["mode"] == "dealt":
        _seats[body["id"]] = body["seat_tokens"]
    if body.get("deal") and "id" in body:
        _turns[body["id"]] = body["deal"]["turn"]


@schemathesis.check
def taken_unless_its_state_forbids(_ctx: CheckContext, response: Response, case: AnyCase) -> None:
    """What fits the document is refused only for the session's state, and the refusal says for which field."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 422:
        return
    problem = json.loads(response.content)
    if problem["type"] == "/problems/key-reused" or "check" in problem or _has_whole_float(case.body):
        return
    assert problem.get("errors"), f"refused, and no field is named: {problem}"
    assert problem["errors"].keys() <= _STATE.keys(), f"refused though it fits the document: {problem}"


def _has_whole_float(body: object) -> bool:
    """Whether a number is written `2.0`: whole to JSON Schema, and to nobody who counts points."""
    if isinstance(body, dict):
        return any(map(_has_whole_float, body.values()))
    if isinstance(body, list):
        return any(map(_has_whole_float, body))
    return isinstance(body, float) and body.is_integer()


@schemathesis.check
class Reached:
    """The stranger has come somewhere: each of these operations has been carried out."""

    def __init__(self) -> None:
        self.done: Final[set[str]] = set()

    def after_response(self, _ctx: CheckContext, response: Response, case: AnyCase) -> None:
        """Note what was carried out."""
        if response.status_code < 300:
            self.done.add(case.operation.definition.raw["operationId"])

    def after_run(self, _ctx: CheckContext) -> None:
        """Fail if what the test asks for (`UPCARD_FUZZ_REACHES`) was not reached."""
        missed = set(os.environ["UPCARD_FUZZ_REACHES"].split()) - self.done
        assert not missed, f"never carried out: {sorted(missed)}"
