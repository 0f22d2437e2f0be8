"""No answer of any resource names a card that its caller may not see, at any version of any seeded deal.

What may be seen is worked out here from the log alone: the seat's own hand and what lies open, now or earlier in the
deal, and everything once the deal is over. Cards of two packs are equal, so that there a leak can hide behind a copy
that is seen: test_no_leak_pairs.py looks at those of Rockaway in another way.
"""

from random import Random
from typing import Any, Final, NamedTuple

import pytest

from replay.rules import session_decide
from replay.rules.game import ONLOOKER
from replay.rules.registry import GAMES
from tests.http.house import House
from tests.http.looking import Seen, cards_in, provoke, read
from tests.http.tables import Sitting, opened
from tests.seeds import SCALE, rng, scaled

SESSIONS: Final = 20
"""Sessions of a full run, of two deals each."""
LOOKS: Final = min(1.0, 0.15 + SCALE)
"""The share of callers who look at a version: all of them in a full run."""


class Looker(NamedTuple):
    """A caller, and the seat whose hand he may see."""

    name: str
    token: str | None
    seat: int | None


def _lookers(table: Sitting, other: Sitting) -> list[Looker]:
    seats = [Looker(f"seat {seat}", token, seat) for seat, token in table.seats.items()]
    onlookers = {"nobody": None, "a seat elsewhere": other.seats[1], "another organiser": table.house.stranger}
    if table.state().mode == "dealt":
        onlookers |= {"its organiser": table.owner, "the first organiser": table.house.first}
    return seats + [Looker(name, token, None) for name, token in onlookers.items()]


def _visible(table: Sitting, seat: int | None) -> set[str]:
    """The cards of the deal in progress that lie open, or in this seat's hand."""
    deal = table.state().deal
    assert deal is not None
    state = deal.state
    layout = getattr(state, "layout", state)
    found = {*layout.pile, *(layout.hands[seat - 1] if seat else ())}
    sides = getattr(state, "sides", ())
    for side in sides:
        found |= set(side.red_threes)
    for meld in (*getattr(state, "melds", ()), *(meld for side in sides for meld in side.melds)):
        found |= set(meld.cards)
    return found


class _Memory:
    """What each seat, or an onlooker, has been able to see in this deal: a card that was taken up is still known."""

    def __init__(self, table: Sitting) -> None:
        self._table = table
        self._seen: dict[int | None, set[str]] = {seat: set() for seat in (None, *table.seats)}

    def look(self) -> None:
        """Everybody looks at the table as it is now."""
        for seat in self._seen:
            self._seen[seat] |= _visible(self._table, seat)

    def __getitem__(self, seat: int | None) -> set[str]:
        return self._seen[seat]


def _leaks(seen: Seen, visible: set[str]) -> set[str]:
    return cards_in(seen.answer) - visible - seen.named


GAMES_LOOKED_AT: Final = (
    *(("rockaway", index) for index in range(scaled(SESSIONS))),
    *(
        (game, index)
        for game in ("poker_rum", "single_pack_rum", "canasta")
        for index in range(scaled(SESSIONS) // 2 or 1)
    ),
)


@pytest.mark.store
@pytest.mark.parametrize(("game", "index"), GAMES_LOOKED_AT)
def test_nobody_is_shown_a_card_before_its_time(real_house: House, game: str, index: int) -> None:
    chance = rng(f"http leak {index}" if game == "rockaway" else f"http leak {game} {index}")
    table, other = _opened(real_house, chance, game), opened(real_house)
    lookers = _lookers(table, other)
    # Deals of the other games are several times as long.
    often = LOOKS if game == "rockaway" else LOOKS / 5
    for number in (1, 2) if game == "rockaway" else (1,):
        since = table.version + 1
        table.deal(_lie(table, chance)).ok(201)
        memory = _Memory(table)
        while table.state().playing:
            memory.look()
            for looker in (each for each in lookers if chance.random() < often):
                visible = memory[looker.seat]
                for seen in read(table, looker.token, chance, since=1 if number == 1 else since):
                    assert not _leaks(seen, visible), (looker.name, seen)
                if chance.random() < 0.3:
                    for seen in provoke(table, looker.token, chance):
                        assert not _leaks(seen, visible), (looker.name, seen)
            _play(table, chance)
        _all_open(table, lookers, since)


def _opened(house: House, chance: Random, game: str) -> Sitting:
    seats = chance.choice([seats for seats in (2, 3, 3, 4, 6) if seats in GAMES[game].seats])
    mode = chance.choice(("dealt", "recorded"))
    options = {"max_turnovers": 1} if game.endswith("rum") else {}
    return opened(house, seats, mode=mode, public=True, options={"deals": 2, **options}, game=game)


def _lie(table: Sitting, chance: Random) -> dict[str, Any]:
    """Cards for a recorded deal; a dealt one shuffles."""
    session = table.state()
    if session.mode == "dealt":
        return {}
    pack = list(session.game.make(session.seats, session.options).copies.elements())
    chance.shuffle(pack)
    return session_decide.dealt(session, tuple(pack))._asdict()


def _play(table: Sitting, chance: Random) -> None:
    """A legal play with the token of the seat that is to move; cards before draws, so that deals end."""
    session = table.state()
    assert session.deal is not None
    seat = session.game.view(session.deal.state, ONLOOKER).turn
    assert seat is not None
    plays = table.get("/plays", table.seats[seat])["plays"]
    cards = [body for body in plays if body["type"] not in ("draw", "take", "pass", "ask", "discard")]
    body = chance.choice(cards if cards and chance.random() < 0.8 else plays)
    table.post("/plays", body, table.seats[seat]).ok(201)


def _all_open(table: Sitting, lookers: list[Looker], since: int) -> None:
    """After the deal everybody may see everything of it, at every version."""
    shown = []
    for looker in lookers:
        state = table.get(f"?at={since}", looker.token).ok()
        assert None not in [hand["cards"] for hand in state["deal"]["hands"]]
        replay = table.get(f"/deals/{state['deal']['number']}/replay?limit=200", looker.token).ok()
        assert "null" not in [str(hand["cards"]) for step in replay["steps"] for hand in step["state"]["deal"]["hands"]]
        events = table.get(f"/events?after={since - 1}&limit=500", looker.token).ok()["events"]
        assert None not in [events[0]["data"]["stock"], *events[0]["data"]["hands"]]
        drawn = [event["data"] for event in events if event["kind"].endswith("_drawn")]
        assert None not in [data.get("card", data.get("cards")) for data in drawn]
        shown.append((state.body, replay.body, events, table.get("/record", looker.token).ok().body))
    assert all(each == shown[0] for each in shown)
