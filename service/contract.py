"""The OpenAPI document as a whole, made of what each resource says of itself (document.py).

Adds what is the same everywhere: problems by status, headers, who may ask, links from one answer to the next request.
Left out: the resources. A new one needs nothing here.
"""

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
from apispec_oneofschema.plugin import MarshmallowPlugin, OneofOpenAPIConverter
from flask_smorest import Api
from marshmallow import fields

from service.contract_examples import REQUESTS, RESPONSES
from service.contract_links import LINKS
from service.contract_samples import SAMPLES, code_samples
from service.problems import KINDS, TYPE
from service.request_ids import HEADER as REQUEST_ID
from service.schemas.problems import PROBLEMS
from service.wire import EVERYWHERE

Document = dict[str, Any]

SUMMARY: Final = """\
Card-game sessions: open one, deal, play, and read the score sheets and the ledger.

Every write names the version that it was decided on (`If-Match`) and may carry an `Idempotency-Key`, with which it can
be sent again without harm. What is refused is a problem (RFC 9457): go by `type` where you know it and by `status`
where you do not, since within v1 new kinds, fields and resources may come. Cards are two letters: `9c`, `Td`, `Jk`.
Where a schema is one of several, its discriminator tells which: a session's `game`, an event's `kind`, a problem's
`type`. A play is one of its game's plays, told apart by `type`; which game it is, the session says.
"""

_PROBLEM_HEADERS: Final[Mapping[int, Mapping[str, str]]] = {
    401: {"WWW-Authenticate": "How to say who asks."},
    405: {"Allow": "The methods that this resource takes."},
    415: {"Accept": "The forms of body that are read."},
    429: {"Retry-After": "Seconds to wait."},
    503: {"Retry-After": "Seconds to wait."},
}
_REQUEST_ID: Final = {
    "in": "header",
    "name": REQUEST_ID,
    "description": "A name of yours for this request: 1 to 64 letters, digits, `.`, `_`, `:`, `-`. It comes back with "
    "the answer; without one, or with another, the service makes one.",
    "schema": {"type": "string"},
}
_RATES: Final[Mapping[str, str]] = {
    "RateLimit-Limit": "Requests that may come in a minute with this token, or without one from this address.",
    "RateLimit-Remaining": "How many of them may come now.",
    "RateLimit-Reset": "Seconds until all of them may come again.",
}
"""Headers of answers to requests that are counted."""
_REQUIRED: Final = (401, 405, 429)


class _Converter(OneofOpenAPIConverter):  # type: ignore[misc]  # the package is untyped
    """Says what a schema's docstring says, and what one field alone declares in words of JSON Schema."""

    def init_attribute_functions(self) -> None:
        super().init_attribute_functions()
        self.attribute_functions.append(_declared)

    def schema2jsonschema(self, schema: Any) -> Document:
        any_of = getattr(schema, "any_of", None)
        made: Document = (
            {"anyOf": [self.resolve_nested_schema(each) for each in any_of]}
            if any_of
            else super().schema2jsonschema(schema)
        )
        says = inspect.getdoc(schema if isinstance(schema, type) else type(schema))
        return {"description": says, **made} if says else made


class _Plugin(MarshmallowPlugin):  # type: ignore[misc]  # the package is untyped
    Converter = _Converter


def _declared(field: "fields.Field[Any]", **_named: Any) -> Document:
    schema: Document = field.metadata.get("schema", {})
    return schema


def api_of(app: Any) -> Any:
    """What collects the resources of an application for the document."""
    return Api(app, spec_kwargs={"marshmallow_plugin": _Plugin()})


def document_of(api: Any) -> Document:
    """The document, of resources that are all registered."""
    for schema in PROBLEMS.values():
        name = schema.__name__.removesuffix("Schema")
        api.spec.components.schema(name, schema=schema)
    made: Document = api.spec.to_dict()
    made["info"]["description"] = SUMMARY
    made["info"]["license"] = {"name": "MIT", "identifier": "MIT"}
    made["servers"] = [{"url": "/"}]
    parts = made["components"]
    for unused in ("Error", "PaginationMetadata"):
        parts["schemas"].pop(unused, None)
    parts["schemas"]["Problem"] = _one_of(KINDS)
    parts["headers"] = {name: _everywhere(name, value) for name, value in EVERYWHERE}
    parts["headers"][REQUEST_ID] = {
        "description": "The request's id: the caller's own, or one made here. It is in the service's log.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._:-]{1,64}$"},
    }
    parts["headers"] |= {
        name: {"description": says, "schema": {"type": "string", "pattern": "^[0-9]+$"}}
        for name, says in _RATES.items()
    }
    parts["parameters"] = {REQUEST_ID: _REQUEST_ID}
    parts["responses"] = {}
    parts["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Of an organiser, an auditor, an onlooker or a seat.",
        }
    }
    for name, path in made["paths"].items():
        for method, operation in path.items():
            if method != "parameters":
                _finish(operation, parts["responses"])
                operation[SAMPLES] = code_samples(method, name, operation)
    for common in parts["responses"].values():
        _add_headers(common)
    _open_answers(made)
    return made


def printed(document: Document) -> bytes:
    """The document as it is checked in: indented, keys in order, so that changes of it can be read."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def _open_answers(document: Document) -> None:
    """Answers may have further fields, since within v1 some may come; bodies that are read may not."""
    schemas, found = document["components"]["schemas"], set[str]()
    operations = [each for path in document["paths"].values() for name, each in path.items() if name != "parameters"]
    left = [operation.get("requestBody") for operation in operations]
    while left:
        part = left.pop()
        name = part["$ref"].rpartition("/")[2] if isinstance(part, dict) and "$ref" in part else None
        if name is not None and name not in found:
            found.add(name)
            left.append(schemas[name])
        left += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for name in schemas.keys() - found:
        # marshmallow closes whatever it reads, and these are only written.
        schemas[name].pop("additionalProperties", None)


def _finish(operation: Document, common: Document) -> None:
    responses, name = operation["responses"], operation["operationId"]
    responses.pop("default", None)
    operation.setdefault("parameters", []).append({"$ref": f"#/components/parameters/{REQUEST_ID}"})
    for status, made in responses.items():
        _add_headers(made)
        if links := LINKS.get((name, status)):
            made["links"] = links
        if (name, status) in RESPONSES:
            made["content"]["application/json"]["examples"] = RESPONSES[name, status]
    if name in REQUESTS:
        for form, examples in REQUESTS[name].items():
            operation["requestBody"]["content"][form]["examples"] = examples
    for status, slugs in _by_status(operation.pop("x-problems")).items():
        key = ".".join(slugs)
        common.setdefault(key, _problem(status, slugs))
        if str(status) in responses:
            responses[str(status)]["content"] |= common[key]["content"]
        else:
            responses[str(status)] = {"$ref": f"#/components/responses/{key}"}


def _by_status(slugs: Iterable[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for slug in sorted(set(slugs), key=list(KINDS).index):
        found.setdefault(int(KINDS[slug].status), []).append(slug)
    return found


def _problem(status: int, slugs: list[str]) -> Document:
    headers = {
        name: {"description": says, "schema": {"type": "string"}, **({"required": True} if status in _REQUIRED else {})}
        for name, says in _PROBLEM_HEADERS.get(status, {}).items()
    }
    titles = " Or: ".join(f"{KINDS[slug].title}." for slug in slugs)
    return {"description": titles, "headers": headers, "content": {TYPE: {"schema": _one_of(slugs)}}}


def _one_of(slugs: Iterable[str]) -> Document:
    names = {slug: PROBLEMS[slug].__name__.removesuffix("Schema") for slug in slugs}
    refs = {f"/problems/{slug}": f"#/components/schemas/{name}" for slug, name in names.items()}
    if len(refs) == 1:
        return {"$ref": next(iter(refs.values()))}
    return {
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "type", "mapping": refs},
    }


def _add_headers(response: Document) -> None:
    names = (*(name for name, _ in EVERYWHERE), REQUEST_ID, *_RATES)
    everywhere = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    response["headers"] = {**everywhere, **response.get("headers", {})}


def _everywhere(name: str, value: str) -> Document:
    return {
        "description": f"`{name}` of every answer.",
        "required": True,
        "schema": {"type": "string", "enum": [value]},
    }
