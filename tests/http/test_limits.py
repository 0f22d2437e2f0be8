"""Limits: rates by token and by address with their headers, bodies, pages, sessions, tokens. Leaves out streams."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.bounds import Bounds, in_words
from service.rates import SOME, Rate, address_of, believe_proxies
from tests.http.client import Answer
from tests.http.house import COUNTLESS, Fake, House
from tests.http.tables import SHORT, Sitting, opened

HouseOf = Callable[..., House]


@pytest.fixture
def house_of() -> Iterator[HouseOf]:
    """A house with some bounds of its own; no rates but those named."""
    made: list[House] = []

    def make(**bounds: Any) -> House:
        made.append(House(Fake(), bounds=COUNTLESS._replace(**bounds)).settled())
        return made[-1]

    yield make
    for house in made:
        house.leave()


def left(answer: Answer) -> list[int]:
    return [int(answer.left[f"RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")]


class TestRate:
    """The bucket itself."""

    def test_so_many_at_once_and_then_one_whenever_there_is_room(self) -> None:
        now = 100.0
        rate = Rate(6, 60.0, lambda: now)
        found = [rate.count("a") for _ in range(7)]
        assert [each.remaining for each in found] == [5, 4, 3, 2, 1, 0, 0]
        assert [each.retry_after for each in found] == [0, 0, 0, 0, 0, 0, 10]
        assert [each.reset for each in found] == [10, 20, 30, 40, 50, 60, 60]
        now += 9.0
        assert rate.count("a").retry_after == 1
        now += 1.0
        assert [rate.count("a").retry_after for _ in range(2)] == [0, 10]
        now += 1000.0
        assert rate.count("a").remaining == 5

    def test_names_do_not_touch_one_another(self) -> None:
        rate = Rate(1, 60.0, lambda: 0.0)
        assert [rate.count(name).retry_after for name in ("a", "b", "a")] == [0, 0, 60]

    def test_what_is_full_again_is_not_kept(self) -> None:
        now = 0.0
        rate = Rate(2, 1.0, lambda: now)
        for number in range(3 * SOME):
            now += 0.001
            rate.count(f"name {number}")
        assert len(rate._full_at) <= 2 * SOME

    @pytest.mark.parametrize(
        ("address", "counted"),
        [
            ("192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("fe80::1%eth0", "fe80::/64"),
            ("::nonsense::", "::nonsense::"),
            ("", ""),
        ],
    )
    def test_whom_an_address_counts_to(self, address: str, counted: str) -> None:
        assert address_of({"REMOTE_ADDR": address}) == counted

    @pytest.mark.parametrize(
        ("proxies", "sent", "believed"),
        [
            (0, "203.0.113.9", "192.0.2.1"),
            (1, "203.0.113.9", "203.0.113.9"),
            (1, "10.9.9.9, 203.0.113.9", "203.0.113.9"),
            (2, "10.9.9.9, 203.0.113.9, 198.51.100.1", "203.0.113.9"),
            (2, "203.0.113.9", "192.0.2.1"),
            (1, "", "192.0.2.1"),
        ],
    )
    def test_a_proxy_is_believed_as_far_as_it_is_trusted(self, proxies: int, sent: str, believed: str) -> None:
        environ = {"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": sent}
        believe_proxies(environ, proxies)
        assert environ["REMOTE_ADDR"] == believed


class TestRequests:
    """What a client sees of it."""

    def test_a_token_has_its_rate_and_hears_what_is_left(self, house_of: HouseOf) -> None:
        house = house_of(per_token=5)
        table = opened(house, public=True)
        found = [table.get("", table.owner).ok() for _ in range(4)]
        assert [left(each)[:2] for each in found] == [[5, 3], [5, 2], [5, 1], [5, 0]]
        refused = table.get("", table.owner).problem("rate-limited")
        assert (refused.status, left(refused)[:2]) == (429, [5, 0])
        assert 1 <= int(refused.headers["Retry-After"]) <= 12
        table.get("", house.stranger).ok()
        table.get("").ok()
        assert table.get("").left == {}

    def test_a_refused_command_is_not_carried_out(self, house_of: HouseOf) -> None:
        house = house_of(per_token=1)
        table = opened(house)
        table.deal(SHORT).problem("rate-limited")
        assert table.version == 1

    def test_an_address_has_its_rate_for_what_comes_without_one_of_our_tokens(self, house_of: HouseOf) -> None:
        house = house_of(per_address=3)
        table = opened(house, public=True)

        def ask(address: str, token: str | None = None) -> Answer:
            return table.get("", token, environ={"REMOTE_ADDR": address})

        ask("192.0.2.1").ok()
        ask("192.0.2.1", "uorg.guess").problem("unauthenticated")
        ask("192.0.2.1").ok()
        ask("192.0.2.1", "uorg.another-guess").problem("rate-limited")
        ask("192.0.2.1").problem("rate-limited")
        ask("192.0.2.1", table.owner).ok()
        ask("192.0.2.2").ok()

    def test_behind_a_proxy_it_is_the_callers_address(self, house_of: HouseOf) -> None:
        house = house_of(per_address=1, proxies=1)
        for address in ("203.0.113.1", "203.0.113.2"):
            headers = {"X-Forwarded-For": address}
            house.client.get("/v1/sessions", headers=headers).ok()
            house.client.get("/v1/sessions", headers=headers).problem("rate-limited")

    def test_health_and_the_contract_are_not_counted(self, house_of: HouseOf) -> None:
        house = house_of(per_address=1)
        for _ in range(3):
            for path in ("/health/live", "/openapi.json"):
                assert house.client.get(path).ok().left == {}

    def test_an_organiser_opens_so_many_sessions_an_hour(self, house_of: HouseOf) -> None:
        house = house_of(openings=2)
        for _ in range(2):
            opened(house)
        body = {"game": "rockaway", "players": ["Ann", "Ben"]}
        refused = house.client.post("/v1/sessions", body, house.owner).problem("rate-limited")
        assert 1 <= int(refused.headers["Retry-After"]) <= 1800
        record = {"record": 1, "game": "rockaway", "players": ["Ann", "Ben"], "deals": []}
        house.client.post("/v1/records", record, house.owner).problem("rate-limited")
        opened(house, owner=house.stranger)


class TestSizes:
    """Bodies, pages, sessions and tokens that are as large as they may be, and larger."""

    def test_a_body(self, house_of: HouseOf) -> None:
        house = house_of(body=2048)
        table = opened(house)
        raw = b'{"odd": "' + b"x" * (2048 - 11) + b'"}'
        table.post("/deals", raw=raw, token=table.owner).problem("invalid")
        refused = table.post("/deals", raw=raw + b" ", token=table.owner).problem("too-large")
        assert refused["detail"] == "A body may have 2 KiB."

    @pytest.mark.parametrize(("size", "words"), [(1 << 20, "1 MiB"), (1 << 16, "64 KiB"), (1000, "1000 bytes")])
    def test_sizes_in_words(self, size: int, words: str) -> None:
        assert in_words(size) == words

    def test_a_page(self, house_of: HouseOf) -> None:
        table = opened(house_of(page=3))
        table.short(4)
        assert len(table.get("/events", table.owner)["events"]) == 3
        table.get("/events?limit=4", table.owner).problem("invalid")
        assert len(table.get("/events?limit=3", table.owner)["events"]) == 3

    def test_a_session(self, house_of: HouseOf) -> None:
        table = opened(house_of(session_events=16), options={"deals": None})
        table.short()
        assert table.version == 16
        table.deal({**SHORT, "dealer": 2}).problem("not-now", version=16)
        table.post("/close", {}, table.owner).ok()

    def test_tokens_that_work_at_a_time(self, house_of: HouseOf) -> None:
        house = house_of()
        house.tokens.grants._most = 2  # type: ignore[misc]  # the house makes its tokens itself
        self._make(house, expires_in=60).ok(201)
        kept = self._make(house).ok(201)
        self._make(house).problem("not-now")
        house.client.post(f"/v1/tokens/{kept['id']}/revoke", {}, house.owner).ok()
        self._make(house).ok(201)
        self._make(house).problem("not-now")
        house.seconds = 60
        self._make(house).ok(201)
        house.client.post("/v1/tokens", {"role": "watch"}, house.first).ok(201)

    def _make(self, house: House, **more: int) -> Answer:
        return house.client.post("/v1/tokens", {"role": "watch", **more}, house.owner)


def test_as_they_come_the_limits_are_in_force(fake: Fake) -> None:
    house = House(fake, bounds=Bounds()).settled()
    table: Sitting = opened(house)
    assert left(table.get("", table.owner))[0] == Bounds().per_token
    assert left(house.client.get("/v1/sessions"))[0] == Bounds().per_address
    house.leave()
