"""An illegal play is answered so that its maker can go on: the clause, its own sentence, and what his seat may play.

For every game, over a deal of seeded play: seats try what their own cards suggest, whoever's turn it is.
"""

from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from replay.rules.clauses import SHARED
from replay.rules.game import ONLOOKER
from replay.rules.registry import GAMES
from tests.http.client import Answer
from tests.http.house import House
from tests.http.tables import Sitting, legal, opened
from tests.seeds import rng

SEATS: Final = {"rockaway": 3, "poker_rum": 2, "single_pack_rum": 3, "canasta": 4}
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "single_pack_rum": {"splash": True, "max_turnovers": 1},
    "poker_rum": {"max_turnovers": 1},
}
STEPS: Final = 16
"""Plays of the deal before which seats try something; enough for several turns of each seat in every game."""


def test_every_game_is_tried() -> None:
    assert SEATS.keys() == GAMES.keys()


@pytest.mark.parametrize("game", SEATS)
def test_a_refusal_says_the_clause_its_sentence_and_what_may_be_played(house: House, game: str) -> None:
    table = opened(house, SEATS[game], mode="dealt", options=OPTIONS.get(game), game=game)
    table.deal().ok(201)
    chance, clauses = rng(f"refusals of {game}"), Counter[str]()
    for _ in range(STEPS):
        for seat, token in table.seats.items():
            may = table.get("/plays", token).ok()["plays"]
            for body in tries(table, seat, chance):
                if body in may:
                    continue
                answer = table.post("/plays", body, token, match=table.version)
                if answer.status == 409 and answer["type"] == "/problems/illegal-play":
                    clauses[answer["clause"]] += 1
                    check(game, answer, may, table.version)
                elif answer.status == 201:
                    # A list of essentially different plays leaves out others, as does one that writes cards in order.
                    assert game in ("canasta", "single_pack_rum")
                    break
        if table.state().status != "playing":
            break
        body = chance.choice(legal(table))
        table.post("/plays", body, table.seats[body["seat"]]).ok(201)
    assert len(clauses) >= 2, f"too little was refused to show anything: {clauses}"


def check(game: str, answer: Answer, may: list[dict[str, Any]], version: int) -> None:
    """One refusal: a clause of the book in full, and the very list that `GET …/plays` gives this seat."""
    clause = GAMES[game].clauses.get(answer["clause"]) or SHARED[answer["clause"]]
    assert answer["detail"].endswith(f" {answer['clause']}: {clause.sentence}")
    assert len(answer["detail"]) > len(f"{answer['clause']}: {clause.sentence}") + 5, "it says nothing of this position"
    assert answer["legal"] == may
    assert answer["version"] == version


def tries(table: Sitting, seat: int, chance: Random) -> list[dict[str, Any]]:
    """Plays that somebody with this seat's cards may think of, some of each type; most of them not legal."""
    session = table.state()
    if session.deal is None or session.deal.last is not None:
        return []
    cards = table.get("", table.seats[seat])["deal"]["hands"][seat - 1]["cards"]
    one, some = chance.choice(cards) if cards else "9c", chance.sample(cards, min(3, len(cards)))
    rank, top = some[0][0] if some else "9", session.game.view(session.deal.state, ONLOOKER).upcard or "9c"
    bodies: dict[str, list[dict[str, Any]]] = {
        "rockaway": [{"type": "play", "card": one}, {"type": "draw"}, {"type": "pass"}],
        "poker_rum": [
            {"type": "draw"},
            {"type": "take"},
            {"type": "discard", "card": one},
            {"type": "show", "card": one},
        ],
        "single_pack_rum": [
            {"type": "draw"},
            {"type": "take"},
            {"type": "discard", "card": one},
            {"type": "meld", "cards": some},
            {"type": "splash", "melds": [some], "discard": one},
        ],
        "canasta": [
            {"type": "draw"},
            {"type": "pass"},
            {"type": "ask"},
            {"type": "discard", "card": one},
            {"type": "meld", "melds": {rank: [card for card in cards if card[0] == rank]}},
            {"type": "take", "melds": {top[0]: [card for card in cards if card[0] == top[0]]}},
        ],
    }
    return [{"seat": seat, **body} for body in bodies[session.game.name]]
