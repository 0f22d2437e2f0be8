"""The service's signing key (Ed25519): made at first start, readable by its owner alone; rotation keeps old ones known.

Left out: what is signed, which is replay/checkpoints.py.
"""

import os
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.checkpoints import Signer
from service.private_files import kept, replaced
from workers.settings import SettingsError

KEY_FILE: Final = "signing.key"
RETIRED_FILE: Final = "signing.retired"
"""Public keys that signed before, one JSON object a line, so that what they signed can still be verified."""


class PublicKey(NamedTuple):
    """A key as everybody may have it."""

    id: str
    public: str
    """Hexadecimal, 32 bytes."""
    retired_at: str | None
    """RFC 3339; None for the one that signs now."""


class Keyring:
    """The key that signs now, and the public ones of those before it. Looks again when the files change.

    Everything here raises SettingsError for a file that holds no keys.
    """

    def __init__(self, data: Path) -> None:
        self._data: Final = data
        self._read_at: tuple[int, int] | None = None
        self._signer: Signer | None = None

    @property
    def signer(self) -> Signer:
        """Signs with the present key; a rotation is noticed at the next signature."""
        path = self._data / KEY_FILE
        found = path.stat()
        mark = (found.st_mtime_ns, found.st_ino)
        if self._signer is None or mark != self._read_at:
            try:
                private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text().strip()))
            except ValueError:
                raise SettingsError(f"{path} holds no key: put the one back that was there") from None
            self._signer, self._read_at = Signer(private), mark
        return self._signer

    def public_keys(self) -> list[PublicKey]:
        """The present key first, then the retired ones, the latest first."""
        present = self.signer
        return [PublicKey(present.id, present.public.hex(), None), *reversed(self._retired())]

    def public(self, key: str) -> bytes | None:
        """The public key of this name; None if it is none of ours."""
        return next((bytes.fromhex(each.public) for each in self.public_keys() if each.id == key), None)

    def rotate(self, at: datetime) -> PublicKey:
        """Retire the present key and make another; the new one."""
        old = self.signer
        retired = PublicKey(old.id, old.public.hex(), at.isoformat(timespec="seconds").replace("+00:00", "Z"))
        # First the old one is known as retired, then the new one signs: no signature is ever without its key.
        lines = [*map(_line, self._retired()), _line(retired)]
        replaced(self._data / RETIRED_FILE, b"".join(lines))
        replaced(self._data / KEY_FILE, _fresh().encode() + b"\n")
        return self.public_keys()[0]

    def _retired(self) -> list[PublicKey]:
        try:
            text = (self._data / RETIRED_FILE).read_bytes()
        except FileNotFoundError:
            return []
        try:
            return [PublicKey(**_fields(line)) for line in text.splitlines() if line.strip()]
        except (ValueError, TypeError):
            raise SettingsError(f"{self._data / RETIRED_FILE} holds what are no keys") from None


def keyring(data: Path) -> Keyring:
    """The keys in this folder, the first of them made if there is none."""
    try:
        kept(data / KEY_FILE, _fresh)
    except UnicodeDecodeError:
        raise SettingsError(f"{data / KEY_FILE} holds no key: put the one back that was there") from None
    return Keyring(data)


def _fresh() -> str:
    return os.urandom(32).hex()


def _line(key: PublicKey) -> bytes:
    return orjson.dumps(key._asdict()) + b"\n"


def _fields(line: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = orjson.loads(line)
    return fields
