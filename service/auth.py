"""Who asks, and what he may do with a session: decided by the token alone.

A token for one session is nobody's on another. Whoever is not known to be more sees what an onlooker sees. An auditor
sees everything, and cannot see it without its being noted.
"""

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from flask import request

from replay.folder import Folded
from replay.rules.game import ONLOOKER, Viewer
from replay.rules.session_state import BrokenLogError, Session
from service.context import Context, context, stamp
from service.grants import FIRST
from service.privileged_reads import Look
from service.problems import ProblemError
from service.rates import Rate, Verdict, address_of
from service.request_ids import request_id
from service.tokens import NOBODY, Caller

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

CALLER: Final = "upcard.caller"
"""Where a request keeps the name of who sent it."""
COUNTED: Final = "upcard.counted"
"""Where a request keeps what is left to its sender."""

_ID: Final = re.compile(r"[0-9a-f-]{36}")
_SCHEME: Final = "bearer "
_SAID: Final = ("at", "after", "seat", "limit", "wait")
"""What a look asked for; of anything else in a query nobody knows whether it may be kept."""
_REALM: Final = {"WWW-Authenticate": 'Bearer realm="upcard"'}


def caller() -> Caller:
    """Who sent this request; raises a 401 problem for a token that is not ours, a 429 one for who asks too often.

    What comes with one of our tokens is counted to the token, anything else to the address.
    """
    environ, using = request.environ, context()
    try:
        someone = identified(environ.get("HTTP_AUTHORIZATION"), using)
    except ProblemError:
        _count(environ, using.per_address, address_of(environ))
        raise
    if someone.role == "nobody":
        _count(environ, using.per_address, address_of(environ))
    else:
        environ[CALLER] = someone.name
        _count(environ, using.per_token, someone.digest)
    return someone


def _count(environ: "WSGIEnvironment", counted: Rate | None, name: str) -> None:
    """Count a request, once; raises a 429 problem."""
    if counted is None or COUNTED in environ:
        return
    environ[COUNTED] = verdict = counted.count(name)
    if verdict.retry_after:
        raise too_often(f"{verdict.limit} requests a minute may come.", verdict)


def too_often(limit: str, verdict: Verdict) -> ProblemError:
    """429, with what may come and when to come again."""
    after = verdict.retry_after
    return ProblemError("rate-limited", f"{limit} Try again in {after} s.", {"Retry-After": str(after)})


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
    auditor: Caller | None = None
    """Who looks, if he is one who sees everything and whose every look is noted."""
    id: str = ""
    """Of the session."""

    @property
    def session(self) -> Session:
        """The session as it was found."""
        return self.folded.session

    @property
    def viewer(self) -> Viewer:
        """What he is shown of a deal that is not over. For an auditor, asking this notes that he looks."""
        if self.auditor is not None:
            _note(self, self.auditor)
        return self.sees

    @property
    def sees(self) -> Viewer:
        """What he could be shown; nobody may be shown it by this, since it notes nothing."""
        if self.auditor is not None:
            return Viewer(everything=True, table=True)
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
        # Of a log with not even its opening left, what is kept beside it says who may know of it.
        summary = context().log.summary(session_id) if folded is None and broken is not None else None
        if summary and broken and may_know(someone, session_id, public=summary.public, owner=summary.owner):
            raise broken
        raise _no_session()
    return granted._replace(broken=broken)


def _no_session() -> ProblemError:
    return ProblemError("not-found", "There is no such session.")


def granted_to(someone: Caller, session_id: str, folded: Folded) -> Access | None:
    """What this caller is to that session; None if he may not know of it."""
    session = folded.session
    if may_know(someone, session_id, public=session.public, owner=session.owner):
        auditor = someone if someone.role == "auditor" and _sent_to(someone, session_id, session.owner) else None
        rules = rules_over(someone, session.owner)
        return Access(folded, rules, _seat_of(someone, session_id), None, auditor, session_id)
    return None


def may_know(someone: Caller, session_id: str, *, public: bool, owner: str) -> bool:
    """Whether this caller may know that there is such a session."""
    if public or rules_over(someone, owner) or _seat_of(someone, session_id) is not None:
        return True
    return someone.role in ("auditor", "watch") and _sent_to(someone, session_id, owner)


def rules_over(someone: Caller, owner: str) -> bool:
    """Whether this caller rules the sessions that `owner` opened."""
    return someone.role == "organiser" and (someone.rules_all or someone.name == owner)


def _sent_to(someone: Caller, session_id: str, owner: str) -> bool:
    """Whether an auditor's or onlooker's token is for this session: one that it names, or any of its maker's."""
    if someone.sessions:
        return session_id in someone.sessions
    return someone.by in (FIRST, owner)


def _note(granted: Access, auditor: Caller) -> None:
    """Note that this request looks, once for each deal, before it is shown anything."""
    noted: set[tuple[str, int]] = request.environ.setdefault("upcard.noted", set())
    number = hidden_deal(granted.session)
    if number is not None and (granted.id, number) not in noted:
        note_look(context(), granted.id, granted.session, auditor, looking(), request_id())
        noted.add((granted.id, number))


def hidden_deal(session: Session) -> int | None:
    """The number of the deal that is on, whose cards not everybody may see; None if none is."""
    return session.deal.number if session.playing and session.deal is not None else None


def looking() -> str:
    """What this request asks for, as the note of a look says it: the method, the path after the session's, where."""
    asked = [f"{name}={value}" for name, value in request.args.items() if name in _SAID and value.isdecimal()]
    tail = str(request.url_rule).rpartition("/<session_id>")[2]
    return f"{request.method} {tail or '/'}{'?' if asked else ''}{'&'.join(asked)}"


def note_look(using: Context, session_id: str, session: Session, auditor: Caller, read: str, asked_as: str) -> None:
    """Note that an auditor looks at the deal that is on; `asked_as` is the request's id.

    Raises StoreUnavailableError or OutcomeUnknownError: then he may be shown nothing.
    """
    look = Look(
        at=stamp(using.clock()),
        who=auditor.name,
        token=auditor.id,
        version=session.version,
        deal=hidden_deal(session) or 0,
        read=read,
        request=asked_as,
    )
    using.reads.note(session_id, look)


def _seat_of(someone: Caller, session_id: str) -> int | None:
    return someone.seat if someone.role == "seat" and someone.session == session_id else None


def opener(what: str) -> Caller:
    """The caller, who must be an organiser, and one who has not opened too many sessions lately."""
    someone, openings = organiser(authenticated(), what), context().openings
    verdict = openings.count(someone.name) if openings else None
    if verdict is not None and verdict.retry_after:
        raise too_often(f"One organiser may open {verdict.limit} sessions an hour.", verdict)
    return someone


def organiser(someone: Caller, what: str) -> Caller:
    """The caller, who must be an organiser; raises a 403 problem: only an organiser may do `what`."""
    if someone.role != "organiser":
        raise ProblemError("forbidden", f"Only an organiser may {what}.")
    return someone


def ruled(session_id: str, someone: Caller) -> Access:
    """As `access`, for what only its organiser may do; raises a 403 problem for others."""
    granted = access(session_id, someone, fresh=False)
    if not granted.organiser:
        raise ProblemError("forbidden", "Only the organiser of the session may do that.")
    return granted
