"""The report of a deal for a hearing: complete, in three forms that say the same, of deals of every game and ruling."""

from html import unescape
from typing import Any, Final

import pytest

from replay.rules.cards import parse_card
from replay.rules.game import EVERYTHING, judge
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_events import DealStarted
from service.hearing import LEGAL_SHOWN
from service.hearing_page import SHOWN, grouped, visible
from tests.http.client import Answer
from tests.http.house import House
from tests.http.tables import SHORT, SHORT_PLAYS, Sitting, opened
from tests.rulings.hearing import contested
from tests.rulings.playing import MOST, deal, events_of, play_out, rule, seated
from tests.rulings.test_each_kind import KINDS, MIDWAY, SOME
from tests.seeds import rng

FORMS: Final = ("application/json", "text/plain", "text/html")


def audit(table: Sitting, number: int = 1, form: str = FORMS[0]) -> Answer:
    """The audit of a deal, as its organiser."""
    return table.get(f"/deals/{number}/audit", table.owner, headers={"Accept": form})


def report(table: Sitting, number: int = 1) -> dict[str, Any]:
    """Its report."""
    found: dict[str, Any] = audit(table, number).ok()["report"]
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mode", ["dealt", "recorded"])
def test_every_play_stands_beside_what_else_was_legal(house: House, game: str, mode: str) -> None:
    table = seated(house, game, mode)
    deal(table, rng(f"hearing {game} {mode}"))
    told = report(table)
    events = events_of(table)
    start = events[1]
    assert isinstance(start, DealStarted)
    assert [tuple(map(parse_card, hand)) for hand in told["hands"]] == list(start.hands)
    assert (told["upcard"], told["stock"]) == (start.upcard, list(start.stock))
    assert [each["version"] for each in told["plays"]] == list(range(3, len(events)))
    assert [each["play"] for each in told["plays"]] == list(range(1, len(events) - 2))
    assert len(told["plays"]) < MOST
    session = fold(None, events[:2])
    for event, play in zip(events[2:], told["plays"], strict=False):
        assert session.deal is not None
        rules, state = session.game, session.deal.state
        turn = rules.view(state, EVERYTHING).turn
        assert play["turn"] == play["seat"] == turn
        assert play["text"] == f"{play['seat']} {rules.write_play(event)}"
        legal = rules.legal(state, play["seat"])
        # The play itself may be none of those that are listed, where not all are.
        assert len(legal) - 1 <= play["legal_count"] <= len(legal)
        assert len(play["legal"]) == min(play["legal_count"], LEGAL_SHOWN)
        for text in play["legal"]:
            seat, verb, *rest = text.split(" ")
            assert text != play["text"]
            assert int(seat) == play["seat"]
            if verb != "draw":
                assert judge(rules, state, rules.read_play(int(seat), verb, rest)) is None
        session = fold(session, [event])
    assert told["points"] == table.get("/deals/1").ok()["points"]
    assert told["lines"] == table.get("/deals/1").ok()["lines"]
    assert set(told["clauses"]) == {line["clause"] for line in told["lines"]}


@pytest.mark.parametrize(("game", "mode", "kind"), SOME)
def test_a_ruling_of_each_kind_is_told_with_what_it_changed(house: House, game: str, mode: str, kind: str) -> None:
    chance = rng(f"hearings {game} {mode} {kind}")
    table = seated(house, game, mode)
    ruling, on, make = KINDS[kind]
    deal(table, chance)
    deal(table, chance, MIDWAY if on else None)
    made = make(table)
    before = table.get("", table.owner).ok()["totals"]
    rule(table, {"ruling": ruling, **made}).ok(201)
    after = table.get("", table.owner).ok()
    number = made.get("deal", 1)
    if table.state().playing and number == 2:
        audit(table, number).problem("not-now")
        play_out(table, chance)
    house.score(table.id)
    told = audit(table, number).ok()
    assert told["verdict"] == "verified"
    [found] = told["report"]["rulings"]
    assert (found["ruling"], found["reason"]) == (ruling, "as the table agreed")
    assert found["who"] == table.state().owner
    assert found["before"]["totals"] == before
    assert (found["after"]["totals"], found["after"]["winners"]) == (after["totals"], after["winners"])
    struck = [each for each in told["report"]["plays"] if each["struck_by"] == 1]
    assert bool(struck) == (ruling == "retract")
    amended = [each for each in told["report"]["plays"] if each["amended"] is not None]
    assert {each["amended"]["ruling"] for each in amended} == ({1} if ruling == "amend" else set())
    for form in FORMS[1:]:
        assert f"uling 1: {ruling.replace('_', ' ')}" in audit(table, number, form).ok().text


def test_all_three_forms_say_the_same(house: House) -> None:
    table = contested(house, rng("three forms"))
    told = report(table)
    text, page = (audit(table, 1, form).ok().text for form in FORMS[1:])
    told_in_page = unescape(page)
    for dispute in told["disputes"]:
        for line in dispute["words"].split("\n"):
            assert line in text
            assert line in told_in_page
    for ruling in told["rulings"]:
        for said in (ruling["reason"], ruling["who"], ruling["ruled_at"]):
            assert said in text
            assert said in told_in_page
    for play in told["plays"]:
        mark = "[taken back by ruling 1] " if play["struck_by"] else ""
        assert f"{play['version']:5}  {mark}{play['text']}" in text
    assert page.count('<span class="v">') == len(told["plays"])
    assert page.count('class="struck"') == sum(each["struck_by"] is not None for each in told["plays"])
    for form in (text, page):
        assert told["checkpoint"]["signature"] in form
        assert table.house.folded(table.id).now.head.hex() in form
    assert "\nAUDIT: verified\n" in text
    assert "<h2>Audit: verified</h2>" in page


def test_the_page_asks_for_nothing_and_allows_nothing(house: House) -> None:
    table = contested(house, rng("policy"))
    answer = audit(table, 1, "text/html,application/xhtml+xml,*/*;q=0.8").ok()
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    for markup in ("<script", "<link", "<img", "<a ", " src=", " href=", " style=", "url(", "@import"):
        assert markup not in answer.text
    audit(table, 1, "image/png").problem("not-acceptable")


def test_irregular_plays_have_their_clause_and_its_sentence(house: House) -> None:
    table = opened(house)
    table.deal(SHORT).ok(201)
    table.note(1, "draw", cards=["3c"], irregular=True).ok(201)
    table.note(1, "play", "8h", irregular=True).ok(201)
    for seat, card in SHORT_PLAYS[1:]:
        table.play(seat, "play", card).ok(201)
    table.note(1, "play", "3c", irregular=True).ok(201)
    rule(table, {"ruling": "void", "deal": 1}).ok(201)
    told = report(table)
    drawn, played = told["plays"][:2]
    assert (drawn["text"], drawn["irregular"], drawn["clause"]) == ("1 draw 3c", True, "R11")
    assert "1 play 8h" in drawn["legal"]
    assert (played["irregular"], played["clause"]) == (True, None)
    last = told["plays"][-1]
    assert (last["seat"], last["turn"], last["clause"]) == (1, 2, "R5")
    assert last["legal"]
    assert all(each.startswith("2 ") for each in last["legal"])
    sentence = told["clauses"]["R11"]
    for form in FORMS[1:]:
        text = unescape(audit(table, 1, form).ok().text)
        assert sentence in text
        assert "though it was legal" in text
        assert "seat 2: " in text


def test_a_dispute_that_was_withdrawn_and_a_result_that_was_agreed_to(house: House) -> None:
    table = opened(house)
    table.short()
    table.post("/disputes", {"deal": 1, "words": "so"}, table.seats[2]).ok(201)
    table.post("/disputes/1/withdraw", None, table.seats[2]).ok()
    table.post("/deals/1/confirm", None, table.seats[2]).ok()
    told = report(table)
    assert [(each["status"], each["ruling"]) for each in told["disputes"]] == [("withdrawn", None)]
    assert [(each["seat"], each["version"]) for each in told["confirmed"]] == [(2, table.version)]
    assert "agreed to by seat 2 (Ben)" in audit(table, 1, "text/plain").ok().text


def test_a_deal_that_was_dealt_again_says_where_the_first_dealing_is(house: House) -> None:
    table = opened(house, options={"deals": None})
    table.short(2)
    rule(table, {"ruling": "redeal", "deal": 1}).ok(201)
    told = report(table)
    assert (told["ending"], told["versions"], told["dealt_before"]) == ("void", [2, 6], [])
    table.short(2)
    # What is ruled on the new dealing must not come out with the old one.
    rule(table, {"ruling": "amend", "deal": 1, "changes": [{"version": 8, "play": "1 play 8h!"}]}).ok(201)
    for form in FORMS:
        audit(table, 1, form).problem("not-now")
    for seat, card in SHORT_PLAYS[2:]:
        table.play(seat, "play", card).ok(201)
    again = report(table)
    assert (again["versions"][0], again["dealt_before"]) == (7, [[2, 6]])
    assert [each["ruling"] for each in again["rulings"]] == ["redeal", "amend"]


def test_the_audit_goes_to_the_last_ruling_but_not_into_a_deal_whose_cards_are_hidden(house: House) -> None:
    table = seated(house, "rockaway", "dealt")
    deal(table, rng("into a deal"))
    ended = table.version
    rule(table, {"ruling": "let_stand", "deal": 1}).ok(201)
    assert audit(table)["version"] == ended + 1
    deal(table, rng("into a deal"), 3)
    rule(table, {"ruling": "let_stand", "deal": 1}).ok(201)
    token = house.client.post("/v1/tokens", {"role": "auditor"}, house.owner).ok(201)["token"]
    assert audit(table)["version"] == table.get("/deals/1/audit")["version"] == ended + 1
    assert table.get("/deals/1/audit", token)["version"] == table.version
    assert len(report(table)["rulings"]) == 2


def test_what_there_is_not(house: House) -> None:
    table = opened(house, options={"deals": None})
    audit(table).problem("not-found")
    table.short(3)
    for form in FORMS:
        audit(table, 1, form).problem("not-now")
        audit(table, 2, form).problem("not-found")


def test_what_is_shown_beside_a_play() -> None:
    assert grouped(["1 discard 4c", "1 discard 5d", "1 meld K=Kh,Ks"], 1) == "discard 4c 5d; meld K=Kh,Ks"
    assert grouped(["2 draw", "2 take"], 1) == "seat 2: draw; take"
    assert len(grouped([f"1 discard {rank}c" for rank in "23456789T"], 1).split(" ")) == SHOWN + 1
    assert visible("a\u202eb\x07c\nd\u00e9\U0001f0a1") == "a{U+202E}b{U+0007}c\nd\u00e9\U0001f0a1"
