"""Law 4 over HTTP: two sessions that differ only in cards which a caller cannot know give him equal answers.

Both are played by the same plays; all that he can read, and every refusal that he can provoke, is compared after each,
headers included. The sessions lie in two houses with equal clocks, so that nothing has to be set equal but their ids
and what is chance or made from what is hidden (seals, digests, signatures), of which the length is compared.
"""

from random import Random
from typing import Any, Final, NamedTuple

import pytest

from replay.memory_log import MemoryLog
from replay.rules.cards import Card, Cards
from replay.rules.options import agree
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


PLAYS: Final = 80
"""A pair is left after so many plays; random ones bring few deals of other games than Rockaway to an end."""
KNOWN: Final = 6
"""Cards of the stock that a draw may bring at the most: four red threes, and two."""


class Lie(NamedTuple):
    """The cards of a deal."""

    hands: tuple[Cards, ...]
    upcard: Card
    stock: Cards


def _lie(game: str, seats: int, chance: Random) -> Lie:
    rules = find_game(game)
    make = rules.make(seats, rules.agreed(agree(rules.options, {}, rules.presets)))
    pack = list(make.copies.elements())
    chance.shuffle(pack)
    hands = tuple(tuple(pack.pop() for _ in range(make.hand_size)) for _ in range(seats))
    # No wild card and no three, so that Canasta turns no other up and dealing draws nothing for it.
    upcard = next(card for card in pack if card[0] not in "23J")
    pack.remove(upcard)
    return Lie(hands, upcard, tuple(pack))


def _other(game: str, lie: Lie, seat: int | None, chance: Random) -> Lie:
    """Another deal that looks the same to this seat (to an onlooker): some cards that he cannot see change places."""
    hands, stock = [list(hand) for hand in lie.hands], list(lie.stock)
    hidden = [(hand, at) for n, hand in enumerate(hands, start=1) if n != seat for at in range(len(hand))]
    # The cards that he may come to draw himself stay where they are, else there would be little to compare.
    hidden += [(stock, at) for at in range(len(stock) // 2, len(stock))]
    if game == "canasta":
        # Red threes lie open as soon as they are dealt.
        hidden = [(cards, at) for cards, at in hidden if cards[at] not in ("3d", "3h")]
    for _ in range(chance.randint(1, 4)):
        (one, at), (two, to) = chance.sample(hidden, 2)
        one[at], two[to] = two[to], one[at]
    return Lie(tuple(map(tuple, hands)), lie.upcard, tuple(stock))


def _seated(house: House, game: str, seats: int, mode: str, lie: Lie) -> Sitting:
    table = opened(house, seats, mode=mode, public=True, game=game)
    if mode == "dealt":
        stacked(table, *lie)
    else:
        table.deal(lie._asdict()).ok(201)
    return table


def _all_seen(table: Sitting, token: str | None, seed: str) -> list[tuple[str, str]]:
    """All that this caller can get to see; equal seeds look at the same things."""
    chance = Random(seed)
    found = [*read(table, token, chance), *provoke(table, token, chance)]
    return [(seen.about, alike(seen.answer, table)) for seen in found]


LOOKED_AT: Final = (
    *(("rockaway", index) for index in range(scaled(PAIRS // BATCH))),
    *((game, index) for game in ("poker_rum", "single_pack_rum", "canasta") for index in range(scaled(PAIRS // 8))),
)


@pytest.mark.parametrize(("game", "index"), LOOKED_AT)
def test_what_cannot_be_known_makes_no_difference(game: str, index: int) -> None:
    chance = rng(f"http pairs {index}" if game == "rockaway" else f"http pairs {game} {index}")
    compared = sum(_pair(game, chance) for _ in range(BATCH))
    assert compared > BATCH


def _pair(game: str, chance: Random) -> int:
    """Play one pair as far as the same plays can be made in both; how many versions were compared."""
    seats, mode = chance.choice((2, 3, 4, 5)), chance.choice(("dealt", "recorded"))
    seats = min(seats, find_game(game).seats[-1])
    seat = chance.choice((None, *range(1, seats + 1)))
    lie = _lie(game, seats, chance)
    lies = (lie, _other(game, lie, seat, chance))
    houses = [House(Fake(), MemoryLog()).settled() for _ in lies]
    one, two = (_seated(house, game, seats, mode, each) for house, each in zip(houses, lies, strict=True))
    try:
        return _compare(one, two, seat, mode, chance)
    finally:
        for house in houses:
            house.leave()


def _compare(one: Sitting, two: Sitting, seat: int | None, mode: str, chance: Random) -> int:
    compared = 0
    while one.version < PLAYS:
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


def _next(table: Sitting) -> tuple[Card | None, ...]:
    """What the next draw may bring."""
    deal = table.state().deal
    assert deal is not None
    state = deal.state
    if table.state().game.name == "rockaway":
        return tuple(state.stock[state.gone :][:1])
    return tuple(getattr(state, "layout", state).stock[:KNOWN])
