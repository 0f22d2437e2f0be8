"""Every event decided a second time: what its command would bring under the session's pinned revision. Pure.

Left out: whether the events are those that were stored, which chain.py asks.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from replay.records.notation import PlayReader, play_reader
from replay.rules.game import AnyGame, RefusedError
from replay.rules.options import OptionError
from replay.rules.registry import UnknownGameError, find_game
from replay.rules.session import NO_PLAYS, fold
from replay.rules.session_amend import History, RulingCommand
from replay.rules.session_decide import (
    DealCommand,
    UnseatableError,
    add_entropy,
    close,
    end_deal,
    open_session,
    play_on,
    start_deal,
)
from replay.rules.session_events import (
    DealEnded,
    DealStarted,
    DisputeOpened,
    DisputeWithdrawn,
    EntropyAdded,
    Event,
    Irregular,
    LinePlay,
    ResultConfirmed,
    Ruled,
    SessionClosed,
    SessionOpened,
)
from replay.rules.session_rule import confirm_result, open_dispute, rule, withdraw_dispute
from replay.rules.session_state import BrokenLogError, Deal, Session
from replay.shuffle import shuffled_deal


class Fault(NamedTuple):
    """Why an event cannot have come about by the rules."""

    check: str
    """Which of CHECKS it fails."""
    detail: str


PLAYS: Final = "plays"
SCORES: Final = "scores"
DEALS: Final = "deals"
CARDS: Final = "cards"


class Judgement(NamedTuple):
    """A log judged again, as far as it holds."""

    held: int
    """How many of the events hold."""
    fault: Fault | None
    """Why the next one does not; None if all do."""


def judged(events: Sequence[Event]) -> Judgement:
    """Every event of a session, from its opening, decided again by what its command brings."""
    session: Session | None = None
    ends: dict[int, Deal] = {}
    at = 0
    while at < len(events):
        if session is not None and session.deal is not None and session.deal.last == session.version:
            ends[session.deal.first] = session.deal
        last = at
        while last < len(events) and type(events[last]) not in NO_PLAYS:
            last += 1
        try:
            if isinstance(events[at], Ruled) and session is not None:
                session, held, fault = _ruling(session, events, at, lambda span: ends[span.first])
                at += held
            elif last == at:
                session, fault = _step(session, events[at])
                at += fault is None
            else:
                session, held, fault = _plays(session, events, at, last)
                at += held
        except _SENSELESS as senseless:
            fault = Fault(_check(events[at]), f"it cannot be decided: {type(senseless).__name__} {senseless}"[:200])
        if fault is not None:
            return Judgement(at, fault)
    return Judgement(at, None)


_SENSELESS: Final = (
    *(BrokenLogError, OptionError, UnseatableError, UnknownGameError),
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError),
)
"""What deciding again may run into over events that nobody ever decided."""


def _check(event: Event) -> str:
    """The check under which an event falls that cannot even be decided."""
    return CARDS if isinstance(event, DealStarted) else SCORES if isinstance(event, DealEnded) else PLAYS


def _step(session: Session | None, event: Event) -> tuple[Session | None, Fault | None]:
    """The session after an event that is no play; the one before it, and why not, if the event does not hold."""
    try:
        fault = _opening_fault(event) if session is None else _fault(session, event)
    except RefusedError as refusal:
        fault = Fault(_check(event), _words(refusal))
    return (session, fault) if fault else (fold(session, (event,)), None)


def _words(refusal: RefusedError) -> str:
    return f"{refusal.clause}: {refusal.detail}" if refusal.clause else refusal.detail


def _fault(session: Session, event: Event) -> Fault | None:
    match event:
        case EntropyAdded():
            return _unlike(event, add_entropy(session, event.seat, event.text), PLAYS, "the entropy")
        case DealStarted():
            return _deal_fault(session, event)
        case DealEnded():
            return _end_fault(session, event, end_deal(session, event.seed))
        case DisputeOpened():
            again = open_dispute(
                session, seat=event.seat, deal=event.deal, at=event.at, about=event.about, words=event.words
            )
            return _unlike(event, again, PLAYS, "the dispute")
        case DisputeWithdrawn():
            return _unlike(event, withdraw_dispute(session, event.number, event.seat), PLAYS, "the withdrawal")
        case ResultConfirmed():
            return _unlike(event, confirm_result(session, event.deal, event.seat), SCORES, "the confirmation")
        case SessionClosed():
            return _unlike(event, close(session, on_record=session.mode == "recorded"), SCORES, "the close")
        case _:
            return Fault(PLAYS, "a session is opened twice")


def _opening_fault(event: Event) -> Fault | None:
    if not isinstance(event, SessionOpened):
        return Fault(PLAYS, "a session begins with its opening")
    again = open_session(
        find_game(event.game, event.revision),
        seats=event.seats,
        options=event.options,
        mode=event.mode,
        public=event.public,
        owner=event.owner,
        first_deal=event.first_deal,
        totals=event.totals,
        terms=event.terms,
        seed=event.seed,
    )
    return _unlike(event, again, PLAYS, "the opening")


def _deal_fault(session: Session, event: DealStarted) -> Fault | None:
    command = DealCommand(
        event.hands, event.upcard, event.stock, event.dealer, event.played_at, event.note, event.entropy
    )
    if start_deal(session, command) != event or (event.entropy is None) != (session.mode == "recorded"):
        return Fault(CARDS, "the deal is not the next one of this session")
    # Whoever cannot see the seed is told so by the audit.
    if session.mode == "dealt" and session.seed is not None:
        seed = bytes.fromhex(session.seed)
        if start_deal(session, shuffled_deal(session, seed, event.entropy or "")) != event:
            return Fault(DEALS, f"the cards of deal {event.number} are not those that its seed gives")
    return None


def _ruling(session: Session, events: Sequence[Event], at: int, history: History) -> tuple[Session, int, Fault | None]:
    """The session after a ruling, and the end of its deal if it brings that; how many of the two hold, and why not."""
    ruled = events[at]
    assert isinstance(ruled, Ruled)  # noqa: S101 - asked by who calls
    changes = tuple(
        (play.version, play.text + "!" * play.irregular)
        for play in (LinePlay(*each) for each in ruled.line or ())
        if play.version in ruled.changed
    )
    command = RulingCommand(
        ruling=ruled.ruling,
        reason=ruled.reason,
        deal=ruled.deal,
        disputes=ruled.disputes,
        clause=ruled.clause,
        rests_on=ruled.rests_on,
        despite=ruled.despite,
        overrules=ruled.overrules,
        to=ruled.to,
        changes=changes,
        delta=ruled.delta,
        winners=ruled.winners,
    )
    following = events[at + 1] if at + 1 < len(events) else None
    seed = following.seed if ruled.seed is None and isinstance(following, DealEnded) else ruled.seed
    try:
        made = rule(session, command, history, seed)
    except RefusedError as refusal:
        return session, 0, Fault(PLAYS, _words(refusal))
    for held, again in enumerate(made):
        event = events[at + held] if at + held < len(events) else None
        if type(event) is not type(again) or event != again:
            return session, held, Fault(SCORES, "the ruling does not bring what is recorded")
    return fold(session, made), len(made), None


def _plays(
    session: Session | None, events: Sequence[Event], first: int, last: int
) -> tuple[Session | None, int, Fault | None]:
    """The session after a run of plays, events `first` to `last` exclusive, and the end of their deal if it follows;
    how many of these hold, and why no more do."""
    if session is None:
        return None, 0, Fault(PLAYS, "a session begins with its opening")
    written = play_reader(session.game.name, session.game.revision, session.seats)
    commands = (_command(session.game, written, event) for event in events[first:last])
    ended = events[last] if last < len(events) else None
    try:
        run = play_on(session, commands, lambda: ended.seed if isinstance(ended, DealEnded) else None)
    except RefusedError as refusal:
        return session, 0, Fault(PLAYS, _words(refusal))
    for held, (event, again) in enumerate(zip(events[first:last], run.events, strict=False)):
        if session.mode == "dealt" and isinstance(event, Irregular):
            return session, held, Fault(PLAYS, "an irregular play, where nobody can make one")
        # Events of two kinds may hold the same fields, and compare as equal then.
        if type(event) is not type(again) or event != again:
            return session, held, Fault(PLAYS, "the play is not what the rules make of it")
    if run.refusal is not None:
        return session, min(len(run.events), last - first), Fault(PLAYS, _words(run.refusal))
    if len(run.events) == last - first:
        return run.session, last - first, None
    if not isinstance(ended, DealEnded):
        return session, last - first, Fault(SCORES, "the deal is over, and its end is not recorded")
    fault = _end_fault(session, ended, run.events[-1])
    return (session, last - first, fault) if fault else (run.session, last - first + 1, None)


def _end_fault(session: Session, ended: DealEnded, again: Event) -> Fault | None:
    """Why a deal cannot have ended so; `session` during it."""
    if session.mode == "dealt" and ended.dealt_from != session.seed:
        return Fault(DEALS, "the seed that it reveals is not the one that was committed to")
    return _unlike(ended, again, SCORES, "the end of the deal")


def _command(game: AnyGame, written: PlayReader, event: Event) -> tuple[Any, bool]:
    """The command that a play came from, and whether it was irregular."""
    if isinstance(event, Irregular):
        return written[f"{event.play.seat} {game.write_play(event.play)}"].command, True
    return written[f"{event.seat} {game.write_play(event)}"].command, False  # type: ignore[union-attr]  # a play


def _unlike(event: Event, again: Event, check: str, what: str) -> Fault | None:
    if type(event) is type(again) and event == again:
        return None
    return Fault(check, f"{what} is not what the rules make of it")
