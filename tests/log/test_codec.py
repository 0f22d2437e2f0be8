"""What is stored is a promise: every sample reads and writes the same for ever, and every event comes back to the byte.

Left out: who may see what (test_shown.py), and bytes that were never ours (test_broken_logs.py).
"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.chain import check_chain
from replay.codec import START, decode, encode, seat_of
from replay.envelope import Envelope, Stamp, Tip, by_seat
from replay.rules.game import AnyGame, EventType
from replay.rules.registry import GAMES
from replay.rules.session_events import Event, Irregular
from tests.log import histories
from tests.log.histories import again, history, long_history, salts, stored
from tests.log.stated import AFTER, FOLDER, SESSION, STAMP, STATED, sample_file, samples, written
from tests.log.strategies import DECLARED, TEXT, events, found_by_search
from tests.rules.seeded import session
from tests.seeds import rng, scaled

ONCE = {(each.kind, each.schema): each for each in DECLARED}.values()
"""Once each: games may share an event."""
KINDS = [pytest.param(each, id=f"{each.kind}-{each.schema}") for each in ONCE]
WRITTEN = [pytest.param(each, id=f"{each.kind}-{each.schema}") for each in ONCE if each.upcast is None]
"""Those that are still written today."""


def to_bytes(envelopes: list[Envelope]) -> list[tuple[int, bytes, bytes, bytes]]:
    return [(each.version, each.raw, each.sealed_bytes(), each.digest) for each in envelopes]


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
    assert {(each.kind, each.schema, each.stamp) for each in found} == {(declared.kind, declared.schema, STAMP)}
    for each in found:
        check_chain(SESSION, None if each.version == 1 else AFTER, [each])


@pytest.mark.parametrize("declared", WRITTEN)
def test_an_event_is_written_as_its_sample(declared: EventType) -> None:
    assert written(declared.kind, declared.schema) == sample_file(declared.kind, declared.schema).read_bytes()


@pytest.mark.parametrize("declared", KINDS)
@found_by_search(600)
@given(data=st.data())
def test_every_event_comes_back_to_the_byte(declared: EventType, data: st.DataObject) -> None:
    made: list[Event] = data.draw(st.lists(events(declared), min_size=1, max_size=2))
    after = Tip(data.draw(st.integers(0, 10**6)), data.draw(st.binary(min_size=32, max_size=32)))
    stamp = Stamp(data.draw(TEXT), data.draw(TEXT), data.draw(TEXT))
    written = encode(SESSION, made, after=after, stamp=stamp, salt=salts())
    read = [again(each) for each in written]
    events_read = decode(read)
    assert events_read == made
    assert [type(each) for each in events_read] == [type(each) for each in made]
    assert [each.stamp for each in read] == [stamp] * len(made)
    once_more = encode(SESSION, events_read, after=after, stamp=stamp, salt=salts())
    assert to_bytes(once_more) == to_bytes(written) == to_bytes(read)


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
            assert marked.data == {**plain.data, "irregular": {"clause": irregular.clause}}
            assert (marked.seals, marked.opened) == (plain.seals, plain.opened)
            assert seat_of(marked) == seat_of(plain) == irregular.seat


def test_versions_follow_the_one_before() -> None:
    played = history(rng("log/versions"))
    salt, after, made = salts(), START, []
    for event in played:
        made += encode(SESSION, [event], after=after, stamp=histories.STAMP, salt=salt)
        after = made[-1].tip
    assert made == stored(played, SESSION)
    assert [each.version for each in made] == list(range(1, len(played) + 1))


def test_an_event_tells_the_seat_that_it_is_about() -> None:
    for declared in DECLARED:
        for each in samples(sample_file(declared.kind, declared.schema)):
            if "seat" not in declared.shape._fields:
                assert seat_of(each) is None
            # Of what an organiser may say too, no seat is told.
            assert seat_of(each) in ((None, *range(1, 9)) if declared.kind.startswith("session.") else range(1, 9))


def test_salts_are_fresh() -> None:
    played = long_history(rng("log/salts"), 100)
    drawn = [salt for n in range(3) for salt in _salts(encode(SESSION, played, after=START, stamp=STAMP))]
    assert len(drawn) > 100
    assert len(set(drawn)) == len(drawn)
    assert {len(bytes.fromhex(salt)) for salt in drawn} == {16}


def _salts(envelopes: list[Envelope]) -> list[str]:
    """Every salt of these: each hand's own, too."""
    found = []
    for each in envelopes:
        for opening in each.opened.values():
            found += [part[0] for part in opening] if by_seat(opening) else [opening[0]]
    return found
