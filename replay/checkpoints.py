"""Checkpoints: a session's head at one of its versions, signed (Ed25519), for others to keep.

A chain alone does not catch who cuts its tail or writes all of it anew; a signature that lies with somebody else does.
Left out: where the key lies, which is the service's affair.
"""

from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from replay.envelope import Tip, canonical

KEY_BYTES: Final = 32

_CHECKPOINT: Final = b"upcard checkpoint 1\n"
_EXPORT: Final = b"upcard export 1\n"
"""Before what is signed, so that a signature of one kind is none of the other."""


class Checkpoint(NamedTuple):
    """A signed head, as it is stored and shown. STORAGE: add, never change."""

    session: str
    version: int
    head: str
    """Hexadecimal."""
    at: str
    """When the event of that version was recorded."""
    key: str
    """Names the key that signed it."""
    signature: str
    """Hexadecimal: Ed25519 over the line `upcard checkpoint 1` and the canonical JSON of the first four fields."""

    def to_bytes(self) -> bytes:
        """As stored and exported: canonical JSON."""
        return canonical(self._asdict())

    def signed_by(self, public: bytes) -> bool:
        """Whether this public key's owner signed it."""
        try:
            claim = _claim(self.session, self.version, self.head, self.at)
            Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(self.signature), claim)
        except (InvalidSignature, ValueError, TypeError):
            return False
        return True


def read_checkpoint(told: Any) -> Checkpoint:
    """The checkpoint that this JSON is, or these fields; raises ValueError if they are none."""
    fields = orjson.loads(told) if isinstance(told, bytes) else told
    try:
        made = Checkpoint(**fields)
        written = bytes.fromhex(made.head).hex(), bytes.fromhex(made.signature).hex()
    except TypeError as fault:
        raise ValueError(f"no checkpoint: {fault}") from fault
    if written != (made.head, made.signature):
        raise ValueError("no checkpoint: head and signature must be lower-case hexadecimal")
    if type(made.version) is not int or not all(isinstance(each, str) for each in (made.session, made.at, made.key)):
        raise ValueError("no checkpoint: a field of another type")
    at = datetime.fromisoformat(made.at).isoformat(timespec="milliseconds")
    if at.replace("+00:00", "Z") != made.at:
        raise ValueError("no checkpoint: its moment is not written as moments are")
    return made


class Signer:
    """Signs in the name of one key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key: Final = key
        self.public: Final = key.public_key().public_bytes_raw()
        self.id: Final = key_id(self.public)

    def checkpoint(self, session: str, tip: Tip, at: str) -> Checkpoint:
        """The head of a session signed, `at` when its event was recorded."""
        signature = self._key.sign(_claim(session, tip.version, tip.head.hex(), at))
        return Checkpoint(session, tip.version, tip.head.hex(), at, self.id, signature.hex())

    def export(self, lines: bytes) -> str:
        """The signature under an export, in hexadecimal; `lines` is the SHA-256 of all its lines."""
        return self._key.sign(_EXPORT + lines).hex()


def export_signed_by(public: bytes, lines: bytes, signature: str) -> bool:
    """Whether this public key's owner signed an export with these lines (their SHA-256)."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(signature), _EXPORT + lines)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public: bytes) -> str:
    """How a public key is named: the first 16 hexadecimal digits of its SHA-256."""
    return sha256(public).hexdigest()[:16]


def _claim(session: str, version: int, head: str, at: str) -> bytes:
    # The head as it is written: else one in other letters would be signed too, and be no head of any log.
    return _CHECKPOINT + canonical({"at": at, "head": head, "session": session, "version": version})
