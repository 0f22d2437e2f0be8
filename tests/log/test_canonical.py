"""Canonical bytes are RFC 8785's, as another library writes them, for everything that an event can hold."""

from typing import Any, Final

import orjson
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from replay.codec import START, encode
from replay.envelope import Stamp, canonical, seal_of, seals_of
from replay.rules.game import EventType
from tests.log.histories import SESSION, history, salts, stored
from tests.log.stated import STATED, samples
from tests.log.stated import sample_file as file_of
from tests.log.strategies import CANONICAL_KEYS, CANONICAL_WHOLE, DECLARED, TEXT, events, found_by_search
from tests.seeds import rng, scaled

PLAIN: Final = st.one_of(st.none(), st.booleans(), CANONICAL_WHOLE, TEXT)
ANYTHING: Final[st.SearchStrategy[Any]] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.lists(inner, max_size=5).map(tuple),
        st.dictionaries(CANONICAL_KEYS, inner, max_size=5),
    ),
    max_leaves=30,
)


@found_by_search(10_000)
@given(value=ANYTHING)
def test_any_value_is_written_as_the_other_library_writes_it(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_every_character_alone_is_written_as_the_other_library_writes_it() -> None:
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    for at in range(0, len(characters), 4096):
        part = characters[at : at + 4096]
        assert canonical(part) == rfc8785.dumps(part), f"from {ord(part[0]):#x}"


@pytest.mark.parametrize(
    "number", [0, 1, -1, 10, 99_999, 2**31, -(2**31), 2**32, 2**52, 2**53 - 1, 1 - 2**53, 10**15, -(10**15)]
)
def test_whole_numbers_are_written_in_full(number: int) -> None:
    assert canonical(number) == rfc8785.dumps(number) == str(number).encode()


def test_keys_are_sorted_at_every_depth_and_however_they_came() -> None:
    keys = [chr(code) for code in range(128)] + ["ab", "a", "aB", "Ab", "", "10", "9", "_", "a b"]
    random = rng("log/canonical")
    first = canonical({"outer": dict.fromkeys(keys, 1)})
    for _ in range(20):
        random.shuffle(keys)
        assert canonical({"outer": dict.fromkeys(keys, 1)}) == first == rfc8785.dumps({"outer": dict.fromkeys(keys, 1)})


@pytest.mark.parametrize("declared", {each.kind: each for each in DECLARED}.values(), ids=lambda each: each.kind)
@found_by_search(600)
@given(data=st.data())
def test_every_part_of_every_event_is_canonical(declared: EventType, data: st.DataObject) -> None:
    made = data.draw(events(declared, CANONICAL_WHOLE, CANONICAL_KEYS))
    stamp = Stamp(data.draw(TEXT), data.draw(TEXT), data.draw(TEXT))
    (written,) = encode(SESSION, [made], after=START, stamp=stamp, salt=salts())
    assert written.raw == rfc8785.dumps(orjson.loads(written.raw))
    assert written.sealed_bytes() == (rfc8785.dumps(orjson.loads(written.sealed_bytes())) if written.opened else b"")
    # The public part is what the other library makes of the parts themselves, too.
    parts = {
        "version": 1,
        "kind": written.kind,
        "schema": written.schema,
        "data": written.data,
        "seals": written.seals,
        **stamp._asdict(),
    }
    assert written.raw == rfc8785.dumps(parts)


def test_what_is_stored_is_canonical() -> None:
    random = rng("log/canonical/stored")
    whole = [each for _ in range(scaled(100)) for each in stored(history(random))]
    for each in (*whole, *(sample for kind in STATED for sample in samples(file_of(*kind)))):
        assert each.raw == rfc8785.dumps(orjson.loads(each.raw))
        if each.opened:
            assert each.sealed_bytes() == rfc8785.dumps(orjson.loads(each.sealed_bytes()))


def test_an_opening_is_sealed_alike_before_and_after_it_was_stored() -> None:
    salt = salts()
    for value in (None, "Ac", ("Ac", "Kd"), (), ("Th", None), "é 李 😀 \u2028\x7f\x00", 0, (("K", ("Kh",)),)):
        opening = (salt(), value)
        assert seal_of(opening) == seal_of(orjson.loads(canonical(opening)))
        both = [opening, (salt(), value)]
        assert seals_of(both) == [seal_of(each) for each in both]
