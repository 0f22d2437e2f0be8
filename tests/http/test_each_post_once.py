"""Twenty at once of every command with one key, on two processes of one store: one effect, one answer, never a second.

Commands are taken from the application, so that a new one cannot be forgotten.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import pytest

from service.grants import seat_id
from tests.http.client import Answer
from tests.http.house import Fake, House
from tests.http.resources import GOOD, resources
from tests.http.tables import SHORT, opened

AT_ONCE: Final = 20


class Given(NamedTuple):
    """A command that can be carried out once. `effects` counts how often it was, whatever was answered."""

    path: str
    body: Any
    token: str
    effects: Callable[[], int]
    match: str | None = None


def _sessions(house: House) -> Callable[[], int]:
    return lambda: len(house.client.get("/v1/sessions?limit=100", house.owner)["sessions"])


def _tokens(house: House) -> Callable[[], int]:
    return lambda: len(house.client.get("/v1/tokens?limit=100", house.owner)["tokens"])


def _open(house: House) -> Given:
    return Given("/v1/sessions", GOOD["/v1/sessions"], house.owner, _sessions(house))


def _import(house: House) -> Given:
    return Given("/v1/records", GOOD["/v1/records"], house.owner, _sessions(house))


def _deal(house: House) -> Given:
    table = opened(house)
    return Given(f"{table.path}/deals", SHORT, table.owner, lambda: table.version, "*")


def _play(house: House) -> Given:
    table = opened(house)
    table.deal(SHORT).ok(201)
    body = {"seat": 1, "type": "play", "card": "8h"}
    return Given(f"{table.path}/plays", body, table.owner, lambda: table.version, "*")


def _close(house: House) -> Given:
    table = opened(house, options={"deals": None})
    return Given(f"{table.path}/close", {}, table.owner, lambda: table.version, "*")


def _entropy(house: House) -> Given:
    table = opened(house, mode="dealt")
    return Given(f"{table.path}/entropy", {"entropy": "seven dice"}, table.seats[1], lambda: table.version)


def _dispute(house: House) -> Given:
    table = opened(house)
    table.deal(SHORT).ok(201)
    body = {"deal": 1, "words": "he looked"}
    return Given(f"{table.path}/disputes", body, table.seats[1], lambda: table.version)


def _withdrawal(house: House) -> Given:
    given = _dispute(house)
    house.client.post(given.path, given.body, given.token).ok(201)
    return given._replace(path=f"{given.path}/1/withdraw", body={})


def _ruling(house: House) -> Given:
    table = opened(house)
    table.deal(SHORT).ok(201)
    body = {"ruling": "let_stand", "deal": 1, "reason": "nothing else fitted"}
    return Given(f"{table.path}/rulings", body, table.owner, lambda: table.version, "*")


def _confirmation(house: House) -> Given:
    given = _ruling(house)
    house.client.post(given.path, {**given.body, "ruling": "void"}, given.token, match="*").ok(201)
    path = given.path.removesuffix("/rulings") + "/deals/1/confirm"
    return given._replace(path=path, body={}, token=house.tokens.seat(given.path.split("/")[3], 1))


def _token(house: House) -> Given:
    return Given("/v1/tokens", GOOD["/v1/tokens"], house.owner, _tokens(house))


def _revoke(house: House) -> Given:
    token_id = seat_id(opened(house).id, 1)

    def changes() -> int:
        return int(house.tokens.grants.changes())

    return Given(f"/v1/tokens/{token_id}/revoke", {}, house.owner, changes)


def _webhook(house: House) -> Given:
    def count() -> int:
        return len(house.client.get("/v1/webhooks", house.owner)["webhooks"])

    return Given("/v1/webhooks", GOOD["/v1/webhooks"], house.owner, count)


COMMANDS: Final[dict[str, Callable[[House], Given]]] = {
    "/v1/sessions": _open,
    "/v1/records": _import,
    "/v1/sessions/<session_id>/deals": _deal,
    "/v1/sessions/<session_id>/plays": _play,
    "/v1/sessions/<session_id>/close": _close,
    "/v1/sessions/<session_id>/entropy": _entropy,
    "/v1/sessions/<session_id>/disputes": _dispute,
    "/v1/sessions/<session_id>/disputes/<int:number>/withdraw": _withdrawal,
    "/v1/sessions/<session_id>/rulings": _ruling,
    "/v1/sessions/<session_id>/deals/<int:number>/confirm": _confirmation,
    "/v1/tokens": _token,
    "/v1/tokens/<token_id>/revoke": _revoke,
    "/v1/webhooks": _webhook,
}
ELSEWHERE: Final = "/v1/webhooks/"
"""What is done to one webhook is left to test_webhooks.py."""
WITHOUT_EFFECT: Final = "/v1/sessions/<session_id>/what_if"
"""Records nothing, so there is nothing to do twice."""


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Twenty threads."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield pool


def test_every_command_is_here() -> None:
    house = House(Fake()).settled()
    found = {each.rule for each in resources(house) if each.method == "POST" and not each.rule.startswith(ELSEWHERE)}
    found.discard(WITHOUT_EFFECT)
    house.leave()
    advice = "say in COMMANDS of tests/http/test_each_post_once.py how a new command is given"
    assert found == set(COMMANDS), f"{advice}: {sorted(found ^ set(COMMANDS))}"


@pytest.mark.store
@pytest.mark.parametrize("rule", COMMANDS)
def test_twenty_at_once_have_one_effect_and_one_answer(real_house: House, pool: ThreadPoolExecutor, rule: str) -> None:
    given = COMMANDS[rule](real_house)
    houses = [real_house, real_house.again()]
    before = given.effects()

    def send(number: int) -> Answer:
        client = houses[number % 2].client
        return client.post(given.path, given.body, given.token, key="once", match=given.match)

    answers = list(pool.map(send, range(AT_ONCE)))
    assert given.effects() == before + 1
    [first] = [answer for answer in answers if "Idempotency-Replayed" not in answer.headers]
    assert first.status in (200, 201)
    for answer in answers:
        headers = {name: value for name, value in answer.headers.items() if name != "Idempotency-Replayed"}
        assert (answer.status, answer.body, headers) == (first.status, first.body, first.headers)
    refused = houses[1].client.post(given.path, {"odd": 1}, given.token, key="once", match=given.match)
    assert refused.status in (400, 422)
    assert given.effects() == before + 1
