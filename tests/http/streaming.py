"""A stream of events of a house, read piece by piece as a client would, while it has something to say."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Self

from werkzeug.test import EnvironBuilder, run_wsgi_app

from tests.http.contract import check_event
from tests.http.house import House

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"


class Stream:
    """One open stream. A comment ends a wait for events with a failure: it comes after more seconds than any takes."""

    def __init__(
        self,
        house: House,
        path: str,
        token: str | None = None,
        *,
        form: str = SSE,
        address: str = "192.0.2.1",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        path, _, query = path.partition("?")
        sent = {"Accept": form, **(headers or {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        builder = EnvironBuilder(path=path, query_string=query, headers=list(sent.items()))
        environ = builder.get_environ()
        builder.close()
        pieces, status, found = run_wsgi_app(house.app, {**environ, "REMOTE_ADDR": address}, buffered=False)
        self._pieces: Final[Any] = pieces
        self._iterator: Final[Iterator[bytes]] = iter(pieces)
        self.status: Final = int(status.split()[0])
        self.headers: Final = dict(found)
        self.form: Final = form
        self._buffer = b""
        self.comments = 0

    def raw(self) -> str | None:
        """The next frame (or line) as it was sent, with what ends it; None at the end."""
        end = b"\n\n" if self.form == SSE else b"\n"
        while end not in self._buffer:
            try:
                self._buffer += next(self._iterator)
            except StopIteration:
                assert not self._buffer, "the stream ended within a frame"
                return None
        frame, _, self._buffer = self._buffer.partition(end)
        return (frame + end).decode()

    def next(self) -> dict[str, Any] | None:
        """The next event; None at the end."""
        while (frame := self.raw()) is not None:
            event = read(frame, self.form)
            if event is not None:
                return event
            self.comments += 1
            assert self.comments <= 1, "nothing came"
        return None

    def take(self, count: int) -> list[dict[str, Any]]:
        """So many events."""
        found = [self.next() for _ in range(count)]
        events = [event for event in found if event is not None]
        assert len(events) == count, "the stream has ended"
        return events

    def rest(self) -> list[dict[str, Any]]:
        """All events to the end."""
        found = []
        while (event := self.next()) is not None:
            found.append(event)
        return found

    def close(self) -> None:
        """Leave, as a web server does when the client has gone."""
        self._pieces.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(frame: str, form: str) -> dict[str, Any] | None:
    """The event that a frame (or line) carries; None for one that carries none. Holds it to its form."""
    if form == NDJSON:
        return _documented(json.loads(frame)) if frame.strip() else None
    fields = dict(line.split(": ", 1) for line in frame.splitlines() if line and not line.startswith(":"))
    if "data" not in fields:
        assert "id" not in fields, f"only an event has an id: {frame!r}"
        assert fields.keys() <= {"retry"}, frame
        return None
    event: dict[str, Any] = json.loads(fields["data"])
    assert fields.keys() == {"id", "data"}, frame
    assert fields["id"] == str(event["version"]), frame
    return _documented(event)


def _documented(event: dict[str, Any]) -> dict[str, Any]:
    check_event(event)
    return event
