"""Deals: starting the next, the outcome of one with its score sheet, and its replay."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response

from replay.chain import read_checked
from replay.codec import decode
from replay.folder import following
from replay.rules import session_decide
from replay.rules.game import NotNowError
from replay.rules.session_amend import counted_deal, deal_as_ruled
from replay.rules.session_decide import DealCommand
from replay.rules.session_events import DealStarted
from replay.rules.session_state import Session, struck_by
from replay.shuffle import shuffled_deal
from service.answers import answer, done, page_answer, subject
from service.auth import access, authenticated, caller, ruled
from service.commands import Command, carry_out
from service.context import context, stamp
from service.document import CURSOR, IF_MATCH, LIMIT, Resource
from service.pages import cursor_of, read_number_cursor
from service.problems import ProblemError, invalid
from service.render import event_fields, over, playing_sheet, session_fields, sheet_fields
from service.requests import canonical, command_key, condition, known_arguments, page, read_object
from service.results import entries_due, history_of, required_deal, result_of
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


@resource.get("/<int:number>", SheetSchema)
def read_deal(session_id: str, number: int) -> Response:
    """The outcome of a deal, what it counts after rulings, and its score sheet."""
    granted = access(session_id, caller())
    known_arguments()
    session = granted.session
    span = required_deal(session, number)
    if span is None:
        return answer(playing_sheet(session))
    using = context()
    history = history_of(using, session_id)
    fields = sheet_fields(session, counted_deal(session, span, history), deal_as_ruled(session, number, history))
    result = result_of(using, session_id, session, span)
    posted = using.ledger.posted(session_id) >= entries_due(session, result.settled)
    return answer(
        {
            **fields,
            "status": "posted" if posted else "pending",
            "posted_at": stamp(result.settled_at) if posted else None,
            "result": "final" if result.final(using.clock()) else "provisional",
            "final_at": None if result.final_at is None else stamp(result.final_at),
        }
    )


@resource.get("/<int:number>/replay", ReplaySchema, LIMIT, CURSOR)
def replay_deal(session_id: str, number: int) -> Response:
    """Every event of the deal, and the session after each."""
    granted = access(session_id, caller())
    known_arguments("limit", "cursor")
    limit, cursor = page(most=200, default=50), read_number_cursor()
    using = context()
    span = required_deal(granted.session, number)
    deal = granted.session.deal
    first, last = (span.first, span.last) if span else (deal.first if deal else 0, granted.session.version)
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
        step = {"version": envelope.version, "event": shown, "state": fields}
        gone = struck_by(granted.session, envelope.version) is not None
        steps.append({**step, "struck": True} if gone else step)
    reached = stored[-1].version
    return page_answer("steps", steps, cursor_of(reached) if reached < last else None)
