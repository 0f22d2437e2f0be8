"""A client that listens to a session's events over a socket, loses its connection time and again, and goes on.

It knows of an event only what it has received whole, and asks on from there, as browsers do.
"""

import http.client
import socket
from random import Random
from threading import Event, Thread
from typing import Any, Final, Self

import orjson

from tests.faults.running import LIMIT
from tests.http.streaming import NDJSON, SSE, read

_ENDS: Final = {SSE: b"\n\n", NDJSON: b"\n"}


class Line:
    """One open stream."""

    def __init__(self, port: int, path: str, *, form: str = SSE, after: int = 0, token: str | None = None) -> None:
        self.form: Final = form
        query = "?follow=true&after=" if form == NDJSON else "?after="
        headers = {"Accept": form}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if form == SSE and after:
            # The query says less; it must not count.
            headers["Last-Event-ID"], after = str(after), 0
        self._connection: Final = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
        self._connection.request("GET", f"{path}/events{query}{after}", headers=headers)
        assert self._connection.sock is not None
        self.socket: Final[socket.socket] = self._connection.sock
        self._answer: Final = self._connection.getresponse()
        self.status: Final = self._answer.status
        self.headers: Final = self._answer.headers
        self._buffer = b""

    def receive(self, most: int = 65536) -> list[dict[str, Any]] | None:
        """The events that came whole with the next bytes; None at the end. May raise OSError and HTTPException."""
        received = self._answer.read1(most)
        if not received:
            return None
        *frames, self._buffer = (self._buffer + received).split(_ENDS[self.form])
        found = [read((frame + _ENDS[self.form]).decode(), self.form) for frame in frames]
        return [event for event in found if event is not None]

    def events(self, version: int) -> list[dict[str, Any]]:
        """All events up to that version."""
        found: list[dict[str, Any]] = []
        while not found or found[-1]["version"] < version:
            received = self.receive()
            assert received is not None, f"it has ended after {found[-1:]}"
            found += received
        return found

    def problem(self) -> str:
        """The slug of the problem that came instead."""
        return str(orjson.loads(self._answer.read())["type"]).removeprefix("/problems/")

    def close(self) -> None:
        """Leave."""
        self._answer.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Listener:
    """Listens in a thread of its own, and drops each of its connections at a moment that chance chooses."""

    def __init__(self, port: int, path: str, form: str, chance: Random) -> None:
        self.heard: Final[list[int]] = []
        """Versions, as they came."""
        self.drops = 0
        self._port: Final = port
        self._path: Final = path
        self._form: Final = form
        self._chance: Final = chance
        self._enough: Final = Event()
        self._end = 0
        self._fault: BaseException | None = None
        self._thread: Final = Thread(target=self._run)
        self._thread.start()

    def end(self, version: int) -> None:
        """Listen to that version and no further; wait until it has come."""
        self._end = version
        self._enough.set()
        self._thread.join(LIMIT)
        assert not self._thread.is_alive(), f"heard up to {self.heard[-1:]}, not {version}"
        if self._fault is not None:
            raise self._fault

    def _run(self) -> None:
        try:
            while not (self._enough.is_set() and self.heard and self.heard[-1] >= self._end):
                try:
                    self._listen()
                except (OSError, http.client.HTTPException):
                    # Nobody is there just now.
                    self._enough.wait(0.01)
        except BaseException as fault:
            self._fault = fault

    def _listen(self) -> None:
        """Hear what one connection brings until it drops, in the middle of a frame or of a silence."""
        with Line(self._port, self._path, form=self._form, after=self.heard[-1] if self.heard else 0) as line:
            assert line.status == 200, line.problem()
            left = self._chance.randrange(1, 3000)
            if self._chance.random() < 0.5:
                line.socket.settimeout(self._chance.random() * 0.2)
            while left > 0:
                most = self._chance.randrange(1, left + 1)
                try:
                    received = line.receive(most)
                except TimeoutError:
                    break
                if received is None:
                    return
                left -= most
                self.heard.extend(event["version"] for event in received)
                if self._enough.is_set() and self.heard and self.heard[-1] >= self._end:
                    return
            self.drops += 1
