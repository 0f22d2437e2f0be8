"""Those who watch: streams that are open and idle while others play, and how soon hundreds of them have a play.

In a process of its own, as all load is, with one thread for all sockets, so that it costs the machine little.
"""

import multiprocessing
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Final, NamedTuple

_PATIENCE: Final = 60.0
"""Seconds for which a server may say nothing that is expected."""
_BEGUN: Final = b"retry:"
_EVENT: Final = b"data:"
_NO_PLACE: Final = b"HTTP/1.1 503"
_ANSWERED: Final = b"HTTP/1.1 201"


class Delivered(NamedTuple):
    """Seconds until each watcher had each play, in ascending order."""

    after_answer: list[float]
    """From when the player had his answer; less than nothing if the watcher was first."""
    after_sending: list[float]


@contextmanager
def idle(port: int, requests: Sequence[bytes]) -> Iterator[None]:
    """Keep these streams open, from another process, and take what comes on them."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe()
    process = fork.Process(target=_idle, args=(port, requests, theirs))
    process.start()
    theirs.close()
    try:
        ours.recv()
        yield
    finally:
        # Closing would not do: the other process was born with a copy of this end.
        ours.send(None)
        process.join()


def delivered(port: int, watch: Sequence[bytes], plays: Sequence[bytes]) -> Delivered:
    """Watch by each of these requests and, from the same process, make the plays, each when all have the one before."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    process = fork.Process(target=_delivered, args=(port, watch, plays, theirs))
    process.start()
    theirs.close()
    try:
        found: Delivered = ours.recv()
    finally:
        process.join()
    return found


def _open(port: int, requests: Sequence[bytes]) -> selectors.BaseSelector:
    """The streams that these requests open, once each has begun."""
    selector = selectors.DefaultSelector()
    for request in requests:
        deadline = time.monotonic() + _PATIENCE
        while (stream := _begun(port, request)) is None:
            # Those who have just left may still have their places.
            if time.monotonic() > deadline:
                raise TimeoutError("a stream was not opened")
            time.sleep(0.5)
        selector.register(stream, selectors.EVENT_READ)
    return selector


def _begun(port: int, request: bytes) -> socket.socket | None:
    stream = socket.create_connection(("127.0.0.1", port))
    stream.sendall(request)
    received = b""
    while _BEGUN not in received:
        part = stream.recv(65536)
        received += part
        if not part or received.startswith(_NO_PLACE):
            stream.close()
            return None
    return stream


def _idle(port: int, requests: Sequence[bytes], told: Connection) -> None:
    with _open(port, requests) as selector:
        selector.register(told, selectors.EVENT_READ)
        told.send(None)
        while True:
            for key, _ in selector.select():
                if key.fileobj is told:
                    return
                key.fileobj.recv(65536)  # type: ignore[union-attr]  # a socket, as all that is registered but one


def _delivered(port: int, watch: Sequence[bytes], plays: Sequence[bytes], result: Connection) -> None:
    after_answer: list[float] = []
    after_sending: list[float] = []
    with _open(port, watch) as selector, socket.create_connection(("127.0.0.1", port)) as player:
        player.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(player, selectors.EVENT_READ, player)
        for play in plays:
            sent, answered = time.perf_counter(), 0.0
            player.sendall(play)
            arrived: list[float] = []
            while len(arrived) < len(watch) or not answered:
                ready = selector.select(_PATIENCE)
                if not ready:
                    raise TimeoutError("a watcher was told nothing")
                for key, _ in ready:
                    received = key.fileobj.recv(65536)  # type: ignore[union-attr]  # all that is registered are sockets
                    if key.data is player:
                        if not received.startswith(_ANSWERED):
                            raise RuntimeError(f"the play was not made: {received[:300]!r}")
                        answered = time.perf_counter()
                    elif _EVENT in received:
                        arrived.append(time.perf_counter())
            after_sending += [each - sent for each in arrived]
            after_answer += [each - answered for each in arrived]
    result.send(Delivered(sorted(after_answer), sorted(after_sending)))
