"""Runs `upcard …` and has it end by kill -9, or hang, at steps that the environment names; each step once.

    SABOTAGE_STEPS="reading folded:child" SABOTAGE_MARKS=<folder> python sabotage.py worker

The product has no hooks for this: functions are wrapped from outside, before its command line runs. A step leaves a
mark when it strikes, so that a process which is started again passes it. `<step>:child` spares the parent,
`<step>:hang` waits for SIGCONT. `orphan` kills the parent alone, just before the child asks to die with it.
"""

import os
import signal
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import workers.lifeline
import workers.scoring
import workers.worker
from replay.redis_log import RedisLog
from service.cli import main
from workers.jobs import Kicker
from workers.ledger import Ledger
from workers.worker import UpcardWorker

STEPS: Final = dict(step.partition(":")[::2] for step in os.environ.get("SABOTAGE_STEPS", "").split())
MARKS: Final = Path(os.environ["SABOTAGE_MARKS"])
Strike = Callable[[], None]


def strike_at(step: str) -> Strike:
    """What happens at this step: nothing, unless it is asked for and has not struck yet."""
    how = STEPS.get(step)

    def strike() -> None:
        if how is None:
            return
        try:
            (MARKS / step).touch(exist_ok=False)
        except FileExistsError:
            return
        if how == "hang":
            signal.signal(signal.SIGCONT, lambda *_: None)
            signal.pause()
            return
        if step == "orphan":
            kill_parent_and_outlive_it()
            return
        if how != "child":
            os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    return strike


def kill_parent_and_outlive_it() -> None:
    parent = os.getppid()
    os.kill(parent, signal.SIGKILL)
    while os.getppid() == parent:
        pass


def before(owner: Any, name: str, step: str) -> None:
    """Strike before each call of this function."""
    original, strike = getattr(owner, name), strike_at(step)

    @wraps(original)
    def struck(*arguments: Any, **named: Any) -> Any:
        strike()
        return original(*arguments, **named)

    setattr(owner, name, struck)


def after(owner: Any, name: str, step: str) -> None:
    """Strike after each call of this function."""
    original, strike = getattr(owner, name), strike_at(step)

    @wraps(original)
    def struck(*arguments: Any, **named: Any) -> Any:
        result = original(*arguments, **named)
        strike()
        return result

    setattr(owner, name, struck)


# The worker, in the order in which it comes to each. It has no parent of its own to take along when it takes a job.
if sys.argv[1] == "worker":
    STEPS.update({"taken": "child"} if STEPS.get("taken") == "" else {})
    before(UpcardWorker, "execute_job", "taken")
    before(workers.worker, "die_with_parent", "orphan")
    before(RedisLog, "read", "reading")
    before(Ledger, "post", "folded")
    after(Ledger, "post", "posted")
    after(workers.scoring, "score", "scored")
    after(UpcardWorker, "handle_job_success", "finished")
# The web server's worker.
if sys.argv[1] == "web":
    before(workers.lifeline, "die_with_parent", "orphan")
    before(Kicker, "kick", "unkicked")
    after(Kicker, "kick", "kicked")

if __name__ == "__main__":
    main()
