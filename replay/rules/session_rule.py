"""What disputes and rulings bring: events, or a refusal that changes nothing.

Nothing here is needed to replay a log, so all of it may change. Left out: clocks. Whether the time for a dispute is
over, the service says.
"""

from collections.abc import Callable
from operator import add, sub
from typing import Any, Final

from replay.rules.game import BrokenLineError, ImpossibleRulingError, InformationShownError, NotNowError
from replay.rules.session import fold
from replay.rules.session_amend import History, RulingCommand, amendment_of, counted, counted_deal, deal_as_ruled, plain
from replay.rules.session_decide import best_of, end_deal, winners_at
from replay.rules.session_events import (
    DealEnded,
    DisputeOpened,
    DisputeWithdrawn,
    Event,
    ResultConfirmed,
    Ruled,
    RulingKind,
    Subject,
)
from replay.rules.session_ruled import amended, undone
from replay.rules.session_state import Deal, Ruling, Session, Span, plays_of, span_of


def open_dispute(
    session: Session, *, seat: int | None, deal: int, at: int | None, about: Subject, words: str | None
) -> DisputeOpened:
    """Somebody contests a deal, or a version of it. Raises NotNowError, or ImpossibleRulingError for no such thing."""
    first, last = _extent(session, deal)
    if at is not None and not first <= at <= last:
        raise ImpossibleRulingError(f"version {at} is not in deal {deal}")
    mine = (each for each in session.disputes if each.status == "open" and (each.seat, each.deal) == (seat, deal))
    if any(mine):
        raise NotNowError(f"a dispute of this seat over deal {deal} is open already")
    return DisputeOpened(len(session.disputes) + 1, seat, deal, at, about, words)


def withdraw_dispute(session: Session, number: int, seat: int | None) -> DisputeWithdrawn:
    """Who opened a dispute withdraws it, or the organiser (None) for him. Raises NotNowError."""
    _open_dispute(session, number)
    return DisputeWithdrawn(number, seat)


def confirm_result(session: Session, deal: int, seat: int | None) -> ResultConfirmed:
    """A second person agrees to a result as it is. Raises NotNowError."""
    span = span_of(session, deal)
    if span is None:
        raise NotNowError(f"deal {deal} is not over")
    if span.confirmed:
        raise NotNowError(f"the result of deal {deal} is confirmed")
    return ResultConfirmed(deal, seat)


def rule(session: Session, command: RulingCommand, history: History, seed: str | None = None) -> tuple[Event, ...]:
    """A ruling, and the end of the deal if it brings that. `seed`: a fresh one, should a next deal need it.

    Raises NotNowError, ImpossibleRulingError, InformationShownError, IllegalPlayError.
    """
    for number in command.disputes:
        if _open_dispute(session, number).deal != command.deal and command.ruling != "award":
            raise ImpossibleRulingError(f"dispute {number} is over another deal")
    if command.overrules is not None:
        session = _without(session, command.overrules, command.deal)
    ruled = _RULES[command.ruling](session, command, history)
    winners = _winners_after(session, ruled)
    waiting = not session.playing and winners is None
    fresh = seed if waiting and session.seed is None and session.mode == "dealt" else None
    ruled = ruled._replace(winners=winners, seed=fresh)
    return (ruled, *_ends(session, ruled, seed))


def _ends(session: Session, ruled: Ruled, seed: str | None) -> tuple[Event, ...]:
    """The end of the deal, if the ruling brings it."""
    if not session.playing or session.deal is None:
        return ()
    after = fold(session, (ruled,))
    deal = after.deal
    if ruled.ruling in ("void", "redeal") and ruled.deal == session.deal.number:
        nothing = (0,) * len(session.totals)
        number = session.deal.number - (ruled.ruling == "redeal")
        winners = winners_at(session.game, session.options, session.seats, number, session.totals)
        return (
            DealEnded(session.deal.number, "void", nothing, winners, session.seed, seed if winners is None else None),
        )
    if ruled.ruling == "amend" and deal is not None and session.game.ending(deal.state) is not None:
        return (end_deal(after, seed),)
    return ()


def _open_dispute(session: Session, number: int) -> Any:
    found = next((each for each in session.disputes if each.number == number), None)
    if found is None:
        raise ImpossibleRulingError(f"there is no dispute {number}")
    if found.status != "open":
        raise NotNowError(f"dispute {number} has ended")
    return found


def _extent(session: Session, number: int | None) -> tuple[int, int]:
    """First and last version of a deal so far; raises ImpossibleRulingError."""
    deal = session.deal
    if deal is not None and deal.number == number and deal.last is None:
        return deal.first, session.version
    span = span_of(session, number) if number is not None else None
    if span is None:
        raise ImpossibleRulingError(f"there is no deal {number}")
    return span.first, span.last


def _without(session: Session, number: int, of: int | None) -> Session:
    """The session as it would stand without an earlier ruling; raises ImpossibleRulingError, NotNowError."""
    found = next((each for each in session.rulings if each.event.number == number), None)
    if found is None or found.event.deal != of:
        raise ImpossibleRulingError(f"there is no ruling {number} on that deal")
    if found.overruled:
        raise NotNowError(f"ruling {number} is overruled already")
    kind, deal = found.event.ruling, session.deal
    on = found.event.points is None
    if kind in ("void", "redeal") and on:
        raise ImpossibleRulingError("the cards of that deal have been shown to all; it cannot go on")
    if kind == "redeal" and session.again is None:
        raise ImpossibleRulingError("that deal has been dealt again")
    if kind in ("retract", "amend") and on and deal is not None and _played_since(deal, found):
        raise ImpossibleRulingError(f"the deal has gone on since ruling {number}; retract what was played first")
    return undone(session, number)


def _played_since(deal: Deal, found: Ruling) -> bool:
    same = found.before is not None and found.before.first == deal.first
    return not same or deal.last is not None or (deal.line is not None and deal.line[1] > found.version)


def _ruled(session: Session, command: RulingCommand, **more: Any) -> Ruled:
    """The ruling with what all of them say. `points` of a finished deal change its totals."""
    points, totals = more.pop("points", None), session.totals
    span = span_of(session, command.deal) if command.deal is not None else None
    if points is not None and span is not None:
        totals = tuple(map(sub, map(add, totals, points), span.points))
    fields: dict[str, Any] = {
        "number": len(session.rulings) + 1,
        "ruling": command.ruling,
        "deal": command.deal,
        "disputes": command.disputes,
        "reason": command.reason,
        "clause": command.clause,
        "rests_on": command.rests_on,
        "despite": command.despite,
        "overrules": command.overrules,
        "to": None,
        "changed": (),
        "delta": None,
        "points": points,
        "totals": totals,
        "winners": session.winners,
        "line": None,
        "seed": None,
    }
    return Ruled(**{**fields, **more})


def _finished(session: Session, command: RulingCommand) -> Span:
    span = span_of(session, command.deal) if command.deal is not None else None
    if session.is_on(command.deal):
        raise NotNowError("the deal is still on")
    if span is None:
        raise ImpossibleRulingError(f"there is no deal {command.deal}")
    return span


def _let_stand(session: Session, command: RulingCommand, history: History) -> Ruled:
    if command.overrules is None or command.deal is not None:
        _extent(session, command.deal)
    span = None if command.deal is None or session.is_on(command.deal) else span_of(session, command.deal)
    if command.overrules is not None and span is not None:
        # What counts again is what would have, had the ruling that is undone never been.
        return _ruled(session, command, points=counted_deal(session, span, history).points)
    return _ruled(session, command)


def _retract(session: Session, command: RulingCommand, _: History) -> Ruled:
    deal = session.deal
    if deal is None or deal.last is not None or deal.number != command.deal:
        raise NotNowError("only the deal that is on can go back to an earlier version")
    to = command.to
    if to is None or not deal.first <= to < session.version:
        raise ImpossibleRulingError(f"the deal can go back to version {deal.first} to {session.version - 1}")
    gone = [(version, event) for version, event in plays_of(deal.line) if version > to]
    if not gone:
        raise ImpossibleRulingError(f"nothing that stands was played after version {to}")
    shown = next((version for version, event in gone if session.game.shows(plain(event))), None)
    if shown is not None and command.despite is None:
        raise InformationShownError(f"version {shown} showed a card; say why the deal can go back all the same", shown)
    return _ruled(session, command, to=to)


def _amend(session: Session, command: RulingCommand, history: History) -> Ruled:
    amendment = amendment_of(session, command, history)
    if amendment.impossible:
        broken = amendment.broken[-1]
        raise BrokenLineError(f"play {broken.play}, {broken.text}, could not have been made: {broken.detail}")
    changed = tuple(sorted(version for version, _ in command.changes))
    deal = deal_as_ruled(session, command.deal, history)
    if deal.last is None:
        return _ruled(session, command, changed=changed, line=amendment.line)
    state = amended(session, deal, amendment.line).state
    span = _finished(session, command)
    points = counted(session, span, state).points
    return _ruled(session, command, changed=changed, line=amendment.line, points=points)


def _adjust(session: Session, command: RulingCommand, history: History) -> Ruled:
    span = _finished(session, command)
    if command.delta is None or len(command.delta) != len(session.totals):
        raise ImpossibleRulingError(f"{len(session.totals)} numbers are needed, one for each that scores")
    points = tuple(map(add, counted_deal(session, span, history).points, command.delta))
    return _ruled(session, command, delta=command.delta, points=points)


def _void(session: Session, command: RulingCommand, _: History) -> Ruled:
    _extent(session, command.deal)
    if session.is_on(command.deal):
        return _ruled(session, command)
    span = _finished(session, command)
    if command.ruling == "redeal" and (session.playing or session.finished[-1] != span):
        raise ImpossibleRulingError("only the last deal can be dealt again")
    return _ruled(session, command, points=(0,) * len(session.totals))


def _award(session: Session, command: RulingCommand, _: History) -> Ruled:
    if session.playing:
        raise NotNowError("a deal is still on; void it first")
    if not command.winners or not set(command.winners) <= set(range(1, session.seats + 1)):
        raise ImpossibleRulingError("name the seats that win")
    return _ruled(session, command, winners=tuple(sorted(set(command.winners))))


def _winners_after(session: Session, ruled: Ruled) -> tuple[int, ...] | None:
    """XA-8 to XA-10 at the totals that the ruling leaves."""
    if ruled.ruling == "award":
        return ruled.winners
    awarded = [each.event.winners for each in session.rulings if each.event.ruling == "award" and not each.overruled]
    if awarded:
        return awarded[-1]
    if session.playing:
        return None
    if session.closed:
        return best_of(session.game, session.seats, ruled.totals)
    number = session.next_number - 1
    if ruled.ruling == "redeal":
        number = (ruled.deal or 1) - 1
    return winners_at(session.game, session.options, session.seats, number, ruled.totals)


_RULES: Final[dict[RulingKind, Callable[[Session, RulingCommand, History], Ruled]]] = {
    "let_stand": _let_stand,
    "retract": _retract,
    "amend": _amend,
    "adjust": _adjust,
    "penalty": _adjust,
    "void": _void,
    "redeal": _void,
    "award": _award,
}
