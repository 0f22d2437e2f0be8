"""Tokens: who may come in as what. Opaque to clients, 256 bits, kept as digests only.

A token that is made is random, and the store has what it grants (grants.py). The one that a seat is given when its
session is opened is derived from the server's key, so that a repeated opening can show it again; the store knows of it
only if it has been revoked. Checks compare in constant time, or look a digest up.
"""

import hmac
import logging
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final, Literal, NamedTuple

from uuid_utils import uuid7

from replay.log import CommandKey, OutcomeUnknownError, StoreUnavailableError
from replay.redis_client import Store
from service.grants import FIRST, MOST_LIVE, AlreadyRevokedError, Grant, Grants, Held, Role, seat_id
from service.private_files import kept

log = logging.getLogger(__name__)

FIRST_TOKEN_FILE: Final = "organiser.token"  # noqa: S105 - the name of a file
KEY_FILE: Final = "server.key"

_SEAT_PREFIX: Final = "useat"
_PREFIXES: Final[dict[Role, str]] = {"organiser": "uorg", "auditor": "uaud", "watch": "uwatch", "seat": "uplay"}
_LONGEST: Final = 200
"""Characters; no token of ours is nearly as long."""
_REMEMBER: Final = 1.0
"""Seconds for which a process does not ask whether anything has changed, so the longest that a revoked token works."""
_MOST: Final = 10_000
"""Tokens whose callers a process knows without asking: some megabytes at most."""
_DAY: Final = 86_400


class Caller(NamedTuple):
    """Who sent a request, as far as a token tells."""

    role: Role | Literal["nobody"]
    name: str
    """How the log names him: an organiser's id, or nothing."""
    rules_all: bool = False
    """The organiser of the first token rules every session."""
    session: str = ""
    """A seat's."""
    seat: int = 0
    digest: str = ""
    """Of the token; a command's key belongs to it."""
    id: str = ""
    """Of the token; by it the token is listed and revoked."""
    by: str = ""
    """Who made the token."""
    sessions: tuple[str, ...] = ()
    """What an auditor or onlooker may look at; none named: all that who made the token rules."""
    until: float | None = None
    """When the token ends, in seconds since the epoch."""


NOBODY: Final = Caller("nobody", "")


class NewToken(NamedTuple):
    """A token to be made."""

    role: Role
    by: str = FIRST
    sessions: tuple[str, ...] = ()
    seat: int = 0
    label: str | None = None
    expires_in: int | None = None
    """Seconds; None: never."""


class Made(NamedTuple):
    """A token that was made: now, or when its command came for the first time."""

    token: str
    held: Held
    replayed: bool


def token_digest(token: str) -> str:
    """What is stored of a token, in its place."""
    return sha256(token.encode()).hexdigest()


class _Known:
    """What a process knows of tokens, as long as nothing has changed; all of it is forgotten at once."""

    def __init__(self, state: tuple[bytes, int] | None, asked: float) -> None:
        self.state: Final = state
        self.asked = asked
        self.callers: Final[dict[str, Caller | None]] = {}


class Tokens:
    """Makes tokens and knows them again.

    `clock` gives seconds that only grow, `now` seconds since the epoch.
    """

    def __init__(
        self,
        store: Store,
        server_key: bytes,
        clock: Callable[[], float],
        now: Callable[[], float] = time.time,
        most: int = MOST_LIVE,
    ) -> None:
        self.grants: Final = Grants(store, now, most)
        self._key: Final = server_key
        self._clock: Final = clock
        self._lock: Final = Lock()
        self._known = _Known(None, 0.0)
        self._used: set[tuple[str, int]] = set()

    def organiser(self, *, rules_all: bool) -> str:
        """A fresh organiser's token. It is shown this once; only its digest is kept."""
        if not rules_all:
            return self.make(NewToken("organiser")).token
        token = _fresh("organiser")
        self.keep_first(token)
        return token

    def make(self, new: NewToken, command: CommandKey | None = None) -> Made:
        """Make a token, or show again the one that this command made. Raises what `Grants.keep` raises.

        With a command it follows from the command's key and the server's, which is how it can be shown again.
        """
        token = _fresh(new.role) if command is None else self._derived(new.role, command)
        now = int(self.grants.now())
        name = f"seat:{new.seat}" if new.role == "seat" else f"{new.role}:{secrets.token_hex(8)}"
        grant = Grant(
            id=str(uuid7()),
            role=new.role,
            name=name,
            by=new.by,
            sessions=new.sessions,
            seat=new.seat,
            label=new.label,
            made_at=now,
            expires_at=None if new.expires_in is None else now + new.expires_in,
        )
        before = self.grants.keep(token_digest(token), grant, command)
        if before is None:
            return Made(token, Held(grant, None, None), replayed=False)
        held = self.grants.get(before)
        if held is None:
            raise LookupError("a remembered command's token is gone")
        return Made(token, held, replayed=True)

    def keep_first(self, token: str) -> None:
        """Have this token known as the first organiser's."""
        digest = token_digest(token)
        if self.grants.find(digest) is None:
            made_at = int(self.grants.now())
            grant = Grant(f"first-{digest[:16]}", "organiser", FIRST, rules_all=True, made_at=made_at)
            self.grants.keep(digest, grant)

    def revoke(self, token: str) -> bool:
        """Make a token that is in the store worthless everywhere within a second; whether it was known and worked."""
        grant = self.grants.find(token_digest(token))
        if grant is None:
            return False
        try:
            self.grants.revoke(grant.id, grant.by)
        except AlreadyRevokedError:
            return False
        return True

    def seat(self, session: str, seat: int) -> str:
        """The token that a seat is given when its session is opened; always the same."""
        return f"{_SEAT_PREFIX}.{session}.{seat}.{self._mac(f'seat {session} {seat}')}"

    def caller(self, token: str) -> Caller | None:
        """Who this token makes its holder; None if it is no token of ours. Raises StoreUnavailableError."""
        if len(token) > _LONGEST or not token.isascii():
            return None
        # Found by the digest of what was sent: the time it takes says nothing of any token that is kept.
        digest = token_digest(token)
        known = self._up_to_date()
        try:
            found = known.callers[digest]
        except KeyError:
            found = self._look_up(token, digest)
            with self._lock:
                if len(known.callers) >= _MOST:
                    known.callers.clear()
                known.callers[digest] = found
        if found is None or (found.until is not None and self.grants.now() >= found.until):
            return None
        return found

    def refresh(self) -> None:
        """See whether tokens were made or revoked since, unless that was just asked. Raises StoreUnavailableError."""
        self._up_to_date()

    def still(self, someone: Caller) -> bool:
        """Whether a caller, known some time ago, would still be let in as what he was. Raises StoreUnavailableError."""
        if someone.role == "nobody":
            return True
        if someone.until is not None and self.grants.now() >= someone.until:
            return False
        known = self._up_to_date().callers.get(someone.digest)
        return known is not None or self.grants.revoked(someone.id) is None

    def _up_to_date(self) -> _Known:
        """What is known; it is given up if tokens were made or revoked since, and once a day, to see who is in use."""
        asked, known = self._clock(), self._known
        if known.state is not None and asked - known.asked < _REMEMBER:
            return known
        state = (self.grants.changes(), int(self.grants.now()) // _DAY)
        with self._lock:
            # Whoever still looks something up under the old state keeps it with the old.
            if self._known.state != state:
                self._known = _Known(state, asked)
            else:
                self._known.asked = max(asked, self._known.asked)
            return self._known

    def _look_up(self, token: str, digest: str) -> Caller | None:
        is_seats = token.startswith(_SEAT_PREFIX + ".")
        found = self._seat_caller(token, digest) if is_seats else self._stored_caller(digest)
        if found is None or self.grants.revoked(found.id) is not None:
            return None
        self._note_use(found.id)
        return found

    def _note_use(self, token_id: str) -> None:
        """Note the day on which a token is used, once. A use that is not noted is no reason to refuse it."""
        today = (token_id, int(self.grants.now()) // _DAY)
        if today in self._used:
            return
        try:
            self.grants.used(token_id)
        except (StoreUnavailableError, OutcomeUnknownError) as fault:
            log.warning("the use of a token is not noted: %s", type(fault).__name__)
            return
        with self._lock:
            if len(self._used) >= _MOST:
                self._used.clear()
            self._used.add(today)

    def _seat_caller(self, token: str, digest: str) -> Caller | None:
        parts = token.split(".")
        # One seat has one digit, so that it has one token.
        if len(parts) != 4 or len(parts[2]) != 1 or not parts[2].isdecimal():
            return None
        session, seat = parts[1], int(parts[2])
        if not hmac.compare_digest(parts[3], self._mac(f"seat {session} {seat}")):
            return None
        return Caller("seat", f"seat:{seat}", session=session, seat=seat, digest=digest, id=seat_id(session, seat))

    def _stored_caller(self, digest: str) -> Caller | None:
        grant = self.grants.find(digest)
        if grant is None:
            return None
        return Caller(
            grant.role,
            grant.name,
            rules_all=grant.rules_all,
            session=grant.sessions[0] if grant.role == "seat" else "",
            seat=grant.seat,
            digest=digest,
            id=grant.id,
            by=grant.by,
            sessions=grant.sessions,
            until=grant.expires_at,
        )

    def _derived(self, role: Role, command: CommandKey) -> str:
        return f"{_PREFIXES[role]}.{self._mac(f'token {command.key}')}"

    def _mac(self, of: str) -> str:
        mac = hmac.digest(self._key, of.encode(), "sha256")
        return urlsafe_b64encode(mac).rstrip(b"=").decode()


def _fresh(role: Role) -> str:
    return f"{_PREFIXES[role]}.{secrets.token_urlsafe(32)}"


def server_key(data: Path) -> bytes:
    """The server's key, made when first asked for and readable by its owner alone."""
    return kept(data / KEY_FILE, lambda: secrets.token_hex(32)).encode()


def first_token(data: Path, tokens: Tokens) -> Path:
    """See to it that the first organiser's token is in its file and known to the store; the file."""
    path = data / FIRST_TOKEN_FILE
    tokens.keep_first(kept(path, lambda: _fresh("organiser")))
    return path


def another_first_token(data: Path, tokens: Tokens) -> Path:
    """Make the first organiser another token, and the one in the file worthless; the file."""
    path = data / FIRST_TOKEN_FILE
    if path.exists():
        tokens.revoke(path.read_text().strip())
        path.unlink()
    return first_token(data, tokens)
