"""Seeded play of any game: whole sessions, step by step, with everything a law may want to look at.

Session n of a run is the same whatever part of the run it is played in. Judges nothing; choices among legal plays are
the game's own `legal`, which the laws hold against an oracle.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from replay.rules.cards import Card
from replay.rules.game import EVERYTHING, AnyGame
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, close, dealt, open_session, play, start_deal
from replay.rules.session_events import Event, SessionOpened
from replay.rules.session_state import Session
from tests.rules.tables import Style, Support, support_of
from tests.seeds import rng, scaled

PARTS: Final = 8
"""A run is cut into so many tests, so that it can be spread over processes."""
DEALS: Final = 4
"""A session without a target is left after so many deals; one that has one, and a deal, as the game's support says."""
IRREGULAR_PLAYS: Final = 60
"""Irregular plays are mixed in only among the first of a deal, so that it ends."""


class Step(NamedTuple):
    """One command and what came of it. `command` is None where it was not a play."""

    before: Session | None
    command: Any
    irregular: bool
    events: tuple[Event, ...]
    after: Session


class Run(NamedTuple):
    """One part of a run: sessions with a name each, for messages."""

    game: AnyGame
    support: Support
    name: str
    irregular: bool
    sessions: list[tuple[str, list[Step]]]

    def plays(self) -> Iterator[tuple[str, Step]]:
        """Every play, with the name of its session."""
        for name, steps in self.sessions:
            for step in steps:
                if step.command is not None:
                    yield name, step


def run(game: AnyGame, part: int, *, irregular: bool) -> Run:
    """One part of a run, played. In an irregular one plays are mixed in that the rules forbid."""
    kind, support = " irregular" if irregular else "", support_of(game)
    played = []
    sessions = scaled(support.sessions // 2 if irregular else support.sessions)
    # Half as many irregular sessions: what they may break is less.
    for index in range(part, sessions, PARTS):
        name = f"{game.name} session {index}{kind}"
        played.append((name, list(session(game, rng(name), irregular=irregular))))
    return Run(game, support, f"{game.name} part {part}{kind}", irregular, played)


RUNS: Final = tuple(
    (game, part, irregular) for game in GAMES.values() for part in range(PARTS) for irregular in (False, True)
)
RUN_NAMES: Final = tuple(f"{game.name}-{part}{'-irregular' * irregular}" for game, part, irregular in RUNS)


def session(game: AnyGame, chance: Random, *, irregular: bool) -> Iterator[Step]:
    """One session from its opening to its end."""
    support = support_of(game)
    seats = chance.choice(game.seats)
    opened = opening(game, support, chance, seats)
    now = fold(None, [opened])
    yield Step(None, None, False, (opened,), now)
    company = _Company(game, support, chance, styles_of(support, chance, seats), irregular)
    for _ in range(DEALS if now.options.target is None else support.deals):
        if now.winners is not None:
            return
        cards = list(game.make(seats, now.options).copies.elements())
        chance.shuffle(cards)
        lie = dealt(now, tuple(cards))
        if chance.random() < 0.4:
            lie = support.load(chance, lie)
        # A stock that was written down only in part: a draw beyond that names its card.
        known = len(lie.stock) if chance.random() < 0.75 else chance.randrange(support.least_written, len(lie.stock))
        events: tuple[Event, ...] = (start_deal(now, DealCommand(lie.hands, lie.upcard, lie.stock[:known])),)
        step = Step(now, None, False, events, fold(now, events))
        yield step
        now = step.after
        while now.deal is not None and now.playing:
            if now.deal.plays == support.patience:
                return
            step = _play(company, now, lie.stock)
            yield step
            now = step.after
    if now.winners is None and now.options.deals is None and now.options.target is None:
        events = (close(now),)
        yield Step(now, None, False, events, fold(now, events))


def opening(game: AnyGame, support: Support, chance: Random, seats: int, seed: str | None = None) -> SessionOpened:
    """The opening of a session with options at random; of one that is shuffled, if it has a seed."""
    given = support.options(chance)
    units = len(game.sides(seats))
    deals, target = given.get("deals", 10), given.get("target")
    assert deals is None or isinstance(deals, int)
    assert target is None or isinstance(target, int)
    return open_session(
        game,
        seats=seats,
        options=given,
        mode="recorded" if seed is None else "dealt",
        public=chance.random() < 0.5,
        owner="organiser",
        first_deal=chance.randrange(1, 41) if deals is None else max(1, deals - chance.randrange(DEALS)),
        totals=support.totals(chance, units) if support.totals else _below(chance, target or 300, units),
        seed=seed,
    )


def _below(chance: Random, most: int, units: int) -> tuple[int, ...] | None:
    """Points brought forward in half of the sessions."""
    return tuple(chance.randrange(most) for _ in range(units)) if chance.random() < 0.5 else None


def styles_of(support: Support, chance: Random, seats: int) -> list[Style]:
    """One style for all in half of the sessions, since some deals come about only so."""
    if chance.random() < 0.5:
        return [chance.choice(support.styles)] * seats
    return [chance.choice(support.styles) for _ in range(seats)]


class _Company(NamedTuple):
    game: AnyGame
    support: Support
    chance: Random
    styles: list[Style]
    irregular: bool


def _play(company: _Company, now: Session, stock: tuple[Card | None, ...]) -> Step:
    game, support, chance, styles, irregular = company
    deal = now.deal
    assert deal is not None
    state = deal.state
    turn = game.view(state, EVERYTHING).turn
    assert turn is not None
    listed = game.legal(state, turn)
    odd = irregular and deal.plays < IRREGULAR_PLAYS and chance.random() < 0.15
    # After irregular plays a player may be bound to what he cannot do; then only another one helps.
    odd = odd or (irregular and not listed)
    if odd:
        command = _odd(company, state, chance.choice(range(1, now.seats + 1)), stock)
    else:
        command = styles[turn - 1](chance, state, listed)
        hidden = game.impossible(state, command) is not None
        if hidden or chance.random() < 0.1:
            command = support.name_draw(state, command, stock)
    events = play(now, command, irregular=odd)
    return Step(now, command, odd, events, fold(now, events))


def _odd(company: _Company, state: Any, seat: int, stock: tuple[Card | None, ...]) -> Any:
    """Any possible play of that seat, legal or not. A draw that names a card names the true one, so that the rest of
    the stock stays true."""
    support, judge = company.support, company.support.judge(state)
    said = list(support.sayable(state, seat))
    company.chance.shuffle(said)
    named = (support.name_draw(state, command, stock) for command in said)
    return next(command for command in named if judge(command) != "impossible")
