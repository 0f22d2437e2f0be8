"""Resources with what the OpenAPI document says of them, in one place each. Says it; checks nothing at run time.

A typed front to flask-smorest: views answer with finished responses, so nothing is serialised a second time.
"""

from collections.abc import Callable
from typing import Any, Final

from flask import Response
from flask_smorest import Blueprint
from marshmallow import Schema

from service.schemas.bodies import ProblemSchema

View = Callable[..., Response]
Decorator = Callable[[View], View]

JSON: Final = "application/json"
PROBLEM: Final = {
    "description": "A problem (RFC 9457)",
    "content": {"application/problem+json": {"schema": ProblemSchema}},
}
IF_MATCH: Final = {
    "in": "header",
    "name": "If-Match",
    "required": True,
    "description": 'The version that the caller has seen, as in `"17"`, or `*` for whatever it is.',
    "schema": {"type": "string"},
}
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


class Resource:
    """The resources of one kind, and their part of the document."""

    def __init__(self, name: str, prefix: str, description: str) -> None:
        self.blueprint: Final = Blueprint(name, name, url_prefix=prefix, description=description)

    def get(
        self, path: str, shows: type[Schema] | None, *parameters: dict[str, Any], forms: tuple[str, ...] = (JSON,)
    ) -> Decorator:
        """A resource that is read."""
        return self._route("GET", path, 200, shows, {"parameters": list(parameters)}, forms)

    def post(
        self,
        path: str,
        status: int,
        shows: type[Schema],
        body: type[Schema] | None,
        *parameters: dict[str, Any],
        forms: tuple[str, ...] = (JSON,),
    ) -> Decorator:
        """A command. `forms` are the media types of its body."""
        schema: Any = body or {"type": "object"}
        doc = {
            "parameters": [*parameters, IDEMPOTENCY_KEY],
            "requestBody": {"content": {form: {"schema": schema} for form in forms}},
        }
        return self._route("POST", path, status, shows, doc, (JSON,))

    def _route(
        self,
        method: str,
        path: str,
        status: int,
        shows: type[Schema] | None,
        doc: dict[str, Any],
        forms: tuple[str, ...],
    ) -> Decorator:
        schema: Any = shows or {"type": "object"}
        shown = {"description": "As asked", "content": {form: {"schema": schema} for form in forms}}
        responses = {str(status): shown, "default": PROBLEM}

        def decorate(view: View) -> View:
            documented: Any = self.blueprint.doc(**doc, responses=responses)(view)
            # Only what it says, not the function that it comes in: that looks at every call whether the view is async.
            view.__dict__["_apidoc"] = documented._apidoc
            self.blueprint.route(path, methods=[method])(view)
            return view

        return decorate
