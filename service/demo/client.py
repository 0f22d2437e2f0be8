"""A client of the HTTP API on the standard library alone: one connection kept open, and nothing is ever sent twice in
effect, since every command carries a key and the version that its maker has seen.

Left out: every judgement of what is answered, but that it is no problem.
"""

import http.client
import json
import time
from collections.abc import Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit
from uuid import uuid4

JSON: Final = "application/json"
PATIENCE: Final = 60.0
"""Seconds for which a service that is away is asked again."""
PAUSE: Final = 0.2
"""Seconds between two tries, if the service names no others."""
LONGEST_PAUSE: Final = 5.0
TIMEOUT: Final = 30.0

Fields = Mapping[str, Any]


class DemoError(Exception):
    """The demonstration cannot go on; the message is a sentence for the person at the terminal."""


class Client:
    """One service, over one connection that is made anew when it is lost. A context manager."""

    def __init__(self, base_url: str, patience: float = PATIENCE) -> None:
        self.base_url: Final = base_url.rstrip("/")
        place = urlsplit(self.base_url)
        if place.scheme != "http" or place.hostname is None:
            raise DemoError(f"{base_url} is no http address.")
        self._patience: Final = patience
        self._connection: Final = http.client.HTTPConnection(place.hostname, place.port, timeout=TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def get(self, path: str, token: str | None = None) -> Any:
        """What there is at this path, read as JSON. Raises DemoError."""
        return json.loads(self.read(path, token))

    def read(self, path: str, token: str | None = None, form: str = JSON) -> bytes:
        """What there is at this path, as it came. Raises DemoError."""
        return self._exchange("GET", path, {"Accept": form} | _bearer(token))

    def post(self, path: str, body: Fields, token: str, version: int | None = None) -> Any:
        """Give a command on the version that was seen (None: there is none yet); the answer. Raises DemoError."""
        headers = {"Accept": JSON, "Content-Type": JSON, "Idempotency-Key": uuid4().hex} | _bearer(token)
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return json.loads(self._exchange("POST", path, headers, json.dumps(body).encode()))

    def _exchange(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None) -> bytes:
        # The headers stay the same from try to try, the key among them: so a command that was recorded although its
        # answer was lost is answered, and not recorded again.
        deadline = time.monotonic() + self._patience
        while True:
            pause = PAUSE
            try:
                self._connection.request(method, path, body, headers)
                answer = self._connection.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException) as fault:
                self._connection.close()
                trouble = f"The service at {self.base_url} does not answer: {str(fault) or type(fault).__name__}."
            else:
                if answer.status < HTTPStatus.BAD_REQUEST:
                    return content
                trouble = f"{method} {path} was answered with {answer.status}: {_detail(content)}"
                if answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise DemoError(trouble)
                pause = _pause(answer.getheader("Retry-After"))
            if time.monotonic() + pause >= deadline:
                raise DemoError(trouble)
            time.sleep(pause)


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def _pause(retry_after: str | None) -> float:
    if retry_after is None or not retry_after.isdecimal():
        return PAUSE
    return min(float(retry_after), LONGEST_PAUSE)


def _detail(content: bytes) -> str:
    """What a problem says of itself."""
    try:
        problem = json.loads(content)
    except ValueError:
        return content[:200].decode(errors="replace")
    return str(problem.get("detail", problem)) if isinstance(problem, dict) else str(problem)
