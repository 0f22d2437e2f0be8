"""kill -9 at each step of scoring, jobs lost and doubled: every deal is posted once, soon after a worker lives.

Left out: stores that go away (test_store_kills), and logs that cannot be scored (test_bad_sessions).
"""

import os
import signal
import subprocess
from http.client import HTTPException
from typing import Final

import pytest

from tests.faults.client import ShortTable
from tests.faults.running import LIMIT, Service, left_of, until
from tests.faults.seeding import Due
from tests.seeds import rng, scaled

pytestmark = [pytest.mark.store, pytest.mark.service]

WORKER_STEPS: Final = ("taken", "orphan", "reading", "folded", "posted", "scored", "finished")
CHILD_STEPS: Final = tuple(f"{step}:child" for step in WORKER_STEPS if step not in ("taken", "orphan"))


def wait_ended(process: "subprocess.Popen[bytes]", step: str) -> None:
    try:
        process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"it was not struck at {step!r}") from None


def test_killed_at_each_step_every_deal_is_posted_once(upcard: Service) -> None:
    upcard.start("sweeper")
    for number in range(scaled(12)):
        chance = rng(f"scoring kills {number}")
        due: Due = {}
        for step in chance.sample(WORKER_STEPS, len(WORKER_STEPS)):
            worker = upcard.start_worker(step)
            due |= upcard.seed(chance, deals=2)
            wait_ended(worker, step)
            assert upcard.struck(step)
            if chance.random() < 0.5:
                upcard.jobs.flushdb()
        steps = chance.sample(CHILD_STEPS, len(CHILD_STEPS))
        worker = upcard.start_worker(*steps)
        for _ in steps:
            due |= upcard.seed(chance, deals=2)
        until(lambda: all(map(upcard.struck, steps)), "a child is struck at each step")  # noqa: B023 - called here only
        print(f"posted {upcard.wait_posted(due):.1f} s after the last kill")
        assert worker.poll() is None
        upcard.kill(worker)


def test_jobs_lost(upcard: Service) -> None:
    """Every job there is is thrown away, with no worker alive; then one lives."""
    upcard.start("sweeper")
    due: Due = {}
    for number in range(scaled(100)):
        due |= upcard.seed(rng(f"lost {number}"))
    upcard.jobs.flushdb()
    upcard.start_worker()
    print(f"posted {upcard.wait_posted(due):.1f} s after the worker lived")


def test_jobs_lost_while_one_is_being_done(upcard: Service) -> None:
    """RQ's notes of the worker, of the job and of the queue are all gone; it does that job and the next."""
    worker = upcard.start_worker("reading:hang")
    due = upcard.seed(rng("lost at work"))
    until(lambda: upcard.struck("reading"), "a child is at work")
    upcard.jobs.flushdb()
    [child] = left_of(worker) - {worker.pid}
    os.kill(child, signal.SIGCONT)
    upcard.wait_posted(due)
    upcard.wait_posted(upcard.seed(rng("after the loss")))
    assert worker.poll() is None


def test_jobs_doubled(upcard: Service) -> None:
    """Three workers at once, every session kicked three times more, by itself and together with all others."""
    due: Due = {}
    for number in range(scaled(100)):
        due |= upcard.seed(rng(f"doubled {number}"), deals=2)
    for _ in range(3):
        for session in due:
            upcard.kicker.kick([session])
        upcard.kicker.kick(list(due))
    upcard.start("sweeper")
    for _ in range(3):
        upcard.start_worker()
    upcard.wait_posted(due)
    until(lambda: upcard.jobs.llen("rq:queue:upcard") == 0, "all jobs are done")
    upcard.wait_posted(due)


def test_web_killed_between_append_and_answer(upcard: Service) -> None:
    """With its parent, or alone so that the parent makes another. The player asks again and gets the first answer."""
    upcard.start("sweeper")
    upcard.start_worker()
    for step in ("unkicked", "unkicked:child", "kicked"):
        web = upcard.start_web(step)
        table = ShortTable(upcard.client())
        with pytest.raises((OSError, HTTPException)):
            table.end(key="last")
        assert upcard.struck(step)
        if not step.endswith(":child"):
            web.wait(LIMIT)
            web = upcard.start_web()
        took = upcard.wait_posted(upcard.owed(table.id))
        until(upcard.answers, "the web server is back")
        answer = table.end(key="last")
        assert (answer.status, answer.headers["idempotency-replayed"], answer.version) == (201, "true", 16)
        print(f"{step}: posted {took:.1f} s after the web server was back")
        upcard.kill(web)


def test_the_ledger_thrown_away_and_made_anew_is_the_same_to_the_byte(upcard: Service) -> None:
    due: Due = {}
    for number in range(3):
        due |= upcard.seed(rng(f"anew {number}"), deals=3)
    upcard.start_worker()
    upcard.wait_posted(due)
    count = sum(map(len, due.values()))

    keys = [key for key in upcard.events.scan_iter() if b":ledger:" in key]
    assert upcard.events.delete(*keys) == len(due)
    rebuilt = upcard.upcard("ledger", "rebuild", *due)
    assert (rebuilt.returncode, rebuilt.stdout) == (0, f"3 ledgers rebuilt, {count} entries\n")
    upcard.wait_posted(due)

    # One byte of one entry: found and named, and healed by making that ledger anew.
    first, second, _ = due
    key = next(key for key in keys if second.encode() in key).decode()
    upcard.events.lset(key, 0, due[second][0].decode().replace('"number":1', '"number":7'))
    checked = upcard.upcard("ledger", "check", *due)
    assert checked.returncode == 1
    assert f"{second}: entry 1 is not what the log says" in checked.stdout
    assert "3 ledgers checked, 1 differ" in checked.stdout
    rebuilt = upcard.upcard("ledger", "rebuild", second)
    assert rebuilt.returncode == 0
    upcard.wait_posted(due)

    # An entry too few is not posted yet, which is no fault; one too many is.
    upcard.events.rpop(key)
    assert upcard.upcard("ledger", "check", *due).returncode == 0
    upcard.events.rpush(key, due[second][-1], due[first][0])
    checked = upcard.upcard("ledger", "check", second)
    assert (checked.returncode, f"entry {len(due[second]) + 1} has no deal in the log" in checked.stdout) == (1, True)
