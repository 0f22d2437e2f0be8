"""Folded sessions: what is held and brought up to date is what folding it all gives (law 6), now and at any version."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random

import pytest

from replay import folder as folder_module
from replay.codec import START
from replay.envelope import Envelope
from replay.folder import MARK_EVERY, Folder
from replay.log import Appended, Batch
from replay.memory_log import MemoryLog
from replay.rules.session import fold
from replay.rules.session_events import Event
from replay.rules.session_state import BrokenLogError, Session
from replay.shards import new_session_id
from tests.log.histories import AT, history, long_history, stored
from tests.log.places import NOW, Place
from tests.seeds import rng, scaled


class CountingLog(MemoryLog):
    """A log in memory that knows what was read of it."""

    def __init__(self) -> None:
        super().__init__()
        self.read_events = 0
        self.reads = 0

    def read(self, session: str, after: int = 0, limit: int | None = None) -> list[Envelope]:
        """See Log."""
        found = super().read(session, after, limit)
        self.reads += 1
        self.read_events += len(found)
        return found


def put(log: MemoryLog, session: str, events: list[Event]) -> None:
    """Add these to the session's log."""
    version = log.version(session)
    # Not the log's own `read`, which some of these tests count.
    after = MemoryLog.read(log, session, version - 1)[0].tip if version else START
    assert isinstance(log.append(Batch(session, after, stored(events, session, after), NOW)), Appended)


def prefixes(events: list[Event]) -> list[Session]:
    """The state after each event, one by one."""
    states = [fold(None, events[:1])]
    for event in events[1:]:
        states.append(fold(states[-1], [event]))
    return states


@contextmanager
def marks_every(monkeypatch: pytest.MonkeyPatch, versions: int) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(folder_module, "MARK_EVERY", versions)
        yield


def test_a_session_that_is_not_there_is_none() -> None:
    folder = Folder(MemoryLog())
    assert folder.now("nobody") is None
    assert folder.held("nobody") is None


def test_the_state_at_every_version_is_the_fold_of_the_prefix(place: Place) -> None:
    random = rng("log/folder/at")
    for _ in range(scaled(60)):
        events = history(random)
        session = new_session_id()
        place.log.append(Batch(session, START, stored(events, session), NOW))
        folder = Folder(place.log)
        folded = folder.now(session)
        assert folded is not None
        assert folded.session == fold(None, events)
        assert folded.opened_at == AT
        assert folded.now.tip == place.log.read(session, len(events) - 1)[0].tip
        for version in random.sample(range(1, len(events) + 1), min(12, len(events))):
            assert folder.at(session, folded, version).session == fold(None, events[:version])


def test_folding_a_prefix_and_then_the_rest_is_folding_all(monkeypatch: pytest.MonkeyPatch) -> None:
    random = rng("log/folder/prefix")
    for _ in range(scaled(200)):
        events = history(random)
        states = prefixes(events)
        assert states[-1] == fold(None, events)
        log, session = MemoryLog(), new_session_id()
        folder = Folder(log)
        with marks_every(monkeypatch, random.choice((1, 2, 7, 50))):
            rest = list(events)
            while rest:
                size = random.choice((1, 1, 2, random.randrange(len(rest)) + 1))
                put(log, session, rest[:size])
                rest = rest[size:]
                folded = folder.now(session)
                assert folded is not None
                assert folded.session == states[log.version(session) - 1]
            assert folded is not None
            assert [folder.at(session, folded, n).session for n in range(1, len(events) + 1)] == states


def test_what_is_held_is_brought_up_to_date_from_the_tail_alone() -> None:
    events = long_history(rng("log/folder/tail"), 200)
    log, session = CountingLog(), new_session_id()
    put(log, session, events[:150])
    folder = Folder(log)
    first = folder.now(session)
    assert (log.reads, log.read_events) == (1, 150)
    assert folder.now(session) == first
    assert (log.reads, log.read_events) == (2, 150)
    put(log, session, events[150:153])
    folded = folder.now(session)
    assert folded is not None
    assert folded.session == fold(None, events[:153])
    assert (log.reads, log.read_events) == (3, 153)
    assert folder.held(session) == folded
    assert log.reads == 3


@pytest.mark.parametrize("steps", ["one by one", "at once", "in between"])
def test_looking_back_reads_at_most_the_events_since_a_mark(steps: str) -> None:
    random = rng("log/folder/marks")
    events = long_history(random, 3 * MARK_EVERY)
    log, session = CountingLog(), new_session_id()
    folder = Folder(log)
    rest = list(events)
    while rest:
        size = {"one by one": 1, "at once": len(rest)}.get(steps) or random.choice((1, 100, MARK_EVERY - 1, 300))
        put(log, session, rest[:size])
        rest = rest[size:]
        folded = folder.now(session)
    assert folded is not None
    states = prefixes(events)
    near_marks = {mark + step for mark in range(0, len(events), MARK_EVERY) for step in (-1, 0, 1)}
    for version in sorted(near_marks.intersection(range(1, len(events) + 1)) | set(range(1, len(events), 9))):
        log.read_events = 0
        assert folder.at(session, folded, version).session == states[version - 1]
        assert log.read_events <= MARK_EVERY, version
    log.reads = 0
    assert folder.at(session, folded, folded.session.version) is folded.now
    assert log.reads == 0


def test_the_least_recently_used_session_is_forgotten() -> None:
    log = CountingLog()
    ids = [new_session_id() for _ in range(4)]
    for session in ids:
        put(log, session, history(rng("log/folder/lru"), deals=1))
    folder = Folder(log, capacity=3)
    for session in ids[:3]:
        folder.now(session)
    assert folder.held(ids[0]) is not None
    folder.now(ids[3])
    assert [folder.held(session) is not None for session in ids] == [True, False, True, True]
    again = folder.now(ids[1])
    assert again is not None
    assert again.session.version == log.version(ids[1])
    assert [folder.held(session) is not None for session in ids] == [False, True, True, True]


def test_what_is_older_never_replaces_what_is_held() -> None:
    events = long_history(rng("log/folder/older"), 10)
    log, session = MemoryLog(), new_session_id()
    put(log, session, events)
    folder = Folder(log)
    newest = folder.now(session)
    older = folder.extend(session, None, log.read(session, 0, 5))
    assert older is not None
    assert older.session == fold(None, events[:5])
    assert folder.held(session) == newest


def test_a_tail_with_a_hole_is_broken_and_leaves_what_is_held() -> None:
    events = long_history(rng("log/folder/hole"), 12)
    session = new_session_id()
    folder = Folder(MemoryLog())
    tail = stored(events, session)
    held = folder.extend(session, None, tail[:4])
    for broken in (tail[5:], [*tail[4:8], *tail[9:]], tail[3:], [*tail[4:6], tail[5], *tail[7:9]]):
        with pytest.raises(BrokenLogError):
            folder.extend(session, held, broken)
    assert folder.held(session) == held
    whole = folder.extend(session, held, tail[4:])
    assert whole is not None
    assert whole.session == fold(None, events)


def test_threads_see_states_of_the_log_and_none_goes_back() -> None:
    random = rng("log/folder/threads")
    log = MemoryLog()
    histories = {new_session_id(): history(random) for _ in range(3)}
    states = {session: prefixes(events) for session, events in histories.items()}
    for session, events in histories.items():
        put(log, session, events[:1])
    folder = Folder(log, capacity=2)

    def write(session: str) -> None:
        for event in histories[session][1:]:
            put(log, session, [event])

    def look(number: int) -> None:
        choose = Random(number)
        last = dict.fromkeys(histories, 0)
        while any(last[session] < len(histories[session]) for session in histories):
            session = choose.choice(list(histories))
            folded = folder.now(session)
            assert folded is not None
            version = folded.session.version
            assert version >= last[session]
            assert folded.session == states[session][version - 1]
            back = choose.randrange(version) + 1
            assert folder.at(session, folded, back).session == states[session][back - 1]
            last[session] = version

    with ThreadPoolExecutor(9) as pool:
        done = [*(pool.submit(write, session) for session in histories), *(pool.submit(look, n) for n in range(6))]
        for each in done:
            each.result()
