"""Bodies by chance: JSON of any shape, and bodies that were right until something in them was changed.

Whatever comes: a problem or the right answer, never a 500. A body that is refused has recorded nothing.
"""

import json
import time
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.http.house import Fake, House
from tests.http.resources import Resource, Target
from tests.http.tables import SHORT, SHORT_PLAYS
from tests.seeds import rng, scaled

EXAMPLES: Final = scaled(3_000)
CHANGES: Final = 20_000
"""Changed bodies of a full run."""
PATIENCE: Final = 20.0
"""Seconds of processor time for one hostile body of a mebibyte, on a slow machine; it should be a fraction of one."""

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["play", "draw", "pass", "8h", "9c", "Jk", "??", "rockaway", "dealt", "recorded"])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)
NAMES = st.sampled_from(
    [
        *("game", "players", "options", "mode", "public", "revision", "hands", "upcard", "stock", "dealer", "at"),
        *("note", "seat", "type", "card", "cards", "irregular", "record", "deals", "totals", "closed", "plays"),
    ]
)
BODIES = JSON | st.dictionaries(NAMES, JSON, max_size=8)

REPEATABLE: Final = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)


@pytest.fixture(scope="module")
def target() -> Target:
    """One house for all."""
    return Target(House(Fake()).settled())


def _send(target: Target, command: Resource, raw: bytes) -> int:
    """The status; fails if something was recorded although it was refused."""
    before = target.house.everything()
    answer = target.send(command, raw=raw)
    if answer.status >= 400:
        assert target.house.everything() == before, command.name
    return answer.status


@given(body=BODIES, index=st.integers(0, 99))
@REPEATABLE
def test_any_json(target: Target, body: Any, index: int) -> None:
    command = target.commands[index % len(target.commands)]
    assert _send(target, command, json.dumps(body).encode()) in (400, 409, 422)


@given(raw=st.binary(max_size=200), index=st.integers(0, 99))
@REPEATABLE
def test_any_bytes(target: Target, raw: bytes, index: int) -> None:
    command = target.commands[index % len(target.commands)]
    # No bytes at all are a deal or a close with nothing to say.
    assert _send(target, command, raw) in (400, 409, 422)


@pytest.mark.parametrize("part", range(4))
def test_bodies_with_one_thing_changed(part: int) -> None:
    chance = rng(f"http bodies {part}")
    target = Target(House(Fake()).settled())
    for _ in range(scaled(CHANGES) // 4):
        command = chance.choice(target.commands)
        raw = json.dumps(_changed(_good(command), chance)).encode()
        if chance.random() < 0.3:
            raw = _spoilt(raw, chance)
        answer = target.send(command, raw=raw)
        assert answer.status in (200, 201, 400, 409, 422), raw
        if answer.status < 400 and "<" in command.rule:
            # It was taken, so that the session is no longer what all this is for.
            target.house.leave()
            target = Target(House(Fake()).settled())


def _good(command: Resource) -> Any:
    if command.rule != "/v1/records":
        return command.good
    plays = [f"{seat} play {card}" for seat, card in SHORT_PLAYS]
    return {**command.good, "deals": [{**_written(SHORT), "plays": plays, "points": [0, 2]}]}


def _written(deal: dict[str, Any]) -> dict[str, Any]:
    return {
        "hands": [" ".join(hand) for hand in deal["hands"]],
        "upcard": deal["upcard"],
        "stock": " ".join(deal["stock"]),
    }


_ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 2, 3, 8, 9, 2**31, 2**53, 2**63, 2**64, 10**40, 0.5, 1.0, 1e308, -0.0),
    *("", " ", "x", "8h", "8h 9h", "??", "Jk", "\x00", "\ud800", "\N{SNOWMAN}" * 50, "1 draw!", "1 play 8h", "3 pass"),
    *([], [[]], {}, {"": ""}, [None], ["8h"], [0, 0], {"deals": 1}),
)


def _changed(value: Any, chance: Random) -> Any:
    """The same with one thing changed, somewhere."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        name = chance.choice([*value])
        match chance.randrange(6):
            case 0:
                return {key: each for key, each in value.items() if key != name}
            case 1:
                return {**value, chance.choice(["odd", name + "s", name.upper()]): chance.choice(_ODD)}
            case _:
                return {**value, name: _changed(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.85:
        at = chance.randrange(len(value))
        match chance.randrange(6):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value[:at], value[at], *value[at:]]
            case _:
                return [*value[:at], _changed(value[at], chance), *value[at + 1 :]]
    if isinstance(value, str) and value and chance.random() < 0.5:
        at = chance.randrange(len(value))
        return value[:at] + chance.choice(["", "x", "!", "9", " ", "\x00", "|"]) + value[at + 1 :]
    return chance.choice(_ODD)


def _spoilt(raw: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(raw))
    return raw[:at] + bytes(chance.randrange(256) for _ in range(chance.randrange(3))) + raw[at + chance.randrange(3) :]


MIB: Final = 1024 * 1024


def _heavy() -> Iterator[tuple[str, str, bytes]]:
    """Bodies of nearly a mebibyte that cost more to read than to send."""
    json_form, toml = "application/json", "application/toml"
    head = b'{"record": 1, "game": "rockaway", "players": ["A", "B"], "deals": ['
    yield "many numbers", json_form, head + b"1," * (MIB // 2 - 50) + b"1]}"
    yield "many objects", json_form, head + b"{}," * (MIB // 3 - 50) + b"{}]}"
    yield "many keys", json_form, b"{" + b",".join(b'"%x":0' % n for n in range(100_000)) + b"}"
    yield "one long number", json_form, head + b"9" * (MIB - 100) + b"]}"
    yield "one long text", json_form, head + b'"' + b"\\u0041" * (MIB // 6 - 50) + b'"]}'
    plays = b",".join([b'"1 draw"'] * 100_000)
    yield "many plays", json_form, head + b'{"hands":["",""],"upcard":"8h","plays":[' + plays + b"]}]}"
    yield "many tables", toml, b"[[a]]\n" * (MIB // 6 - 10)
    yield "tables in tables", toml, b"[a" + b".a" * (MIB // 2 - 10) + b"]\n"
    yield "a long list", toml, b"a = [" + b"1," * (MIB // 2 - 10) + b"]\n"
    yield "lists in lists", toml, b"a = " + b"[" * (MIB - 10)
    yield "quotes", toml, b'"""' + b'"' * (MIB - 10)
    yield "one long number in TOML", toml, b"a = " + b"9" * (MIB - 10)
    yield "dates", toml, b"a = [" + b"1979-05-27T07:32:00Z," * (MIB // 21 - 10) + b"]\n"


@pytest.mark.parametrize(("media", "raw"), [pytest.param(*rest, id=name) for name, *rest in _heavy()])
def test_a_heavy_record_is_refused_in_bounded_time(target: Target, media: str, raw: bytes) -> None:
    assert len(raw) <= MIB
    command = next(each for each in target.commands if each.rule == "/v1/records")
    before, started = target.house.everything(), time.process_time()
    answer = target.send(command, raw=raw, media=media)
    assert time.process_time() - started < PATIENCE
    assert answer.status in (400, 422)
    assert len(answer.text) < 10_000
    assert target.house.everything() == before
