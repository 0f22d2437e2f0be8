"""A receiver of webhooks: a small HTTP server in threads, which keeps what it got and answers as a test says.

A test may have it answer any status, hang until it is let go, say anything at all, or be away.
"""

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Event, Lock, Thread
from typing import Any, Final, NamedTuple

import orjson
from standardwebhooks import Webhook as Verifier

SAMPLES: Final = Path(__file__).with_name("samples")
CERTIFICATE: Final = SAMPLES / "receiver.pem"
"""Self-signed, for hooks.example.com, with its key beside it; good for a hundred years."""

LIMIT: Final = 60.0
"""Seconds before a test gives up on what takes moments."""


class Got(NamedTuple):
    """One request, as it came."""

    path: str
    headers: dict[str, str]
    """By lower-case name."""
    body: bytes

    @property
    def id(self) -> str:
        """The event's."""
        return self.headers["webhook-id"]

    @property
    def event(self) -> Any:
        """The event itself."""
        return orjson.loads(self.body)["data"]

    @property
    def version(self) -> int:
        """Which of its session's."""
        return int(self.event["version"])


def signed_by(got: Got, secret: str) -> bool:
    """Whether one of the signatures is by this secret, worked out by the library at the time that the header says."""
    moment = datetime.fromtimestamp(int(got.headers["webhook-timestamp"]), UTC)
    return Verifier(secret).sign(got.id, moment, got.body.decode()) in got.headers["webhook-signature"].split(" ")


class Receiver:
    """Listens on loopback. `answer` gives the status for a request; what it got is in `got`, in order."""

    def __init__(self, *, tls: bool = False, port: int = 0) -> None:
        self.got: Final[list[Got]] = []
        self.arrived: Final[Queue[Got]] = Queue()
        self.answer: Callable[[Got], int] = lambda _: 204
        self.headers: dict[str, str] = {}
        """Sent with every answer."""
        self.hold: Event | None = None
        """Requests are not answered until it is set."""
        self._lock: Final = Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver._take(self)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server: Final = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port: Final = int(self._server.server_address[1])
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE, SAMPLES / "receiver.key.pem")
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread: Final = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it listens, without TLS."""
        return f"http://127.0.0.1:{self.port}/hook"

    def _take(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        got = Got(request.path, {name.lower(): value for name, value in request.headers.items()}, body)
        with self._lock:
            self.got.append(got)
        self.arrived.put(got)
        if self.hold is not None:
            self.hold.wait(LIMIT)
        try:
            request.send_response(self.answer(got))
            for name, value in self.headers.items():
                request.send_header(name, value)
            request.end_headers()
        except OSError:
            # Whoever asked has given up.
            request.close_connection = True

    def versions(self) -> list[int]:
        """Of the events it got, in order."""
        return [got.version for got in self.got]

    def close(self) -> None:
        """Stop listening."""
        if self.hold is not None:
            self.hold.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def receiver(*, tls: bool = False, port: int = 0) -> Iterator[Receiver]:
    """A receiver for as long as the block runs, on a port of its own if none is named."""
    made = Receiver(tls=tls, port=port)
    try:
        yield made
    finally:
        made.close()
