"""Holds requests and answers to the OpenAPI document, more strictly than a client may: nothing undocumented gets out.

Objects that the document leaves open, so that fields can be added within v1, are closed here: a field that an answer
has and the document does not is a fault of one of them. Requests are looked at only if the service has taken them.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from jsonschema_rs import Draft202012Validator, Registry

from service.app import contract_document

TRANSPORT: Final = frozenset({"content-type", "content-length", "connection", "date", "server", "transfer-encoding"})
"""Headers that are the web server's, or said by the document in another way."""
_JSON: Final = ("application/json", "application/problem+json")
_ROOT: Final = "urn:openapi"


class Operation(NamedTuple):
    """One method of one path, as the document has it."""

    method: str
    path: str
    said: Mapping[str, Any]


class Contract:
    """The document, ready to be held against answers."""

    def __init__(self) -> None:
        self.document: Final = contract_document()
        closed = _closed(json.loads(json.dumps(self.document)))
        self._registry: Final = Registry([(_ROOT, {"components": closed["components"]})])
        self._closed: Final = closed
        self._validators: Final[dict[str, Draft202012Validator]] = {}
        self._paths: Final = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "/?"), path, operations)
            for path, operations in closed["paths"].items()
        ]

    def operations(self) -> list[Operation]:
        """All of them."""
        return [
            Operation(method.upper(), path, said)
            for _, path, operations in self._paths
            for method, said in operations.items()
            if method != "parameters"
        ]

    def find(self, method: str, path: str) -> Operation | None:
        """The operation that a request is for; None if there is none."""
        fits = [(name, said) for pattern, name, said in self._paths if pattern.fullmatch(path)]
        # A path without a parameter in it goes before one with.
        for name, said in sorted(fits, key=lambda each: each[0].count("{")):
            if method.lower() in said:
                return Operation(method, name, said[method.lower()])
            return None
        return None

    def faults(self, schema: Any, value: Any) -> list[str]:
        """In what a value does not fit a schema of the document."""
        key = json.dumps(schema)
        if key not in self._validators:
            rooted = json.loads(key.replace('"#/', f'"{_ROOT}#/'))
            self._validators[key] = Draft202012Validator(rooted, registry=self._registry, validate_formats=True)
        return [
            f"{'/'.join(map(str, each.instance_path))}: {each.message}"[:600]
            for each in self._validators[key].iter_errors(value)
        ]

    def response(self, operation: Operation, status: int) -> Mapping[str, Any]:
        """What the document says of an answer; fails if it says nothing."""
        responses = operation.said["responses"]
        assert str(status) in responses, f"{operation.method} {operation.path}: {status} is not documented"
        made: Mapping[str, Any] = responses[str(status)]
        if "$ref" in made:
            made = self._closed["components"]["responses"][made["$ref"].rpartition("/")[2]]
        return made

    def headers(self, response: Mapping[str, Any]) -> dict[str, Any]:
        """The headers that an answer may have, by their names in small letters."""
        common = self._closed["components"]["headers"]
        said = {
            name: common[each["$ref"].rpartition("/")[2]] if "$ref" in each else each
            for name, each in response["headers"].items()
        }
        return {name.lower(): each for name, each in said.items()}


def _closed(part: Any) -> Any:
    """The document with every object closed that lists its properties."""
    if isinstance(part, dict):
        made = {name: _closed(each) for name, each in part.items()}
        if isinstance(made.get("properties"), dict) and "object" in (made.get("type"), "object"):
            made.setdefault("additionalProperties", False)
        return made
    return [_closed(each) for each in part] if isinstance(part, list) else part


@cache
def contract() -> Contract:
    """The document, read once."""
    return Contract()


def check_answer(
    method: str, path: str, status: int, headers: Mapping[str, str], content: bytes, request: bytes | None = None
) -> None:
    """Fail unless an answer is as the document says: its status, media type, headers and body.

    `path` may have a query. `request` is a JSON body that was sent; what the service takes, the document must allow.
    """
    path, _, query = path.partition("?")
    if method == "OPTIONS":
        return
    known = contract()
    operation = known.find("GET" if method == "HEAD" else method, path)
    about = f"{method} {path[:100]}: {status}"
    headers = {name.lower(): value for name, value in headers.items()}
    form = headers.get("content-type", "").partition(";")[0]
    if operation is None:
        assert status in (404, 405, 413), f"{about}: the document has no such resource"
        faults = [] if method == "HEAD" else known.faults({"$ref": "#/components/schemas/Problem"}, json.loads(content))
        assert not faults, f"{about}: {faults} in {content[:500]!r}"
        return
    said = known.response(operation, status)
    _check_headers(known, said, headers, about)
    if method != "HEAD":
        _check_content(known, said, form, content, about)
        if form == "application/x-ndjson":
            _check_lines(content, export=operation.said["operationId"] == "read_export", about=about)
    if status < 300:
        _check_request(known, operation, query, request, about)


def check_event(event: Any) -> None:
    """Fail unless this, which a stream gave, is an event as the document has it."""
    faults = contract().faults({"$ref": "#/components/schemas/Event"}, event)
    assert not faults, f"not an event as documented: {faults} in {event}"


def _check_headers(known: Contract, said: Mapping[str, Any], headers: Mapping[str, str], about: str) -> None:
    documented = known.headers(said)
    unknown = headers.keys() - documented.keys() - TRANSPORT
    assert not unknown, f"{about}: headers that the document does not name: {sorted(unknown)}"
    for name, header in documented.items():
        assert name in headers or not header.get("required"), f"{about}: no header {name}"
        if name in headers:
            faults = known.faults(header["schema"], headers[name])
            assert not faults, f"{about}: {name}: {faults}"


def _check_content(known: Contract, said: Mapping[str, Any], form: str, content: bytes, about: str) -> None:
    if not content and "content" not in said:
        return
    assert form in said.get("content", {}), f"{about}: {form} is not documented"
    schema = said["content"][form]["schema"]
    value = json.loads(content) if form in _JSON else content.decode("utf-8", "replace")
    faults = known.faults(schema, value)
    assert not faults, f"{about}: the body is not as documented: {faults} in {content[:1500]!r}"


def _check_lines(content: bytes, *, export: bool, about: str) -> None:
    """Lines of a stream are events; those of an export a header, events, checkpoints and an end, which upcard verify
    reads."""
    found = [json.loads(line) for line in filter(None, content.splitlines())]
    if not export:
        for line in found:
            check_event(line)
        return
    order = ("export", "event", "checkpoint", "end")
    kinds = [next(kind for kind in order if kind in line) for line in found]
    assert kinds == sorted(kinds, key=order.index), f"{about}: {kinds}"
    assert (kinds[0], kinds[-1], kinds.count("export"), kinds.count("end")) == ("export", "end", 1, 1), about


def _check_request(known: Contract, operation: Operation, query: str, request: bytes | None, about: str) -> None:
    allowed = {each["name"] for each in operation.said["parameters"] if each.get("in") == "query"}
    asked = {name for name, _ in parse_qsl(query, keep_blank_values=True)}
    # Whoever looks after the service may add what he likes to a query that nobody reads.
    assert asked <= allowed or not operation.said["security"], (
        f"{about}: took a query that the document does not know: {asked - allowed}"
    )
    body = operation.said.get("requestBody")
    # A record is judged whatever it is: the verdict says that it is malformed.
    judged = operation.said["operationId"] == "import_record" and "dry_run=true" in query
    if request and body and not judged and "application/json" in body["content"]:
        faults = known.faults(body["content"]["application/json"]["schema"], json.loads(request))
        assert not faults, f"{about}: took a body that the document does not allow: {faults} in {request[:1000]!r}"
