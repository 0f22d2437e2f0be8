"""The load: requests made beforehand, sent over so many connections, each waiting for one answer before the next.

A process of its own on plain sockets, so that it costs the machine little, and any server the same. Reads of an answer
no more than its status and its length.
"""

import multiprocessing
import selectors
import socket
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import NamedTuple

_HEAD_END = b"\r\n\r\n"
_LENGTH = b"content-length:"
_PATIENCE = 60.0
"""Seconds for which a server may say nothing."""


class Taken(NamedTuple):
    """What one load took."""

    answers: Counter[str]
    """By status."""
    seconds: float
    latencies: list[float]
    """Seconds, in ascending order."""

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers.total() / self.seconds


def send(port: int, scripts: Sequence[Sequence[bytes]]) -> Taken:
    """Send each script over a connection of its own, all at once, from another process."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    process = fork.Process(target=_process, args=(port, scripts, theirs))
    process.start()
    theirs.close()
    try:
        taken: Taken = ours.recv()
    finally:
        process.join()
    return taken


def _process(port: int, scripts: Sequence[Sequence[bytes]], result: Connection) -> None:
    result.send(_send(port, scripts))


class _Caller:
    """One connection with its script."""

    def __init__(self, port: int, script: Sequence[bytes]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = iter(script)
        self.received = b""
        self.sent_at = 0.0

    def send_next(self) -> bool:
        request = next(self.rest, None)
        if request is None:
            return False
        self.received = b""
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)
        return True

    def receive(self) -> str | None:
        """The status of the answer, None while it is not all there."""
        part = self.socket.recv(65536)
        if not part:
            raise ConnectionError(f"the server closed the connection after {self.received[:200]!r}")
        self.received += part
        head, end, body = self.received.partition(_HEAD_END)
        if not end:
            return None
        length = int(head.lower().partition(_LENGTH)[2].partition(b"\r\n")[0])
        return head[9:12].decode() if len(body) >= length else None


def _send(port: int, scripts: Sequence[Sequence[bytes]]) -> Taken:
    answers: Counter[str] = Counter()
    latencies: list[float] = []
    with selectors.DefaultSelector() as selector:
        for script in scripts:
            caller = _Caller(port, script)
            selector.register(caller.socket, selectors.EVENT_READ, caller)
        began = time.perf_counter()
        busy = sum(key.data.send_next() for key in list(selector.get_map().values()))
        while busy:
            ready = selector.select(_PATIENCE)
            if not ready:
                raise TimeoutError("the server says nothing")
            for key, _ in ready:
                status = key.data.receive()
                if status is not None:
                    latencies.append(time.perf_counter() - key.data.sent_at)
                    answers[status] += 1
                    busy -= not key.data.send_next()
        seconds = time.perf_counter() - began
        for key in list(selector.get_map().values()):
            key.data.socket.close()
    return Taken(answers, seconds, sorted(latencies))
