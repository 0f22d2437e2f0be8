"""Waiting for news of many sessions at once: one blocking read over all their streams, which anybody may cut short.

It says which sessions have something new, and no more: what is new, the log says. Left out: who waits, and why.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from replay.log import StoreUnavailableError
from replay.redis_client import Store
from replay.shards import events_key

WAIT: Final = 2.0
"""Seconds of one wait. Below the time-out of our clients, or each quiet wait would be taken for a lost connection."""


class RedisFeed:
    """News from one Redis. One thread waits at a time, on a connection of its own; any thread may wake it."""

    def __init__(self, client: Redis) -> None:
        self._pool: Final[Any] = client.connection_pool
        self._store: Final = Store(client)
        self._connection: Any = None
        self._id: int | None = None

    def wait(self, after: Mapping[str, int]) -> set[str]:
        """Which of these sessions (one at least) have events after the version named.

        Returns as soon as there is one, or with none when it was woken, and after `WAIT` at the latest. Raises
        StoreUnavailableError.
        """
        keys = {events_key(session).encode(): session for session in after}
        ids = [f"{version}-0" for version in after.values()]
        try:
            if self._connection is None:
                self._connection = self._pool.get_connection()
                self._id = self._ask("CLIENT", "ID")
            # One entry of each is enough to know that there are some.
            found = self._ask("XREAD", "COUNT", 1, "BLOCK", int(WAIT * 1000), "STREAMS", *keys, *ids)
        except (RedisError, OSError) as fault:
            self._leave()
            raise StoreUnavailableError(f"cannot wait for events: {fault}") from fault
        return {keys[key] for key, _ in found or ()}

    def wake(self) -> None:
        """Have a `wait` that is going on return at once. One that has not quite begun is not reached: wake it again."""
        known = self._id
        if known is not None:
            # A store that is away, or that does not allow it, ends the wait by itself, if later.
            with suppress(StoreUnavailableError):
                self._store.read("CLIENT", "UNBLOCK", known)

    def _ask(self, *command: str | bytes | int) -> Any:
        self._connection.send_command(*command, check_health=False)
        return self._connection.read_response()

    def _leave(self) -> None:
        connection, self._connection, self._id = self._connection, None, None
        if connection is not None:
            connection.disconnect()
            self._pool.release(connection)
