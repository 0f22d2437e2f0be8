"""A client that believes nothing: every answer is held to what the contract says of all answers.

Statuses and slugs are written out here once more, as a third party would take them from the contract.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from tests.http.contract import check_answer

PROBLEMS: Final = {
    "malformed": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "not-now": 409,
    "impossible-play": 409,
    "illegal-play": 409,
    "frozen": 409,
    "impossible-ruling": 409,
    "information-shown": 409,
    "diverged": 409,
    "stale-version": 412,
    "version-required": 428,
    "too-large": 413,
    "unsupported-media-type": 415,
    "invalid": 422,
    "key-reused": 422,
    "rate-limited": 429,
    "store-unavailable": 503,
    "outcome-unknown": 503,
    "too-many-streams": 503,
}
_FORMS: Final = {
    *("application/json", "application/toml", "application/x-ndjson"),
    *("text/html", "text/css", "text/javascript", "image/png", "text/plain"),
}
_MEMBERS: Final = {"type", "title", "status", "detail", "clause", "legal", "version", "errors", "check", "shown_at"}
_SESSION: Final = re.compile(r"/v1/sessions/[^/]+/?")
_COMMAND: Final = re.compile(
    r"/v1/sessions/[^/]+/(deals|plays|close|entropy|disputes|rulings)/?|/v1/sessions/?"
    r"|/v1/sessions/[^/]+/(disputes/[^/]+/withdraw|deals/[^/]+/confirm)/?"
)


@dataclass(frozen=True)
class Answer:
    """What came back. `body` is the JSON, or the text of an answer that is none."""

    status: int
    headers: Mapping[str, str]
    text: str
    body: Any
    request: str = field(default="", compare=False)
    """The id of the request, which no two answers share; `headers` are without it."""
    left: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What is left to who asks, by the headers that say so, which are not among `headers` either."""

    def __getitem__(self, name: str) -> Any:
        """A member of the JSON body."""
        return self.body[name]

    @property
    def everything(self) -> str:
        """All that anybody could read from it, but for the request's id, which is chance."""
        return "\n".join([*(f"{name}: {value}" for name, value in self.headers.items()), self.text])

    def ok(self, status: int = 200) -> "Answer":
        """Itself; fails if the answer was another."""
        assert self.status == status, f"{self.status}, not {status}: {self.text[:1000]}"
        return self

    def problem(self, slug: str, **members: Any) -> "Answer":
        """Itself; fails if it is not this problem with these members."""
        found = self.body.get("type") if isinstance(self.body, dict) else self.text[:1000]
        assert found == f"/problems/{slug}", f"not {slug}: {self.status} {self.text[:1000]}"
        for name, value in members.items():
            assert self.body.get(name) == value, f"{name}: {self.text[:1000]}"
        return self


class Client:
    """Sends requests to the application as a web server would, and checks the form of every answer."""

    def __init__(self, app: Flask) -> None:
        self._app: Final = app

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        raw: bytes | None = None,
        media: str | None = "application/json",
        match: str | int | None = None,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
        environ: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Send a request. `body` goes as JSON, `raw` as it is; `match` is If-Match, a version or the header itself."""
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if match is not None:
            sent["If-Match"] = f'"{match}"' if isinstance(match, int) else match
        if key is not None:
            sent["Idempotency-Key"] = key
        data = raw if body is None else json.dumps(body).encode()
        if data is not None and media is not None:
            sent.setdefault("Content-Type", media)
        path, _, query = path.partition("?")
        builder = EnvironBuilder(method=method, headers=list(sent.items()), data=data)
        try:
            made = builder.get_environ()
        finally:
            builder.close()
        # As a server hands them on: the path decoded, both as bytes read as Latin-1. The builder would tidy them up.
        made |= {"PATH_INFO": _as_wsgi(path), "QUERY_STRING": _as_wsgi(query)}
        parts, status, found = run_wsgi_app(self._app, {**made, **(environ or {})})
        content = b"".join(parts)
        all_headers = dict(found)
        assert len(found) == len(all_headers), f"a header twice: {method} {path[:80]} {found}"
        request = all_headers.pop("X-Request-Id")
        left = {name: all_headers.pop(name) for name in list(all_headers) if name.startswith("RateLimit-")}
        body_read = _read(content, all_headers)
        answer = Answer(int(status.split()[0]), all_headers, content.decode(errors="replace"), body_read, request, left)
        _check(method, path, query, answer)
        said = data if sent.get("Content-Type", "").startswith("application/json") else None
        check_answer(method, f"{path}?{query}", answer.status, dict(found), content, said)
        return answer

    def get(self, path: str, token: str | None = None, **more: Any) -> Answer:
        """Read a resource."""
        return self.call("GET", path, token=token, **more)

    def post(self, path: str, body: Any = None, token: str | None = None, **more: Any) -> Answer:
        """Give a command."""
        return self.call("POST", path, body, token=token, **more)


def _as_wsgi(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _read(content: bytes, headers: Mapping[str, str]) -> Any:
    if content and headers["Content-Type"] in ("application/json", "application/problem+json"):
        return json.loads(content, parse_constant=_no_number)
    return content.decode(errors="replace")


def _no_number(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def _check(method: str, path: str, query: str, answer: Answer) -> None:
    about = f"{method} {path[:80]} {query[:80]}: {answer.status} {dict(answer.headers)} {answer.text[:500]}"
    assert re.fullmatch(r"[A-Za-z0-9._:-]{1,64}", answer.request), about
    assert answer.status != 500, about
    assert answer.headers["Cache-Control"] == "no-store", about
    assert answer.headers["Vary"] == "Authorization", about
    if method not in ("HEAD", "OPTIONS"):
        _check_form(answer, about)
    now = answer.status in (200, 201) and (
        bool(_SESSION.fullmatch(path) and not query)
        or (method == "POST" and "dry_run=true" not in query and bool(_COMMAND.fullmatch(path)))
    )
    if now and method != "OPTIONS":
        assert re.fullmatch(r'"[1-9][0-9]*"', answer.headers["ETag"]), about
        if isinstance(answer.body, dict):
            assert answer.headers["ETag"] == f'"{answer.body["version"]}"', about
    else:
        assert "ETag" not in answer.headers, about


def _check_form(answer: Answer, about: str) -> None:
    if answer.status == 204:
        assert answer.text == "", about
        assert "Content-Type" not in answer.headers, about
        return
    form = answer.headers["Content-Type"]
    if answer.status < 400 or (answer.status == 503 and form == "application/json"):
        # A readiness that is not there is said as a state, not as a problem.
        assert form.partition(";")[0] in _FORMS, about
        return
    assert form == "application/problem+json", about
    slug = answer["type"].removeprefix("/problems/")
    assert PROBLEMS[slug] == answer.status == answer["status"], about
    assert isinstance(answer["title"], str), about
    assert isinstance(answer["detail"], str), about
    assert answer["detail"].strip(), about
    assert answer.body.keys() <= _MEMBERS, about
    assert ("clause" in answer.body) <= (answer.status == 409), about
    assert ("shown_at" in answer.body) == (slug == "information-shown"), about
    assert ("legal" in answer.body) == (slug == "illegal-play"), about
    if answer.status == 401:
        assert "WWW-Authenticate" in answer.headers, about
    if answer.status == 405:
        assert answer.headers["Allow"], about
