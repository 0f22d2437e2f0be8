"""`/metrics`: what has been done and how things stand; nothing of sessions, tokens or players; few labels."""

import re
from typing import Final

import pytest

from service.bounds import Bounds
from tests.http.house import COUNTLESS, Fake, House
from tests.http.looking import cards_in
from tests.http.tables import NAMES, SHORT, opened

NAMES_OF_FIGURES: Final = (
    *("upcard_request_seconds", "upcard_answers_total", "upcard_appends_total", "upcard_events_total"),
    *("upcard_refusals_total", "upcard_diverged_total", "upcard_open_streams", "upcard_oldest_unscored_deal_seconds"),
    *("upcard_dead_letters", "upcard_jobs", "upcard_diverged_sessions", "upcard_alive", "upcard_reachable"),
)


def figures(house: House, token: str | None = None) -> dict[str, float]:
    """Each figure by its name with its labels."""
    text = house.client.get("/metrics", token).ok().text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def test_every_figure_is_there(house: House) -> None:
    text = house.client.get("/metrics").ok().text
    for name in NAMES_OF_FIGURES:
        assert f"# HELP {name.removesuffix('_total')}" in text, name


def test_what_is_done_is_counted(house: House) -> None:
    before = figures(house)
    table = opened(house)
    table.deal(SHORT).ok(201)
    table.play(1, "draw").problem("illegal-play", clause="R11")
    table.play(1, "play", "8h").ok(201)
    after = figures(house)

    def more(name: str) -> float:
        return after[name] - before.get(name, 0.0)

    assert more('upcard_appends_total{outcome="appended"}') == 3
    assert more("upcard_events_total") == 3
    assert more('upcard_refusals_total{clause="R11",game="rockaway",problem="illegal-play"}') == 1
    plays = 'method="POST",route="/v1/sessions/<session_id>/plays"'
    assert more(f'upcard_answers_total{{{plays},status="201"}}') == 1
    assert more(f'upcard_answers_total{{{plays},status="409"}}') == 1
    assert more(f"upcard_request_seconds_count{{{plays}}}") == 2


def test_how_things_stand_is_told(house: House) -> None:
    table = opened(house)
    assert figures(house)["upcard_oldest_unscored_deal_seconds"] == 0
    table.short()
    found = figures(house)
    assert found["upcard_oldest_unscored_deal_seconds"] > 0
    assert found['upcard_jobs{state="waiting"}'] == 1
    house.score(table.id)
    house.kicker.saw("worker", 10)
    house.kicker.found_diverged(table.id)
    found = figures(house)
    assert found["upcard_oldest_unscored_deal_seconds"] == 0
    assert (found['upcard_alive{process="worker"}'], found['upcard_alive{process="sweeper"}']) == (1, 0)
    assert found["upcard_diverged_sessions"] == 1
    assert (found['upcard_reachable{redis="events"}'], found['upcard_reachable{redis="jobs"}']) == (1, 1)


def test_a_store_that_is_away_is_told_too(fake: Fake) -> None:
    house = House(fake).settled()
    fake.server.connected = False
    found = figures(house)
    assert (found['upcard_reachable{redis="events"}'], found['upcard_reachable{redis="jobs"}']) == (0, 0)
    assert "upcard_open_streams" in found
    fake.server.connected = True
    house.leave()


def test_strangers_can_add_no_labels(house: House) -> None:
    house.client.get("/metrics").ok()
    house.client.get("/v1/nothing").problem("not-found")
    house.client.call("BREW", "/v1/sessions").problem("method-not-allowed")
    before = set(figures(house))
    for number in range(20):
        house.client.get(f"/v1/nothing/{number}").problem("not-found")
        house.client.get(f"/v1/sessions/{number}").problem("not-found")
        house.client.call(f"BREW{number}", "/v1/sessions").problem("method-not-allowed")
        house.client.get(f"/v1/sessions?x{number}=1").problem("invalid")
    new = {name for name in set(figures(house)) - before if "/v1/sessions" not in name}
    assert new == set()
    assert not re.search(r"nothing|BREW|x\d", " ".join(figures(house)))


def test_nothing_of_anybody_is_in_it(house: House) -> None:
    table = opened(house, public=False)
    table.short(5)
    answer = house.client.get("/metrics", house.first).ok()
    for secret in (table.id, house.owner, house.first, *table.seats.values(), *NAMES, table.state().owner):
        assert not re.search(rf"\b{re.escape(secret)}\b", answer.text)
    assert cards_in(answer) == set()


@pytest.mark.parametrize(("who", "slug"), [("nobody", "unauthenticated"), ("owner", "forbidden"), ("first", None)])
def test_they_can_be_kept_for_who_runs_it(fake: Fake, who: str, slug: str | None) -> None:
    house = House(fake, bounds=COUNTLESS._replace(metrics="token")).settled()
    token = {"nobody": None, "owner": house.owner, "first": house.first}[who]
    answer = house.client.get("/metrics", token)
    answer.ok() if slug is None else answer.problem(slug)
    made = house.client.post("/v1/tokens", {"role": "auditor"}, house.first).ok(201)
    house.client.get("/metrics", made["token"]).ok()
    house.leave()


def test_they_are_open_as_they_come() -> None:
    assert Bounds().metrics == "open"
