"""Whole sessions of real events by seeded play, for storing, folding and breaking.

Legal and irregular plays, dealt and recorded tables, stocks that nobody wrote down to the end. Left out: whether the
rules were right to allow a play; tests/rules asks that.
"""

from random import Random

from replay.codec import encode
from replay.envelope import Envelope
from replay.rules.cards import Card
from replay.rules.game import ImpossiblePlayError
from replay.rules.registry import GAMES
from replay.rules.rockaway.commands import Command, Draw, Pass, Play
from replay.rules.rockaway.state import Table
from replay.rules.session import Session, fold
from replay.rules.session_decide import DealCommand, close, dealt, open_session, play, start_deal
from replay.rules.session_events import Event

AT = "2026-09-21T13:46:40.123Z"
NAMES = ("Ann", "Zoë", "李", "Dee 😀", "Ève", "F\tay", 'G"us', "Hal\\")


def history(random: Random, *, deals: int = 2, finished: bool | None = None) -> list[Event]:
    """A session's events. `deals`: how many are started; `finished`: whether the last one is played to its end."""
    game = GAMES["rockaway"]
    seats = random.choice(game.seats)
    options = {option.name: random.choice(option.choices) for option in game.options if option.choices}
    opened = open_session(
        game,
        players=NAMES[:seats],
        options={**options, "deals": random.choice((None, deals, 10)), "target": random.choice((None, 5000))},
        mode=random.choice(("dealt", "recorded")),
        public=random.random() < 0.5,
        owner="club",
        totals=tuple(random.randrange(100) for _ in range(seats)) if random.random() < 0.3 else None,
        first_deal=random.choice((1, 4)),
    )
    events: list[Event] = [opened]
    session = fold(None, events)
    while session.winners is None and len(session.finished) < deals:
        last = len(session.finished) == deals - 1
        stop = random.randrange(60) if last and not (random.random() < 0.5 if finished is None else finished) else None
        session = _deal(random, session, events, stop)
        if stop is not None:
            return events
    if session.winners is None and session.options.deals is None and session.options.target is None:
        events.append(close(session))
    return events


def long_history(random: Random, least: int) -> list[Event]:
    """A session of at least so many events."""
    while True:
        events = history(random, deals=10 if least > 100 else 2)
        if len(events) >= least:
            return events


def _deal(random: Random, session: Session, events: list[Event], stop: int | None) -> Session:
    """One deal; broken off after `stop` plays if that is given."""
    cards = list(session.game.make(len(session.players), session.options).copies.elements())
    random.shuffle(cards)
    table = dealt(session, tuple(cards))
    written = len(table.stock) if session.mode == "dealt" else random.randrange(len(table.stock) + 1)
    note = "table 4, “late”" if random.random() < 0.5 else None
    started = start_deal(session, DealCommand(table.hands, table.upcard, table.stock[:written], None, AT, note))
    events.append(started)
    session = fold(session, [started])
    plays = 0
    while session.playing and plays != stop:
        made = _play(random, session, table.stock)
        events += made
        session = fold(session, made)
        plays += 1
        assert plays < 3000, "a deal that does not end"
    return session


def _play(random: Random, session: Session, stock: tuple[Card | None, ...]) -> tuple[Event, ...]:
    assert session.deal is not None
    state: Table = session.deal.state
    irregular = session.mode == "recorded" and random.random() < 0.05
    command: Command = random.choice(session.game.legal(state, state.turn))
    if irregular:
        seat = random.randrange(len(state.hands)) + 1
        command = random.choice((Play(seat, random.choice(state.hands[seat - 1])), Draw(seat), Pass(seat), command))
    if isinstance(command, Draw) and not state.exhausted:
        command = Draw(command.seat, stock[state.gone])
    try:
        return play(session, command, irregular=irregular)
    except ImpossiblePlayError:
        return play(session, random.choice(session.game.legal(state, state.turn)), irregular=True)


def stored(events: list[Event], after: int = 0) -> list[Envelope]:
    """These events as they are stored."""
    return encode(events, after=after, at=AT, who="seat:1")
