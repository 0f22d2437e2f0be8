"""Talking to a Redis: clients that never send a write twice, and the check that a Redis neither loses nor evicts.

Goes through redis-py's connections rather than its commands: a command method hides whether a failed write was sent,
and costs more than the server does.
"""

import socket
import struct
from collections import deque
from collections.abc import Callable, Sequence
from hashlib import sha1
from ssl import SSLSocket
from typing import Any, Final

from hiredis import pack_command
from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import ConnectionPool
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    InvalidResponse,
    NoScriptError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from replay.log import OutcomeUnknownError, StoreRefusesError, StoreUnavailableError

Argument = str | bytes | int

COMMAND_TIMEOUT: Final = 5.0
"""Seconds; a store that takes longer over a short command is as good as away."""


def connect(url: str) -> Redis:
    """A client for commands: short time-outs, no retries. Connects when first used."""
    client: Redis = Redis.from_url(
        url,
        socket_timeout=COMMAND_TIMEOUT,
        socket_connect_timeout=2.0,
        redis_connect_func=_patient,
        # One for each thread that a web process may have; a bound of redis-py's own would refuse them.
        max_connections=1000,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
        decode_responses=False,
    )
    return client


def _patient(connection: Any) -> None:
    """Begin on a fresh connection as redis-py does; then leave time-outs to the kernel, where that can be.

    With time-outs of Python's own each send and each receive first asks whether it can, and gives the interpreter away
    twice, for which every other thread is waiting.
    """
    connection.on_connect()
    made = connection._sock
    if isinstance(made, socket.socket) and not isinstance(made, SSLSocket):
        made.settimeout(None)
        for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            made.setsockopt(socket.SOL_SOCKET, direction, _TIMEVAL)


_TIMEVAL: Final = struct.pack("@ll", int(COMMAND_TIMEOUT), 0)


class Script:
    """A Lua script, sent by its digest, and once in full to a server that does not know it yet."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        # Redis names scripts by SHA-1; nothing is kept safe by it.
        self.digest: Final = sha1(text.encode(), usedforsecurity=False).hexdigest()


class Store:
    """One Redis by its connections, with errors that say whether something may have been recorded.

    Safe to use from several threads; not on both sides of a fork.
    """

    def __init__(self, client: Redis) -> None:
        self.client: Final = client
        self._pool: Final[ConnectionPool] = client.connection_pool
        # Taken from the pool for good: its books on who has which connection cost more than a command does.
        self._idle: Final[deque[Any]] = deque()

    def read(self, *command: Argument) -> Any:
        """Send a command that changes nothing; raises StoreUnavailableError."""
        return self._exchange(lambda connection: _send(connection, *command), StoreUnavailableError)

    def write(self, *command: Argument) -> Any:
        """Send a command that changes something; raises StoreUnavailableError, or OutcomeUnknownError."""
        return self._exchange(lambda connection: _send(connection, *command), OutcomeUnknownError)

    def run(self, script: Script, keys: Sequence[str], *arguments: Argument) -> Any:
        """Run a script that changes something; raises StoreUnavailableError, or OutcomeUnknownError."""

        def send(connection: Any) -> Any:
            try:
                return _send(connection, "EVALSHA", script.digest, len(keys), *keys, *arguments)
            except NoScriptError:
                return _send(connection, "EVAL", script.text, len(keys), *keys, *arguments)

        return self._exchange(send, OutcomeUnknownError)

    def _exchange(self, send: Callable[[Any], Any], when_lost: type[Exception]) -> Any:
        try:
            connection = self._connection()
        except (RedisError, OSError) as fault:
            raise StoreUnavailableError(f"cannot connect: {fault}") from fault
        back = self._idle.append
        try:
            return send(connection)
        except BusyLoadingError as fault:
            raise StoreUnavailableError("the store is still loading") from fault
        except (ResponseError, AuthenticationError) as fault:
            # Refused by the server before it did anything: out of memory, read only, a failed AOF write.
            raise StoreRefusesError(f"the store refuses: {fault}") from fault
        except (RedisConnectionError, RedisTimeoutError, InvalidResponse, OSError) as fault:
            connection.disconnect()
            back = self._pool.release
            raise when_lost(f"the connection was lost: {fault}") from fault
        finally:
            back(connection)

    def _connection(self) -> Any:
        """A connection that nobody else uses, and that the server has not closed meanwhile."""
        try:
            connection = self._idle.pop()
        except IndexError:
            return self._pool.get_connection()
        try:
            if not connection.can_read():
                return connection
        except (RedisError, OSError):
            pass
        # Closed, or with an answer that nobody waits for: the pool opens it anew.
        connection.disconnect()
        self._pool.release(connection)
        return self._pool.get_connection()


def _send(connection: Any, *command: Argument) -> Any:
    packed = pack_command(command)  # type: ignore[arg-type]  # annotated as a tuple of one
    connection.send_packed_command([packed], check_health=False)
    return connection.read_response()


def durability_faults(store: Store, *, everysec_allowed: bool) -> list[str]:
    """Which settings of this Redis could lose or evict what it has acknowledged, each in a sentence.

    A Redis that does not let its settings be read is a fault too: it may lose everything without our knowing.
    """
    faults = []
    wanted: dict[str, tuple[str, ...]] = {
        "appendonly": ("yes",),
        "maxmemory-policy": ("noeviction",),
        "no-appendfsync-on-rewrite": ("no",),
    }
    wanted["appendfsync"] = ("always", "everysec") if everysec_allowed else ("always",)
    for name, values in wanted.items():
        try:
            reply = store.read("CONFIG", "GET", name)
        except StoreRefusesError as refusal:
            faults.append(f"{name} cannot be read: {refusal}")
            continue
        value = reply[1].decode() if len(reply) > 1 else "unknown"
        if value not in values:
            faults.append(f"{name} is {value!r}, it must be {' or '.join(map(repr, values))}")
    return faults
