"""A throw-away store server for tests: the embedded store in a temporary folder, to be killed and restarted at will.

    with store_server() as store:
        client = redis.Redis.from_url(store.url)
        store.kill(); store.restart()

Start and restart it from the main thread (or one that lives as long): it dies with the thread that started it.
Left out: fixtures; each suite decides how long its server lives.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.embedded_store import EmbeddedStore
from workers.settings import Durability
from workers.store_address import EVENTS_DB, JOBS_DB


class StoreServer:
    """A running store on its own data folder."""

    def __init__(self, data: Path, durability: Durability = "always") -> None:
        self.data = data
        self._store = EmbeddedStore(data, durability=durability)
        self.restart()

    @property
    def url(self) -> str:
        """The events' database, as redis-py takes it (`unix://…?db=0`)."""
        return self._store.url(EVENTS_DB)

    @property
    def jobs_url(self) -> str:
        """The jobs' database of the same server."""
        return self._store.url(JOBS_DB)

    @property
    def log(self) -> str:
        """What the server has said so far."""
        return (self.data / "store.log").read_text(errors="replace")

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        self._store.kill()

    def restart(self) -> None:
        """Start it again on the same folder (killing it first when it runs) and wait until it answers."""
        self.kill()
        with (self.data / "store.log").open("ab") as log:
            self._store.start(log)
        self._store.wait_ready()

    def stop(self) -> None:
        """End it in good order; may be called more than once."""
        self._store.stop()


@contextmanager
def store_server(data: Path | None = None, *, durability: Durability = "always") -> Iterator[StoreServer]:
    """A store in `data` (left behind), or in a new temporary folder (removed afterwards)."""
    folder = data or Path(tempfile.mkdtemp(prefix="upcard-test-"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    server = StoreServer(folder, durability)
    try:
        yield server
    finally:
        server.stop()
        if data is None:
            shutil.rmtree(folder)
