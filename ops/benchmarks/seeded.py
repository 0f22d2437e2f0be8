"""Seeded play: deals as events and as the plays that led to them. Every run plays the same.

Left out: how they get into a store or over HTTP.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from replay.envelope import Stamp
from replay.rules.game import ONLOOKER
from replay.rules.registry import find_game
from replay.rules.session import fold
from replay.rules.session_decide import no_seed, open_session, play, start_deal
from replay.rules.session_events import Event, Mode
from replay.rules.session_state import Session
from replay.shuffle import shuffled_deal

PLAYERS = ("Ann", "Ben", "Cy", "Dee")
STAMP = Stamp("2026-09-21T13:46:40.123Z", "organiser:bench", "bench")
_SEED = "5eed" * 16


class PlayedDeal(NamedTuple):
    """A deal from its start to its end."""

    before: Session
    events: tuple[Event, ...]
    """The start, then one event a play, then the end."""
    commands: tuple[Any, ...]
    after: Session


def opened(owner: str, *, deals: int | None, mode: Mode = "dealt", game: str = "rockaway") -> tuple[Event, Session]:
    """The opening of a session, and the session after it."""
    event = open_session(
        find_game(game),
        seats=len(PLAYERS),
        options={"deals": deals},
        mode=mode,
        public=False,
        owner=owner,
        seed=_SEED if mode == "dealt" else None,
    )
    return event, fold(None, (event,))


def played(session: Session, chance: Random, most: int | None = None) -> PlayedDeal:
    """The next deal, played by choosing any legal play, to its end or for so many plays at most."""
    before, game = session, session.game
    # What the organiser mixes in is the chance here, so that one session can have any number of next deals.
    entropy = f"{chance.getrandbits(128):032x}"
    command = shuffled_deal(session, bytes.fromhex(session.seed or _SEED), entropy)
    start = start_deal(session, command if session.seed else command._replace(entropy=None))
    session = fold(session, (start,))
    events: list[Event] = [start]
    commands: list[Any] = []
    while session.deal is not None and session.deal.last is None and len(commands) != most:
        state = session.deal.state
        turn = game.view(state, ONLOOKER).turn
        commands.append(chance.choice(game.legal(state, turn or 0)))
        made = play(session, commands[-1], seed=(lambda: _SEED) if session.seed else no_seed)
        events += made
        session = fold(session, made)
    return PlayedDeal(before, tuple(events), tuple(commands), session)


def whole_session(seed: int, deals: int, mode: Mode = "dealt", game: str = "rockaway") -> list[Event]:
    """All events of a session of so many deals, fewer if a target ends it before."""
    chance = Random(seed)
    event, session = opened("organiser:bench", deals=deals, mode=mode, game=game)
    events = [event]
    while session.winners is None:
        deal = played(session, chance)
        events += deal.events
        session = deal.after
    return events


def long_session(seed: int, events: int) -> list[Event]:
    """The first so many events of a session that goes on and on."""
    chance = Random(seed)
    event, session = opened("organiser:bench", deals=None)
    made = [event]
    while len(made) < events:
        deal = played(session, chance)
        made += deal.events
        session = deal.after
    return made[:events]


def deals_like(session: Session, seed: int, plays: range) -> Iterator[PlayedDeal]:
    """Deals that could come next and that have about so many plays."""
    chance = Random(seed)
    while True:
        deal = played(session, chance)
        if len(deal.commands) in plays:
            yield deal
