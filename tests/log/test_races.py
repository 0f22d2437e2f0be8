"""Many at once: one append at a version wins, one command with a key happens, no version is left out."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from replay.log import Appended, Batch, Conflict, Log, Outcome, Repeated
from replay.shards import new_session_id
from tests.log.places import Place, batch, command, next_one, noted, opening
from tests.seeds import scaled

CLIENTS = 64


class Crowd:
    """Threads that all do their thing at the same moment."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ready = Barrier(size)
        self._pool = ThreadPoolExecutor(size)

    def do(self, what: Callable[[int], Outcome]) -> list[Outcome]:
        """What each of them gets, by its number from 0."""

        def at_once(n: int) -> Outcome:
            self._ready.wait(timeout=60)
            return what(n)

        return list(self._pool.map(at_once, range(self._size)))

    def append(self, logs: list[Log], batches: Sequence[Batch]) -> list[Outcome]:
        """What each gets for its batch."""
        return self.do(lambda n: logs[n % len(logs)].append(batches[n]))

    def close(self) -> None:
        self._pool.shutdown()


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    crowd = Crowd(CLIENTS)
    yield crowd
    crowd.close()


def logs(place: Place) -> list[Log]:
    """A few adapters on one store, as of several processes."""
    return [place.log, *(place.again() for _ in range(3))]


def test_of_many_appends_at_one_version_one_wins(place: Place, crowd: Crowd) -> None:
    session = new_session_id()
    several = logs(place)
    place.log.append(opening(session))
    rounds = scaled(1000)
    for version in range(2, 2 + rounds):
        batches = [batch(session, [noted(version, by=n)]) for n in range(CLIENTS)]
        outcomes = crowd.append(several, batches)
        assert Counter(outcomes) == {Appended(version): 1, Conflict(version): CLIENTS - 1}
        (stored,) = place.log.read(session, version - 1)
        assert outcomes[stored.data["by"]] == Appended(version)
    assert place.log.version(session) == 1 + rounds
    assert [each.version for each in place.log.read(session)] == list(range(1, 2 + rounds))


def test_events_of_one_append_stay_together(place: Place, crowd: Crowd) -> None:
    session = new_session_id()
    place.log.append(opening(session))

    def append_when_possible(n: int) -> Outcome:
        outcome: Outcome = Conflict(1)
        while isinstance(outcome, Conflict):
            after = outcome.version
            outcome = place.log.append(batch(session, [noted(after + part, by=n) for part in (1, 2, 3)]))
        return outcome

    outcomes = crowd.do(append_when_possible)
    assert Counter(outcomes) == Counter(Appended(1 + 3 * n) for n in range(1, CLIENTS + 1))
    writers = [each.data["by"] for each in place.log.read(session, 1)]
    assert len(writers) == 3 * CLIENTS
    assert [writers[n] for n in range(0, len(writers), 3) for _ in range(3)] == writers


def test_a_command_that_comes_twenty_times_at_once_happens_once(place: Place) -> None:
    crowd = Crowd(20)
    several = logs(place)
    session = new_session_id()
    place.log.append(opening(session))
    for version in range(2, 2 + scaled(400)):
        batch = next_one(session, version, command=command(f"k{version}"))
        outcomes = crowd.append(several, [batch] * 20)
        assert Counter(outcomes) == {Appended(version): 1, Repeated(201, version, session): 19}
        assert place.log.version(session) == version
    crowd.close()


def test_a_session_opened_twenty_times_at_once_by_one_command_is_opened_once(place: Place) -> None:
    crowd = Crowd(20)
    key = command("open")
    ids = [new_session_id(like=key.key) for _ in range(20)]
    outcomes = crowd.append([place.log], [opening(session, key=key) for session in ids])
    crowd.close()
    (winner,) = [ids[n] for n, outcome in enumerate(outcomes) if outcome == Appended(1)]
    assert outcomes.count(Repeated(201, 1, winner)) == 19
    assert [session for session, _ in place.log.sessions(None, 100)] == [winner]
