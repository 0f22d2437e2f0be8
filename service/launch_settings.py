"""The settings as the launcher needs them, and the environment that it gives to its children.

Left out: what only the service itself needs.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import workers.settings
from workers.settings import Durability, SettingsError
from workers.store_address import EVENTS_DB, JOBS_DB, store_url


@dataclass(frozen=True)
class LaunchSettings:
    """What the launcher needs to know; the data folder is absolute. A store's address is None when we are to run it."""

    data: Path
    host: str
    port: int
    events_url: str | None
    jobs_url: str | None
    durability: Durability

    @property
    def url(self) -> str:
        """Where people find the service."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def token_file(self) -> Path:
        """Where the organiser's token is kept."""
        return self.data / "organiser.token"

    @property
    def embedded(self) -> bool:
        """Whether a store of our own is needed: somebody brings fewer than both."""
        return self.events_url is None or self.jobs_url is None

    def make_folders(self) -> Path:
        """Make the data folder, for our eyes only, and the one for logs in it, which is given. Raises SettingsError."""
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            logs = self.data / "log"
            logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"UPCARD_DATA={self.data} cannot be used: {error.strerror}.") from None
        if not os.access(self.data, os.W_OK | os.X_OK):
            raise SettingsError(f"UPCARD_DATA={self.data} cannot be written to.")
        return logs

    def environment(self) -> dict[str, str]:
        """The environment of the children: ours, with every setting spelled out."""
        return os.environ | {
            "UPCARD_DATA": str(self.data),
            "UPCARD_HOST": self.host,
            "UPCARD_PORT": str(self.port),
            "UPCARD_EVENTS_URL": self.events_url or store_url(self.data, EVENTS_DB),
            "UPCARD_JOBS_URL": self.jobs_url or store_url(self.data, JOBS_DB),
            "UPCARD_DURABILITY": self.durability,
        }


def read_settings() -> LaunchSettings:
    """The settings of this environment. Raises SettingsError, naming all faults at once."""
    settings = workers.settings.read_settings()
    return LaunchSettings(
        data=settings.data.resolve(),
        host=settings.host,
        port=settings.port,
        # Not from the settings, which know an address by heart for who names none: we are to run the store then.
        events_url=os.environ.get("UPCARD_EVENTS_URL") or None,
        jobs_url=os.environ.get("UPCARD_JOBS_URL") or None,
        durability=settings.durability,
    )
