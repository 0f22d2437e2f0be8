"""Idempotency-Key: `Retries` of the contract, in one process, after a restart, and twenty at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.http.client import Answer
from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, Sitting, opened, stacked
from tests.rules.layout import cards

OPENING = {"game": "rockaway", "players": ["Ann", "Ben"]}
REPLAYED = {"Idempotency-Replayed": "true"}


def is_repeat(again: Answer, first: Answer) -> bool:
    """Whether this is the first answer again, and says so."""
    return (again.status, again.body, again.headers) == (first.status, first.body, {**first.headers, **REPLAYED})


@pytest.fixture(params=["the same process", "another process"])
def later(house: House, request: pytest.FixtureRequest) -> House:
    """Who gets the command again."""
    return house if request.param == "the same process" else house.again()


def test_every_command_is_repeated_with_its_first_answer(house: House, later: House) -> None:
    table = opened(house, options={"deals": None})
    sent: list[tuple[str, Any, str, Answer]] = []

    def give(tail: str, body: Any, token: str) -> None:
        answer = table.post(tail, body, token, key=f"key {len(sent)}")
        sent.append((tail, body, token, answer))

    give("/deals", SHORT, table.owner)
    for number, (seat, card) in enumerate([(1, "8h"), (2, "9h"), (1, "2h")]):
        by = table.owner if number == 1 else table.seats[seat]
        give("/plays", {"seat": seat, "type": "play", "card": card}, by)
    for seat, card in [(2, "Th"), (1, "3h"), (2, "Jh"), (1, "4h"), (2, "Qh"), (1, "5h"), (2, "Kh"), (1, "6h")]:
        table.play(seat, "play", card).ok(201)
    give("/plays", {"type": "play", "card": "Ah"}, table.seats[2])
    give("/plays", {"type": "play", "card": "7h"}, table.seats[1])
    give("/close", {}, table.owner)
    with nothing_recorded(house):
        for number, (tail, body, token, first) in enumerate(sent):
            first.ok(200 if tail == "/close" else 201)
            for match in (None, "*", 1, table.version):
                path = table.path + tail
                again = later.client.post(path, body, token, key=f"key {number}", match=match)
                assert is_repeat(again, first), (number, match, again, first)


def test_an_opening_and_an_import_are_repeated_too(house: House, later: House) -> None:
    table = opened(house)
    table.short()
    record = table.get("/record", table.owner).body
    opening = house.client.post("/v1/sessions", OPENING, house.owner, key="k").ok(201)
    imported = house.client.post("/v1/records", record, house.owner, key="k").ok(201)
    with nothing_recorded(house):
        assert is_repeat(later.client.post("/v1/sessions", OPENING, house.owner, key="k"), opening)
        assert is_repeat(later.client.post("/v1/records", record, house.owner, key="k"), imported)
        later.client.post("/v1/records?public=true", record, house.owner, key="k").problem("key-reused")
        later.client.post("/v1/records", {**record, "players": ["X", "Y"]}, house.owner, key="k").problem("key-reused")


def test_the_answer_is_as_it_was_visible_then(house: House, later: House) -> None:
    """After the deal all its cards are open; an answer that is given again shows what it showed."""
    table = opened(house, mode="dealt", public=True)
    stacked(table, [cards(" ".join(hand)) for hand in SHORT["hands"]], cards("8c")[0], cards("3c 4c"))
    first = table.play(1, "play", "8h", key="k").ok(201)
    assert first["deal"]["hands"][1]["cards"] is None
    for seat, card in [(2, "9h"), (1, "2h"), (2, "Th"), (1, "3h"), (2, "Jh"), (1, "4h"), (2, "Qh"), (1, "5h")]:
        table.play(seat, "play", card).ok(201)
    for seat, card in [(2, "Kh"), (1, "6h"), (2, "Ah"), (1, "7h")]:
        table.play(seat, "play", card).ok(201)
    assert table.get("?at=3", table.seats[1])["deal"]["hands"][1]["cards"] is not None
    again = later.client.post(table.path + "/plays", {"type": "play", "card": "8h"}, table.seats[1], key="k")
    assert is_repeat(again, first)


def test_the_organiser_of_a_dealt_session_sees_no_more_when_a_deal_is_answered_again(house: House) -> None:
    table = opened(house, mode="dealt", options={"deals": 1})
    first = table.deal(key="k").ok(201)
    assert [hand["cards"] for hand in first["deal"]["hands"]] == [None, None]
    again = table.deal(key="k", match=None)
    assert is_repeat(again, first)


def test_another_body_is_422_key_reused(house: House, later: House) -> None:
    table = opened(house)
    table.deal(SHORT, key="k").ok(201)
    table.play(1, "play", "8h", key="k").ok(201)
    with nothing_recorded(house):
        for match in (None, "*", 1, table.version):
            sent = {"key": "k", "match": match}
            later.client.post(table.path + "/deals", {**SHORT, "dealer": 2}, table.owner, **sent).problem("key-reused")
            later.client.post(table.path + "/plays", {"type": "play", "card": "2h"}, table.seats[1], **sent).problem(
                "key-reused"
            )


def test_the_same_body_is_the_same_however_it_is_written(table: Sitting) -> None:
    table.deal(SHORT).ok(201)
    first = table.post("/plays", raw=b'{"type":"play","card":"8h"}', token=table.seats[1], key="k").ok(201)
    again = table.post("/plays", raw=b'{ "card" : "8h",\n"type":"pl\\u0061y" }', token=table.seats[1], key="k")
    assert is_repeat(again, first)


def test_a_key_belongs_to_one_token_one_method_and_one_path(house: House) -> None:
    table, other = opened(house), opened(house)
    for each in (table, other):
        each.deal(SHORT, key="k").ok(201)
    first = table.play(1, "play", "8h", key="k").ok(201)
    assert "Idempotency-Replayed" not in first.headers
    assert "Idempotency-Replayed" not in table.play(2, "play", "9h", key="k").ok(201).headers
    written = table.post("/plays", {"seat": 1, "type": "play", "card": "2h"}, table.owner, key="k").ok(201)
    assert "Idempotency-Replayed" not in written.headers
    assert house.client.post("/v1/sessions", OPENING, house.owner, key="k").ok(201)["version"] == 1
    theirs = house.client.post("/v1/sessions", OPENING, house.stranger, key="k").ok(201)
    assert "Idempotency-Replayed" not in theirs.headers


def test_refused_commands_are_not_remembered(house: House) -> None:
    table = opened(house)
    table.deal(SHORT, key="d", match=None).problem("version-required")
    table.deal(SHORT, key="d", match=9).problem("stale-version")
    table.deal({**SHORT, "upcard": "2c"}, key="d").problem("impossible-play")
    table.deal({**SHORT, "upcard": "2x"}, key="d").problem("invalid")
    table.deal(SHORT, key="d").ok(201)
    table.play(1, "play", "2h", key="p").problem("illegal-play")
    table.play(1, "play", "Ks", key="p").problem("impossible-play")
    table.play(1, "draw", key="p").problem("illegal-play")
    answer = table.play(1, "play", "8h", key="p").ok(201)
    assert "Idempotency-Replayed" not in answer.headers
    house.client.post("/v1/sessions", {**OPENING, "players": ["Ann"]}, house.owner, key="o").problem("invalid")
    house.client.post("/v1/sessions", OPENING, house.owner, key="o").ok(201)


def test_a_judged_record_is_not_remembered(house: House) -> None:
    table = opened(house)
    table.short()
    record = table.get("/record", table.owner).body
    house.client.post("/v1/records?dry_run=true", record, house.owner, key="k").ok(200)
    house.client.post("/v1/records?dry_run=true", {**record, "players": ["X", "Y"]}, house.owner, key="k").ok(200)
    house.client.post("/v1/records", {"record": 1}, house.owner, key="k").problem("invalid")
    answer = house.client.post("/v1/records", record, house.owner, key="k").ok(201)
    assert "Idempotency-Replayed" not in answer.headers


BAD_KEYS = ["", "é", "a\tb", "\x7f", "x" * 256, "\N{CJK UNIFIED IDEOGRAPH-4E00}".encode().decode("latin-1")]


@pytest.mark.parametrize("key", BAD_KEYS)
def test_a_key_that_is_none_is_422(house: House, key: str) -> None:
    table = opened(house, options={"deals": None})
    table.deal(SHORT).ok(201)
    with nothing_recorded(house):
        house.client.post("/v1/sessions", OPENING, house.owner, key=key).problem("invalid")
        house.client.post("/v1/records?dry_run=true", {}, house.owner, key=key).problem("invalid")
        table.deal(SHORT, key=key).problem("invalid")
        table.play(1, "play", "8h", key=key).problem("invalid")
        table.post("/close", {}, table.owner, key=key).problem("invalid")


@pytest.mark.parametrize("key", [" ", "~", "x" * 255, '"quoted"', "a, b"])
def test_any_printable_key_will_do(table: Sitting, key: str) -> None:
    first = table.deal(SHORT, key=key).ok(201)
    assert is_repeat(table.deal(SHORT, key=key), first)


class TestTwentyAtOnce:
    """However many arrive at once: one event, and the same answer to all."""

    @pytest.fixture
    def pool(self) -> Iterator[ThreadPoolExecutor]:
        """Twenty threads."""
        with ThreadPoolExecutor(20) as pool:
            yield pool

    @pytest.fixture
    def houses(self, real_house: House) -> list[House]:
        """Several processes of one service."""
        return [real_house, real_house.again()]

    def _all(self, pool: ThreadPoolExecutor, houses: list[House], path: str, body: Any, token: str, **more: Any) -> Any:
        sent = [pool.submit(houses[n % 2].client.post, path, body, token, **more) for n in range(20)]
        answers: list[Answer] = [each.result() for each in sent]
        [first] = [answer for answer in answers if "Idempotency-Replayed" not in answer.headers]
        assert all(answer is first or is_repeat(answer, first) for answer in answers)
        return first

    @pytest.mark.store
    def test_plays_deals_and_openings(self, pool: ThreadPoolExecutor, houses: list[House]) -> None:
        first = self._all(pool, houses, "/v1/sessions", OPENING, houses[0].owner, key="k")
        assert first.status == 201
        assert len(houses[0].client.get("/v1/sessions", houses[0].owner)["sessions"]) == 1
        table = opened(houses[0])
        assert self._all(pool, houses, f"{table.path}/deals", SHORT, table.owner, key="k", match=1).status == 201
        play = {"type": "play", "card": "8h"}
        for match, version in ((2, 3), ("*", 4)):
            token = table.seats[version - 2]
            answer = self._all(pool, houses, f"{table.path}/plays", play, token, key="k", match=match)
            assert (answer.status, table.version) == (201, version)
            play = {"type": "play", "card": "9h"}

    @pytest.mark.store
    def test_without_a_key_one_is_taken_and_the_others_are_412(
        self, pool: ThreadPoolExecutor, houses: list[House]
    ) -> None:
        table = opened(houses[0])
        table.deal(SHORT).ok(201)
        play = {"type": "play", "card": "8h"}
        sent = [
            pool.submit(houses[n % 2].client.post, f"{table.path}/plays", play, table.seats[1], match=2)
            for n in range(20)
        ]
        answers = [each.result() for each in sent]
        assert sorted(answer.status for answer in answers) == [201] + [412] * 19
        assert all(answer["version"] == 3 for answer in answers)
        assert table.version == 3
