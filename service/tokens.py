"""Tokens: who may come in as what. Opaque to clients, 256 bits, kept as digests only.

An organiser's token is random, and its digest is stored. A seat's is derived from the server's key, so that a repeated
opening can show it again, and needs no place in the store. Checks compare in constant time, or look a digest up.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final, Literal, NamedTuple

import orjson

from replay.redis_client import Store
from service.private_files import kept

Role = Literal["nobody", "organiser", "seat"]

FIRST_TOKEN_FILE: Final = "organiser.token"  # noqa: S105 - the name of a file
KEY_FILE: Final = "server.key"

_GRANTS: Final = "{upcard}:tokens"
_SEAT_PREFIX: Final = "useat"
_LONGEST: Final = 200
"""Characters; no token of ours is nearly as long."""
_REMEMBER: Final = 1.0
"""Seconds for which a process believes what it has looked up, and so the longest that a revoked token still works."""
_SEATS: Final = 10_000
"""Seats whose tokens a process knows again without working them out: some megabytes at most."""


class Caller(NamedTuple):
    """Who sent a request, as far as a token tells."""

    role: Role
    name: str
    """How the log names him: an organiser's id, or nothing."""
    rules_all: bool = False
    """The organiser of the first token rules every session."""
    session: str = ""
    seat: int = 0
    digest: str = ""
    """Of the token; a command's key belongs to it."""


NOBODY: Final = Caller("nobody", "")


def token_digest(token: str) -> str:
    """What is stored of a token, in its place."""
    return sha256(token.encode()).hexdigest()


class Tokens:
    """Makes tokens and knows them again. `clock` gives seconds that only grow."""

    def __init__(self, store: Store, server_key: bytes, clock: Callable[[], float]) -> None:
        self._store: Final = store
        self._key: Final = server_key
        self._clock: Final = clock
        self._lock: Final = Lock()
        self._looked_up: dict[str, tuple[float, Caller | None]] = {}
        self._seats: dict[str, Caller] = {}

    def organiser(self, *, rules_all: bool) -> str:
        """A fresh organiser's token. It is shown this once; only its digest is kept."""
        token = f"uorg.{secrets.token_urlsafe(32)}"
        self.keep_organiser(token, rules_all=rules_all)
        return token

    def keep_organiser(self, token: str, *, rules_all: bool) -> None:
        """Have this token known as an organiser's."""
        name = "organiser:first" if rules_all else f"organiser:{secrets.token_hex(8)}"
        grant = orjson.dumps({"role": "organiser", "name": name, "rules_all": rules_all})
        self._store.write("HSET", _GRANTS, token_digest(token), grant)

    def revoke(self, token: str) -> bool:
        """Forget an organiser's token; whether it was known. Takes effect everywhere within a second."""
        return bool(self._store.write("HDEL", _GRANTS, token_digest(token)))

    def seat(self, session: str, seat: int) -> str:
        """The token of a seat; always the same."""
        return f"{_SEAT_PREFIX}.{session}.{seat}.{self._mac(session, seat)}"

    def caller(self, token: str) -> Caller | None:
        """Who this token makes its holder; None if it is no token of ours. Raises StoreUnavailableError."""
        if len(token) > _LONGEST or not token.isascii():
            return None
        digest = token_digest(token)
        if not token.startswith(_SEAT_PREFIX + "."):
            return self._organiser_caller(digest)
        # A seat's token says the same for ever; found by its digest, so that the time says nothing here either.
        known = self._seats.get(digest)
        if known is None:
            known = self._seat_caller(token, digest)
            if known is not None:
                with self._lock:
                    if len(self._seats) >= _SEATS:
                        self._seats.clear()
                    self._seats[digest] = known
        return known

    def _seat_caller(self, token: str, digest: str) -> Caller | None:
        parts = token.split(".")
        # One seat has one digit, so that it has one token.
        if len(parts) != 4 or len(parts[2]) != 1 or not parts[2].isdecimal():
            return None
        session, seat = parts[1], int(parts[2])
        if not hmac.compare_digest(parts[3], self._mac(session, seat)):
            return None
        return Caller("seat", f"seat:{seat}", session=session, seat=seat, digest=digest)

    def _organiser_caller(self, digest: str) -> Caller | None:
        now = self._clock()
        known = self._looked_up.get(digest)
        if known is not None and now - known[0] < _REMEMBER:
            return known[1]
        # Found by the digest of what was sent: the time it takes says nothing of any token that is kept.
        stored = self._store.read("HGET", _GRANTS, digest)
        caller = None
        if stored is not None:
            grant = orjson.loads(stored)
            caller = Caller("organiser", grant["name"], rules_all=grant["rules_all"], digest=digest)
        with self._lock:
            if len(self._looked_up) > 1000:
                self._looked_up.clear()
            self._looked_up[digest] = (now, caller)
        return caller

    def _mac(self, session: str, seat: int) -> str:
        mac = hmac.digest(self._key, f"seat {session} {seat}".encode(), "sha256")
        return urlsafe_b64encode(mac).rstrip(b"=").decode()


def server_key(data: Path) -> bytes:
    """The server's key, made when first asked for and readable by its owner alone."""
    return kept(data / KEY_FILE, lambda: secrets.token_hex(32)).encode()


def first_token(data: Path, tokens: Tokens) -> Path:
    """See to it that the first organiser's token is in its file and known to the store; the file."""
    path = data / FIRST_TOKEN_FILE
    token = kept(path, lambda: f"uorg.{secrets.token_urlsafe(32)}")
    tokens.keep_organiser(token, rules_all=True)
    return path
