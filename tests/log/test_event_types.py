"""Event types: each field has its place once or the program does not start, and older schemas are still read.

The older schemas here are made up. Left out: what is declared (test_codec.py, test_shown.py).
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from replay import codec
from replay.chain import check_chain
from replay.codec import START, decode, encode, shown
from replay.envelope import Envelope
from replay.rules.cards import Card, Cards
from replay.rules.game import BY_SEAT, EVERYTHING, NOBODY, ONLOOKER, OWN_SEAT, SEED, Audience, EventType, Viewer
from replay.rules.session_events import Event, Irregular
from replay.rules.session_state import BrokenLogError
from tests.log.histories import SESSION, STAMP, again, salts


class ShownFirst(NamedTuple):
    """Schema 1: a seat, its card, and how many it has left."""

    seat: int
    card: Card
    left: int


class ShownSecond(NamedTuple):
    """Schema 2: several cards."""

    seat: int
    cards: Cards
    left: int


class ShownThird(NamedTuple):
    """Schema 3, as it would be written today: nothing is counted."""

    seat: int
    cards: Cards
    note: str | None


FIRST = EventType(
    "made_up.shown",
    1,
    ShownFirst,
    ("seat", "left"),
    {"card": OWN_SEAT},
    lambda event: ShownSecond(event.seat, (event.card,), event.left),
)
SECOND = EventType(
    "made_up.shown",
    2,
    ShownSecond,
    ("seat", "left", "cards"),
    {},
    lambda event: ShownThird(event.seat, event.cards, f"{event.left} left"),
)
THIRD = EventType("made_up.shown", 3, ShownThird, ("seat", "note"), {"cards": OWN_SEAT})


@pytest.fixture
def _made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The made-up types are declared, during one test."""
    with monkeypatch.context() as patch:
        for each in (FIRST, SECOND, THIRD):
            coder = codec._coder(each)
            patch.setitem(codec._BY_SHAPE, each.shape, coder)
            patch.setitem(codec._BY_KIND, (each.kind, each.schema), coder)
        yield


TD, AC, KH = Card("Td"), Card("Ac"), Card("Kh")


def written() -> list[Envelope]:
    """One of each schema, and one irregular of the oldest, read back from their bytes."""
    events: list[Event] = [
        ShownFirst(2, TD, 3),
        ShownSecond(1, (AC, KH), 0),
        ShownThird(2, (), None),
        Irregular(ShownFirst(1, AC, 9), "R6"),
    ]
    return [again(each) for each in encode(SESSION, events, after=START, stamp=STAMP, salt=salts())]


@pytest.mark.usefixtures("_made_up")
def test_older_schemas_are_read_as_what_is_written_today() -> None:
    stored = written()
    assert [(each.kind, each.schema) for each in stored] == [("made_up.shown", schema) for schema in (1, 2, 3, 1)]
    assert decode(stored) == [
        ShownThird(2, (TD,), "3 left"),
        ShownThird(1, (AC, KH), "0 left"),
        ShownThird(2, (), None),
        Irregular(ShownThird(1, (AC,), "9 left"), "R6"),
    ]
    assert [type(each) for each in decode(stored)] == [ShownThird] * 3 + [Irregular]


@pytest.mark.usefixtures("_made_up")
def test_an_older_schema_keeps_its_bytes_seals_and_audience() -> None:
    stored = written()
    # Its own fields, not those of today: else the seals in them would open nothing.
    assert shown(stored[0], Viewer(2)).data == {"left": 3, "card": "Td"}
    assert shown(stored[0], ONLOOKER).data == {"left": 3, "card": None}
    assert shown(stored[1], ONLOOKER).data == {"left": 0, "cards": ["Ac", "Kh"]}
    assert shown(stored[2], EVERYTHING).data == {"note": None, "cards": []}
    head = stored[0].tip
    check_chain(SESSION, head, stored[1:])
    assert stored[0].raw.count(b'"schema":1') == 1


@pytest.mark.usefixtures("_made_up")
def test_a_schema_from_the_future_is_not_guessed_at() -> None:
    stored = written()
    with pytest.raises(BrokenLogError) as caught:
        decode([*stored[:2], stored[2]._replace(schema=4)])
    assert caught.value.version == 3


@pytest.mark.usefixtures("_made_up")
def test_an_older_event_that_cannot_be_lifted_is_broken_at_its_version() -> None:
    stored = written()
    with pytest.raises(BrokenLogError) as caught:
        decode([stored[0], stored[1]._replace(data={"seat": 1, "left": 0})])
    assert caught.value.version == 2


@pytest.mark.parametrize(
    ("public", "sealed"),
    [
        pytest.param(("seat", "note"), {}, id="a field nowhere"),
        pytest.param(("seat",), {"cards": OWN_SEAT}, id="another nowhere"),
        pytest.param((), {}, id="nothing anywhere"),
        pytest.param(("seat", "note", "cards"), {"cards": NOBODY}, id="public and sealed"),
        pytest.param(("seat", "note", "note"), {"cards": SEED}, id="public twice"),
        pytest.param(("seat", "note", "more"), {"cards": BY_SEAT}, id="public and not there"),
        pytest.param(("seat", "note"), {"cards": OWN_SEAT, "more": NOBODY}, id="sealed and not there"),
        pytest.param(("seat", "Note"), {"cards": OWN_SEAT}, id="misspelt"),
    ],
)
def test_a_field_without_one_place_stops_the_program_as_it_starts(
    public: tuple[str, ...], sealed: Mapping[str, Audience]
) -> None:
    with pytest.raises(TypeError, match=r"every field of made_up\.shown must be public or sealed"):
        codec._coder(EventType("made_up.shown", 3, ShownThird, public, sealed))


def test_fields_with_one_place_each_are_an_event_type() -> None:
    assert codec._coder(THIRD).type is THIRD
