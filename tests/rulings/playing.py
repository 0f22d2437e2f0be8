"""Tables of any game to rule on, played by chance and recorded as the service records: a whole deal in one command.

Left out: HTTP for every single play, which other tests have, and which would take most of the time here.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from replay.codec import decode
from replay.rules.game import EVERYTHING
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, dealt, no_seed, play, start_deal
from replay.rules.session_events import DealEnded, Event
from replay.rules.session_state import Session
from replay.shuffle import shuffled_deal
from service.commands import Command, carry_out
from service.requests import Condition
from tests.http.client import Answer
from tests.http.house import House
from tests.http.tables import NAMES, Sitting
from tests.rules.tables import support_of

SEATS: Final = {"rockaway": 3, "poker_rum": 2, "single_pack_rum": 3, "canasta": 4}
OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "rockaway": {"deals": 3},
    "poker_rum": {"deals": 3, "max_turnovers": 1},
    "single_pack_rum": {"deals": 3, "max_turnovers": 1},
    "canasta": {"deals": 3, "target": None},
}
MOST: Final = 2_000
"""More plays than any deal has at these options."""


def seated(house: House, game: str, mode: str = "recorded", **body: Any) -> Sitting:
    """A public session of three deals; `body` says more of it, or otherwise."""
    wanted = {"game": game, "players": NAMES[: SEATS[game]], "mode": mode, "public": True, "options": OPTIONS[game]}
    return Sitting(house, house.client.post("/v1/sessions", {**wanted, **body}, house.owner).ok(201), house.owner)


def record(table: Sitting, decide: Callable[[Session], Sequence[Event]]) -> None:
    """Record what is decided, as one command of the organiser's."""
    carry_out(table.house.context, Command(table.id, table.state().owner, Condition(None), None, 201), decide)


def deal(table: Sitting, chance: Random, plays: int | None = None) -> None:
    """Start the next deal and play it by chance: to its end, or so many plays, after which it is still on."""
    fresh = table.house.context.seed

    def decide(session: Session) -> list[Event]:
        command = dealt_by_chance(session, chance)
        events: list[Event] = [start_deal(session, command)]
        started = fold(session, events)
        while True:
            played = played_by_chance(started, chance, plays, fresh)
            if plays is None or not isinstance(played[-1], DealEnded):
                return events + played

    record(table, decide)


def play_out(table: Sitting, chance: Random) -> None:
    """Play the deal that is on to its end, and all deals that are to follow."""
    fresh = table.house.context.seed
    if table.state().playing:
        record(table, lambda session: played_by_chance(session, chance, None, fresh))
    while table.state().winners is None:
        deal(table, chance)


def dealt_by_chance(session: Session, chance: Random) -> DealCommand:
    """The cards of the next deal: from its seed, or for a recorded table by chance."""
    if session.seed is not None:
        return shuffled_deal(session, bytes.fromhex(session.seed), "")
    cards = list(session.game.make(session.seats, session.options).copies.elements())
    chance.shuffle(cards)
    lie = dealt(session, tuple(cards))
    return DealCommand(lie.hands, lie.upcard, lie.stock)


def played_by_chance(
    session: Session, chance: Random, most: int | None = None, fresh: Callable[[], str] = lambda: ""
) -> list[Event]:
    """Legal plays of the deal that is on, and its end if they come to it."""
    style = support_of(session.game).styles[0]
    events: list[Event] = []
    for _ in range(MOST if most is None else most):
        assert session.deal is not None
        state = session.deal.state
        turn = session.game.view(state, EVERYTHING).turn
        assert turn is not None
        command = style(chance, state, session.game.legal(state, turn))
        made = play(session, command, seed=fresh if session.mode == "dealt" else no_seed)
        events += made
        session = fold(session, made)
        if not session.playing:
            return events
    assert most is not None, "a deal that does not end"
    return events


def rule(table: Sitting, body: Mapping[str, Any], **more: Any) -> Answer:
    """Rule as its organiser, for a reason."""
    return table.post("/rulings", {"reason": "as the table agreed", **body}, table.owner, **more)


def preview(table: Sitting, body: Mapping[str, Any], **more: Any) -> Answer:
    """What a ruling would change."""
    return table.post("/rulings?dry_run=true", {"reason": "as the table agreed", **body}, table.owner, **more)


def events_of(table: Sitting) -> list[Event]:
    """Everything that has happened."""
    return decode(table.house.log.read(table.id))
