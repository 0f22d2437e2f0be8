"""What a ruling would change, side by side. Records nothing; leaves the ruling itself to replay.rules."""

from operator import add, sub
from typing import Any

from replay.folder import Moment
from replay.rules.game import AnyGame
from replay.rules.session import fold
from replay.rules.session_amend import Broken, History, RulingCommand, amendment_of, counted_deal, deal_as_ruled
from replay.rules.session_events import Event, Irregular
from replay.rules.session_ruled import undone
from replay.rules.session_state import Deal, Session, plays_of, span_of
from service.answers import subject
from service.auth import Access
from service.context import Context
from service.render import Subject, session_fields
from service.results import history_of
from workers.entries import counted_lines, line_fields

Fields = dict[str, Any]


def preview_fields(
    using: Context, session_id: str, granted: Access, command: RulingCommand, events: tuple[Event, ...] | None
) -> Fields:
    """The session before the ruling and after it, and the plays that would no longer hold. `events`: what the ruling
    brings; None if it cannot be carried out."""
    now, history = granted.folded.now, history_of(using, session_id)
    about = subject(session_id, granted.folded)
    then = None if events is None else fold(now.session, events)
    after = None if then is None else now._replace(session=then)
    broken = no_longer_hold(now.session, command, then, history)
    return {
        "version": now.session.version,
        "possible": after is not None,
        "before": _side(about, now, granted, command.deal, history),
        "after": None if after is None else _side(about, after, granted, command.deal, history),
        "no_longer_hold": [each._asdict() for each in broken],
    }


def _side(about: Subject, moment: Moment, granted: Access, number: int | None, history: History) -> Fields:
    session = moment.session
    span = span_of(session, number) if number is not None else None
    counted = None if span is None or session.is_on(number) else counted_deal(session, span, history)
    over = session.finished[-1].number if session.finished else None
    return {
        "session": session_fields(about, moment, granted.viewer, over=over),
        "points": counted.points if counted else None,
        "lines": counted_lines(session, counted) if counted else [],
        "totals": session.totals,
        "winners": session.winners,
        "outlook": session.game.outlook(session.options, session.totals),
    }


def no_longer_hold(session: Session, command: RulingCommand, after: Session | None, history: History) -> list[Broken]:
    """Plays that the rules would forbid after the ruling: of an amended deal, and of deals that began with other totals
    than they would have."""
    broken: list[Broken] = []
    if command.ruling == "amend":
        if command.overrules is not None:
            session = undone(session, command.overrules)
        broken += amendment_of(session, command, history).broken
    if after is not None and command.deal is not None and after.totals != session.totals:
        shift = tuple(map(sub, after.totals, session.totals))
        for number in range(command.deal + 1, session.next_number):
            broken += _with_other_totals(session.game, deal_as_ruled(session, number, history), shift)
    return broken


def _with_other_totals(game: AnyGame, deal: Deal, shift: tuple[int, ...]) -> list[Broken]:
    """Plays of a deal that the rules would have forbidden, had it begun with totals that differ by so much."""
    totals = tuple(map(add, deal.setting.totals, shift))
    state = game.start(deal.setting._replace(totals=totals), deal.dealt)
    broken: list[Broken] = []
    for play, (version, event) in enumerate(plays_of(deal.line), start=1):
        made: Any = event.play if isinstance(event, Irregular) else event
        words = game.write_play(made)
        verb, *arguments = words.split(" ")
        forbidden = game.forbidden(state, game.read_play(made.seat, verb, arguments))
        if forbidden is not None and not isinstance(event, Irregular):
            broken.append(Broken(version, play, f"{made.seat} {words}", forbidden.clause, forbidden.detail))
        state = game.evolve(state, made)
    return broken


def line_of(session: Session) -> tuple[tuple[int, ...] | None, list[Fields]]:
    """Points and lines of the deal at hand, if it is over."""
    deal, game = session.deal, session.game
    if deal is None or deal.last is None:
        return None, []
    return deal.points, [line_fields(game, line) for line in game.score(deal.state).lines]
