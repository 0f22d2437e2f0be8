"""What is stored is a promise: every sample reads and writes the same for ever, and every event comes back to the byte.

Left out: who may see what (test_shown.py), and bytes that were never ours (test_broken_logs.py).
"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.codec import decode, encode, seat_of
from replay.envelope import Envelope, envelope
from replay.rules.game import AnyGame, EventType
from replay.rules.registry import GAMES
from replay.rules.session_events import Event, Irregular
from tests.log.histories import history, stored
from tests.log.stated import AT, FOLDER, STATED, WHO, sample_file, samples
from tests.log.strategies import DECLARED, TEXT, events, found_by_search
from tests.rules.seeded import session
from tests.seeds import rng, scaled

KINDS = [
    pytest.param(each, id=f"{each.kind}-{each.schema}")
    for each in {(each.kind, each.schema): each for each in DECLARED}.values()
]
"""Once each: games may share an event."""


def again(given_: Envelope) -> Envelope:
    """The envelope once more, from its stored bytes."""
    return envelope(given_.version, given_.public_bytes(), given_.sealed_bytes())


def to_bytes(envelopes: list[Envelope]) -> list[tuple[int, bytes, bytes]]:
    return [(each.version, each.public_bytes(), each.sealed_bytes()) for each in envelopes]


def test_no_kind_and_schema_is_declared_for_two_shapes() -> None:
    shapes = {(each.kind, each.schema): each.shape for each in DECLARED}
    assert [each for each in DECLARED if shapes[each.kind, each.schema] is not each.shape] == []
    assert [shape for shape, count in Counter(shapes.values()).items() if count > 1] == []


@pytest.mark.parametrize("declared", KINDS)
def test_every_kind_and_schema_has_a_sample(declared: EventType) -> None:
    assert sample_file(declared.kind, declared.schema).is_file()


def test_every_sample_is_of_a_declared_kind() -> None:
    files = {sample_file(each.kind, each.schema).name for each in DECLARED}
    assert {path.name for path in FOLDER.iterdir()} == files


@pytest.mark.parametrize("declared", KINDS)
def test_a_sample_reads_as_the_event_it_was(declared: EventType) -> None:
    found = samples(sample_file(declared.kind, declared.schema))
    assert decode(found) == list(STATED[declared.kind, declared.schema])
    assert {(each.kind, each.schema, each.at, each.who) for each in found} == {
        (declared.kind, declared.schema, AT, WHO)
    }


@pytest.mark.parametrize("declared", KINDS)
def test_an_event_is_written_as_its_sample(declared: EventType) -> None:
    written = encode(STATED[declared.kind, declared.schema], after=0, at=AT, who=WHO)
    lines = [each.public_bytes() + (b"\t" + each.sealed_bytes() if each.sealed else b"") for each in written]
    path = sample_file(declared.kind, declared.schema)
    assert lines == path.read_bytes().splitlines()


@pytest.mark.parametrize("declared", KINDS)
@found_by_search(600)
@given(data=st.data())
def test_every_event_comes_back_to_the_byte(declared: EventType, data: st.DataObject) -> None:
    made: list[Event] = data.draw(st.lists(events(declared), min_size=1, max_size=2))
    after = data.draw(st.integers(0, 10**6))
    written = encode(made, after=after, at=data.draw(TEXT), who=data.draw(TEXT))
    read = [again(each) for each in written]
    events_read = decode(read)
    assert events_read == made
    assert [type(each) for each in events_read] == [type(each) for each in made]
    assert to_bytes(encode(events_read, after=after, at=read[0].at, who=read[0].who)) == to_bytes(written)


def test_whole_sessions_come_back_to_the_byte() -> None:
    random = rng("log/codec")
    for _ in range(scaled(1000)):
        played = history(random)
        written = stored(played)
        events_read = decode([again(each) for each in written])
        assert events_read == played
        assert to_bytes(stored(events_read)) == to_bytes(written)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.parametrize("irregular", [False, True], ids=["legal", "irregular"])
def test_whole_sessions_of_every_game_come_back_to_the_byte(game: AnyGame, irregular: bool) -> None:
    for number in range(scaled(60)):
        steps = session(game, rng(f"log/codec {game.name} {number} {irregular}"), irregular=irregular)
        played = [event for step in steps for event in step.events]
        written = stored(played)
        events_read = decode([again(each) for each in written])
        assert events_read == played
        assert [type(each) for each in events_read] == [type(each) for each in played]
        assert to_bytes(stored(events_read)) == to_bytes(written)


def test_an_irregular_play_is_stored_as_the_play_with_a_mark() -> None:
    for kind, stated in STATED.items():
        for irregular in (each for each in stated if isinstance(each, Irregular)):
            (marked,) = stored([irregular])
            (plain,) = stored([irregular.play])
            assert (marked.kind, marked.schema) == kind
            assert marked.public == {**plain.public, "irregular": {"clause": irregular.clause}}
            assert marked.sealed == plain.sealed
            assert seat_of(marked) == seat_of(plain) == irregular.seat


def test_versions_follow_the_one_before() -> None:
    played = history(rng("log/versions"))
    written = [each for n, event in enumerate(played) for each in stored([event], after=n)]
    assert written == stored(played)
    assert [each.version for each in written] == list(range(1, len(played) + 1))


def test_what_is_no_play_has_no_seat() -> None:
    for declared in DECLARED:
        for each in samples(sample_file(declared.kind, declared.schema)):
            assert (seat_of(each) is None) == declared.kind.startswith("session.")
