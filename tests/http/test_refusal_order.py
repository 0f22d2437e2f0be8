"""The order of refusals, pair by pair: of two things wrong with one request, the earlier in the contract is told.

401, 404, 403, 413, 415, 400, 422, a known key's answer, 428, 412, 409
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import pytest

from tests.http.client import Answer
from tests.http.house import Fake, House, nothing_recorded
from tests.http.tables import SHORT, dumped, opened

MIB: Final = 1024 * 1024


@dataclass(frozen=True)
class Request:
    """A command with nothing wrong with it, until a fault is worked into it."""

    path: str
    body: Any
    token: str
    match: int | str | None
    raw: bytes | None = None
    media: str = "application/json"
    key: str | None = None
    announced: bool = True

    def send(self, house: House) -> Answer:
        """The answer to it."""
        raw = dumped(self.body) if self.raw is None else self.raw
        environ = {} if self.announced else {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}
        return house.client.post(
            self.path,
            raw=raw,
            token=self.token,
            media=self.media,
            match=self.match,
            key=self.key,
            environ=environ,
        )


@dataclass(frozen=True)
class Scene:
    """A house in which every fault can be committed."""

    house: House
    request: Request
    """A command that would be carried out."""
    already: Request
    """The same kind of command, given before under a key; it would be refused now."""
    forbidden: str
    """A token that may see the session, and may not give the command."""
    faults: tuple[str, ...]


FAULTS: Final[dict[str, Callable[[Scene, Request], Request]]] = {
    "401": lambda _, sent: replace(sent, token="uorg.unknown"),  # noqa: S106
    "404": lambda _, sent: replace(
        sent, path="/".join([*sent.path.split("/")[:3], "0" * 36, sent.path.split("/")[-1]])
    ),
    "403": lambda scene, sent: replace(sent, token=scene.forbidden),
    "413": lambda _, sent: replace(sent, raw=b"[" * (MIB + 1)),
    "413 unannounced": lambda _, sent: replace(sent, raw=b"[" * (MIB + 1), announced=False),
    "415": lambda _, sent: replace(sent, media="text/plain"),
    "400": lambda _, sent: replace(sent, raw=b"{"),
    "422 body": lambda _, sent: replace(sent, raw=b'{"odd": 1}'),
    "422 key": lambda _, sent: replace(sent, key="\x7f"),
    "422 match": lambda _, sent: replace(sent, match='W/"3"'),
    "known": lambda scene, sent: replace(sent, key=scene.already.key, raw=dumped(scene.already.body)),
    "428": lambda _, sent: replace(sent, match=None),
    "412": lambda _, sent: replace(sent, match=10**6),
    "409": lambda scene, sent: replace(sent, raw=dumped(scene.already.body)),
}
"""In the contract's order."""

SLUGS: Final = {
    "401": "unauthenticated",
    "404": "not-found",
    "403": "forbidden",
    "413": "too-large",
    "415": "unsupported-media-type",
    "400": "malformed",
    "422": "invalid",
    "428": "version-required",
    "412": "stale-version",
}
WITHOUT_VERSION: Final = tuple(name for name in FAULTS if name not in ("404", "422 match", "428", "412", "409"))


def _plays(house: House) -> Scene:
    table = opened(house, public=True)
    table.short(2)
    sent = Request(f"{table.path}/plays", {"type": "play", "card": "2h"}, table.seats[1], table.version, key="k")
    sent.send(house).ok(201)
    table.play(2, "play", "Th").ok(201)
    fresh = replace(sent, key=None, match=table.version, body={"type": "play", "card": "3h"})
    return Scene(house, fresh, sent, house.stranger, tuple(FAULTS))


def _deals(house: House) -> Scene:
    table = opened(house)
    sent = Request(f"{table.path}/deals", SHORT, table.owner, 1, key="k")
    sent.send(house).ok(201)
    return Scene(house, replace(sent, key=None, match=table.version), sent, table.seats[1], tuple(FAULTS))


def _close(house: House) -> Scene:
    table = opened(house, options={"deals": None})
    sent = Request(f"{table.path}/close", {}, table.owner, 1, key="k")
    sent.send(house).ok()
    return Scene(house, replace(sent, key=None, match=table.version), sent, table.seats[1], tuple(FAULTS))


def _entropy(house: House) -> Scene:
    """A seat has given its text, and nothing is right about a second one; it needs no version."""
    table = opened(house, mode="dealt")
    sent = Request(f"{table.path}/entropy", {"entropy": "seven dice"}, table.seats[1], 1, key="k")
    sent.send(house).ok(201)
    fresh = replace(sent, key=None, match=table.version)
    return Scene(house, fresh, sent, table.owner, tuple(name for name in FAULTS if name != "428"))


def _sessions(house: House) -> Scene:
    body = {"game": "rockaway", "players": ["Ann", "Ben"]}
    sent = Request("/v1/sessions", body, house.owner, None, key="k")
    sent.send(house).ok(201)
    return Scene(house, replace(sent, key=None), sent, opened(house).seats[1], WITHOUT_VERSION)


def _records(house: House) -> Scene:
    body = {"record": 1, "game": "rockaway", "players": ["Ann", "Ben"], "deals": []}
    sent = Request("/v1/records", body, house.owner, None, key="k")
    sent.send(house).ok(201)
    return Scene(house, replace(sent, key=None), sent, opened(house).seats[1], WITHOUT_VERSION)


SCENES: Final = {
    "plays": _plays,
    "deals": _deals,
    "close": _close,
    "entropy": _entropy,
    "sessions": _sessions,
    "records": _records,
}


@pytest.fixture(scope="module", params=[*SCENES.values()], ids=[*SCENES])
def scene(request: pytest.FixtureRequest) -> Scene:
    """Each command in turn; nothing is recorded, so one house serves all pairs."""
    make: Callable[[House], Scene] = request.param
    return make(House(Fake()).settled())


def test_each_fault_alone(scene: Scene) -> None:
    for name in scene.faults:
        with nothing_recorded(scene.house):
            _told(name, FAULTS[name](scene, scene.request).send(scene.house))


def test_of_two_faults_the_earlier_is_told(scene: Scene) -> None:
    for earlier, later in combinations(scene.faults, 2):
        # The earlier one is worked in last: where both spoil the same part of a request, it is the earlier one's.
        sent = FAULTS[earlier](scene, FAULTS[later](scene, scene.request))
        with nothing_recorded(scene.house):
            _told(f"{earlier} before {later}", sent.send(scene.house))


def test_of_all_faults_the_first_is_told(scene: Scene) -> None:
    for at in range(len(scene.faults)):
        sent = scene.request
        for name in reversed(scene.faults[at:]):
            sent = FAULTS[name](scene, sent)
        with nothing_recorded(scene.house):
            _told(scene.faults[at], sent.send(scene.house))


def _told(faults: str, answer: Answer) -> None:
    first = faults.split(maxsplit=1)[0]
    if first == "known":
        assert answer.headers.get("Idempotency-Replayed") == "true", (faults, answer)
        assert answer.status in (200, 201)
    elif first == "409":
        assert answer.status == 409, (faults, answer)
    else:
        answer.problem(SLUGS[first])


def test_without_a_fault_it_is_carried_out() -> None:
    house = House(Fake()).settled()
    scene = _plays(house)
    scene.request.send(house).ok(201)
