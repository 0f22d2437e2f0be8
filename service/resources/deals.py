"""Deals: starting the next, the outcome of one with its score sheet, and its replay."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response

from replay.chain import read_checked
from replay.codec import decode
from replay.folder import following
from replay.rules import session_decide
from replay.rules.game import NotNowError
from replay.rules.session import Session
from replay.rules.session_decide import DealCommand
from replay.rules.session_events import DealStarted
from replay.shuffle import shuffled_deal
from service.answers import answer, done, page_answer, subject
from service.auth import Access, access, authenticated, caller, ruled
from service.commands import Command, carry_out
from service.context import context
from service.document import CURSOR, IF_MATCH, LIMIT, Resource
from service.pages import cursor_of, read_number_cursor
from service.problems import ProblemError, invalid
from service.render import event_fields, over, session_fields, sheet_fields
from service.requests import canonical, command_key, condition, known_arguments, page, read_object
from service.schemas.answers import ReplaySchema
from service.schemas.bodies import DealBody, RecordedDealBody, SheetSchema, ShuffledDealBody
from service.schemas.reading import load
from service.schemas.shown import SessionSchema

resource = Resource("deals", "/v1/sessions/<session_id>/deals", "Deals of a session")

_SHUFFLED: Final = ShuffledDealBody()
_RECORDED: Final = RecordedDealBody()


@resource.post("", 201, SessionSchema, DealBody, IF_MATCH, optional_body=True, problems=("impossible-play",))
def start_deal(session_id: str) -> Response:
    """Start the next deal: shuffled here, or with the cards of a recorded table."""
    someone = authenticated()
    session = ruled(session_id, someone).session
    body = read_object(optional=True)
    make = _recorded(session, body) if session.mode == "recorded" else _shuffled(body)
    seen, key = condition(), command_key(someone, canonical(body), 201)
    carried = carry_out(
        context(), Command(session_id, someone.name, seen, key, 201), lambda now: (make(_not_full(now)),)
    )
    return done(someone, carried)


def _not_full(session: Session) -> Session:
    """The session, if it may have one more deal; raises a 409 problem."""
    most = context().bounds.session_events
    if session.version >= most:
        raise ProblemError("not-now", f"A session may have no more deals after {most} events.", version=session.version)
    return session


def _shuffled(body: dict[str, Any]) -> Callable[[Session], DealStarted]:
    """Deal from a pack shuffled with the seed that was committed to, and what the organiser mixes into it."""
    entropy = load(_SHUFFLED, body).get("entropy", "")

    def make(session: Session) -> DealStarted:
        session_decide.require_between_deals(session)
        if session.seed is None:
            # A session that was brought from another store, which kept this to itself.
            raise NotNowError("the seed that this session is committed to is not in this store")
        return session_decide.start_deal(session, shuffled_deal(session, bytes.fromhex(session.seed), entropy))

    return make


def _recorded(session: Session, body: dict[str, Any]) -> Callable[[Session], DealStarted]:
    """Deal the cards of a real table; raises a 422 problem."""
    fields = load(_RECORDED, body)
    seats = session.seats
    if len(fields["hands"]) != seats:
        raise invalid("The body does not fit.", {"hands": [f"Must be {seats} hands, one for each seat."]})
    dealer = fields.get("dealer")
    if dealer is not None and dealer > seats:
        raise invalid("The body does not fit.", {"dealer": [f"Must be a seat, 1 to {seats}."]})
    command = DealCommand(
        hands=tuple(map(tuple, fields["hands"])),
        upcard=fields["upcard"],
        stock=tuple(fields["stock"]),
        dealer=dealer,
        played_at=fields.get("at"),
        note=fields.get("note"),
    )
    return lambda now: session_decide.start_deal(now, command)


def _span(granted: Access, number: int) -> tuple[int, int]:
    """First and last version of a deal, so far; raises a 404 problem."""
    session = granted.session
    at = number - session.first_deal
    if 0 <= at < len(session.finished):
        span = session.finished[at]
        return span.first, span.last
    deal = session.deal
    if deal is not None and deal.number == number and deal.last is None:
        return deal.first, session.version
    raise ProblemError("not-found", "There is no such deal.")


@resource.get("/<int:number>", SheetSchema)
def read_deal(session_id: str, number: int) -> Response:
    """The outcome of a deal and its score sheet."""
    granted = access(session_id, caller())
    known_arguments()
    using = context()
    _, last = _span(granted, number)
    session = using.folder.at(session_id, granted.folded, last).session
    posted = session.deal is not None and session.deal.last is not None and _posted(session_id, session)
    ended_at = read_checked(using.log, session_id, last - 1, 1)[0].stamp.at if posted else None
    return answer(sheet_fields(session, posted=posted, ended_at=ended_at))


def _posted(session_id: str, session: Session) -> bool:
    """Whether the deal that the session stands at is in the ledger."""
    entries_before = len(session.finished) + any(session.brought_forward)
    return context().ledger.posted(session_id) >= entries_before


@resource.get("/<int:number>/replay", ReplaySchema, LIMIT, CURSOR)
def replay_deal(session_id: str, number: int) -> Response:
    """Every event of the deal, and the session after each."""
    granted = access(session_id, caller())
    known_arguments("limit", "cursor")
    limit, cursor = page(most=200, default=50), read_number_cursor()
    using = context()
    first, last = _span(granted, number)
    after = max(first - 1, cursor or 0)
    stored = read_checked(using.log, session_id, after, min(limit, max(last - after, 0)))
    if not stored:
        return page_answer("steps", [], None)
    about = subject(session_id, granted.folded)
    moment = using.folder.at(session_id, granted.folded, after)
    steps = []
    for envelope, event in zip(stored, decode(stored), strict=True):
        moment = following(moment, (event,), (envelope,))
        fields = session_fields(about, moment, granted.viewer, over=over(granted.session))
        shown = event_fields(envelope, granted.session, granted.viewer)
        steps.append({"version": envelope.version, "event": shown, "state": fields})
    reached = stored[-1].version
    return page_answer("steps", steps, cursor_of(reached) if reached < last else None)
