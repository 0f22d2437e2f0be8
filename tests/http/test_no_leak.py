"""No answer of any resource names a card that its caller may not see, at any version of any seeded deal.

What may be seen is worked out here from the log alone: the seat's own hand and the pile, and everything once the deal
is over. Cards of two packs are equal, so that there a leak can hide behind a copy that is seen: test_no_leak_pairs.py
looks at those in another way.
"""

from random import Random
from typing import Any, Final, NamedTuple

import pytest

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
    return {*deal.state.pile, *(deal.state.hands[seat - 1] if seat else ())}


def _leaks(seen: Seen, visible: set[str]) -> set[str]:
    return cards_in(seen.answer) - visible - seen.named


@pytest.mark.store
@pytest.mark.parametrize("index", range(scaled(SESSIONS)))
def test_nobody_is_shown_a_card_before_its_time(real_house: House, index: int) -> None:
    chance = rng(f"http leak {index}")
    table, other = _opened(real_house, chance), opened(real_house)
    lookers = _lookers(table, other)
    for number in (1, 2):
        since = table.version + 1
        table.deal(_lie(table, chance)).ok(201)
        while table.state().playing:
            for looker in (each for each in lookers if chance.random() < LOOKS):
                visible = _visible(table, looker.seat)
                for seen in read(table, looker.token, chance, since=1 if number == 1 else since):
                    assert not _leaks(seen, visible), (looker.name, seen)
                if chance.random() < 0.3:
                    for seen in provoke(table, looker.token, chance):
                        assert not _leaks(seen, visible), (looker.name, seen)
            _play(table, chance)
        _all_open(table, lookers, since)


def _opened(house: House, chance: Random) -> Sitting:
    seats = chance.choice((2, 3, 3, 4, 6))
    mode = chance.choice(("dealt", "recorded"))
    return opened(house, seats, mode=mode, public=True, options={"deals": 2})


def _lie(table: Sitting, chance: Random) -> dict[str, Any]:
    """Cards for a recorded deal; a dealt one shuffles."""
    session = table.state()
    if session.mode == "dealt":
        return {}
    make = session.game.make(len(session.players), session.options)
    pack = list(make.copies.elements())
    chance.shuffle(pack)
    hands = [[pack.pop() for _ in range(make.hand_size)] for _ in session.players]
    return {"hands": hands, "upcard": pack.pop(), "stock": pack}


def _play(table: Sitting, chance: Random) -> None:
    """A legal play with the token of the seat that is to move; cards before draws, so that deals end."""
    deal = table.state().deal
    assert deal is not None
    seat = deal.state.turn
    plays = table.get("/plays", table.seats[seat])["plays"]
    cards = [body for body in plays if body["type"] == "play"]
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
        assert None not in [event["data"]["card"] for event in events if event["kind"] == "rockaway.card_drawn"]
        shown.append((state.body, replay.body, events, table.get("/record", looker.token).ok().body))
    assert all(each == shown[0] for each in shown)
