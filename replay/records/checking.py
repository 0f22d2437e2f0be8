"""The checker: plays a record through the session's own rules and says how far it holds.

One walk gives the verdict and the session events that an import stores. There is no second set of rules here: what is
legal, what a deal scores and when a session is over is asked of replay.rules; this file only names the answers.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from replay.records.record import Record, WrittenDeal
from replay.rules.game import Ending, IllegalPlayError, ImpossiblePlayError, NotNowError, RefusedError
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, close, open_session, play_on, start_deal
from replay.rules.session_events import Event
from replay.rules.session_state import Irregularity, Session

Word = Literal["clean", "unfinished", "irregular", "mismatch", "illegal", "impossible", "malformed"]

WORST_LAST: Final[tuple[Word, ...]] = (
    "clean",
    "unfinished",
    "irregular",
    "mismatch",
    "illegal",
    "impossible",
    "malformed",
)
"""A record is as bad as its worst deal, in this order."""


class Stop(NamedTuple):
    """Where judging stopped: the play by its number in the deal, 0 for the deal itself."""

    play: int
    text: str | None
    clause: str | None
    """None if no table could make it, so that no clause forbids it."""
    detail: str


class Marked(NamedTuple):
    """A play that the record marks as irregular."""

    play: int
    text: str
    clause: str | None
    """None if it was legal after all."""


class DealVerdict(NamedTuple):
    """One deal judged. `ending`, `points` and `totals` are set if it is over and every play of it holds."""

    number: int
    verdict: Word
    ending: Ending | None
    points: tuple[int, ...] | None
    """The right ones, whatever the record claims."""
    totals: tuple[int, ...] | None
    stopped_at: Stop | None
    irregularities: tuple[Marked, ...]

    def plain(self) -> dict[str, object]:
        """As JSON prints it."""
        made: dict[str, object] = {
            "number": self.number,
            "verdict": self.verdict,
            "finished": self.ending is not None,
            "ending": self.ending,
            "points": self.points,
            "totals": self.totals,
            "stopped_at": self.stopped_at and self.stopped_at._asdict(),
        }
        if self.irregularities:
            made["irregularities"] = [marked._asdict() for marked in self.irregularities]
        return made


class Verdict(NamedTuple):
    """A record judged."""

    verdict: Word
    deals: tuple[DealVerdict, ...] = ()
    winners: tuple[int, ...] | None = None
    detail: str | None = None
    """Where it is malformed."""

    def plain(self) -> dict[str, object]:
        """As JSON prints it."""
        made: dict[str, object] = {
            "verdict": self.verdict,
            "deals": [deal.plain() for deal in self.deals],
            "winners": self.winners,
        }
        if self.detail is not None:
            made["detail"] = self.detail
        return made


class Walk(NamedTuple):
    """A record played through. `events` are those of the session that it tells of, as far as it holds."""

    verdict: Verdict
    events: tuple[Event, ...]


def malformed(detail: str) -> Verdict:
    """The verdict on what is no record."""
    return Verdict("malformed", detail=detail)


def check(record: Record) -> Verdict:
    """The verdict on a record."""
    return walk(record).verdict


def walk(record: Record, *, public: bool = False, owner: str = "") -> Walk:
    """The verdict, and the events of a recorded session that `owner` opens. To be stored only if every play holds:
    if the verdict is neither illegal nor impossible."""
    opened = open_session(
        record.game,
        seats=len(record.players),
        options=record.options,
        mode="recorded",
        public=public,
        owner=owner,
        first_deal=record.first_deal,
        totals=record.totals,
    )
    session = fold(None, (opened,))
    events: list[Event] = [opened]
    deals: list[DealVerdict] = []
    for written in record.deals:
        session, judged, brought = _deal(session, written)
        events += brought
        deals.append(judged)
        if judged.ending is None:
            break
    if record.closed and session.status == "waiting" and (not deals or deals[-1].ending is not None):
        closed = close(session, on_record=True)
        events.append(closed)
        session = fold(session, (closed,))
    worst = WORST_LAST[max((WORST_LAST.index(deal.verdict) for deal in deals), default=0)]
    holds = worst not in ("illegal", "impossible")
    return Walk(Verdict(worst, tuple(deals), session.winners if holds else None), tuple(events))


def _deal(before: Session, written: WrittenDeal) -> tuple[Session, DealVerdict, Iterable[Event]]:
    """The session after one deal, what is to be said of the deal, and its events."""
    number = before.next_number
    try:
        start = start_deal(before, _command(written))
    except RefusedError as refusal:
        stop = Stop(0, None, refusal.clause, refusal.detail)
        return before, DealVerdict(number, _refused(refusal), None, None, None, stop, ()), ()
    run = play_on(fold(before, (start,)), ((play.command, play.irregular) for play in written.plays))
    deal = run.session.deal
    assert deal is not None  # noqa: S101 - it has just been started
    marked = tuple(_marked(written, irregularity) for irregularity in deal.irregularities)
    events = (start, *run.events)
    if run.refusal is not None:
        play = deal.plays + 1
        stop = Stop(play, written.plays[play - 1].text, run.refusal.clause, run.refusal.detail)
        return run.session, DealVerdict(number, _refused(run.refusal), None, None, None, stop, marked), events
    word: Word = "irregular" if marked else "clean"
    if deal.ending is None:
        return (
            run.session,
            DealVerdict(number, word if marked else "unfinished", None, None, None, None, marked),
            events,
        )
    if written.points is not None and written.points != deal.points:
        word = "mismatch"
    totals = run.session.totals
    return run.session, DealVerdict(number, word, deal.ending, deal.points, totals, None, marked), events


def _command(written: WrittenDeal) -> DealCommand:
    return DealCommand(written.hands, written.upcard, written.stock, written.dealer, written.at, written.note)


def _marked(written: WrittenDeal, irregularity: Irregularity) -> Marked:
    return Marked(irregularity.play, written.plays[irregularity.play - 1].text, irregularity.clause)


def _refused(refusal: RefusedError) -> Word:
    match refusal:
        case IllegalPlayError() | NotNowError():
            return "illegal"
        case ImpossiblePlayError():
            return "impossible"
        case _:
            raise refusal
