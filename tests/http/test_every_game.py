"""Whole deals of every game over HTTP, chosen from what `GET …/plays` lists: views, sheets, ledger and record agree.

Left out: each game's own plays one by one, which have a file for each game.
"""

import json
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from replay.rules import session_decide
from replay.rules.registry import GAMES
from service.demo.bots import PARTIES
from tests.http.house import House
from tests.http.tables import Sitting, opened
from tests.seeds import rng

CASES: Final = Path(__file__).parent.parent / "records" / "cases"


class Way(NamedTuple):
    """A game, and how it is played."""

    game: str
    seats: int
    units: int
    """How many seats or sides score."""
    options: dict[str, Any]


RUM: Final = {"deals": 2, "max_turnovers": 3}
WAYS: Final = (
    Way("rockaway", 3, 3, {"deals": 2}),
    Way("poker_rum", 2, 2, RUM),
    Way("poker_rum", 5, 5, RUM),
    Way("single_pack_rum", 2, 2, RUM),
    Way("single_pack_rum", 4, 4, {**RUM, "splash": True, "splash_layoffs": True, "table_actions": "free"}),
    Way("canasta", 2, 2, {"deals": 2, "target": None}),
    Way("canasta", 3, 3, {"deals": 2, "target": None, "preset": "official_1949"}),
    Way("canasta", 4, 2, {"deals": 2, "target": None}),
)
FIELDS: Final = {
    *("number", "dealer", "turn", "upcard", "stock_count", "discard_count", "ending", "hands"),
}
FURTHER: Final[dict[str, set[str]]] = {
    "rockaway": {"exhausted", "passes", "drawn"},
    "poker_rum": {"phase", "taken", "turnovers"},
    "single_pack_rum": {"phase", "taken", "turnovers", "melds"},
    "canasta": {"phase", "answer", "sides"},
}
STARTS: Final = {"draw", "take"}


def lie(table: Sitting, chance: Random) -> dict[str, Any]:
    """Cards for a recorded deal, as they were dealt; a dealt one shuffles."""
    session = table.state()
    if session.mode == "dealt":
        return {}
    cards = list(session.game.make(session.seats, session.options).copies.elements())
    chance.shuffle(cards)
    return session_decide.dealt(session, tuple(cards))._asdict()


@pytest.mark.parametrize("mode", ["dealt", "recorded"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.game}-{way.seats}")
def test_whole_deals(house: House, way: Way, mode: str) -> None:
    table = opened(house, way.seats, mode=mode, options=way.options, game=way.game)
    chance = rng(f"http {way.game} {way.seats} {mode}")
    added = [0] * way.units
    for number in (1, 2):
        session = table.deal(lie(table, chance)).ok(201)
        while session["status"] == "playing":
            _shown(way, mode, session["deal"])
            session = _play(table, way, session)
        sheet = _sheet(table, way, number)
        added = [total + points for total, points in zip(added, sheet["points"], strict=True)]
        assert session["totals"] == added
    assert session["status"] == "over"
    best = (min if GAMES[way.game].lowest_wins else max)(added)
    assert session["winners"] == [n + 1 for n in range(way.seats) if added[n % way.units] == best]
    assert table.get("/ledger", table.owner).ok()["balances"] == added
    _record(table)


def _play(table: Sitting, way: Way, session: Any) -> Any:
    """What the demonstration's bot chooses; nobody else may play, unless he is asked."""
    turn = session["deal"]["turn"]
    mine = table.get("/plays", table.seats[turn]).ok().body
    assert (mine["version"], mine["seat"], mine["turn"]) == (session["version"], turn, turn)
    assert {play["seat"] for play in mine["plays"]} == {turn}
    assert ("hints" in mine) == (way.game == "canasta")
    other = table.seats[turn % way.seats + 1]
    assert table.get("/plays", other).ok()["plays"] == []
    seen = table.get("", table.seats[turn]).ok().body
    if "phase" in seen["deal"] and way.game != "canasta":
        assert {play["type"] for play in mine["plays"]} & STARTS or seen["deal"]["phase"] == "drawn"
    return table.post("/plays", PARTIES[way.game].bot(seen, mine["plays"]), table.seats[turn]).ok(201)


def _shown(way: Way, mode: str, deal: dict[str, Any]) -> None:
    """The deal has the fields that the contract names for this game, and each is of its kind."""
    assert deal.keys() - ({"irregularities"} if mode == "recorded" else set()) == FIELDS | FURTHER[way.game]
    if way.game == "canasta":
        assert deal["phase"] in ("start", "melding", "asked", "last_red")
        assert deal["answer"] in ("yes", "no", None)
        assert [side["seats"] for side in deal["sides"]] == (
            [[1, 3], [2, 4]] if way.seats == 4 else [[seat] for seat in range(1, way.seats + 1)]
        )
        for side in deal["sides"]:
            assert {"seats", "melds", "red_threes", "minimum", "frozen"} <= side.keys()
            assert type(side["frozen"]) is bool
            for meld in side["melds"]:
                assert meld.keys() == {"rank", "cards", "canasta"}
                natural = not any(card == "Jk" or card[0] == "2" for card in meld["cards"])
                whole = len(meld["cards"]) >= 7
                assert meld["canasta"] == (("natural" if natural else "mixed") if whole else None)
    elif way.game != "rockaway":
        assert deal["phase"] in ("start", "drawn")
        assert deal["taken"] is None or deal["phase"] == "drawn"
        assert 0 <= deal["turnovers"] <= 3
        assert [meld["id"] for meld in deal.get("melds", [])] == [
            f"m{n}" for n in range(1, len(deal.get("melds", [])) + 1)
        ]


def _sheet(table: Sitting, way: Way, number: int) -> Any:
    """The sheet of a deal that has just ended, which the worker posts: its lines add up to its points."""
    assert table.get(f"/deals/{number}", table.owner).ok()["status"] == "pending"
    assert table.house.score(table.id) == 1
    sheet = table.get(f"/deals/{number}", table.seats[1]).ok()
    unit = "side" if way.game == "canasta" else "seat"
    added = [0] * way.units
    for line in sheet["lines"]:
        added[line[unit] - 1] += line["points"]
        assert line["clause"] in GAMES[way.game].clauses
        assert line["text"]
        assert ({"seat", "side"} & line.keys(), "item" in line) == ({unit}, unit == "side")
    assert (sheet["status"], sheet["points"]) == ("posted", added)
    assert ("sheets" in sheet.body) == (unit == "side")
    for side in range(way.units if unit == "side" else 0):
        items = sheet["sheets"][side]
        assert (len(items), items[8]) == (9, added[side])
        for line in sheet["lines"]:
            assert 1 <= line["item"] <= 8
            assert (line["points"] < 0) <= (line["item"] in (6, 8)), line
    if "rum" in way.game:
        assert sum(added) == 0
        assert all(("to" in line) == (line["points"] < 0) for line in sheet["lines"])
        assert all(("from" in line) == (line["points"] > 0) for line in sheet["lines"])
    return sheet


def _record(table: Sitting) -> None:
    """The record is clean, and brought in it is the same record, and the same session but for its mode and owner."""
    client, owner = table.house.client, table.owner
    record = table.get("/record", owner).ok().body
    made = client.post("/v1/records", record, owner).ok(201)
    assert made["check"]["verdict"] == "clean"
    path = made.headers["Location"]
    assert client.get(f"{path}/record", owner).ok().body == record
    then, now = client.get(path, owner).ok().body, table.get("", owner).ok().body
    for session in (then, now):
        session["deal"].pop("irregularities", None)
    same = ("game", "options", "version", "status", "totals", "winners", "deal")
    assert {name: then[name] for name in same} == {name: now[name] for name in same}


@pytest.mark.parametrize("game", GAMES)
def test_a_written_record_is_stored_and_gets_the_known_verdict(house: House, game: str) -> None:
    lines = (CASES / f"legal-{game}.ndjson").read_bytes().splitlines()
    answers = (CASES / f"legal-{game}.expected.ndjson").read_bytes().splitlines()
    cases = zip(lines, map(json.loads, answers), strict=True)
    line, expected = next((line, answer) for line, answer in cases if answer["verdict"] == "clean")
    made = house.client.post("/v1/records", raw=line, token=house.owner).ok(201)
    assert (made["check"]["verdict"], made["check"]["winners"]) == ("clean", expected["winners"])
    totals = expected["deals"][-1]["totals"]
    assert made["session"]["totals"] == totals
    house.score(made["session"]["id"])
    path = made.headers["Location"]
    assert house.client.get(f"{path}/ledger", house.owner).ok()["balances"] == totals
    again = house.client.get(f"{path}/record", house.owner).ok().body
    check = house.client.post("/v1/records?dry_run=true", again, house.owner).ok()
    assert (check["verdict"], check["winners"]) == ("clean", expected["winners"])


@pytest.mark.parametrize("game", [game for game in GAMES if game != "rockaway"])
def test_a_record_with_a_wrong_play_says_where(house: House, game: str) -> None:
    lines = (CASES / f"mutated-{game}.ndjson").read_bytes().splitlines()
    answers = (CASES / f"mutated-{game}.expected.ndjson").read_bytes().splitlines()
    cases = zip(lines, map(json.loads, answers), strict=True)
    line, expected = next((line, answer) for line, answer in cases if answer["verdict"] == "illegal")
    refused = house.client.post("/v1/records", raw=line, token=house.owner).problem("invalid")
    stops = [
        (stop["play"], stop["clause"])
        for verdict in (refused["check"], expected)
        if (stop := verdict["deals"][-1]["stopped_at"])
    ]
    assert len(stops) == 2
    assert stops[0] == stops[1]
