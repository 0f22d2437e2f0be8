"""What a deal is, and counts, after rulings on it; and what it would be if plays of it had been others.

Nothing here is needed to replay a log, so all of it may change.
"""

from collections.abc import Callable
from operator import add
from typing import Any, NamedTuple

from replay.rules.game import IllegalPlayError, ImpossibleRulingError, NotationError, NotNowError, PlayEvent
from replay.rules.scores import Sheet
from replay.rules.session_events import Event, Irregular, LinePlay, Ruled, RulingKind
from replay.rules.session_ruled import amended
from replay.rules.session_state import Deal, PlainLine, Session, Span, plays_of, rulings_on, span_of

History = Callable[[Span], Deal]
"""A finished deal as it stood at its end, with all its plays."""


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
        old: PlayEvent = plain(event)
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
        state = session.game.evolve(state, plain(event))
    return state


def plain(event: Event) -> Any:
    return event.play if isinstance(event, Irregular) else event


class Counted(NamedTuple):
    """What a finished deal counts after all rulings on it, and why."""

    points: tuple[int, ...]
    sheet: Sheet | None
    """Of its cards; None if it is void."""
    added: tuple[Ruled, ...]
    """Standing rulings that added points."""


def counted_deal(session: Session, span: Span, history: History) -> Counted:
    """What a finished deal counts in this session."""
    return counted(session, span, deal_as_ruled(session, span.number, history).state)


def counted(session: Session, span: Span, state: Any) -> Counted:
    """What a finished deal counts whose cards have come to this state: nothing if it is void, or never came to its end;
    and what rulings since have added."""
    standing = rulings_on(session, span)
    voided = max((n for n, each in enumerate(standing, start=1) if each.ruling in ("void", "redeal")), default=0)
    added = tuple(each for each in standing[voided:] if each.delta is not None)
    over = not voided and session.game.ending(state) is not None
    sheet = session.game.score(state) if over else None
    points = sheet.points if sheet else (0,) * len(session.totals)
    for each in added:
        points = tuple(map(add, points, each.delta or ()))
    return Counted(points, sheet, added)
