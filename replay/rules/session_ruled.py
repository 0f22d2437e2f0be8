"""How a session goes on after what is said about its deals: disputes, rulings, confirmed results.

Replayed for ever, so it imports nothing that may change. A ruling says itself what follows; nothing is judged here.
"""

from typing import Any, Literal

from replay.rules.session_events import (
    DisputeOpened,
    DisputeWithdrawn,
    Event,
    Irregular,
    LinePlay,
    ResultConfirmed,
    Ruled,
)
from replay.rules.session_state import (
    Deal,
    Dispute,
    Irregularity,
    Line,
    PlainLine,
    Ruling,
    Session,
    changed_span,
    plays_of,
)


def contested(session: Session, version: int, event: Event) -> Session:
    """The session after what is said about a deal, rather than played in one."""
    match event:
        case DisputeOpened():
            dispute = Dispute(*event, version, "open")
            return session._replace(version=version, disputes=(*session.disputes, dispute))
        case DisputeWithdrawn():
            return _ended_disputes(session, (event.number,), "withdrawn")._replace(version=version)
        case Ruled():
            return _ruled(session, version, event)
        case ResultConfirmed():
            return changed_span(session, event.deal, confirmed=True)._replace(version=version)
        case _:
            raise ValueError("an event that nobody declares")


def _ended_disputes(session: Session, numbers: tuple[int, ...], status: Literal["withdrawn", "ruled"]) -> Session:
    disputes = tuple(each._replace(status=status) if each.number in numbers else each for each in session.disputes)
    return session._replace(disputes=disputes)


def _ruled(session: Session, version: int, event: Ruled) -> Session:
    """The session after a ruling: it has been judged, and says itself what follows."""
    if event.overrules is not None:
        session = undone(session, event.overrules)
    before = deal = session.deal
    if deal is not None and event.deal == deal.number:
        if event.ruling == "retract" and event.to is not None:
            deal = retracted(session, deal, event.to)
        elif event.ruling == "amend" and event.line is not None:
            deal = amended(session, deal, event.line)
        if event.points is not None and deal.last is not None:
            deal = deal._replace(points=event.points)
    session = _ended_disputes(session, event.disputes, "ruled")
    if event.points is not None and event.deal is not None:
        redealt = event.ruling == "redeal"
        session = changed_span(session, event.deal, points=event.points, confirmed=False, redealt=redealt)
    return session._replace(
        version=version,
        deal=deal,
        totals=event.totals,
        winners=event.winners,
        rulings=(*session.rulings, Ruling(version, event, before, overruled=False)),
        again=event.deal if event.ruling == "redeal" else session.again,
        seed=session.seed if event.seed is None else event.seed,
    )


def undone(session: Session, number: int) -> Session:
    """The session without an earlier ruling, but for points, totals and winners, which its successor says."""
    found = next(each for each in session.rulings if each.event.number == number)
    rulings = tuple(each._replace(overruled=True) if each is found else each for each in session.rulings)
    session = session._replace(rulings=rulings)
    before, deal = found.before, session.deal
    if found.event.ruling in ("retract", "amend") and before is not None and deal is not None:
        session = session._replace(deal=before if before.first == deal.first else deal)
    if found.event.ruling == "redeal":
        session = session._replace(again=None)
    if found.event.deal is not None and found.event.points is not None:
        session = changed_span(session, found.event.deal, redealt=False)
    return session


def retracted(session: Session, deal: Deal, to: int) -> Deal:
    """The deal as it stood after a version; what was played since does not count."""
    kept = [(version, event) for version, event in plays_of(deal.line) if version <= to]
    return _replayed(session, deal, kept)


def amended(session: Session, deal: Deal, line: PlainLine) -> Deal:
    """The deal with these plays in place of those from the first of them on, as its rules make events of them."""
    plays = [LinePlay(*play) for play in line]
    kept = [(version, event) for version, event in plays_of(deal.line) if version < plays[0].version]
    again = _replayed(session, deal, kept)
    state, cells, marks = again.state, again.line, list(again.irregularities)
    for number, play in enumerate(plays, start=len(kept) + 1):
        seat, verb, *arguments = play.text.split(" ")
        outcome = session.game.outcome(state, session.game.read_play(int(seat), verb, arguments))
        state = session.game.evolve(state, outcome)
        event: Event = outcome
        if play.irregular:
            event = Irregular(outcome, play.clause)
            marks.append(Irregularity(play.version, number, outcome.seat, play.clause))
        cells = (cells, play.version, event)
    return again._replace(
        state=state,
        line=cells,
        plays=len(kept) + len(line),
        irregularities=tuple(marks),
        ending=session.game.ending(state) if deal.last is not None else None,
    )


def _replayed(session: Session, deal: Deal, plays: list[tuple[int, Event]]) -> Deal:
    """The deal with these plays alone, from its beginning."""
    state = deal.begun
    line: Line | None = None
    marks: list[Irregularity] = []
    for number, (version, event) in enumerate(plays, start=1):
        made: Any = event
        if isinstance(event, Irregular):
            marks.append(Irregularity(version, number, event.seat, event.clause))
            made = event.play
        state = session.game.evolve(state, made)
        line = (line, version, event)
    return deal._replace(state=state, line=line, plays=len(plays), irregularities=tuple(marks))
