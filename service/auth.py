"""Who asks, and what he may do with a session: decided by the token alone.

A token for one session is nobody's on another. Whoever is not known to be more sees what an onlooker sees.
"""

import re
from typing import Final, NamedTuple

from flask import request

from replay.folder import Folded
from replay.rules.game import ONLOOKER, Viewer
from replay.rules.session import BrokenLogError, Session
from service.context import Context, context
from service.problems import ProblemError
from service.tokens import NOBODY, Caller

_ID: Final = re.compile(r"[0-9a-f-]{36}")
_SCHEME: Final = "bearer "
_REALM: Final = {"WWW-Authenticate": 'Bearer realm="upcard"'}


def caller() -> Caller:
    """Who sent this request; raises a 401 problem for a token that is not ours."""
    return identified(request.environ.get("HTTP_AUTHORIZATION"), context())


def authenticated() -> Caller:
    """As `caller`, for who must be somebody."""
    someone = caller()
    if someone.role == "nobody":
        raise ProblemError("unauthenticated", "Send a token: `Authorization: Bearer <token>`.", _REALM)
    return someone


def identified(header: str | None, using: Context) -> Caller:
    """Who sends this `Authorization`; raises a 401 problem for a token that is not ours."""
    if header is None:
        return NOBODY
    scheme, token = header[: len(_SCHEME)], header[len(_SCHEME) :].strip()
    found = using.tokens.caller(token) if scheme.lower() == _SCHEME and token else None
    if found is None:
        raise ProblemError("unauthenticated", "The token is not known, or not sent as `Bearer <token>`.", _REALM)
    return found


class Access(NamedTuple):
    """What one caller is to one session."""

    folded: Folded
    organiser: bool
    """Whether he rules it."""
    seat: int | None
    broken: BrokenLogError | None = None
    """Why the log cannot be believed after what is folded."""

    @property
    def session(self) -> Session:
        """The session as it was found."""
        return self.folded.session

    @property
    def viewer(self) -> Viewer:
        """What he sees of a deal that is not over."""
        return viewer(self.session, organiser=self.organiser, seat=self.seat)


def viewer(session: Session, *, organiser: bool, seat: int | None) -> Viewer:
    """Who rules a recorded table sees it all; who rules a dealt one is an onlooker; a seat sees its own cards."""
    if organiser:
        return Viewer(everything=session.mode == "recorded", table=True)
    return ONLOOKER if seat is None else Viewer(seat, table=True)


def access(session_id: str, someone: Caller, *, fresh: bool = True) -> Access:
    """This caller's access to the session; raises a 404 problem if there is none, or none that he may see.

    Without `fresh` the session may be older than the log: enough for a command, which is judged by itself, since who
    rules a session and whether it is public never changes. Raises BrokenLogError, but only to who may see the session.
    """
    held = None if fresh else context().folder.held(session_id)
    granted = access_to_past(session_id, someone) if held is None else granted_to(someone, session_id, held)
    if granted is None:
        raise _no_session()
    if granted.broken is not None:
        raise granted.broken
    return granted


def access_to_past(session_id: str, someone: Caller) -> Access:
    """As `access`, for what can be said of a session whose log cannot be believed to its end."""
    folded, broken = context().folder.sound(session_id) if _ID.fullmatch(session_id) else (None, None)
    granted = granted_to(someone, session_id, folded) if folded is not None else None
    if granted is None:
        if folded is None and broken is not None and someone.rules_all:
            raise broken
        raise _no_session()
    return granted._replace(broken=broken)


def _no_session() -> ProblemError:
    return ProblemError("not-found", "There is no such session.")


def granted_to(someone: Caller, session_id: str, folded: Folded) -> Access | None:
    """What this caller is to that session; None if he may not know of it."""
    session = folded.session
    if may_know(someone, session_id, public=session.public, owner=session.owner):
        return Access(folded, _rules(someone, session.owner), _seat_of(someone, session_id))
    return None


def may_know(someone: Caller, session_id: str, *, public: bool, owner: str) -> bool:
    """Whether this caller may know that there is such a session."""
    return public or _rules(someone, owner) or _seat_of(someone, session_id) is not None


def _rules(someone: Caller, owner: str) -> bool:
    return someone.role == "organiser" and (someone.rules_all or someone.name == owner)


def _seat_of(someone: Caller, session_id: str) -> int | None:
    return someone.seat if someone.role == "seat" and someone.session == session_id else None


def ruled(session_id: str, someone: Caller) -> Access:
    """As `access`, for what only its organiser may do; raises a 403 problem for others."""
    granted = access(session_id, someone, fresh=False)
    if not granted.organiser:
        raise ProblemError("forbidden", "Only the organiser of the session may do that.")
    return granted
