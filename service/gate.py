"""Lets so many requests be worked on at a time, however many threads the web server has.

Most of its threads are there for streams and long polls, which wait: a stream is outside once it has been opened, a
long poll steps outside while it waits. Left out: how many of those there may be (watching).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Semaphore
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_GATE: Final = "upcard.gate"
"""Where a request finds the gate that it is within."""


def gated(application: "WSGIApplication", most: int) -> "WSGIApplication":
    """The application, with at most so many calls of it at a time; the others wait their turn."""
    gate = Semaphore(most)

    def call(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        environ[_GATE] = gate
        with gate:
            return application(environ, start_response)

    return call


@contextmanager
def outside(environ: "WSGIEnvironment") -> Iterator[None]:
    """Let others in while this request only waits."""
    gate: Semaphore | None = environ.get(_GATE)
    if gate is None:
        yield
        return
    gate.release()
    try:
        yield
    finally:
        gate.acquire()
