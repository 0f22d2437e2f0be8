"""Sending one message: look the name up, judge every address, connect to one that was judged, read the status.

On the standard library's sockets, since no client of HTTP that we know lets the address that was checked be the address
that is connected to, bounds the whole exchange in time, and follows nothing. Nothing here reads proxies' settings.
"""

import re
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import BoundedSemaphore, Thread
from typing import Final, NamedTuple

from workers.webhooks.addresses import Address, Policy, RefusedTargetError, Target, judge, literal, read_target

LIMIT: Final = 10.0
"""Seconds for a whole attempt, from the look-up to the status."""
LOOK_UP: Final = 4.0
"""Seconds for looking a name up."""
TRIED: Final = 3
"""Addresses of one name that are tried."""
_HEAD: Final = 16_384
"""Bytes read in search of the status."""
_DRAIN: Final = 16_384
_DRAIN_SECONDS: Final = 0.5
"""What is read after the status, so that an honest receiver can finish its answer; nobody looks at it."""
_LOOK_UPS: Final = BoundedSemaphore(64)
"""Look-ups under way, those included that nobody waits for any more."""

_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?\r?\n")

Resolve = Callable[[str, int], Sequence[str]]
"""A name and port to addresses as texts; raises OSError."""


class Sent(NamedTuple):
    """What came of an attempt: the receiver's status, or why there is none."""

    status: int | None
    error: str | None
    took_ms: int

    @property
    def delivered(self) -> bool:
        """Whether the receiver has it. A redirection is a refusal: it is never followed."""
        return self.status is not None and 200 <= self.status < 300


class _NoAnswerError(Exception):
    """The receiver was reached, and said nothing that could be read in time."""


def looked_up(host: str, port: int) -> list[str]:
    """The addresses of a name, by the system's resolver; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    # In the resolver's order, each once.
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Sender:
    """Sends messages where the policy allows it. Safe to use from many threads."""

    def __init__(
        self,
        policy: Policy,
        resolve: Resolve = looked_up,
        tls: ssl.SSLContext | None = None,
        limit: float = LIMIT,
    ) -> None:
        self._policy: Final = policy
        self._resolve: Final = resolve
        self._given: Final = tls
        self._limit: Final = limit

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Made when first needed: reading what the system trusts takes a while, and who only judges has no use for it.
        return self._given or ssl.create_default_context()

    def read(self, url: str) -> None:
        """Judge a URL as it is written; raises RefusedTargetError."""
        read_target(url, self._policy)

    def check(self, url: str) -> None:
        """Judge a URL and all that its name leads to now; raises RefusedTargetError."""
        self._addresses(read_target(url, self._policy), LOOK_UP)

    def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Sent:
        """Post the body there. Raises nothing: what goes wrong is said in the answer."""
        began = time.monotonic()
        status, error = None, None
        try:
            status = self._exchange(url, headers, body, began + self._limit)
        except RefusedTargetError as fault:
            error = f"refused: {fault}"
        except _NoAnswerError as fault:
            error = str(fault)
        except TimeoutError:
            error = f"no answer within {self._limit:g} s"
        except ssl.SSLCertVerificationError as fault:
            error = f"its certificate is not good: {fault.verify_message}"
        except OSError as fault:
            error = f"the connection failed: {fault.strerror or type(fault).__name__}"
        return Sent(status, error, round((time.monotonic() - began) * 1_000))

    def _exchange(self, url: str, headers: Mapping[str, str], body: bytes, deadline: float) -> int:
        target = read_target(url, self._policy)
        addresses = self._addresses(target, min(LOOK_UP, self._limit))
        connection = self._connected(target, addresses, deadline)
        with connection:
            connection.settimeout(_left(deadline))
            connection.sendall(_request(target, headers, body))
            status = _status(connection, deadline)
            _drain(connection)
            return status

    def _addresses(self, target: Target, seconds: float) -> list[Address]:
        """Where the target leads, every address judged; raises RefusedTargetError, or _NoAnswerError."""
        if literal(target.host) is not None:
            return judge([target.host], self._policy)
        return judge(_in_time(self._resolve, target.host, target.port, seconds), self._policy)

    def _connected(self, target: Target, addresses: Sequence[Address], deadline: float) -> socket.socket:
        """A connection to the first of these addresses that takes one. No name is looked up any more."""
        for number, address in enumerate(tried := addresses[:TRIED], start=1):
            # Each has its share of the time, so that one that is silent leaves some for the next.
            share = _left(deadline) / (len(tried) - number + 1)
            family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
            plain = socket.socket(family, socket.SOCK_STREAM)
            try:
                plain.settimeout(share)
                plain.connect((str(address), target.port))
                if not target.secure:
                    return plain
                plain.settimeout(_left(deadline))
                return self._tls.wrap_socket(plain, server_hostname=target.host)
            except OSError:
                plain.close()
                if number == len(tried):
                    raise
        raise AssertionError("judged addresses are never none")


def _in_time(resolve: Resolve, host: str, port: int, seconds: float) -> Sequence[str]:
    """The addresses of a name. The system's resolver knows no limit, so it is waited for in a thread of its own."""
    if not _LOOK_UPS.acquire(timeout=seconds):
        raise RefusedTargetError("Too many names are being looked up.")
    found: list[Sequence[str]] = []

    def look() -> None:
        try:
            found.append(resolve(host, port))
        except (OSError, UnicodeError):
            found.append(())
        finally:
            _LOOK_UPS.release()

    thread = Thread(target=look, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise RefusedTargetError("Its host could not be looked up in time.")
    return found[0]


def _left(deadline: float) -> float:
    """Seconds until the deadline; raises TimeoutError when there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"Host: {target.authority}",
        "User-Agent: Upcard-Webhooks/1",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _status(connection: socket.socket, deadline: float) -> int:
    """The status of the final answer; raises TimeoutError, OSError, _NoAnswerError."""
    read = b""
    while True:
        head, found, _ = read.partition(b"\n")
        if found:
            match = _STATUS.fullmatch(head + found)
            if match is None:
                raise _NoAnswerError("its answer is not HTTP")
            if int(match[1]) >= 200:
                return int(match[1])
            # 1xx comes before the answer, with headers of its own up to an empty line.
            end = re.search(rb"\r?\n\r?\n", read)
            if end is not None:
                read = read[end.end() :]
                continue
        if len(read) > _HEAD:
            raise _NoAnswerError("its answer has no status in its first bytes")
        connection.settimeout(_left(deadline))
        more = connection.recv(4096)
        if not more:
            raise _NoAnswerError("it closed the connection without an answer")
        read += more


def _drain(connection: socket.socket) -> None:
    deadline, room = time.monotonic() + _DRAIN_SECONDS, _DRAIN
    try:
        while room > 0:
            connection.settimeout(_left(deadline))
            more = connection.recv(4096)
            if not more:
                return
            room -= len(more)
    except OSError:
        # The status counts, however the rest goes.
        return
