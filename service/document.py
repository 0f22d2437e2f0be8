"""Resources with what the OpenAPI document says of them, in one place each. Says it; checks nothing at run time.

A typed front to flask-smorest: views answer with finished responses, so nothing is serialised a second time. What is
the same for all (problems, headers, security) follows from what a resource is; contract.py makes one document of it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypedDict, Unpack

from flask import Response
from flask_smorest import Blueprint
from marshmallow import Schema

from service.schemas.shown import OpenedSchema, SessionSchema

View = Callable[..., Response]
Decorator = Callable[[View], View]

JSON: Final = "application/json"
IF_MATCH: Final = {
    "in": "header",
    "name": "If-Match",
    "required": True,
    "description": 'The version that the caller has seen, as in `"17"`, or `*` for whatever it is.',
    "schema": {"type": "string", "pattern": r'^("[0-9]{1,20}"|\*)$', "examples": ['"17"', "*"]},
}
MAY_MATCH: Final = {**IF_MATCH, "required": False}
"""If-Match where it may be left out, which is as good as `*`."""
IDEMPOTENCY_KEY: Final = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "Makes a repeat of this request have one effect and the first answer.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
}


def query(name: str, kind: str, description: str, **more: Any) -> dict[str, Any]:
    """A parameter of the query."""
    return {"in": "query", "name": name, "description": description, "schema": {"type": kind, **more}}


LIMIT: Final = query("limit", "integer", "Items on a page.", minimum=1)
CURSOR: Final = query("cursor", "string", "Where to go on, as `next` of the page before says.")

HEADERS: Final[Mapping[str, dict[str, Any]]] = {
    "ETag": {
        "description": "The session's version, for `If-Match`.",
        "schema": {"type": "string", "pattern": '^"[1-9][0-9]*"$', "examples": ['"17"']},
    },
    "Link": {
        "description": 'The next page, as `rel="next"` (RFC 8288); not on the last one.',
        "schema": {"type": "string"},
    },
    "Content-Disposition": {"description": "The name of a file that it may be kept as.", "schema": {"type": "string"}},
    "Location": {"description": "The path of what was made.", "schema": {"type": "string"}},
    "Idempotency-Replayed": {
        "description": "That this is the answer to an earlier request with the same key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "X-Accel-Buffering": {
        "description": "Of a stream: tells a proxy that each line is wanted at once.",
        "schema": {"type": "string", "enum": ["no"]},
    },
    "Content-Security-Policy": {"description": "What a page may load: our own, only.", "schema": {"type": "string"}},
}
"""Headers that some answers have. Those that all have are in wire.py, those of problems in contract.py."""

_TEXT: Final = {"type": "string"}
_ANYTHING: Final = ("malformed", "internal")
_EVERYBODY: Final = (*_ANYTHING, "unauthenticated", "invalid", "rate-limited", "store-unavailable")
_COMMANDS: Final = (
    "forbidden",
    "too-large",
    "unsupported-media-type",
    "key-reused",
    "outcome-unknown",
)


class More(TypedDict, total=False):
    """What else may be said of a resource."""

    forms: tuple[str, ...]
    """Media types of the answer to a GET, of the body of a POST."""
    problems: tuple[str, ...]
    """Slugs of problems beyond those that follow from what kind of resource it is."""
    headers: tuple[str, ...]
    """Headers of the answer, by their names in `HEADERS`, beyond those that follow."""
    who: Literal["anyone", "token", "nobody"]
    """Whether a token may be sent (as to what is read), must be (as to a command), or is never looked at."""
    also: Mapping[int, type[Schema]]
    """What it is answered with under further statuses that are no problems."""
    optional_body: bool


class Resource:
    """The resources of one kind, and their part of the document."""

    def __init__(self, name: str, prefix: str, description: str) -> None:
        self.blueprint: Final = Blueprint(name, name, url_prefix=prefix, description=description)
        self._prefix: Final = prefix

    def get(
        self, path: str, shows: type[Schema] | None, *parameters: dict[str, Any], **more: Unpack[More]
    ) -> Decorator:
        """A resource that is read. Without a schema its answer is text."""
        forms, who = more.get("forms", (JSON,)), more.get("who", "anyone")
        negotiated = who != "nobody" and len(forms) > 1
        slugs = (*(_EVERYBODY if who != "nobody" else _ANYTHING), *(("not-acceptable",) if negotiated else ()))
        headers = ("Link",) if CURSOR in parameters else ()
        return self._route(
            "GET", path, (200, shows, forms), who, slugs, headers, {"parameters": list(parameters)}, more
        )

    def post(
        self,
        path: str,
        status: int,
        shows: type[Schema] | None,
        body: type[Schema] | None,
        *parameters: dict[str, Any],
        **more: Unpack[More],
    ) -> Decorator:
        """A command. Without a schema of its body it takes none."""
        doc: dict[str, Any] = {"parameters": [*parameters, IDEMPOTENCY_KEY]}
        if body is not None:
            content = {form: {"schema": body if form == JSON else _TEXT} for form in more.get("forms", (JSON,))}
            doc["requestBody"] = {"required": not more.get("optional_body", False), "content": content}
        matched = IF_MATCH in parameters or MAY_MATCH in parameters
        required = ("version-required",) if IF_MATCH in parameters else ()
        slugs = (*_EVERYBODY, *_COMMANDS, *required, *(("stale-version", "not-now", "frozen") if matched else ()))
        return self._route("POST", path, (status, shows, (JSON,)), "token", slugs, ("Idempotency-Replayed",), doc, more)

    def delete(self, path: str, *parameters: dict[str, Any], **more: Unpack[More]) -> Decorator:
        """Something that is taken away: answered with 204 and nothing."""
        slugs = (*_EVERYBODY, "forbidden", "outcome-unknown")
        return self._route("DELETE", path, (204, None, ()), "token", slugs, (), {"parameters": list(parameters)}, more)

    def _route(
        self,
        method: str,
        path: str,
        answer: tuple[int, type[Schema] | None, tuple[str, ...]],
        who: Literal["anyone", "token", "nobody"],
        slugs: tuple[str, ...],
        headers: tuple[str, ...],
        doc: dict[str, Any],
        more: More,
    ) -> Decorator:
        status, shows, forms = answer
        if "<" in self._prefix + path and who != "nobody":
            slugs = (*slugs, "not-found", "diverged")
        responses: dict[str, Any] = {str(status): _response(shows, forms, (*headers, *more.get("headers", ())))}
        if shows in (SessionSchema, OpenedSchema):
            # A session at an earlier version is history, and has no ETag.
            past = any(each["name"] == "at" for each in doc["parameters"])
            responses[str(status)]["headers"]["ETag"] = _header("ETag", required=not past)
        for other, schema in more.get("also", {}).items():
            responses[str(other)] = _response(schema, (JSON,), ())
        doc |= {"responses": responses, "x-problems": [*slugs, *more.get("problems", ())]}
        doc["security"] = {"anyone": [{}, {"token": []}], "token": [{"token": []}], "nobody": []}[more.get("who", who)]

        def decorate(view: View) -> View:
            documented: Any = self.blueprint.doc(**doc, operationId=view.__name__)(view)
            # Only what it says, not the function that it comes in: that looks at every call whether the view is async.
            view.__dict__["_apidoc"] = documented._apidoc
            self.blueprint.route(path, methods=[method])(view)
            return view

        return decorate


def _response(shows: type[Schema] | None, forms: tuple[str, ...], headers: tuple[str, ...]) -> dict[str, Any]:
    content = {form: {"schema": shows if shows and form == JSON else _TEXT} for form in forms}
    made: dict[str, Any] = {"description": "As asked.", "headers": {name: _header(name) for name in headers}}
    return made | ({"content": content} if content else {})


def _header(name: str, *, required: bool = False) -> dict[str, Any]:
    return {**HEADERS[name], **({"required": True} if required else {})}
