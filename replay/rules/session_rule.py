"""What disputes and rulings bring: events, or a refusal that changes nothing.

Nothing here is needed to replay a log, so all of it may change. Left out: clocks. Whether the time for a dispute is
over, the service says.
"""

from collections.abc import Callable
from operator import add, sub
from typing import Any, Final, NamedTuple

from replay.rules.game import (
    BrokenLineError,
    IllegalPlayError,
    ImpossibleRulingError,
    InformationShownError,
    NotationError,
    NotNowError,
    PlayEvent,
)
from replay.rules.scores import Sheet
from replay.rules.session import (
    Deal,
    PlainLine,
    Ruling,
    Session,
    Span,
    amended,
    deltas_of,
    fold,
    plays_of,
    span_of,
    undone,
)
from replay.rules.session_decide import best_of, end_deal, winners_at
from replay.rules.session_events import (
    DealEnded,
    DisputeOpened,
    DisputeWithdrawn,
    Event,
    Irregular,
    LinePlay,
    ResultConfirmed,
    Ruled,
    RulingKind,
    Subject,
)

History = Callable[[Span], Deal]
"""A finished deal as it stood at its end, with all its plays."""


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


class RulingCommand(NamedTuple):
    """What the organiser rules. Which of the later fields are asked for depends on the kind."""

    ruling: RulingKind
    reason: str
    deal: int | None = None
    disputes: tuple[int, ...] = ()
    clause: str | None = None
    rests_on: tuple[int, ...] = ()
    despite: str | None = None
    overrules: int | None = None
    to: int | None = None
    changes: tuple[tuple[int, str], ...] = ()
    """`amend`: by version the play as it truly was, as records write it, with its mark."""
    delta: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    """`award`: the seats."""


class Broken(NamedTuple):
    """A play that no longer holds once an earlier one is amended."""

    version: int
    play: int
    text: str
    clause: str | None
    """None if no table could make it."""
    detail: str


class Amendment(NamedTuple):
    """A deal with some of its plays amended, as far as it can be played."""

    line: PlainLine
    broken: tuple[Broken, ...]
    """Later plays that the rules forbid now; the last one may be one that no table could make, and then nothing after
    it is judged."""
    impossible: bool


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
    if _is_on(session, command.deal):
        raise NotNowError("the deal is still on")
    if span is None:
        raise ImpossibleRulingError(f"there is no deal {command.deal}")
    return span


def _counted(session: Session, span: Span, scored: tuple[int, ...]) -> tuple[int, ...]:
    """What a finished deal counts whose cards score so: nothing if it is void, and what was added to it."""
    kinds = [each.event.ruling for each in session.rulings if not each.overruled and each.event.deal == span.number]
    base = (0,) * len(scored) if "void" in kinds or "redeal" in kinds else scored
    added = deltas_of(session, span.number)
    return base if added is None else tuple(map(add, base, added))


class Counted(NamedTuple):
    """What a finished deal counts after all rulings on it, and why."""

    points: tuple[int, ...]
    sheet: Sheet | None
    """Of its cards; None if it is void."""
    added: tuple[Ruled, ...]
    """Standing rulings that added points."""


def counted_deal(session: Session, span: Span, history: History) -> Counted:
    """What a finished deal counts in this session."""
    standing = [each.event for each in session.rulings if not each.overruled and each.event.deal == span.number]
    voided = max((n for n, each in enumerate(standing) if each.ruling in ("void", "redeal")), default=-1)
    added = tuple(each for each in standing[voided + 1 :] if each.delta is not None)
    sheet: Sheet | None = None
    points = (0,) * len(session.totals)
    state = deal_as_ruled(session, span.number, history).state
    if voided < 0 and session.game.ending(state) is not None:
        sheet = session.game.score(state)
        points = sheet.points
    for each in added:
        points = tuple(map(add, points, each.delta or ()))
    return Counted(points, sheet, added)


def _let_stand(session: Session, command: RulingCommand, _: History) -> Ruled:
    if command.overrules is None or command.deal is not None:
        _extent(session, command.deal)
    span = None if command.deal is None or _is_on(session, command.deal) else span_of(session, command.deal)
    if command.overrules is not None and span is not None:
        # What counts again is what would have, had the ruling that is undone never been.
        return _ruled(session, command, points=_counted(session, span, span.scored))
    return _ruled(session, command)


def _is_on(session: Session, number: int | None) -> bool:
    return session.playing and session.deal is not None and session.deal.number == number


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
    shown = next((version for version, event in gone if session.game.shows(_plain(event))), None)
    if shown is not None and command.despite is None:
        raise InformationShownError(f"version {shown} showed a card; say why the deal can go back all the same", shown)
    return _ruled(session, command, to=to)


def _plain(event: Event) -> Any:
    return event.play if isinstance(event, Irregular) else event


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
    points = _counted(session, span, session.game.score(state).points)
    return _ruled(session, command, changed=changed, line=amendment.line, points=points)


def deal_as_ruled(session: Session, number: int | None, history: History) -> Deal:
    """A deal as it stands after the rulings on it; raises ImpossibleRulingError."""
    if session.deal is not None and session.deal.number == number:
        return session.deal
    span = span_of(session, number) if number is not None else None
    if span is None:
        raise ImpossibleRulingError(f"there is no deal {number}")
    deal = history(span)
    for each in session.rulings:
        # Those made while it was on are in its plays as it ended.
        late = each.event.deal == number and each.version > span.last and not each.overruled
        if late and each.event.line is not None:
            deal = amended(session, deal, each.event.line)
    return deal


def amendment_of(session: Session, command: RulingCommand, history: History) -> Amendment:
    """The deal with the changes made, and which of its later plays no longer hold.

    Raises NotNowError, ImpossibleRulingError, or IllegalPlayError for a change that the rules forbid and that is not
    marked.
    """
    if session.mode != "recorded":
        raise NotNowError("nobody writes the plays of this session down, so none can be entered wrongly")
    deal = deal_as_ruled(session, command.deal, history)
    plays, changes = plays_of(deal.line), dict(command.changes)
    if not changes or not changes.keys() <= {version for version, _ in plays}:
        raise ImpossibleRulingError("name by their versions plays of the deal that stand")
    first = min(changes)
    start = [version for version, _ in plays].index(first)
    game, state = session.game, _state_before(session, deal, first)
    line: list[LinePlay] = []
    broken: list[Broken] = []
    ending = None
    for number, (version, event) in enumerate(plays[start:], start=start + 1):
        was = isinstance(event, Irregular)
        old: PlayEvent = _plain(event)
        text = changes.get(version, f"{old.seat} {game.write_play(old)}{'!' if was else ''}")
        marked = text.endswith("!")
        text = text.removesuffix("!").rstrip()
        if ending is not None:
            broken.append(Broken(version, number, text, "XA-15", "the deal is over"))
            return Amendment(_plain_line(line), tuple(broken), impossible=True)
        command_of = _read(session, text)
        impossible = game.impossible(state, command_of)
        if impossible is not None:
            broken.append(Broken(version, number, text, None, impossible))
            return Amendment(_plain_line(line), tuple(broken), impossible=True)
        forbidden = game.forbidden(state, command_of)
        if forbidden is not None and not marked:
            if version in changes:
                raise IllegalPlayError(forbidden.clause, forbidden.detail)
            broken.append(Broken(version, number, text, forbidden.clause, forbidden.detail))
        irregular = marked or forbidden is not None
        line.append(LinePlay(version, text, irregular, forbidden.clause if irregular and forbidden else None))
        state = game.evolve(state, game.outcome(state, command_of))
        ending = game.ending(state)
    if deal.last is not None and ending is None:
        last = line[-1]
        broken.append(Broken(last.version, start + len(line), last.text, None, "the deal would not be over"))
        return Amendment(_plain_line(line), tuple(broken), impossible=True)
    return Amendment(_plain_line(line), tuple(broken), impossible=False)


def _plain_line(line: list[LinePlay]) -> PlainLine:
    return tuple((each.version, each.text, each.irregular, each.clause) for each in line)


def _read(session: Session, text: str) -> Any:
    words = text.split(" ")
    try:
        seat = int(words[0])
        if not 1 <= seat <= session.seats or len(words) < 2:
            raise NotationError("a play begins with its seat and its verb")
        return session.game.read_play(seat, words[1], words[2:])
    except ValueError as fault:
        raise ImpossibleRulingError(f"{text[:80]!r} is no play: {fault}") from None


def _state_before(session: Session, deal: Deal, version: int) -> Any:
    state = deal.begun
    for at, event in plays_of(deal.line):
        if at >= version:
            break
        state = session.game.evolve(state, _plain(event))
    return state


def _adjust(session: Session, command: RulingCommand, _: History) -> Ruled:
    span = _finished(session, command)
    if command.delta is None or len(command.delta) != len(session.totals):
        raise ImpossibleRulingError(f"{len(session.totals)} numbers are needed, one for each that scores")
    points = tuple(map(add, _counted(session, span, span.scored), command.delta))
    return _ruled(session, command, delta=command.delta, points=points)


def _void(session: Session, command: RulingCommand, _: History) -> Ruled:
    _extent(session, command.deal)
    if _is_on(session, command.deal):
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
