"""Law 4 over HTTP: two sessions that differ only in cards which a caller cannot know give him equal answers.

Both are played by the same plays; all that he can read, and every refusal that he can provoke, is compared after each,
headers included. The sessions lie in two houses with equal clocks, so that nothing but their ids has to be set equal.
"""

from random import Random
from typing import Any, Final, NamedTuple

import pytest

from replay.memory_log import MemoryLog
from replay.rules.cards import Card, Cards
from replay.rules.registry import find_game
from tests.http.house import Fake, House
from tests.http.looking import provoke, read
from tests.http.tables import Sitting, alike, legal, opened, stacked
from tests.seeds import rng, scaled

PAIRS: Final = 80
"""Pairs of a full run."""
BATCH: Final = 2
"""Pairs of one test, which must between them come to some plays that can be compared."""
LOOKS: Final = 0.25
"""The share of versions at which all that can be seen is compared; the first of each pair is always one."""


class Lie(NamedTuple):
    """The cards of a deal."""

    hands: tuple[Cards, ...]
    upcard: Card
    stock: Cards


def _lie(seats: int, chance: Random) -> Lie:
    game = find_game("rockaway")
    make = game.make(seats, game.agreed({option.name: option.default for option in game.options}))
    pack = list(make.copies.elements())
    chance.shuffle(pack)
    hands = tuple(tuple(pack.pop() for _ in range(make.hand_size)) for _ in range(seats))
    return Lie(hands, pack.pop(), tuple(pack))


def _other(lie: Lie, seat: int | None, chance: Random) -> Lie:
    """Another deal that looks the same to this seat (to an onlooker): some cards that he cannot see change places."""
    hands, stock = [list(hand) for hand in lie.hands], list(lie.stock)
    hidden = [(hand, at) for n, hand in enumerate(hands, start=1) if n != seat for at in range(len(hand))]
    # The cards that he may come to draw himself stay where they are, else there would be little to compare.
    hidden += [(stock, at) for at in range(len(stock) // 2, len(stock))]
    for _ in range(chance.randint(1, 4)):
        (one, at), (two, to) = chance.sample(hidden, 2)
        one[at], two[to] = two[to], one[at]
    return Lie(tuple(map(tuple, hands)), lie.upcard, tuple(stock))


def _seated(house: House, seats: int, mode: str, lie: Lie) -> Sitting:
    table = opened(house, seats, mode=mode, public=True)
    if mode == "dealt":
        stacked(table, *lie)
    else:
        table.deal(lie._asdict()).ok(201)
    return table


def _all_seen(table: Sitting, token: str | None, seed: str) -> list[tuple[str, str]]:
    """All that this caller can get to see; equal seeds look at the same things."""
    chance = Random(seed)
    found = [*read(table, token, chance), *provoke(table, token, chance)]
    return [(seen.about, alike(seen.answer.everything, table)) for seen in found]


@pytest.mark.parametrize("index", range(scaled(PAIRS // BATCH)))
def test_what_cannot_be_known_makes_no_difference(index: int) -> None:
    chance = rng(f"http pairs {index}")
    compared = sum(_pair(chance) for _ in range(BATCH))
    assert compared > BATCH


def _pair(chance: Random) -> int:
    """Play one pair as far as the same plays can be made in both; how many versions were compared."""
    seats, mode = chance.choice((2, 3, 4, 5)), chance.choice(("dealt", "recorded"))
    seat = chance.choice((None, *range(1, seats + 1)))
    lie = _lie(seats, chance)
    lies = (lie, _other(lie, seat, chance))
    houses = [House(Fake(), MemoryLog()).settled() for _ in lies]
    one, two = (_seated(house, seats, mode, each) for house, each in zip(houses, lies, strict=True))
    try:
        return _compare(one, two, seat, mode, chance)
    finally:
        for house in houses:
            house.leave()


def _compare(one: Sitting, two: Sitting, seat: int | None, mode: str, chance: Random) -> int:
    compared = 0
    while True:
        if not compared or chance.random() < LOOKS:
            seed = f"{chance.random()}"
            seen = [_all_seen(table, _token(table, seat, mode), seed) for table in (one, two)]
            for first, second in zip(*seen, strict=True):
                assert first == second, (seat, mode)
            compared += 1
        body = _common(one, two, seat, chance)
        if body is None:
            return compared
        answers = [table.post("/plays", body, table.seats[body["seat"]]).ok(201) for table in (one, two)]
        if answers[0]["status"] != "playing" or answers[1]["status"] != "playing":
            return compared


def _token(table: Sitting, seat: int | None, mode: str) -> str | None:
    if seat is not None:
        return table.seats[seat]
    return table.owner if mode == "dealt" else None


def _common(one: Sitting, two: Sitting, seat: int | None, chance: Random) -> dict[str, Any] | None:
    """A play that is legal in both and shows the caller the same in both; None if there is none."""
    theirs = legal(two)
    plays = [body for body in legal(one) if body in theirs]
    if plays and plays[0]["seat"] == seat and _next(one) != _next(two):
        plays = [body for body in plays if body["type"] != "draw"]
    return chance.choice(plays) if plays else None


def _next(table: Sitting) -> Card | None:
    deal = table.state().deal
    assert deal is not None
    state = deal.state
    card: Card | None = state.stock[state.gone] if state.gone < len(state.stock) else None
    return card
