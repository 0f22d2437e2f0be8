"""A client of the HTTP service that keeps its connection, and a table at which deals are played by it.

A request is sent and its answer received in two steps, so that one thread can have many requests under way at once.
Every answer is held to the OpenAPI document.
"""

import http.client
import socket
from collections.abc import Mapping
from copy import copy
from random import Random
from typing import Any, Final, NamedTuple, Self
from urllib.parse import quote

import orjson

from tests.http.contract import check_answer

TIMEOUT: Final = 30.0
"""Seconds. No request may take as long: the store's own time-outs are well below."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: Any
    headers: Mapping[str, str]
    """By lower-case name."""

    @property
    def slug(self) -> str:
        """Which problem it is."""
        return str(self.body["type"]).removeprefix("/problems/")

    @property
    def version(self) -> int:
        """The version that the ETag names."""
        return int(self.headers["etag"].strip('"'))


class Client:
    """One connection, kept, with one token at most.

    Sends head and body in one piece: a server that answers without reading the body closes, and would else be found
    gone by a client that is still sending.
    """

    def __init__(self, port: int, token: str | None = None) -> None:
        self._address: Final = ("127.0.0.1", port)
        self._socket: socket.socket | None = None
        self._sent = ("", "", b"")
        self.token: Final = token

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        match: int | str | None = None,
        key: str | None = None,
    ) -> None:
        """Send a request; `receive` must follow before the next. May raise OSError."""
        head = [f"{method} {quote(path, safe='/?&=')} HTTP/1.1", "Host: localhost"]
        token = token or self.token
        if token is not None:
            head.append(f"Authorization: Bearer {token}")
        if match is not None:
            head.append("If-Match: " + (f'"{match}"' if isinstance(match, int) else match))
        if key is not None:
            head.append(f"Idempotency-Key: {key}")
        payload = b""
        if body is not None:
            payload = orjson.dumps(body)
            head += ["Content-Type: application/json", f"Content-Length: {len(payload)}"]
        if self._socket is None:
            self._socket = socket.create_connection(self._address, TIMEOUT)
        self._sent = (method, path, payload)
        self._socket.sendall("\r\n".join([*head, "", ""]).encode() + payload)

    def receive(self) -> Answer:
        """The answer to what was sent. May raise OSError or HTTPException."""
        assert self._socket is not None
        with http.client.HTTPResponse(self._socket) as answer:
            answer.begin()
            body = answer.read()
            if answer.will_close:
                self.close()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            method, path, sent = self._sent
            check_answer(method, path, answer.status, headers, body, sent or None)
            return Answer(answer.status, orjson.loads(body), headers)

    def call(self, method: str, path: str, body: Any = None, **named: Any) -> Answer:
        """Send a request and give its answer. May raise OSError or HTTPException, and connects anew the next time."""
        try:
            self.send(method, path, body, **named)
            return self.receive()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def close(self) -> None:
        """Let go of the connection; the next request makes another."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class Play(NamedTuple):
    """One play that may be made now."""

    version: int
    seat: int
    body: dict[str, Any]


class Table:
    """A dealt session of Rockaway, played by the rules with plays chosen at random."""

    def __init__(self, organiser: Client, chance: Random, *, deals: int = 1, players: int = 2) -> None:
        self.organiser = organiser
        self._chance = chance
        opening = {"game": "rockaway", "players": ["Ann", "Ben", "Cy", "Di"][:players], "options": {"deals": deals}}
        opened = organiser.call("POST", "/v1/sessions", {**opening, "public": True})
        assert opened.status == 201, opened
        self.id: Final[str] = opened.body["id"]
        self.path: Final = f"/v1/sessions/{self.id}"
        self.tokens: Final[dict[str, str]] = opened.body["seat_tokens"]

    def beside(self, organiser: Client, chance: Random) -> Self:
        """The same table, for a thread of its own."""
        other = copy(self)
        other.organiser, other._chance = organiser, chance
        return other

    def now(self) -> Any:
        """The session as everybody sees it."""
        answer = self.organiser.call("GET", self.path)
        assert answer.status == 200, answer
        return answer.body

    def deal(self) -> None:
        """Start the next deal."""
        answer = self.organiser.call("POST", f"{self.path}/deals", {}, match="*")
        assert answer.status == 201, answer

    def next_play(self) -> Play | None:
        """A play that the rules allow, a card rather than a draw; None if no deal is on."""
        while (session := self.now())["status"] == "playing":
            seat = session["deal"]["turn"]
            answer = self.organiser.call("GET", f"{self.path}/plays", token=self.tokens[str(seat)])
            assert answer.status == 200, answer
            plays = answer.body["plays"]
            if plays:
                cards = [play for play in plays if play["type"] == "play"]
                return Play(answer.body["version"], seat, self._chance.choice(cards or plays))
            # Somebody else has played for this seat meanwhile.
        return None

    def make(self, play: Play, *, match: int | str | None = None, key: str | None = None) -> Answer:
        """Make a play; for the version that it was found at, if nothing else is said."""
        return self.organiser.call(
            "POST",
            f"{self.path}/plays",
            play.body,
            token=self.tokens[str(play.seat)],
            match=play.version if match is None else match,
            key=key,
        )


class ShortTable:
    """A recorded session whose one deal is written down here: seat 1 goes out with its seventh card, nobody draws."""

    HANDS: Final = (["3h", "4h", "5h", "6h", "7h", "8s", "9s"], ["Th", "Jh", "Qh", "Kh", "7s", "Ts", "2c"])
    PLAYS: Final = ("3h", "Th", "4h", "Jh", "5h", "Qh", "6h", "Kh", "7h", "7s", "8s", "Ts", "9s")

    def __init__(self, organiser: Client) -> None:
        self._organiser: Final = organiser
        opening = {"game": "rockaway", "players": ["Ann", "Ben"], "options": {"deals": 1}, "mode": "recorded"}
        self.id: Final[str] = self._post("/v1/sessions", opening).body["id"]
        self.path: Final = f"/v1/sessions/{self.id}"
        self._post(f"{self.path}/deals", {"hands": self.HANDS, "upcard": "2h", "dealer": 2})
        for number in range(len(self.PLAYS) - 1):
            self._post(f"{self.path}/plays", self._play(number))

    def _play(self, number: int) -> dict[str, Any]:
        return {"seat": number % 2 + 1, "type": "play", "card": self.PLAYS[number]}

    def _post(self, path: str, body: Any) -> Answer:
        answer = self._organiser.call("POST", path, body, match="*")
        assert answer.status == 201, answer
        return answer

    def end(self, key: str | None = None) -> Answer:
        """Play the last card, which ends the deal at version 16."""
        last = len(self.PLAYS) - 1
        return self._organiser.call("POST", f"{self.path}/plays", self._play(last), match=last + 2, key=key)
