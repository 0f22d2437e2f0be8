"""Rulings, previews and what-ifs as requests: hostile bodies, who may send them, versions, keys, and what is final."""

import json
from typing import Any, Final

import pytest

from tests.http.house import Fake, House, nothing_recorded
from tests.http.tables import Sitting, opened
from tests.rulings.playing import preview, rule
from tests.rulings.test_disputes import dispute, seated

GOOD: Final[dict[str, Any]] = {
    "ruling": "adjust",
    "reason": "misadded",
    "deal": 1,
    "points": [1, 0],
    "disputes": [],
    "clause": "R14",
    "rests_on": [3],
    "despite_information": "no card matters here",
}
LONG: Final = "x" * 20_000
_CHANGES: Final[tuple[Any, ...]] = (
    *(None, [1], [{}], [{"version": 3}], [{"version": 0, "play": "1 draw"}], [{"version": 3, "play": 7}]),
    *([{"version": 3, "play": "1 dr\x00aw"}], [{"version": 3, "play": "1 draw", "odd": 1}]),
    [{"version": 3, "play": "1 draw"}] * 100_000,
)
BAD: Final[tuple[tuple[str, Any], ...]] = (
    *(("ruling", each) for each in ("adjourn", "", None, 1, ["adjust"], LONG)),
    *(("reason", each) for each in ("", None, 7, " \t", "a\x00b", "\x1b[31m", LONG, ["x"])),
    *(("deal", each) for each in (0, -1, "1", 1.0, True, None, 2**63, [1])),
    *(("points", each) for each in (None, "1", [1.5, 0], ["1", 0], [10**10, 0], [0] * 9, [0] * 100_000, [True, 0])),
    *(("disputes", each) for each in (None, 1, [0], ["1"], [1] * 101, [1] * 100_000, [None])),
    *(("rests_on", each) for each in (None, [0], [1.0], [-1], [1] * 100_000)),
    *(("clause", each) for each in (None, 7, "R\x0014", LONG)),
    *(("despite_information", each) for each in ("", None, 7, LONG)),
    *(("overrules", each) for each in (0, None, "1", 1.5)),
    *(("to", each) for each in (0, None, "3", [3])),
    *(("winners", each) for each in (None, [0], [9], [1] * 9, "1")),
    *(("changes", each) for each in _CHANGES),
    ("odd", 1),
    ("Reason", "x"),
)


@pytest.fixture(scope="module")
def table() -> Sitting:
    """A public table with a finished deal of two; nothing here changes it."""
    made = seated(House(Fake()).settled())
    made.short()
    dispute(made, made.seats[1]).ok(201)
    return made


def _raw(body: Any) -> bytes:
    return json.dumps(body).encode()


@pytest.mark.parametrize(("name", "value"), BAD, ids=lambda value: repr(value)[:40])
def test_a_value_that_cannot_be_is_named(table: Sitting, name: str, value: Any) -> None:
    with nothing_recorded(table.house):
        for path in ("/rulings", "/rulings?dry_run=true"):
            answer = table.post(path, None, table.owner, raw=_raw({**GOOD, name: value}))
            if answer.status == 413:
                assert len(_raw(value)) > 1024 * 1024
                continue
            assert name in answer.problem("invalid")["errors"]


@pytest.mark.parametrize("name", ["reason", "clause", "despite_information"])
@pytest.mark.parametrize("half", ["\ud800", "x\udfff"])
def test_half_a_character_is_no_json(table: Sitting, name: str, half: str) -> None:
    with nothing_recorded(table.house):
        table.post("/rulings", None, table.owner, raw=_raw({**GOOD, name: half})).problem("malformed")
        table.post("/disputes", None, table.owner, raw=_raw({"deal": 1, "words": half})).problem("malformed")


@pytest.mark.parametrize("name", ["ruling", "reason"])
def test_what_must_be_said(table: Sitting, name: str) -> None:
    body = {key: value for key, value in GOOD.items() if key != name}
    assert [*table.post("/rulings", body, table.owner).problem("invalid")["errors"]] == [name]


@pytest.mark.parametrize(
    "body",
    [
        *({"ruling": "adjust", "deal": 1}, {"ruling": "adjust", "deal": 1, "points": [1]}),
        *({"ruling": "adjust", "deal": 7, "points": [1, 0]}, {"ruling": "adjust", "points": [1, 0]}),
        *({"ruling": "void"}, {"ruling": "void", "deal": 2}, {"ruling": "redeal", "deal": 2}, {"ruling": "let_stand"}),
        *({"ruling": "award"}, {"ruling": "award", "winners": []}, {"ruling": "award", "winners": [3]}),
        *({"ruling": "let_stand", "deal": 1, "overrules": 1}, {"ruling": "let_stand", "overrules": 9}),
        *({"ruling": "let_stand", "deal": 1, "disputes": [2]}, {"ruling": "let_stand", "deal": 1, "rests_on": [99]}),
        *({"ruling": "amend", "deal": 1}, {"ruling": "amend", "changes": [{"version": 3, "play": "1 draw"}]}),
        {"ruling": "amend", "deal": 1, "changes": [{"version": 2, "play": "1 draw"}]},
        {"ruling": "amend", "deal": 1, "changes": [{"version": 3, "play": "1 fold"}]},
        {"ruling": "amend", "deal": 1, "changes": [{"version": 3, "play": "٣ draw"}]},
        {"ruling": "amend", "deal": 1, "changes": [{"version": 3, "play": f"{'9' * 90} draw"}]},
    ],
    ids=lambda body: json.dumps(body)[:60],
)
def test_what_cannot_be_ruled(table: Sitting, body: dict[str, Any]) -> None:
    with nothing_recorded(table.house):
        rule(table, body).problem("impossible-ruling")
        preview(table, body).problem("impossible-ruling")


def test_what_is_not_the_time(table: Sitting) -> None:
    with nothing_recorded(table.house):
        for path in (rule, preview):
            path(table, {"ruling": "retract", "deal": 1, "to": 3}).problem("not-now")


class TestWho:
    """Its organiser, and whoever rules all sessions."""

    def test_rules(self, table: Sitting) -> None:
        house, other = table.house, opened(table.house)
        with nothing_recorded(house):
            for path in ("/rulings", "/rulings?dry_run=true"):
                table.post(path, GOOD, None).problem("unauthenticated")
                for token in (*table.seats.values(), house.stranger, other.seats[1]):
                    table.post(path, GOOD, token).problem("forbidden")
                    table.post(path, {"odd": 1}, token).problem("forbidden")

    def test_and_of_a_private_session_others_know_nothing(self, house: House) -> None:
        table = seated(house, public=False)
        table.short()
        with nothing_recorded(house):
            table.post("/rulings", GOOD, house.stranger).problem("not-found")
            table.get("/rulings", house.stranger).problem("not-found")
            table.get("/rulings").problem("not-found")
            table.post("/what_if", {"at": 2, "plays": []}, house.stranger).problem("not-found")
        rule(table, {"ruling": "void", "deal": 1}).ok(201)
        for token in (house.first, table.owner, *table.seats.values()):
            assert table.get("/rulings", token).ok()["rulings"][0]["ruling"] == "void"

    def test_the_plays_of_an_amended_deal_are_seen_by_who_sees_its_cards(self, house: House) -> None:
        table = seated(house)
        table.short(3)
        body = {"ruling": "amend", "deal": 1, "changes": [{"version": 4, "play": "2 play 9h!"}]}
        rule(table, body).ok(201)
        assert table.get("/rulings", table.owner)["rulings"][0]["line"][0]["text"] == "2 play 9h"
        for token in (None, *table.seats.values()):
            assert table.get("/rulings", token)["rulings"][0]["line"] is None
            assert "2 play 9h" not in table.get("/events?limit=200", token).text


class TestVersions:
    """A ruling is made on the state that was seen, once."""

    def test_without_and_with_another(self, table: Sitting) -> None:
        with nothing_recorded(table.house):
            for path in ("/rulings", "/rulings?dry_run=true"):
                table.post(path, GOOD, table.owner, match=None).problem("version-required")
                for match in (1, table.version - 1, table.version + 1):
                    table.post(path, GOOD, table.owner, match=match).problem("stale-version", version=table.version)

    def test_a_preview_is_void_once_something_else_is_recorded(self, house: House) -> None:
        table = seated(house)
        table.short(2)
        body = {"ruling": "void", "deal": 1}
        seen = preview(table, body).ok()["version"]
        table.play(1, "play", "2h").ok(201)
        with nothing_recorded(house):
            rule(table, body, match=seen).problem("stale-version")

    def test_a_key_makes_it_once(self, house: House) -> None:
        table = seated(house)
        table.short()
        first = rule(table, GOOD, key="k").ok(201)
        again = rule(table, GOOD, key="k", match=first["version"] - 1).ok(201)
        assert (again.headers["Idempotency-Replayed"], again.body) == ("true", first.body)
        assert len(table.state().rulings) == 1
        with nothing_recorded(house):
            rule(table, {**GOOD, "points": [2, 0]}, key="k").problem("key-reused")


class TestWhatIf:
    """Lines that did not happen."""

    def test_of_a_finished_deal_anybody_with_a_token_may_ask(self, table: Sitting) -> None:
        plays = [{"seat": 1, "type": "play", "card": "8h"}, {"seat": 2, "type": "play", "card": "Th"}]
        with nothing_recorded(table.house):
            for token in (table.owner, table.house.stranger, *table.seats.values()):
                told = table.post("/what_if", {"at": 2, "plays": plays}, token).ok()
                assert [step["play"] for step in told["steps"]] == plays
                assert told["steps"][1]["state"]["deal"]["hands"][1]["count"] == 6
                assert told["stopped_at"] is None
            table.post("/what_if", {"at": 2, "plays": plays}, None).problem("unauthenticated")

    def test_it_stops_where_it_cannot_go_on(self, table: Sitting) -> None:
        plays = [{"seat": 1, "type": "play", "card": "8h"}, {"seat": 1, "type": "play", "card": "2h"}]
        told = table.post("/what_if", {"at": 2, "plays": plays}, table.owner).ok()
        assert (len(told["steps"]), told["stopped_at"]["play"]) == (1, 2)
        assert told["stopped_at"]["clause"] is not None
        # Before the first deal there are no cards: its organiser sees them all, and nothing can be played.
        before = table.post("/what_if", {"at": 1, "plays": plays}, table.owner).ok()
        assert (before["steps"], before["stopped_at"]["play"]) == ([], 1)

    def test_to_its_end_it_is_scored(self, table: Sitting) -> None:
        plays = [{"seat": 2, "type": "play", "card": "Ah"}, {"seat": 1, "type": "play", "card": "7h"}]
        told = table.post("/what_if", {"at": 13, "plays": plays}, table.owner).ok()
        assert told["points"] == list(table.state().finished[0].points)
        assert told["lines"] == table.get("/deals/1")["lines"]

    @pytest.mark.parametrize(
        "body",
        [
            *({}, {"at": 2}, {"plays": []}, {"at": 0, "plays": []}, {"at": 99, "plays": []}, {"at": "2", "plays": []}),
            *({"at": 2, "plays": [1]}, {"at": 2, "plays": [{}]}, {"at": 2, "plays": {}}, {"at": 2**64, "plays": []}),
            {"at": 2, "plays": [{"seat": 9, "type": "draw"}]},
            {"at": 2, "plays": [{"type": "draw"}]},
            {"at": 2, "plays": [{"seat": 1, "type": "draw", "odd": 1}]},
            {"at": 2, "plays": [{"seat": 1, "type": "draw"}] * 501},
            {"at": 2, "plays": [None] * 100_000},
            {"at": 2, "plays": [], "odd": 1},
        ],
        ids=lambda body: json.dumps(body)[:40],
    )
    def test_hostile_ones(self, table: Sitting, body: Any) -> None:
        with nothing_recorded(table.house):
            table.post("/what_if", body, table.owner).problem("invalid")

    def test_of_a_deal_that_is_on_only_who_sees_all_cards(self, house: House) -> None:
        table = seated(house)
        table.short(2)
        body = {"at": 2, "plays": [{"seat": 1, "type": "play", "card": "8h"}]}
        table.post("/what_if", body, table.owner).ok()
        for token in (*table.seats.values(), house.stranger):
            table.post("/what_if", body, token).problem("forbidden")
        shuffled = opened(house, mode="dealt", public=True)
        shuffled.deal().ok(201)
        for token in (shuffled.owner, *shuffled.seats.values()):
            shuffled.post("/what_if", {"at": 2, "plays": []}, token).problem("forbidden")


@pytest.mark.parametrize("path", ["/disputes", "/disputes/1/withdraw", "/deals/1/confirm", "/what_if", "/rulings"])
@pytest.mark.parametrize("raw", [b"[]", b"null", b"1", b'"x"', b"[" * 50_000, b'{"a":' * 50_000, b"{", b"\xff"])
def test_what_is_no_object(table: Sitting, path: str, raw: bytes) -> None:
    token = table.seats[1] if "confirm" in path else table.owner
    with nothing_recorded(table.house):
        assert table.post(path, None, token, raw=raw).status in (400, 422)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("words", each) for each in ("\x00", None, 7, LONG, ["x"], "\x1b[2J")),
        *(("deal", each) for each in (0, "1", 1.0, None, 2**70)),
        *(("version", each) for each in (0, "3", None, 1.5)),
        *(("about", each) for each in ("", "cards", None, 1)),
        ("odd", 1),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_hostile_disputes(table: Sitting, name: str, value: Any) -> None:
    body = {"deal": 1, "words": "so", name: value}
    with nothing_recorded(table.house):
        assert name in table.post("/disputes", None, table.seats[2], raw=_raw(body)).problem("invalid")["errors"]
