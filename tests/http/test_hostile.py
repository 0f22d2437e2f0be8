"""Hostile input of every kind on every resource: the right problem, nothing recorded, never a 500.

Which resources there are is asked of the application. Fuzzed bodies are in test_hostile_bodies.py.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import pytest

from tests.http.house import Fake, House, nothing_recorded
from tests.http.resources import Resource, Target

MIB: Final = 1024 * 1024
DEEP: Final = 100_000


@pytest.fixture(scope="module")
def target() -> Target:
    """One house for all: nothing is ever recorded in it."""
    return Target(House(Fake()).settled())


@pytest.fixture(autouse=True)
def unharmed(target: Target) -> Iterator[None]:
    """Whatever a test sends, the whole store is afterwards as it was."""
    with nothing_recorded(target.house):
        yield


def _each_command(target: Target) -> Iterator[Resource]:
    assert len(target.commands) >= 5
    yield from target.commands


class TestBodies:
    """What is wrong with a body, whatever it was for."""

    @pytest.mark.parametrize(
        "raw",
        [
            b"",
            b" ",
            b"{",
            b"[1, 2",
            b"nonsense",
            b"{'type': 'draw'}",
            b'{"type": "draw",}',
            b'{"type": "draw"} {}',
            b'{"type": "\xff\xfe"}',
            b'{"type": "\xc0\x80"}',
            b'{"type": "\xed\xa0\x80"}',
            b'{"type": "\\ud800"}',
            b'{"type": "\\udc00\\ud800"}',
            b'{"type": "a\x00b"}',
            b'{"type": "a\nb"}',
            b'{"seat": NaN}',
            b'{"seat": Infinity}',
            b'{"seat": -Infinity}',
            b'{"seat": 01}',
            b'{"seat": +1}',
            b'{"seat": 0x1}',
            b'{"seat": .5}',
            b"\xef\xbb\xbf{}",
            '{"type": "draw"}'.encode("utf-16"),
            b"\x00" * 100,
            b"\x1f\x8b\x08\x00",
            b"<?xml version='1.0'?><play/>",
        ],
    )
    def test_what_is_not_json_is_400(self, target: Target, raw: bytes) -> None:
        for command in _each_command(target):
            answer = target.send(command, raw=raw)
            if raw or not command.rule.endswith(("/deals", "/close", "/revoke", "/withdraw", "/confirm")):
                # A record is read by a stricter reader, which has its own word for what is nearly JSON.
                assert answer["type"] in ("/problems/malformed", "/problems/invalid"), command.name
                assert command.rule == "/v1/records" or answer.status == 400, (command.name, answer)

    @pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":['])
    def test_deep_nesting_is_not_followed(self, target: Target, opening: bytes) -> None:
        for count in (500, 1_500, DEEP):
            for command in _each_command(target):
                answer = target.send(command, raw=(opening * count)[:MIB])
                assert answer.status == 400, (command.name, count, answer)
        closed = b"[" * DEEP + b"]" * DEEP
        for command in _each_command(target):
            assert target.send(command, raw=closed).status in (400, 422), command.name

    def test_nesting_inside_a_field_is_the_fields_fault(self, target: Target) -> None:
        for depth in (10, 300, 900):
            deep: Any = []
            for _ in range(depth):
                deep = [deep]
            for command in _each_command(target):
                for name in command.good or ("type",):
                    target.send(command, raw=_with(command, name, deep)).problem("invalid")

    @pytest.mark.parametrize("sent", [b"null", b"true", b"1", b"1.5", b'"x"', b"[]", b"[{}]", b"1e400", b"9" * 400])
    def test_json_that_is_no_object_is_422(self, target: Target, sent: bytes) -> None:
        for command in _each_command(target):
            answer = target.send(command, raw=sent)
            assert answer.status in (400, 422), (command.name, answer)
            assert sent.startswith((b"9", b"1e")) or answer.status == 422, (command.name, answer)

    @pytest.mark.parametrize("announced", [True, False])
    @pytest.mark.parametrize("more", [1, MIB])
    def test_more_than_a_mebibyte_is_413(self, target: Target, more: int, announced: bool) -> None:
        environ: dict[str, Any] = {} if announced else {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}
        for command in _each_command(target):
            for raw in (b" " * (MIB + more), b'{"a": "' + b"x" * (MIB + more - 9) + b'"}'):
                target.send(command, raw=raw, environ=environ).problem("too-large")

    def test_a_mebibyte_is_read(self, target: Target) -> None:
        for announced in ({}, {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}):
            for command in _each_command(target):
                raw = json.dumps({"odd": "x" * (MIB - 11)}).encode()
                assert len(raw) == MIB
                target.send(command, raw=raw, environ=announced).problem("invalid")

    def test_a_length_that_is_announced_and_not_sent_is_no_reason_to_wait_or_fall(self, target: Target) -> None:
        for length in ("99999999999999999999999", str(MIB + 1)):
            for command in _each_command(target):
                target.send(command, raw=b"{}", environ={"CONTENT_LENGTH": length}).problem("too-large")
        for length in ("-5", "x", "1e3", "٣"):
            for command in _each_command(target):
                assert target.send(command, raw=b'{"odd": 1}', environ={"CONTENT_LENGTH": length}).status >= 400

    def test_a_body_where_none_is_read_changes_nothing(self, target: Target) -> None:
        for resource in target.resources:
            if resource.method == "GET":
                plain = target.send(resource)
                assert target.send(resource, raw=b'{"hands": "mine"}').status == plain.status, resource.name


def _with(command: Resource, name: str, value: Any) -> bytes:
    return json.dumps({**command.good, name: value}).encode()


HOSTILE: Final[dict[str, Any]] = {
    "null": None,
    "true": True,
    "zero": 0,
    "minus one": -1,
    "a float": 1.0,
    "half": 0.5,
    "64 bits": 2**63,
    "65 bits": 2**64 + 1,
    "many digits": int("9" * 300),
    "a huge exponent": 1e300,
    "an empty text": "",
    "a text": "x",
    "a long text": "x" * 100_000,
    "NUL": "\x00",
    "controls": "\x01\x1b[2J\r\nSet-Cookie: a=b",
    "other directions": "\N{RIGHT-TO-LEFT OVERRIDE}9c",
    "other digits": "\N{ARABIC-INDIC DIGIT THREE}",
    "markup": "<script>alert(1)</script>",
    "a path": "../../etc/passwd",
    "a command": "'; DROP TABLE sessions; --",
    "a format": "{0.__class__} %s %n",
    "an empty list": [],
    "a long list": [0] * 50_000,
    "a list of lists": [[[]]],
    "an object": {},
    "a strange object": {"__proto__": {}, "$ref": "#", "": None},
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_a_value_that_no_field_takes_is_422(target: Target, value: Any) -> None:
    """In place of every field of every command's body. What a field does take is left out, or comes too late."""
    for command in _each_command(target):
        for name in command.good:
            if value == [] and name in ("stock", "deals", "plays", "disputes", "rests_on", "points"):
                continue  # that is taken
            if value == 0 and type(value) is int and name == "overlap":
                continue  # and that
            taken = name == "entropy" and isinstance(value, str) and value.isprintable() and 1 <= len(value) <= 200
            taken = taken or (name == "entropy" and value == "\N{RIGHT-TO-LEFT OVERRIDE}9c")
            answer = target.send(command, raw=_with(command, name, value))
            if name in ("words", "reason", "clause") and isinstance(value, str):
                # What people write in their own words; tests/rulings says which of it is refused.
                taken = answer.status == 409
            answer.problem("not-now" if taken else "invalid")
            assert len(answer.text) < 4 * MIB


def test_a_field_that_nobody_reads_is_422(target: Target) -> None:
    for command in _each_command(target):
        for name in ("odd", "", "__class__", "\x00", "x" * 10_000, "s\u0435at", "Type", "type "):
            target.send(command, raw=_with(command, name, 1)).problem("invalid")
        many = {**command.good, **{f"field {n}": n for n in range(20_000)}}
        target.send(command, raw=json.dumps(many).encode()).problem("invalid")


def test_a_field_that_is_there_twice_is_never_two_things(target: Target) -> None:
    """JSON leaves it open which one counts; whichever does is judged like any other."""
    table = target.table
    raw = b'{"seat": 1, "type": "play", "card": "2h", "card": "Ks"}'
    target.house.client.post(f"{table.path}/plays", raw=raw, token=table.owner, match=table.version).problem(
        "impossible-play"
    )


class TestHeaders:
    """Headers of any size and shape."""

    VALUES: Final = ("", "x" * 60_000, "\x7f", "\N{SNOWMAN}", "a, b", '"', "*" * 500)

    @pytest.mark.parametrize(
        "name",
        [
            *("Authorization", "If-Match", "Idempotency-Key", "Accept", "Content-Type", "Content-Length", "Host"),
            *("X-Forwarded-For", "X-Forwarded-Host", "X-HTTP-Method-Override", "Cookie", "Range", "If-None-Match"),
            *("Accept-Encoding", "Content-Encoding", "Transfer-Encoding", "Expect", "Last-Event-ID", "User-Agent"),
        ],
    )
    def test_are_survived(self, target: Target, name: str) -> None:
        key = name.upper().replace("-", "_")
        where = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        for value in self.VALUES:
            # As a server hands it on: the bytes of a header, read as Latin-1.
            environ = {where: value.encode().decode("latin-1")}
            for resource in target.resources:
                sent: dict[str, Any] = {} if resource.method == "GET" else {"raw": b'{"odd": 1}'}
                if resource.method == "DELETE":
                    # Where there is no body to be wrong, the query is.
                    sent["query"] = "?odd=1"
                answer = target.send(resource, environ=environ, **sent)
                assert answer.status < 500 or resource.rule == "/health/ready", (resource.name, value)
                assert value.strip() == "" or len(value) < 3 or value not in answer.text

    def test_no_header_is_made_from_what_was_sent(self, target: Target) -> None:
        for query in ("limit=1&x=%0d%0aSet-Cookie:%20a=b", "limit=1&player=%0d%0aSet-Cookie:%20a=b"):
            answer = target.house.client.get(f"/v1/sessions?{query}", target.house.first)
            assert "Set-Cookie" not in answer.headers
            assert "\r" not in answer.headers.get("Link", "")


def _stored_digest(target: Target) -> str:
    grants: Any = target.house.events.hgetall("{upcard}:tokens")
    digest: bytes = next(iter(grants))
    return digest.decode()


TOKENS: Final[dict[str, Callable[[Target], str]]] = {
    "another organiser's": lambda target: target.house.stranger,
    "another session's seat": lambda target: target.other.seats[1],
    "a made up one": lambda _: "uorg.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "a hash": _stored_digest,
    "a seat made up": lambda target: f"useat.{target.table.id}.1.AAAA",
    "NUL": lambda _: "\x00",
    "long": lambda _: "x" * 50_000,
    "not ASCII": lambda _: "\xe9" * 20,
}


@pytest.mark.parametrize("name", TOKENS)
def test_other_peoples_tokens_open_nothing(target: Target, name: str) -> None:
    token = TOKENS[name](target)
    for resource in target.resources:
        if "<session_id>" in resource.rule:
            answer = target.send(
                resource, token=token, **({"body": resource.good} if resource.good is not None else {})
            )
            assert answer.status in (401, 404), (resource.name, answer)
            assert target.table.id not in answer.everything


SESSION_IDS: Final = (
    *("", "x", "0", "-1", "null", "%00", "%2e%2e", "..", "%20", "*", "a" * 10_000, "é", "%ff", "%F0%9F%82%A1"),
    *(
        "00000000-0000-0000-0000-000000000000",
        "g" * 36,
        "-" * 36,
        "{s00}:events:x",
        "a%0d%0ab",
        "1;2",
        "a%2Fb",
        "%252e",
    ),
)


@pytest.mark.parametrize("session", SESSION_IDS, ids=lambda text: text[:20])
def test_an_odd_session_is_404(target: Target, session: str) -> None:
    for resource in target.resources:
        if "<session_id>" in resource.rule:
            path = _decoded(resource.path(session))
            answer = target.send(resource, path=path, **({"body": resource.good} if resource.good is not None else {}))
            assert answer.status in (404, 405) or session == "", (resource.name, answer)
            assert answer.status < 500


def test_a_session_in_another_spelling_is_404(target: Target) -> None:
    for session in (
        target.table.id.upper(),
        f" {target.table.id}",
        f"{target.table.id}\n",
        target.table.id.replace("-", ""),
    ):
        for resource in target.resources:
            if "<session_id>" in resource.rule and session != target.table.id:
                target.send(resource, path=resource.path(session)).problem("not-found")


def _decoded(path: str) -> str:
    """A path as a server hands it on."""
    return unquote_to_bytes(path).decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    "method", ["POST", "GET", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "get", "", "X" * 1000, "\x00"]
)
def test_a_wrong_method_is_405(target: Target, method: str) -> None:
    known: dict[str, set[str]] = {}
    for resource in target.resources:
        known.setdefault(resource.rule, set()).add(resource.method)
    for rule, methods in known.items():
        if method.upper() not in methods or method != method.upper():
            path = Resource(method, rule).path(target.table.id)
            answer = target.house.client.call(method or " ", path, {}, token=target.table.owner)
            assert answer.status == 405 or method == "get", (rule, method, answer)


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x", "*/*"]
)
def test_a_wrong_media_type_is_415(target: Target, media: str) -> None:
    for command in _each_command(target):
        target.send(command, body=command.good, media=media).problem("unsupported-media-type")


NUMBERS: Final = ("", "-1", "0x1", "1.0", "1e1", "9" * 20, "9" * 5_000, "x", "%00", "%D9%A3", "true", "1 ", "[]", "NaN")


@pytest.mark.parametrize("value", NUMBERS, ids=lambda text: text[:10])
@pytest.mark.parametrize("name", ["at", "after", "as_of", "limit", "cursor", "seat", "odd", "", "at[]"])
def test_a_bad_query_is_422(target: Target, name: str, value: str) -> None:
    """An argument that the resource reads is no number, and one that it does not read is refused as such."""
    for resource in target.resources:
        if resource.method == "GET" and resource.rule.startswith("/v1/"):
            answer = target.send(resource, query=f"?{name}={value}")
            assert answer.status == 422, (resource.name, answer)


def test_a_query_of_any_size_is_survived(target: Target) -> None:
    for query in (
        "?" + "a&" * 20_000,
        "?" + "a=1&" * 900,
        "?at=" + "1" * 60_000,
        "?%ff=%ff",
        "?\N{SNOWMAN}",
        "?=&=&;",
        "?limit",
    ):
        for resource in target.resources:
            answer = target.send(resource, query=query, **({} if resource.method == "GET" else {"body": {"odd": 1}}))
            assert answer.status < 500 or resource.rule == "/health/ready", (resource.name, answer)
            assert len(answer.text) < MIB
