"""Whole sessions of real events by seeded play, for storing, folding and breaking.

Legal and irregular plays, dealt and recorded tables, seeds with what seats mixed in, stocks that nobody wrote down to
the end. Left out: whether the rules were right to allow a play; tests/rules asks that.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from random import Random
from typing import Final

from replay.codec import START, encode
from replay.envelope import Envelope, Stamp, Tip, envelope
from replay.rules.cards import Card
from replay.rules.game import ImpossiblePlayError
from replay.rules.registry import GAMES
from replay.rules.rockaway.commands import Command, Draw, Pass, Play
from replay.rules.rockaway.state import Table
from replay.rules.session import fold
from replay.rules.session_decide import (
    DealCommand,
    add_entropy,
    close,
    dealt,
    open_session,
    play,
    start_deal,
)
from replay.rules.session_events import Event, Mode
from replay.rules.session_state import Session
from replay.shuffle import SEED_BYTES, shuffled_deal

AT = "2026-09-21T13:46:40.123Z"
STAMP = Stamp(AT, "seat:1", "request-1")
SESSION = "0190d1f2-0000-7000-8000-000000000001"
TEXTS = ("", "Ann", "Zoë “Z”", "李", "😀\n", 'G"us\\', "x" * 64)
"""What seats mix into seeds."""
MODES: Final[tuple[Mode, ...]] = ("dealt", "recorded")


def history(random: Random, *, deals: int = 2, finished: bool | None = None) -> list[Event]:
    """A session's events. `deals`: how many are started; `finished`: whether the last one is played to its end."""
    game = GAMES["rockaway"]
    seats = random.choice(game.seats)
    options = {option.name: random.choice(option.choices) for option in game.options if option.choices}
    mode = random.choice(MODES)
    opened = open_session(
        game,
        seats=seats,
        options={**options, "deals": random.choice((None, deals, 10)), "target": random.choice((None, 5000))},
        mode=mode,
        public=random.random() < 0.5,
        owner="club",
        totals=tuple(random.randrange(100) for _ in range(seats)) if random.random() < 0.3 else None,
        first_deal=random.choice((1, 4)),
        seed=fresh_seed(random) if mode == "dealt" else None,
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


def fresh_seed(random: Random) -> str:
    """A seed as events hold it."""
    return random.randbytes(SEED_BYTES).hex()


def _deal(random: Random, session: Session, events: list[Event], stop: int | None) -> Session:
    """One deal; broken off after `stop` plays if that is given."""
    if session.mode == "dealt":
        for seat in random.sample(range(1, session.seats + 1), random.randrange(session.seats + 1)):
            events.append(add_entropy(session, seat, random.choice(TEXTS)))
            session = fold(session, events[-1:])
        assert session.seed is not None
        command = shuffled_deal(session, bytes.fromhex(session.seed), random.choice(TEXTS))
        stock = command.stock
    else:
        cards = list(session.game.make(session.seats, session.options).copies.elements())
        random.shuffle(cards)
        table = dealt(session, tuple(cards))
        written, stock = random.randrange(len(table.stock) + 1), table.stock
        command = DealCommand(table.hands, table.upcard, stock[:written], None, AT)
    note = "table 4, “late”" if random.random() < 0.5 else None
    started = start_deal(session, command._replace(note=note))
    events.append(started)
    session = fold(session, [started])
    plays = 0
    while session.playing and plays != stop:
        made = _play(random, session, stock)
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
    seed = fresh_seed(random) if session.mode == "dealt" else None
    try:
        return play(session, command, irregular=irregular, seed=lambda: seed)
    except ImpossiblePlayError:
        return play(session, random.choice(session.game.legal(state, state.turn)), irregular=True, seed=lambda: seed)


def salts(start: int = 1) -> Callable[[], str]:
    """Salts that anybody can tell beforehand, so that the same events are the same bytes."""
    numbers = count(start)
    return lambda: f"{next(numbers):032x}"


def stored(events: Sequence[Event], session: str = SESSION, after: Tip = START) -> list[Envelope]:
    """These events as they are stored, always the same."""
    return encode(session, events, after=after, stamp=STAMP, salt=salts())


def again(given: Envelope) -> Envelope:
    """The envelope once more, from its stored bytes."""
    return envelope(given.version, given.raw, given.sealed_bytes(), given.digest)


def heads(of: Iterable[Envelope]) -> list[str]:
    """The head after each event, in hexadecimal."""
    return [each.digest.hex() for each in of]
