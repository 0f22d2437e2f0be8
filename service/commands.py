"""One command on a session, from the version that its maker saw to the answer: decide, append, evolve, kick.

The order of refusals here is the contract's: a known key's answer, 428, 412, 409.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from replay.codec import START, encode
from replay.envelope import Envelope, Stamp
from replay.folder import Folded, advanced
from replay.log import (
    Appended,
    Batch,
    CommandKey,
    Conflict,
    KeyReused,
    Names,
    Repeated,
    StoreUnavailableError,
    Summary,
)
from replay.rules.game import RefusedError
from replay.rules.session_events import DealEnded, Event, SessionClosed
from replay.rules.session_state import Session
from service import figures
from service.context import Context, stamp
from service.problems import ProblemError
from service.request_ids import request_id
from service.requests import Condition
from workers.entries import due

log = logging.getLogger(__name__)

_TRIES: Final = 200
"""Races that a command for `*` may lose before it gives up. Each lost one means that another command was recorded."""


class Done(NamedTuple):
    """A command that has been carried out: now, or when it came for the first time."""

    session: str
    version: int
    status: int
    replayed: bool
    folded: Folded | None
    """The session after it, if it was carried out now."""


class RefusedCommandError(Exception):
    """A command that the session's rules refuse; still to be told as a problem, with what would be legal."""

    def __init__(self, error: RefusedError, session: Session) -> None:
        super().__init__(error.detail)
        self.error: Final = error
        self.session: Final = session


class Command(NamedTuple):
    """What every command says, whatever it asks for."""

    session: str
    who: str
    """As the log names who gave it."""
    condition: Condition | None
    key: CommandKey | None
    status: int
    """What its success is answered with."""


def carry_out(using: Context, command: Command, decide: Callable[[Session], Sequence[Event]]) -> Done:
    """Record what `decide` makes of the session, if the command's condition holds.

    Judged against what this process holds if that is the version the caller has seen: the append itself finds out if
    the log has gone on. Whatever would be refused is first judged again against the log as it is now.
    """
    held, seen = using.folder.held(command.session), command.condition
    trusted = held if held and seen and seen.version == held.session.version else None
    for _ in range(_TRIES):
        folded = trusted or using.folder.now(command.session)
        if folded is None:
            raise ProblemError("not-found", "There is no such session.")
        try:
            require_condition(seen, folded.session)
            events = decide(folded.session)
        except (ProblemError, RefusedError) as refusal:
            if trusted:
                trusted = None
                continue
            known = _recall(using, command)
            if known is not None:
                return known
            if isinstance(refusal, RefusedError):
                raise RefusedCommandError(refusal, folded.session) from refusal
            raise
        trusted = None
        done = append(using, command, folded, events)
        if done is not None:
            return done
    raise ProblemError("store-unavailable", "Too many others act on this session just now; nothing was recorded.")


def append(
    using: Context, command: Command, folded: Folded | None, events: Sequence[Event], names: Names | None = None
) -> Done | None:
    """Append events to the state that they were decided on, and kick a worker if one is due.

    `names` come with an opening. None if the log has gone on since, and nothing was recorded.
    """
    moment = using.clock()
    tip = folded.now.tip if folded else START
    written = Stamp(stamp(moment), command.who, request_id())
    envelopes = encode(command.session, events, after=tip, stamp=written)
    answerable = tuple(each.version for each, event in zip(envelopes, events, strict=True) if due(event))
    after = advanced(folded, events, envelopes)
    before = folded.session.status if folded else None
    batch = Batch(
        session=command.session,
        after=tip,
        envelopes=envelopes,
        now=int(moment.timestamp() * 1000),
        summary=summary_of(after.session) if after.session.status != before else None,
        due=answerable,
        command=command.key,
        names=names,
        checkpoints=_checkpoints(using, command.session, events, envelopes),
        contested=_contested(folded.session if folded else None, after.session, moment),
    )
    outcome = using.log.append(batch)
    figures.appended(outcome, len(envelopes))
    match outcome:
        case Appended(appended):
            using.folder.keep(command.session, after)
            if answerable:
                _kick(using, command.session)
            return Done(command.session, appended, command.status, replayed=False, folded=after)
        case Conflict(at):
            if at <= tip.version:
                # The store has been put back to an earlier state behind our back, and may have gone on from there.
                using.folder.forget(command.session)
            return None
        case Repeated(answered, at, of):
            return Done(of, at, answered, replayed=True, folded=None)
        case KeyReused():
            raise reused()


def _contested(before: Session | None, after: Session, moment: datetime) -> int | None:
    """Since when the session has open disputes, if it has its first now; 0 if it has none any more; else None."""
    had = before is not None and any(each.status == "open" for each in before.disputes)
    has = any(each.status == "open" for each in after.disputes)
    if had == has:
        return None
    return int(moment.timestamp() * 1000) if has else 0


def _checkpoints(
    using: Context, session: str, events: Sequence[Event], envelopes: Sequence[Envelope]
) -> tuple[bytes, ...]:
    """The heads to be signed: at the end of a deal, and at the close."""
    return tuple(
        using.signer.checkpoint(session, each.tip, each.stamp.at).to_bytes()
        for each, event in zip(envelopes, events, strict=True)
        if isinstance(event, DealEnded | SessionClosed)
    )


def require_condition(condition: Condition | None, session: Session) -> None:
    """Raise the 428 or 412 problem unless the caller has named this version, or whatever it is."""
    if condition is None:
        detail = 'Say which version you have seen: `If-Match: "<version>"`, or `*` for whatever it is.'
        raise ProblemError("version-required", detail, version=session.version)
    if condition.version is not None and condition.version != session.version:
        detail = f"The session is at version {session.version}."
        raise ProblemError("stale-version", detail, version=session.version)


def _recall(using: Context, command: Command) -> Done | None:
    """What a known key was answered; None if there is no key, or it is new."""
    known = using.log.recall(command.session, command.key) if command.key else None
    match known:
        case None:
            return None
        case Repeated(status, version, of):
            return Done(of, version, status, replayed=True, folded=None)
        case KeyReused():
            raise reused()


def reused() -> ProblemError:
    """422: the key was used with another body."""
    return ProblemError("key-reused", "This Idempotency-Key came with another body before; nothing was recorded now.")


def summary_of(session: Session) -> Summary:
    """What the list of sessions filters by."""
    return Summary(session.game.name, session.status, session.public, session.owner)


def _kick(using: Context, session_id: str) -> None:
    """Tell a worker; if that fails the sweeper will, since the outbox knows."""
    try:
        using.kicker.kick([session_id])
    except StoreUnavailableError as fault:
        log.warning("no kick for session %s: %s", session_id, fault)
