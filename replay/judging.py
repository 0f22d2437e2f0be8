"""Every event decided a second time: what its command would bring under the session's pinned revision. Pure.

Left out: whether the events are those that were stored, which chain.py asks.
"""

from typing import Final, NamedTuple

from replay.records.notation import play_reader
from replay.rules.game import PlayEvent, RefusedError
from replay.rules.options import OptionError
from replay.rules.registry import UnknownGameError, find_game
from replay.rules.session import Session
from replay.rules.session_decide import (
    DealCommand,
    UnseatableError,
    add_entropy,
    close,
    end_deal,
    open_session,
    play,
    start_deal,
)
from replay.rules.session_events import (
    DealEnded,
    DealStarted,
    EntropyAdded,
    Event,
    Irregular,
    SessionClosed,
    SessionOpened,
)
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


def fault_of(session: Session | None, event: Event) -> Fault | None:
    """Why this event cannot follow on this state; None if it is what its command brings."""
    try:
        return _fault(session, event)
    except RefusedError as refusal:
        clause = f"{refusal.clause}: " if refusal.clause else ""
        return Fault(_check(event), f"{clause}{refusal.detail}")
    except (
        OptionError,
        UnseatableError,
        UnknownGameError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
    ) as fault:
        return Fault(_check(event), f"it cannot be decided: {type(fault).__name__} {fault}"[:200])


def _check(event: Event) -> str:
    return CARDS if isinstance(event, DealStarted) else SCORES if isinstance(event, DealEnded) else PLAYS


def _fault(session: Session | None, event: Event) -> Fault | None:
    if session is None:
        return _opening_fault(event)
    match event:
        case SessionOpened():
            return Fault(PLAYS, "a session is opened twice")
        case EntropyAdded():
            return _unlike(event, add_entropy(session, event.seat, event.text), PLAYS, "the entropy")
        case DealStarted():
            return _deal_fault(session, event)
        case DealEnded():
            if session.mode == "dealt" and event.dealt_from != session.seed:
                return Fault(DEALS, "the seed that it reveals is not the one that was committed to")
            return _unlike(event, end_deal(session, event.seed), SCORES, "the end of the deal")
        case SessionClosed():
            return _unlike(event, close(session, on_record=session.mode == "recorded"), SCORES, "the close")
        case Irregular():
            return _play_fault(session, event, event.play, irregular=True)
        case _:
            return _play_fault(session, event, event, irregular=False)


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
        seed=event.seed,
    )
    return _unlike(event, again, PLAYS, "the opening")


def _deal_fault(session: Session, event: DealStarted) -> Fault | None:
    command = DealCommand(
        event.hands, event.upcard, event.stock, event.dealer, event.played_at, event.note, event.entropy
    )
    again = start_deal(session, command)
    if again != event or (event.entropy is None) != (session.mode == "recorded"):
        return Fault(CARDS, "the deal is not the next one of this session")
    if session.mode == "dealt":
        if session.seed is None:
            return None  # whoever cannot see the seed is told so by the audit
        seed = bytes.fromhex(session.seed)
        if start_deal(session, shuffled_deal(session, seed, event.entropy or "")) != event:
            return Fault(DEALS, f"the cards of deal {event.number} are not those that its seed gives")
    return None


def _play_fault(session: Session, event: Event, made: PlayEvent, *, irregular: bool) -> Fault | None:
    deal, game = session.deal, session.game
    if deal is not None and deal.last is None and game.ending(deal.state) is not None:
        return Fault(PLAYS, "the deal is over, and its end is not recorded")
    written = play_reader(game.name, game.revision, session.seats)[f"{made.seat} {game.write_play(made)}"]
    again = play(session, written.command, irregular=irregular)[0]
    return _unlike(event, again, PLAYS, "the play")


def _unlike(event: Event, again: Event, check: str, what: str) -> Fault | None:
    if type(event) is type(again) and event == again:
        return None
    return Fault(check, f"{what} is not what the rules make of it")
