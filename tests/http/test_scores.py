"""Score sheets and the ledger: `A score sheet`, `The ledger`. Posting is done here, as a worker does it."""

from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from replay.shards import ledger_key
from service.context import stamp
from tests.http.house import House
from tests.http.tables import SHORT, SHORT_PLAYS, SHORT_POINTS, Sitting, opened, play_out

LINE: Final = {"seat": 2, "points": 2, "clause": "R14", "text": "2 of clubs", "cards": ["2c"]}


class TestSheet:
    """`GET …/deals/{n}`."""

    def test_while_it_is_played_there_are_no_points(self, table: Sitting) -> None:
        table.short(5)
        for token in (table.owner, *table.seats.values()):
            assert table.get("/deals/1", token).ok().body == {
                "number": 1,
                "status": "playing",
                "ending": None,
                "points": None,
                "lines": [],
                "posted_at": None,
                "result": None,
                "final_at": None,
                "rulings": [],
                "disputes": [],
                "irregularities": [],
            }

    def test_finished_it_is_pending_until_it_is_posted(self, table: Sitting) -> None:
        table.short()
        pending = table.get("/deals/1", table.owner).ok().body
        over = {"number": 1, "ending": "out", "points": SHORT_POINTS, "lines": [LINE], "irregularities": []}
        ended = datetime.fromisoformat(table.house.log.read(table.id)[-1].stamp.at)
        over |= {
            "rulings": [],
            "disputes": [],
            "result": "provisional",
            "final_at": stamp(ended + timedelta(minutes=30)),
        }
        assert pending == {**over, "status": "pending", "posted_at": None}
        table.house.score(table.id)
        posted = table.get("/deals/1", table.owner).ok().body
        [entry] = table.get("/ledger", table.owner)["entries"]
        assert posted == {**over, "status": "posted", "posted_at": entry["posted_at"]}

    def test_each_deal_has_its_own(self, house: House) -> None:
        table = opened(house, options={"deals": 3})
        table.short()
        house.score(table.id)
        table.deal({**SHORT, "dealer": 2}).ok(201)
        statuses = [table.get(f"/deals/{number}", table.owner)["status"] for number in (1, 2)]
        assert statuses == ["posted", "playing"]

    def test_lines_add_up_to_the_points_and_each_has_a_clause(self, house: House) -> None:
        """Three deals count threefold: every kind of line is there, and what the multiplier added."""
        table = opened(house, 4, mode="dealt", options={"deals": 3})
        for number in (1, 2, 3):
            table.deal().ok(201)
            play_out(table)
            sheet = table.get(f"/deals/{number}", table.seats[1]).ok()
            added = [0] * 4
            for line in sheet["lines"]:
                added[line["seat"] - 1] += line["points"]
                assert line["clause"].startswith("R")
                assert line["text"]
            assert added == sheet["points"]
            assert {line["clause"] for line in sheet["lines"]} <= {"R14", "R16", "R17", "R18", "RA-1"}
            multiplied = sum(line["clause"] in ("R16", "R17") for line in sheet["lines"])
            assert multiplied == sum(total > 0 for total in added)

    @pytest.mark.parametrize("number", ["0", "2", "-1", "+1", "01", "1.0", "٣", "9" * 20, "9" * 5000, "x", "1/x"])
    def test_a_deal_that_is_not_there_is_404(self, table: Sitting, number: str) -> None:
        table.short(1)
        for tail in ("", "/replay"):
            table.get(f"/deals/{number}{tail}", table.owner).problem("not-found")

    def test_before_the_first_there_is_none(self, table: Sitting) -> None:
        table.get("/deals/1", table.owner).problem("not-found")
        table.get("/deals/1/replay", table.owner).problem("not-found")

    def test_it_takes_no_query(self, table: Sitting) -> None:
        table.short(1)
        table.get("/deals/1?at=1", table.owner).problem("invalid")


class TestLedger:
    """`GET …/ledger`."""

    @pytest.fixture
    def three(self, house: House) -> Sitting:
        """Three deals: the first two posted, the third finished alone."""
        table = opened(house, options={"deals": None})
        for number in range(3):
            body = {**SHORT, "dealer": 2}
            table.deal(body).ok(201)
            _play_short(table)
            if number < 2:
                house.score(table.id)
        return table

    def test_it_is_empty_before_anything_is_posted(self, table: Sitting) -> None:
        empty: dict[str, Any] = {"entries": [], "balances": [0, 0], "next": None}
        assert table.get("/ledger", table.owner).ok().body == empty
        table.short()
        assert table.get("/ledger", table.seats[1]).ok().body == empty

    def test_entries_lead_back_to_deal_versions_clauses_and_revision(self, three: Sitting) -> None:
        ledger = three.get("/ledger", three.owner).ok()
        first, second = ledger["entries"]
        assert first == {
            "number": 1,
            "kind": "deal_score",
            "deal": 1,
            "points": SHORT_POINTS,
            "lines": [LINE],
            "versions": [2, 16],
            "revision": 1,
            "posted_at": three.get("/events?after=15&limit=1", three.owner)["events"][0]["at"],
        }
        assert (second["number"], second["deal"], second["versions"]) == (2, 2, [17, 31])
        assert ledger["balances"] == [0, 4]

    def test_balances_follow_the_session_once_all_is_posted(self, three: Sitting) -> None:
        assert three.get("", three.owner)["totals"] == [0, 6]
        assert three.house.score(three.id) == 1
        assert three.get("/ledger", three.owner)["balances"] == [0, 6]
        assert three.house.score(three.id) == 0

    @pytest.mark.parametrize(
        ("as_of", "entries", "balance"),
        [(0, 0, 0), (1, 0, 0), (15, 0, 0), (16, 1, 2), (30, 1, 2), (31, 2, 4), (99, 2, 4)],
    )
    def test_as_of_a_version(self, three: Sitting, as_of: int, entries: int, balance: int) -> None:
        ledger = three.get(f"/ledger?as_of={as_of}", three.owner).ok()
        assert [entry["number"] for entry in ledger["entries"]] == [*range(1, entries + 1)]
        assert ledger["balances"] == [0, balance]

    def test_pages(self, three: Sitting) -> None:
        three.house.score(three.id)
        whole = three.get("/ledger", three.owner)["entries"]
        first = three.get("/ledger?limit=2", three.owner).ok()
        assert first["entries"] == whole[:2]
        assert first.headers["Link"] == f'<{three.path}/ledger?limit=2&cursor={first["next"]}>; rel="next"'
        rest = three.get(f"/ledger?limit=2&cursor={first['next']}", three.owner).ok()
        assert (rest["entries"], rest["next"], "Link" in rest.headers) == (whole[2:], None, False)
        assert rest["balances"] == first["balances"] == [0, 6]

    @pytest.mark.parametrize("query", ["as_of=-1", "as_of=x", "as_of=", "limit=0", "limit=201", "cursor=x", "at=1"])
    def test_a_query_that_says_nothing_is_422(self, three: Sitting, query: str) -> None:
        three.get(f"/ledger?{query}", three.owner).problem("invalid")

    def test_points_brought_forward_are_the_first_entry(self, house: House) -> None:
        record = {
            "record": 1,
            "game": "rockaway",
            "players": ["A", "B"],
            "first_deal": 3,
            "totals": [5, 7],
            "deals": [],
        }
        made = house.client.post("/v1/records", record, house.owner).ok(201)
        path = f"/v1/sessions/{made['session']['id']}"
        assert house.score(made["session"]["id"]) == 1
        ledger = house.client.get(f"{path}/ledger", house.owner).ok()
        [entry] = ledger["entries"]
        assert (entry["number"], entry["kind"], entry["deal"], entry["points"]) == (1, "brought_forward", None, [5, 7])
        assert (entry["versions"], entry["lines"], ledger["balances"]) == ([1, 1], [], [5, 7])
        started = house.client.post(f"{path}/deals", SHORT, house.owner, match=1).ok(201)
        assert started["deal"]["number"] == 3
        assert house.client.get(f"{path}/deals/3", house.owner).ok()["status"] == "playing"
        house.client.get(f"{path}/deals/1", house.owner).problem("not-found")


def _play_short(table: Sitting) -> None:
    for seat, card in SHORT_PLAYS:
        table.play(seat, "play", card).ok(201)


def test_a_ledger_that_cannot_be_read_is_said_to_diverge(table: Sitting) -> None:
    table.short()
    table.house.score(table.id)
    table.house.events.lset(ledger_key(table.id), 0, "{")
    table.get("/ledger", table.owner).problem("diverged")
