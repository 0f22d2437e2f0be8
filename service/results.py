"""What a deal has come to: what it counts after rulings, whether that is in the ledger, and whether it is final.

Left out: what rulings there are, which is replay.rules; who may make them, which is the resources' affair.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from replay.chain import read_checked
from replay.rules.game import NotNowError
from replay.rules.session_amend import History
from replay.rules.session_state import Deal, Session, Span, span_of
from service.context import Context, stamp
from service.problems import ProblemError


def history_of(using: Context, session_id: str) -> History:
    """A finished deal of the session as it stood at its end."""

    def ended(span: Span) -> Deal:
        folded = using.folder.held(session_id) or using.folder.now(session_id)
        if folded is None or folded.session.version < span.last:
            folded = using.folder.now(session_id)
        deal = using.folder.at(session_id, folded, span.last).session.deal if folded else None
        if deal is None:
            raise LookupError(f"version {span.last} ends no deal")
        return deal

    return ended


class Result(NamedTuple):
    """How far a finished deal's result can be relied on."""

    settled: int
    """The version of the last event that says what the deal counts."""
    settled_at: datetime
    final_at: datetime | None
    """When its correction periods end; None while a dispute is open, or a second person has still to agree."""
    disputed: tuple[int, ...]
    """Open disputes over it."""

    def final(self, now: datetime) -> bool:
        """Whether it is, at that time."""
        return self.final_at is not None and now >= self.final_at


def result_of(using: Context, session_id: str, session: Session, span: Span) -> Result:
    """The result of a finished deal."""
    terms = session.terms
    ended_at = _moment(using, session_id, span.last)
    ruled = [
        each.version for each in session.rulings if each.event.deal == span.number and each.event.points is not None
    ]
    settled = max((span.last, *(version for version in ruled if version > span.last)))
    settled_at = ended_at if settled == span.last else _moment(using, session_id, settled)
    disputed = tuple(each.number for each in session.disputes if each.status == "open" and each.deal == span.number)
    over = max(
        ended_at + timedelta(minutes=terms.arithmetic_minutes), settled_at + timedelta(minutes=terms.ruling_minutes)
    )
    agreed = not terms.second_person or span.confirmed
    return Result(settled, settled_at, over if agreed and not disputed else None, disputed)


def _moment(using: Context, session_id: str, version: int) -> datetime:
    """When an event was recorded."""
    stored = read_checked(using.log, session_id, version - 1, 1)
    return datetime.fromisoformat(stored[0].stamp.at)


def require_disputable(using: Context, session_id: str, session: Session, deal: int, about: str) -> None:
    """Raise NotNowError if the time to contest a deal is over."""
    span = span_of(session, deal)
    if span is None or session.is_on(deal):
        return
    minutes = session.terms.arithmetic_minutes if about == "arithmetic" else session.terms.ruling_minutes
    result = result_of(using, session_id, session, span)
    since = _moment(using, session_id, span.last) if about == "arithmetic" else result.settled_at
    if using.clock() >= since + timedelta(minutes=minutes):
        until = stamp(since + timedelta(minutes=minutes))
        raise NotNowError(f"the correction period of deal {deal} for {about} was over at {until}")


def entries_due(session: Session, until: int) -> int:
    """How many ledger entries the events up to a version call for."""
    deals = sum(span.last <= until for span in session.finished)
    ruled = sum(each.event.points is not None and each.version <= until for each in session.rulings)
    return any(session.brought_forward) + deals + 2 * ruled


def required_deal(session: Session, number: int) -> Span | None:
    """The finished deal of this number, None if it is on; raises a 404 problem if there is none."""
    if session.is_on(number):
        return None
    span = span_of(session, number)
    if span is None:
        raise ProblemError("not-found", "There is no such deal.")
    return span
