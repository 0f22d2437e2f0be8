"""A small HTTP client that keeps playing Rockaway whatever becomes of the service, and remembers what was acknowledged.

Left out: playing well, and the bots of the demonstration, which give up when something goes wrong.
"""

import http.client
import json
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Condition, Event, Thread
from typing import Any
from uuid import uuid4


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    kind: str
    version: int | None
    body: Any


@dataclass(frozen=True)
class Request:
    """One POST that may be sent again: its key makes it the same one."""

    path: str
    body: dict[str, Any]
    token: str
    expected: int | None
    key: str = field(default_factory=lambda: str(uuid4()))


class Service:
    """The service at a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, token: str | None = None) -> Answer:
        """One GET."""
        return self._ask("GET", path, {"Authorization": f"Bearer {token}"} if token else {}, None)

    def post(self, request: Request) -> Answer:
        """One POST."""
        headers = {
            "Authorization": f"Bearer {request.token}",
            "Idempotency-Key": request.key,
            "Content-Type": "application/json",
        }
        if request.expected is not None:
            headers["If-Match"] = f'"{request.expected}"'
        return self._ask("POST", request.path, headers, json.dumps(request.body))

    def _ask(self, method: str, path: str, headers: dict[str, str], body: str | None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        tag = answer.headers.get("ETag")
        kind = answer.headers.get_content_type()
        content = json.loads(text) if kind.endswith("json") else text.decode()
        return Answer(answer.status, kind, int(tag.strip('"')) if tag else None, content)


class Player:
    """Plays session after session in a thread of its own until told to stop."""

    def __init__(self, service: Service, organiser: str) -> None:
        self.service = service
        self.organiser = organiser
        self.acknowledged: list[tuple[Request, int]] = []
        self.refused: list[Answer] = []
        self.fault: BaseException | None = None
        self._moved = Condition()
        self._stop = Event()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def stop(self) -> None:
        """Stop after the request at hand; raise what went wrong."""
        self._stop.set()
        self._thread.join()
        if self.fault is not None:
            raise self.fault

    def wait_for(self, more: int, limit: float) -> None:
        """Return once so many more requests were acknowledged."""
        with self._moved:
            wanted = len(self.acknowledged) + more
            assert self._moved.wait_for(lambda: self.fault or len(self.acknowledged) >= wanted, limit), (
                "no play gets through"
            )
        if self.fault is not None:
            raise self.fault

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self._session()
        except BaseException as fault:
            self.fault = fault
        with self._moved:
            self._moved.notify_all()

    def _session(self) -> None:
        opening = {"game": "rockaway", "players": ["Ann", "Ben"], "options": {"deals": 3}, "public": True}
        opened = self._send(Request("/v1/sessions", opening, self.organiser, None))
        if opened is None:
            return
        place = f"/v1/sessions/{opened.body['id']}"
        tokens = opened.body["seat_tokens"]
        session, version = opened.body, opened.version
        while session["status"] != "over":
            if session["status"] == "waiting":
                request = Request(f"{place}/deals", {}, self.organiser, version)
            else:
                token = _token(tokens, session["deal"]["turn"])
                plays = self._look(f"{place}/plays", token)
                if plays is None:
                    return
                request = Request(f"{place}/plays", plays.body["plays"][0], token, version)
            answer = self._send(request)
            if answer is None:
                return
            session, version = answer.body, answer.version

    def _look(self, path: str, token: str) -> Answer | None:
        while not self._stop.is_set():
            answer = self.service.get(path, token)
            if answer.status == HTTPStatus.OK:
                return answer
            self._note_refusal(answer)
        return None

    def _send(self, request: Request) -> Answer | None:
        """Send it until it is acknowledged, always under the same key; None when told to stop meanwhile."""
        while not self._stop.is_set():
            answer = self.service.post(request)
            if answer.status == HTTPStatus.CREATED:
                assert answer.version is not None
                with self._moved:
                    self.acknowledged.append((request, answer.version))
                    self._moved.notify_all()
                return answer
            self._note_refusal(answer)
        return None

    def _note_refusal(self, answer: Answer) -> None:
        assert answer.status == HTTPStatus.SERVICE_UNAVAILABLE, answer
        assert answer.kind == "application/problem+json", answer
        self.refused.append(answer)


def _token(tokens: Any, seat: int) -> str:
    """A seat's token, whether they come as a table by seat or as a list of seats."""
    if isinstance(tokens, dict):
        return str(tokens[str(seat)])
    return str(tokens[seat - 1])
