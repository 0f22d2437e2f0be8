"""Records out of a session and into one: `GET …/record`, `POST /v1/records`."""

import json
import tomllib
from typing import Any

import pytest

from tests.http.client import Answer
from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, SHORT_PLAYS, SHORT_POINTS, Sitting, opened, play_out

TOML = {"Accept": "application/toml"}
OPENING: dict[str, Any] = {"record": 1, "game": "rockaway", "players": ["Ann", "Ben"]}
DEAL: dict[str, Any] = {
    "hands": [" ".join(hand) for hand in SHORT["hands"]],
    "upcard": SHORT["upcard"],
    "stock": " ".join(SHORT["stock"]),
    "plays": [f"{seat} play {card}" for seat, card in SHORT_PLAYS],
}


def record(*deals: Any, **more: Any) -> dict[str, Any]:
    """A record of these deals."""
    return {**OPENING, "deals": list(deals), **more}


class TestExport:
    """The finished deals, and the one in progress only for who sees all its cards."""

    def test_json_and_toml_say_the_same(self, table: Sitting) -> None:
        table.short()
        as_json = table.get("/record", table.owner).ok()
        assert as_json.headers["Content-Type"] == "application/json"
        as_toml = table.get("/record", table.owner, headers=TOML).ok()
        assert as_toml.headers["Content-Type"] == "application/toml"
        told = tomllib.loads(as_toml.text)
        assert {**as_json.body, "options": None} == {**told, "options": None}
        [deal] = as_json["deals"]
        assert {name: deal[name] for name in ("hands", "upcard", "plays", "points", "dealer")} == {
            **{name: DEAL[name] for name in ("hands", "upcard", "plays")},
            "points": SHORT_POINTS,
            "dealer": 2,
        }

    @pytest.mark.parametrize(
        ("accept", "form"),
        [
            ("*/*", "application/json"),
            ("application/*", "application/json"),
            ("application/toml, */*;q=0.1", "application/toml"),
            ("application/toml;q=0.5, application/json;q=0.9", "application/json"),
            ("text/html, application/toml;q=0.2", "application/toml"),
        ],
    )
    def test_the_form_is_what_the_caller_likes_best(self, table: Sitting, accept: str, form: str) -> None:
        answer = table.get("/record", table.owner, headers={"Accept": accept}).ok()
        assert answer.headers["Content-Type"] == form

    @pytest.mark.parametrize("accept", ["text/html", "application/xml;q=0.9", "application/json;q=0", "x"])
    def test_none_of_the_forms_is_406(self, table: Sitting, accept: str) -> None:
        table.get("/record", table.owner, headers={"Accept": accept}).problem("not-acceptable")

    @pytest.mark.parametrize("mode", ["recorded", "dealt"])
    def test_the_deal_in_progress_is_for_who_sees_all_its_cards(self, house: House, mode: str) -> None:
        table = opened(house, mode=mode, public=True)
        table.deal(SHORT if mode == "recorded" else {}).ok(201)
        callers = {"owner": table.owner, "first": house.first, "stranger": house.stranger, "nobody": None}
        callers |= {f"seat {seat}": token for seat, token in table.seats.items()}
        whole = {"owner", "first"} if mode == "recorded" else set()
        for caller, token in callers.items():
            for headers in ({}, TOML):
                answer = table.get("/record", token, headers=headers).ok()
                told = tomllib.loads(answer.text) if headers else answer.body
                assert len(told["deals"]) == (caller in whole), caller
        play_out(table)
        for token in callers.values():
            assert len(table.get("/record", token).ok()["deals"]) == 1

    def test_it_takes_no_query(self, table: Sitting) -> None:
        table.get("/record?format=toml", table.owner).problem("invalid")

    def test_what_is_exported_is_clean_and_comes_back_the_same(self, house: House) -> None:
        table = opened(house, 3, mode="dealt", options={"deals": 2})
        for _ in range(2):
            table.deal().ok(201)
            play_out(table)
        for headers, media in (({}, "application/json"), (TOML, "application/toml")):
            sent = table.get("/record", table.owner, headers=headers).text.encode()
            made = house.client.post("/v1/records", raw=sent, media=media, token=house.owner).ok(201)
            assert made["check"]["verdict"] == "clean"
            path = made.headers["Location"]
            assert house.client.get(f"{path}/record", house.owner, headers=headers).text.encode() == sent


def _mismatch() -> dict[str, Any]:
    return record({**DEAL, "points": [0, 3]})


def _irregular() -> dict[str, Any]:
    return record({**DEAL, "plays": ["1 draw!", *DEAL["plays"][:3]]})


def _unfinished() -> dict[str, Any]:
    return record({**DEAL, "plays": DEAL["plays"][:3]})


STORED = {
    "clean": (record({**DEAL, "points": SHORT_POINTS}), "waiting", 16),
    "unfinished": (_unfinished(), "playing", 5),
    "irregular": (_irregular(), "playing", 6),
    "mismatch": (_mismatch(), "waiting", 16),
}
REFUSED = {
    "illegal": record({**DEAL, "plays": ["1 draw"]}),
    "impossible": record({**DEAL, "upcard": "2c"}),
    "malformed": {**record(DEAL), "odd": 1},
}


class TestImport:
    """`POST /v1/records`."""

    @pytest.mark.parametrize("verdict", STORED)
    def test_what_holds_is_stored_as_a_recorded_session(self, house: House, verdict: str) -> None:
        sent, status, version = STORED[verdict]
        answer = house.client.post("/v1/records", sent, house.owner).ok(201)
        assert answer.body.keys() == {"session", "check"}
        assert answer["check"]["verdict"] == verdict
        session = answer["session"]
        assert (session["mode"], session["public"], session["status"]) == ("recorded", False, status)
        assert session["version"] == version
        assert answer.headers["Location"] == f"/v1/sessions/{session['id']}"
        assert house.client.get(answer.headers["Location"], house.owner).ok().body == session
        house.client.get(answer.headers["Location"]).problem("not-found")

    @pytest.mark.parametrize("verdict", REFUSED)
    def test_the_rest_is_422_with_its_check_and_not_stored(self, house: House, verdict: str) -> None:
        with nothing_recorded(house):
            answer = house.client.post("/v1/records", REFUSED[verdict], house.owner, key="k").problem("invalid")
        assert answer["check"]["verdict"] == verdict
        if verdict == "illegal":
            assert answer["check"]["deals"][0]["stopped_at"]["clause"] == "R11"

    @pytest.mark.parametrize("verdict", [*STORED, *REFUSED])
    def test_a_dry_run_gives_the_verdict_and_stores_nothing(self, house: House, verdict: str) -> None:
        sent: Any = REFUSED.get(verdict) or STORED[verdict][0]
        with nothing_recorded(house):
            answer = house.client.post("/v1/records?dry_run=true", sent, house.owner, key="k").ok(200)
        assert answer["verdict"] == verdict
        assert answer.body.keys() >= {"verdict", "deals", "winners"}
        assert "Location" not in answer.headers

    def test_a_verdict_is_as_the_command_line_prints_it(self, house: House) -> None:
        answer = house.client.post("/v1/records?dry_run=true", record({**DEAL, "points": [0, 3]}), house.owner).ok()
        [deal] = answer["deals"]
        assert (deal["number"], deal["verdict"], deal["finished"]) == (1, "mismatch", True)
        assert (deal["ending"], deal["points"], deal["totals"], deal["stopped_at"]) == ("out", [0, 2], [0, 2], None)

    def test_it_is_public_if_that_is_asked_for(self, house: House) -> None:
        for query, public in (("?public=true", True), ("?public=false", False), ("", False)):
            answer = house.client.post(f"/v1/records{query}", record(DEAL), house.owner).ok(201)
            assert answer["session"]["public"] is public
            assert house.client.get(answer.headers["Location"]).status == (200 if public else 404)

    def test_toml_is_read_as_well(self, house: House) -> None:
        sent = (
            f'record = 1\ngame = "rockaway"\nplayers = ["Ann", "Ben"]\n[[deals]]\nhands = {json.dumps(DEAL["hands"])}\n'
        )
        sent += 'upcard = "8c"\nat = 1931-06-04T20:30:00Z\n'
        answer = self._toml(house, sent).ok(201)
        assert answer["check"]["verdict"] == "unfinished"
        assert self._toml(house, "= nonsense").problem("invalid")["check"]["verdict"] == "malformed"
        assert self._toml(house, "").problem("invalid")["check"]["verdict"] == "malformed"

    def _toml(self, house: House, text: str) -> Answer:
        return house.client.post("/v1/records", raw=text.encode(), media="application/toml", token=house.owner)

    def test_first_deal_and_totals_belong_to_the_opening(self, house: House) -> None:
        answer = house.client.post("/v1/records", record(first_deal=9, totals=[30, 20]), house.owner).ok(201)
        assert (answer["session"]["version"], answer["session"]["totals"]) == (1, [30, 20])
        over = house.client.post("/v1/records", record(first_deal=11, totals=[30, 20]), house.owner).ok(201)
        assert (over["session"]["status"], over["session"]["winners"]) == ("over", [2])

    def test_its_organiser_goes_on_with_it(self, house: House) -> None:
        made = house.client.post("/v1/records", _unfinished(), house.owner).ok(201)
        path, version = made.headers["Location"], made["session"]["version"]
        for seat, card in SHORT_PLAYS[3:]:
            play = {"seat": seat, "type": "play", "card": card}
            version = house.client.post(f"{path}/plays", play, house.owner, match=version).ok(201)["version"]
        assert house.score(made["session"]["id"]) == 1
        assert house.client.get(f"{path}/ledger", house.owner)["balances"] == SHORT_POINTS
        house.client.get(path, house.stranger).problem("not-found")

    def test_what_is_not_json_is_400(self, house: House) -> None:
        with nothing_recorded(house):
            for raw in (b"", b"{", b"\xff", b"nonsense", b'{"a":1}{}', b"\xef\xbb\xbf{}"):
                house.client.post("/v1/records", raw=raw, token=house.owner).problem("malformed")

    @pytest.mark.parametrize(
        "sent", [[], 1, None, "x", {}, {"record": 2}, [[]], record({**DEAL, "hands": []})], ids=str
    )
    def test_json_that_is_no_record_is_malformed(self, house: House, sent: Any) -> None:
        raw = json.dumps(sent).encode()
        with nothing_recorded(house):
            answer = house.client.post("/v1/records", raw=raw, token=house.owner).problem("invalid")
        assert answer["check"] == {
            "verdict": "malformed",
            "deals": [],
            "winners": None,
            "detail": answer["check"]["detail"],
        }

    @pytest.mark.parametrize("query", ["dry_run=1", "dry_run=", "public=yes", "dry_run=True", "dryrun=true", "seat=1"])
    def test_a_query_that_says_nothing_is_422(self, house: House, query: str) -> None:
        with nothing_recorded(house):
            house.client.post(f"/v1/records?{query}", record(DEAL), house.owner).problem("invalid")
