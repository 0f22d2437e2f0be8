"""The bots of the two rums: what they choose, and whole deals of four of them in this process.

Left out: the demonstration around them, which is in test_demo.py.
"""

from typing import Any

import pytest

from replay.rules.registry import GAMES
from service.demo.bots import PARTIES
from service.demo.rums import choose
from tests.http.house import Fake, House
from tests.http.tables import Sitting


def seen(hand: str, upcard: str = "5h", *melds: str) -> dict[str, Any]:
    """A session as seat 1 sees it on its turn."""
    hands: list[dict[str, Any]] = [{"seat": 1, "count": len(hand.split()), "cards": hand.split()}]
    laid = [{"id": f"m{n}", "seat": 2, "cards": cards.split()} for n, cards in enumerate(melds, start=1)]
    return {"deal": {"turn": 1, "hands": [*hands, {"seat": 2, "count": 7}], "upcard": upcard, "melds": laid}}


def may(*plays: str) -> list[dict[str, Any]]:
    """Plays as the service lists them: `draw`, `discard Ks`, `meld 7d 8d 9d`, `lay_off m1 Td`."""
    return [_play(*play.split()) for play in plays]


def _play(kind: str, *words: str) -> dict[str, Any]:
    if kind == "meld":
        return {"type": kind, "cards": list(words)}
    if kind == "lay_off":
        return {"type": kind, "meld": words[0], "card": words[1]}
    return {"type": kind, "card": words[0]} if words else {"type": kind}


DISCARDS = ("discard 7d", "discard 8d", "discard 9d", "discard 4c", "discard Ks")


@pytest.mark.parametrize(
    ("view", "plays", "choice"),
    [
        pytest.param(seen("7d 8d Ks", "9d"), ("draw", "take"), 1, id="a card that ends a sequence is taken"),
        pytest.param(seen("7d 9d Ks", "8d"), ("draw", "take"), 1, id="or stands within it"),
        pytest.param(seen("7d 7c Ks", "7h"), ("draw", "take"), 1, id="or makes three of a kind"),
        pytest.param(seen("7d 9d 7c", "Tc"), ("draw", "take"), 0, id="no other"),
        pytest.param(seen("Ks", "Td", "7d 8d 9d"), ("draw", "take"), 1, id="a card that goes on to a sequence"),
        pytest.param(seen("Ks", "Tc", "7d 8d 9d"), ("draw", "take"), 0, id="of its suit"),
        pytest.param(seen("Ks", "9h", "9c 9d 9s"), ("draw", "take"), 1, id="or to three of a kind"),
        pytest.param(seen("7d 8d 9d 4c Ks"), DISCARDS, 4, id="of what goes with nothing the dear card goes"),
        pytest.param(seen("7d 8d 9d 4c Qs Ks"), DISCARDS, 3, id="what may come together is kept"),
        pytest.param(seen("7d 8d 9d Ks"), ("discard Ks", "show Ks"), 1, id="the hand is shown"),
        pytest.param(seen("7d 8d 9d Ks"), ("meld 7d 8d 9d", "discard Ks", "splash"), 2, id="or splashed"),
        pytest.param(seen("7d 8d 9d 4c"), ("meld 7d 8d 9d", "discard 4c"), 0, id="laid out"),
        pytest.param(seen("Td 4c", "5h", "7d 8d 9d"), ("lay_off m1 Td", "discard 4c"), 0, id="or added"),
    ],
)
def test_the_bot_of_the_rums(view: dict[str, Any], plays: tuple[str, ...], choice: int) -> None:
    listed = may(*plays)
    assert choose(view, listed) == listed[choice]


@pytest.mark.parametrize("game", ["poker_rum", "single_pack_rum"])
def test_bots_play_their_deals_to_an_end(game: str) -> None:
    party, house = PARTIES[game], House(Fake()).settled()
    assert party.lowest_wins == GAMES[game].lowest_wins
    body = {"game": game, "players": party.players, "options": {**party.options, "deals": 3}, "mode": "dealt"}
    session = house.client.post("/v1/sessions", body, house.owner).ok(201)
    table = Sitting(house, session, house.owner)
    endings = []
    while session["status"] != "over":
        session = table.deal().ok(201)
        while session["status"] == "playing":
            seat = table.seats[session["deal"]["turn"]]
            plays = table.get("/plays", seat).ok()["plays"]
            chosen = party.bot(table.get("", seat).ok().body, plays)
            assert chosen in plays
            session = table.post("/plays", chosen, seat).ok(201)
        endings.append(session["deal"]["ending"])
    house.leave()
    assert set(endings) <= {"shown", "out"}
