"""What a stranger makes of a session over HTTP: one chain for all who look, seals that open, deals dealt again.

He works with stranger.py, in which nothing of ours is used. And what he must not be able to make of it: a seal that can
be matched by guessing a card, or a seed before its deal is over.
"""

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

import pytest

from replay.rules import session_decide
from replay.rules.cards import JOKER, PACK
from replay.rules.registry import GAMES
from service.demo.bots import PARTIES
from tests.http.client import Answer
from tests.http.house import House
from tests.http.looking import provoke
from tests.http.resources import resources
from tests.http.stranger import canonical, dealt, heads, mixed, sealed, shuffled
from tests.http.tables import SHORT, Sitting, opened, play_out
from tests.seeds import SCALE, rng

SEATS: Final = {"rockaway": 3, "poker_rum": 2, "single_pack_rum": 3, "canasta": 4}
MIDWAY: Final = 12
"""Plays after which a deal is looked at while it is on."""
EVERY_GAME: Final = pytest.mark.parametrize("game", GAMES)
EITHER_MODE: Final = pytest.mark.parametrize("mode", ["dealt", "recorded"])


def seated(house: House, game: str, mode: str) -> Sitting:
    """A public session of two deals, in which all that can be mixed into the first is mixed in."""
    options = {"max_turnovers": 1} if game.endswith("rum") else {"target": None} if game == "canasta" else {}
    table = opened(house, SEATS[game], mode=mode, public=True, options={"deals": 2, **options}, game=game)
    if mode == "dealt":
        for seat in (2, 1):
            table.post("/entropy", {"entropy": f"\N{SNOWMAN} of seat {seat}"}, table.seats[seat]).ok(201)
    return table


def deal(table: Sitting) -> None:
    """The next deal starts, with a text of the organiser's, or the cards of a real table."""
    session = table.state()
    if session.mode == "dealt":
        table.deal({"entropy": "the organiser's"}).ok(201)
        return
    cards = list(session.game.make(session.seats, session.options).copies.elements())
    rng(f"strangers {session.game.name} {session.version}").shuffle(cards)
    table.deal(session_decide.dealt(session, tuple(cards))._asdict()).ok(201)


def play_on(table: Sitting, most: int | None = None) -> None:
    """Play as the demonstration's bots do: to the end of the deal, or so many plays."""
    bot = PARTIES[table.state().game.name].bot
    session = table.get("").ok().body
    while session["status"] == "playing" and most != 0:
        token = table.seats[session["deal"]["turn"]]
        plays = table.get("/plays", token).ok()["plays"]
        session = table.post("/plays", bot(table.get("", token).body, plays), token).ok(201).body
        most = None if most is None else most - 1


def everybody(table: Sitting) -> dict[str, str | None]:
    """Who can look at a public session, with his token."""
    seats: dict[str, str | None] = {f"seat {seat}": token for seat, token in table.seats.items()}
    return {"nobody": None, "its organiser": table.owner, "the first organiser": table.house.first, **seats}


def events_of(table: Sitting, token: str | None) -> list[dict[str, Any]]:
    """All events as this caller sees them."""
    found: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        answer = table.get(f"/events?limit=500{cursor and '&cursor=' + cursor}", token).ok()
        found += answer["events"]
        cursor = answer["next"]
    return found


def _stages(table: Sitting) -> Iterator[str]:
    """Between deals, with one on, and with one over and the next one on."""
    yield "before the first deal"
    deal(table)
    yield "dealt"
    play_on(table, MIDWAY)
    yield "in the first deal"
    play_on(table)
    yield "between deals"
    deal(table)
    play_on(table, MIDWAY)
    yield "in the second deal"


@EITHER_MODE
@EVERY_GAME
def test_everybody_works_out_the_same_heads(house: House, game: str, mode: str) -> None:
    table = seated(house, game, mode)
    for stage in _stages(table):
        chains = {}
        for name, token in everybody(table).items():
            session, events = table.get("", token).ok().body, events_of(table, token)
            chain = heads(session, events)
            assert [event["digest"] for event in events] == chain, (stage, name)
            assert [event["version"] for event in events] == [*range(1, session["version"] + 1)]
            assert session["head"] == chain[-1], (stage, name)
            chains[name] = tuple(chain)
        assert len(set(chains.values())) == 1, stage
        for version in {1, table.version // 2 or 1, table.version}:
            for name, token in everybody(table).items():
                assert table.get(f"?at={version}", token)["head"] == chains["nobody"][version - 1], (stage, name)


@EITHER_MODE
@EVERY_GAME
def test_what_anybody_sees_of_what_is_sealed_opens_its_seal(house: House, game: str, mode: str) -> None:
    """With a salt comes the value that was sealed, and without one no value."""
    table = seated(house, game, mode)
    for stage in _stages(table):
        opening = Counter[str]()
        for name, token in everybody(table).items():
            for each in sealed(events_of(table, token)):
                assert each.opens if each.salt is not None else each.value is None, (stage, name, each)
                opening[name] += each.salt is not None
        ruling = "its organiser"
        # Who rules a recorded table sees it all; each seat sees its own hand; nobody sees less than an onlooker.
        if stage == "dealt":
            seats = SEATS[game]
            assert {opening[f"seat {seat}"] for seat in range(1, seats + 1)} == {1}
            assert (opening["nobody"], opening[ruling]) == (0, seats + 1 if mode == "recorded" else 0)


@EVERY_GAME
def test_a_stranger_deals_again_what_was_dealt(house: House, game: str) -> None:
    table = seated(house, game, "dealt")
    committed = table.get("")["commitment"]
    deal(table)
    play_on(table)
    for token in everybody(table).values():
        events = events_of(table, token)
        [ended] = [event for event in events if event["kind"] == "session.deal_ended"]
        [started] = [event for event in events if event["kind"] == "session.deal_started"]
        opening, seed = events[0], ended["data"]["dealt_from"]
        assert opening["seals"]["seed"] == committed
        assert opening["data"]["seed"] == seed
        assert sha256(canonical([opening["salts"]["seed"], seed])).hexdigest() == committed
        texts: list[str | None] = [None] * SEATS[game]
        for event in events:
            if event["kind"] == "session.entropy_added":
                texts[event["seat"] - 1] = event["data"]["text"]
        assert texts[:2] == ["\N{SNOWMAN} of seat 1", "\N{SNOWMAN} of seat 2"]
        lie = {name: started["data"][name] for name in ("hands", "upcard", "stock")}
        pack = [*(card for hand in lie["hands"] for card in hand), lie["upcard"], *lie["stock"]]
        assert _is_a_pack(game, pack)
        given = [*texts, started["data"]["entropy"]]
        assert dealt(pack, seed, given, started["data"]["dealer"], len(lie["hands"][0])) == lie
        # Every text counts: with any of them left out, or two in each other's place, it is another deal.
        for other in ([None, *given[1:]], [*given[:-1], None], [given[1], given[0], *given[2:]]):
            assert dealt(pack, seed, other, started["data"]["dealer"], len(lie["hands"][0])) != lie


def _is_a_pack(game: str, cards: list[str]) -> bool:
    packs = Counter([*PACK, *PACK, *[JOKER] * 4]) if game == "canasta" else Counter(PACK)
    return Counter(cards) == packs


def test_lengths_keep_texts_apart() -> None:
    seed = "00" * 32
    same_letters: list[list[str | None]] = [["ab", "", "c"], ["a", "b", "c"], ["", "ab", "c"], ["abc", "", ""]]
    assert len({mixed(seed, texts) for texts in same_letters}) == len(same_letters)
    assert mixed(seed, [None, "x"]) == mixed(seed, ["", "x"])
    assert Counter(shuffled(PACK, mixed(seed, ["x"]))) == Counter(PACK)


@EITHER_MODE
@EVERY_GAME
def test_no_seal_can_be_matched_by_guessing(house: House, game: str, mode: str) -> None:
    """All 53 cards, alone and in a list, unsalted and with every salt that this viewer sees, against every hash that
    he sees and cannot open. That guessing does open what he has the salt of shows that it is well done."""
    table = seated(house, game, mode)
    found = 0
    for stage in _stages(table):
        for name, token in everybody(table).items():
            events = events_of(table, token)
            seals = [*sealed(events)]
            closed = {each.seal for each in seals if each.salt is None}
            assert len(closed) == sum(each.salt is None for each in seals), "two seals alike"
            closed |= {event["digest"] for event in events} | {table.get("", token)["commitment"]}
            guessed = {*_guesses(sorted(each.salt for each in seals if each.salt is not None))}
            assert not closed & guessed, (stage, name)
            found += len({each.seal for each in seals if each.salt is not None} & guessed)
    assert found, "no card was ever guessed with its salt"


def _guesses(salts: list[str]) -> Iterator[str]:
    for card in (*PACK, JOKER):
        for value in (card, [card], [[card]]):
            yield sha256(canonical(value)).hexdigest()
            for salt in ("", *salts):
                yield sha256(canonical([salt, value])).hexdigest()
                yield sha256(salt.encode() + canonical(value)).hexdigest()
        yield sha256(card.encode()).hexdigest()


class TestUnusedSeeds:
    """The seed of a deal that is not over is in no answer of any resource to anybody, and in no line of the log."""

    def _secrets(self, table: Sitting) -> set[str]:
        """Seeds of deals that are not over, and their salts, as they lie in the store."""
        session = table.state()
        over = session.finished[-1].first if session.finished else 0
        found = set()
        for each in table.house.log.read(table.id):
            if "seed" in each.opened and each.version > over:
                found |= set(each.opened["seed"])
        return found

    def _answers(self, table: Sitting, token: str | None) -> Iterator[Answer]:
        for resource in resources(table.house):
            if resource.method == "GET":
                for number in ("1", "2"):
                    path = resource.path(table.id, number)
                    yield table.house.client.get(path, token)
            elif "<session_id>" in resource.rule:
                bodies: list[Any] = [{}, resource.good]
                for body in bodies:
                    yield table.house.client.call(resource.method, resource.path(table.id), body, token=token, match=99)
        for version in range(1, table.version + 1):
            yield table.get(f"?at={version}", token)
        yield table.get("/record", token, headers={"Accept": "application/toml"})
        yield table.get("/events?limit=500", token)
        if table.state().playing:
            yield from (seen.answer for seen in provoke(table, token, rng("unused seeds")))

    @pytest.mark.parametrize("public", [True, False] if SCALE >= 1 else [rng("unused seeds").random() < 0.5])
    def test_nobody_is_told(self, house: House, public: bool, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("DEBUG")
        table = opened(house, mode="dealt", public=public, options={"deals": 3})
        told = 0
        for _ in range(3):
            told += self._look(table)
            table.post("/entropy", {"entropy": "x"}, table.seats[1]).ok(201)
            told += self._look(table)
            table.deal({"entropy": "y"}).ok(201)
            told += self._look(table)
            play_out(table)
            house.score(table.id)
        assert told > 100
        assert not self._secrets(table), "all are used up"
        assert not [line for line in caplog.messages if any(seed in line for seed in self._used(table))]

    def _look(self, table: Sitting) -> int:
        secret = self._secrets(table)
        assert len(secret) == 2, "a seed and its salt"
        told = 0
        for token in (*everybody(table).values(), table.house.stranger):
            for answer in self._answers(table, token):
                told += answer.status == 200
                assert not [each for each in secret if each in answer.everything]
        return told

    def _used(self, table: Sitting) -> list[str]:
        events = events_of(table, table.owner)
        return [event["data"]["dealt_from"] for event in events if event["kind"] == "session.deal_ended"]


def test_a_used_seed_and_its_salt_are_everybodys(house: House) -> None:
    table = opened(house, mode="dealt", public=True, options={"deals": 2})
    for _ in range(2):
        table.deal().ok(201)
        play_out(table)
    for token in everybody(table).values():
        events = events_of(table, token)
        assert [each.opens for each in sealed(events)] == [True] * len([*sealed(events)])
        seeds = [event["data"]["seed"] for event in events if "seed" in event["seals"]]
        assert seeds == [event["data"]["dealt_from"] for event in events if event["kind"] == "session.deal_ended"]
        assert len(set(seeds)) == 2


def test_an_answer_is_json_that_a_stranger_can_read(table: Sitting) -> None:
    """No number that another reader would round, no key that another would sort elsewhere."""
    table.deal({**SHORT, "note": 'e\N{COMBINING ACUTE ACCENT}\n\t"\\\N{GRINNING FACE}'}).ok(201)
    for event in events_of(table, table.owner):
        assert json.loads(canonical(event)) == event
        assert all(key.isascii() for key in _keys(event))
    session = table.get("", table.owner).body
    assert heads(session, events_of(table, table.owner))[-1] == session["head"]


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for part in value.values():
            yield from _keys(part)
    elif isinstance(value, list):
        for part in value:
            yield from _keys(part)
    else:
        assert not isinstance(value, float)
        assert not isinstance(value, int) or abs(value) < 2**53
