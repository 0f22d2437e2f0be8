"""Sessions that cannot be scored, sessions that bring a worker down, and no worker at all: none keeps the others back.

The sweeper is held to this step by step as well, with a queue that only notes what it is given.
"""

from collections.abc import Sequence

import pytest

from replay.codec import START
from replay.log import Appended, Batch
from replay.memory_log import MemoryLog
from replay.shards import key, new_session_id, shard_of
from tests.faults.running import LIMIT, Service, until
from tests.faults.seeding import LONG_AGO, Due, seed
from tests.log.histories import history, stored
from tests.seeds import rng, scaled
from workers.jobs import QUEUE_ENOUGH
from workers.sweeper import AGAIN, GRACE, PER_JOB, PER_SHARD, Sweeper


class Noting:
    """A queue that takes `room` jobs, and notes them."""

    def __init__(self, room: int = 1_000) -> None:
        self.room = room
        self.jobs: list[list[str]] = []

    def kick(self, sessions: Sequence[str]) -> bool:
        """Take a job, if there is room."""
        if len(self.jobs) == self.room:
            return False
        self.jobs.append(list(sessions))
        return True

    def take(self) -> list[list[str]]:
        """All jobs, which are gone then."""
        jobs, self.jobs = self.jobs, []
        return jobs


def sweeping(count: int, queue: Noting) -> tuple[Sweeper, list[int], list[str]]:
    """A sweeper over so many sessions whose deals ended at 0, its clock (ms), and the sessions."""
    log = MemoryLog()
    events = history(rng("sweeping"), deals=1, finished=True)
    sessions = sorted(new_session_id() for _ in range(count))
    for session in sessions:
        batch = Batch(session, START, stored(events, session), 0, due=(len(events),))
        assert log.append(batch) == Appended(len(events))
    clock = [0]
    return Sweeper(log, queue, lambda: clock[0]), clock, sessions  # type: ignore[arg-type]  # all that it uses


class TestSweeper:
    def test_a_first_kick_has_its_time(self) -> None:
        queue = Noting()
        sweeper, clock, sessions = sweeping(1, queue)
        clock[0] = GRACE - 1
        assert sweeper.sweep() == []
        clock[0] = GRACE
        assert sweeper.sweep() == sessions

    def test_many_go_into_one_job_at_first_and_each_into_its_own_after_that(self) -> None:
        queue = Noting()
        sweeper, clock, sessions = sweeping(2 * PER_JOB + 1, queue)
        clock[0] = GRACE
        assert sorted(sweeper.sweep()) == sessions
        assert sorted(map(len, queue.take())) == [1, PER_JOB, PER_JOB]
        clock[0] += AGAIN - 1
        assert sweeper.sweep() == []
        clock[0] += 1
        assert sorted(sweeper.sweep()) == sessions
        assert sorted(queue.take()) == [[session] for session in sessions]

    def test_what_found_no_room_is_kicked_when_there_is(self) -> None:
        queue = Noting(room=1)
        sweeper, clock, sessions = sweeping(3 * PER_JOB, queue)
        clock[0] = GRACE
        kicked: list[str] = []
        for _ in range(3):
            kicked += sweeper.sweep()
            assert sweeper.sweep() == []
            [job] = queue.take()
            assert len(job) == PER_JOB
        assert sorted(kicked) == sessions


@pytest.mark.store
@pytest.mark.service
class TestWorker:
    def test_broken_logs_do_not_keep_the_others_of_their_shard_back(self, upcard: Service) -> None:
        """More of them, and older, than a sweep of the shard looks at; and among them the good in one job."""
        good = seed(upcard.log, rng("good"), deals=2, waited=LONG_AGO)
        [session] = good
        outbox = key(shard_of(session), "outbox")
        bad = [new_session_id(session) for _ in range(PER_SHARD + PER_JOB)]
        with upcard.events.pipeline(transaction=False) as pipeline:
            for at, each in enumerate(bad):
                pipeline.xadd(key(shard_of(each), f"events:{each}"), {"p": "no event"}, id="1-0")
                pipeline.zadd(outbox, {f"{each} 1": at})
            pipeline.execute()
        upcard.start("sweeper")
        upcard.start_worker()
        print(f"posted {upcard.wait_posted(good, LIMIT):.1f} s after the worker lived, past {len(bad)} broken logs")
        until(lambda: upcard.events.zcount(outbox, 0, len(bad)) == 0, "all have been tried")
        assert upcard.events.zcard(outbox) == len(bad)  # put off, not forgotten
        # Nor in the same job, wherever in it the broken one is.
        more = seed(upcard.log, rng("more"), like=session)
        [other] = more
        upcard.kicker.kick([bad[0], other, bad[1]])
        upcard.wait_posted(more)
        assert "cannot be scored" in upcard.said("worker")

    def test_with_no_worker_the_queue_stays_short_and_is_caught_up_with_later(self, upcard: Service) -> None:
        due: Due = {}
        for number in range(scaled(2_000)):
            due |= upcard.seed(rng(f"backlog {number}"))
        upcard.start("sweeper")
        until(lambda: upcard.jobs.exists("upcard:seen:sweeper"), "the sweeper is alive")
        assert upcard.jobs.llen("rq:queue:upcard") == QUEUE_ENOUGH
        upcard.start_worker()
        print(f"caught up with {len(due)} sessions {upcard.wait_posted(due, limit=600):.1f} s after the worker lived")
