"""What tokens grant, as the store keeps it: by the digest of the token, never by the token. Kept, listed, revoked here.

Left out: how a token looks and who sends one (tokens.py), and who may make which (granting.py).

STORAGE: names of keys and members of a grant are promises; add, never change.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple

import orjson

from replay.log import CommandKey, StoreUnavailableError
from replay.redis_client import Script, Store

Role = Literal["organiser", "auditor", "watch", "seat"]

FIRST: Final = "organiser:first"
"""The first organiser, who rules every session."""
EVERYONE: Final = "*"
MOST_LIVE: Final = 10_000
"""Tokens of one maker that work at a time; a bound against a program that has gone wild, far above any tournament."""

_GRANT: Final = Script(files("service").joinpath("lua/grant.lua").read_text())
_REVOKE: Final = Script(files("service").joinpath("lua/revoke.lua").read_text())
_SEAT_ID: Final = "seat."


def _key(name: str) -> str:
    return f"{{upcard}}:{name}"


class Grant(NamedTuple):
    """What one token makes of its holder."""

    id: str
    """By which it is listed and revoked; says nothing of the token."""
    role: Role
    name: str
    """How the log names the holder."""
    rules_all: bool = False
    by: str = FIRST
    """The name of the organiser who made it."""
    sessions: tuple[str, ...] = ()
    """Which sessions it is for; none named: all that its maker rules, later ones too."""
    seat: int = 0
    label: str | None = None
    made_at: int = 0
    """Seconds since the epoch, as `expires_at`."""
    expires_at: int | None = None

    def to_bytes(self) -> bytes:
        """As stored."""
        return orjson.dumps(self._asdict())


class Held(NamedTuple):
    """A grant, and what has become of it."""

    grant: Grant
    revoked_at: str | None
    last_used_on: str | None


class TokensFullError(Exception):
    """The maker has as many tokens as he may have."""


class AlreadyRevokedError(Exception):
    """The token was revoked before."""


class CommandReusedError(Exception):
    """The command's key came with another body before."""


def seat_id(session: str, seat: int) -> str:
    """The id of the token that a seat is given when its session is opened; it has no grant in the store."""
    return f"{_SEAT_ID}{session}.{seat}"


def seat_of_id(token_id: str) -> tuple[str, int] | None:
    """Session and seat, if this is the id of a seat's first token."""
    parts = token_id.split(".")
    if len(parts) != 3 or f"{parts[0]}." != _SEAT_ID or len(parts[2]) != 1 or not parts[2].isdecimal():
        return None
    return parts[1], int(parts[2])


class Grants:
    """The grants of all tokens in the store.

    `now` gives seconds since the epoch; `most` tokens of one maker may work at a time.
    """

    def __init__(self, store: Store, now: Callable[[], float], most: int = MOST_LIVE) -> None:
        self._store: Final = store
        self._most: Final = most
        self.now: Final = now

    def changes(self) -> bytes:
        """Something that is another after every change here. Raises StoreUnavailableError, as all that reads."""
        return self._store.read("GET", _key("token_changes")) or b"0"

    def find(self, digest: str) -> Grant | None:
        """What a token grants by its digest, revoked or not."""
        stored = self._store.read("HGET", _key("tokens"), digest)
        return _grant(stored, digest) if stored is not None else None

    def revoked(self, token_id: str) -> str | None:
        """When the token was revoked; None if it was not."""
        moment = self._store.read("HGET", _key("revoked"), token_id)
        return moment.decode() if moment is not None else None

    def ended(self, digest: str) -> bool:
        """Whether the token with this digest opens nothing any more: revoked, expired, or never made."""
        grant = self.find(digest)
        if grant is None or self.revoked(grant.id) is not None:
            return True
        return grant.expires_at is not None and grant.expires_at <= self.now()

    def keep(self, digest: str, grant: Grant, command: CommandKey | None = None) -> str | None:
        """Keep a grant. None if it is new; the id of the one that this command made before.

        Raises TokensFullError, CommandReusedError, and OutcomeUnknownError as every write.
        """
        lists = [_key(f"tokens_of:{name}") for name in {grant.by, EVERYONE}]
        lists += [_key(f"tokens_for:{session}") for session in grant.sessions]
        keys = [*map(_key, ("tokens", "token_ids", "token_commands", "token_changes")), _live(grant.by), *lists]
        expiry = "inf" if grant.expires_at is None else grant.expires_at
        most = 0 if grant.by == FIRST else self._most
        command_key, body = (command.key, command.body) if command else ("", "")
        answer = self._store.run(
            _GRANT, keys, command_key, body, grant.id, digest, grant.to_bytes(), int(self.now()), expiry, most
        )
        match answer[0]:
            case b"made":
                return None
            case b"repeated":
                found: str = answer[1].decode()
                return found
            case b"reused":
                raise CommandReusedError
            case b"full":
                raise TokensFullError
            case other:
                raise StoreUnavailableError(f"the grant script answered {other!r}")

    def revoke(self, token_id: str, by: str, command: CommandKey | None = None) -> bool:
        """Revoke the token that `by` made; whether this very command had done so before.

        Raises AlreadyRevokedError, CommandReusedError.
        """
        keys = [*map(_key, ("revoked", "token_commands", "token_changes")), _live(by)]
        command_key, body = (command.key, command.body) if command else ("", "")
        answer = self._store.run(_REVOKE, keys, command_key, body, token_id, written(self.now()))
        if answer[0] == b"reused":
            raise CommandReusedError
        if answer[0] == b"known":
            raise AlreadyRevokedError
        return bool(answer[0] == b"repeated")

    def get(self, token_id: str) -> Held | None:
        """One token by its id, revoked or not; None if there is none."""
        digest = self._store.read("HGET", _key("token_ids"), token_id)
        grant = self.find(digest.decode()) if digest is not None else None
        return self._held(grant) if grant is not None else None

    def seats(self, session: str, seats: int) -> list[Held]:
        """The tokens that the seats of a session were given when it was opened."""
        return [self.first_of_seat(session, seat) for seat in range(1, seats + 1)]

    def first_of_seat(self, session: str, seat: int) -> Held:
        """The token that this seat was given at first."""
        return self._held(Grant(seat_id(session, seat), "seat", f"seat:{seat}", sessions=(session,), seat=seat))

    def listed(self, of: str, limit: int, before: str | None, *, session: str | None = None) -> list[Held]:
        """Tokens that `of` has made (EVERYONE: all), or all for one session; the newest first, below `before`."""
        name = f"tokens_of:{of}" if session is None else f"tokens_for:{session}"
        top = "+" if before is None else f"({before}"
        ids = self._store.read("ZRANGE", _key(name), top, "-", "BYLEX", "REV", "LIMIT", 0, limit)
        found = (self.get(each.decode()) for each in ids)
        return [held for held in found if held is not None]

    def used(self, token_id: str) -> None:
        """Note that the token was used today."""
        self._store.write("HSET", _key("tokens_used"), token_id, written(self.now())[:10])

    def _held(self, grant: Grant) -> Held:
        used: Any = self._store.read("HGET", _key("tokens_used"), grant.id)
        return Held(grant, self.revoked(grant.id), used.decode() if used is not None else None)


def _live(by: str) -> str:
    return _key(f"tokens_live:{by}")


def _grant(stored: bytes, digest: str) -> Grant:
    """A grant as it was stored; the first ones had neither id nor maker, and were organisers' only."""
    fields: dict[str, Any] = orjson.loads(stored)
    fields.setdefault("id", digest[:32])
    sessions: Sequence[str] = fields.get("sessions", ())
    return Grant(**{**fields, "sessions": tuple(sessions)})


def written(seconds: float) -> str:
    """A moment as it is shown: RFC 3339, to the second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
