"""The supervisor by itself, around children of a line or two. Left out: the product's own children (test_launcher)."""

import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.supervisor import LONGEST_DELAY, Child, ChildSpec, StartFailedError, Supervisor, Wakeups, command
from tests.ops.running import LIMIT, wait_gone


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(tmp_path: Path, said: list[str]) -> Iterator[Supervisor]:
    with Wakeups() as wakeups:
        supervisor = Supervisor(tmp_path, said.append, wakeups)
        yield supervisor
        supervisor.stop()


def child(name: str, program: str, rank: int = 1, patience: float = LIMIT) -> ChildSpec:
    return ChildSpec(name, command([sys.executable, "-u", "-c", program]), rank, patience)


def says(child: Child, words: str) -> Callable[[], bool]:
    return lambda: words in child.tail()


STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('set')\nwhile True: signal.pause()"


def test_a_child_that_will_not_stop_is_killed(supervisor: Supervisor, said: list[str]) -> None:
    stubborn = supervisor.add(child("stubborn", STUBBORN, patience=0.1))
    supervisor.run_until(says(stubborn, "set"))
    process = stubborn.process
    supervisor.stop()
    assert process is not None
    assert process.returncode == -signal.SIGKILL
    assert said == ["stubborn does not stop by itself and is killed."]


def test_a_further_signal_hurries(supervisor: Supervisor) -> None:
    stubborn = supervisor.add(child("stubborn", STUBBORN))
    supervisor.run_until(says(stubborn, "set"))
    process = stubborn.process
    terminate = stubborn.terminate

    def stop_asked_twice() -> None:
        terminate()
        signal.raise_signal(signal.SIGINT)

    stubborn.terminate = stop_asked_twice  # type: ignore[method-assign]
    supervisor.stop()
    assert process is not None
    assert process.returncode == -signal.SIGKILL


def test_what_a_child_leaves_in_its_group_goes_with_it(supervisor: Supervisor) -> None:
    program = (
        "import subprocess, sys\n"
        "left = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
        "print(left.pid)"
    )
    careless = supervisor.add(child("careless", program))
    supervisor.run_until(lambda: careless.deaths > 0)
    wait_gone([int(careless.tail())])


def test_while_starting_three_deaths_are_enough(supervisor: Supervisor) -> None:
    supervisor.add(child("broken", "raise SystemExit('no such luck')"))
    with pytest.raises(StartFailedError) as caught:
        supervisor.run_until(lambda: False)
    assert "broken does not start: it ended with status 1." in str(caught.value)
    assert "no such luck" in str(caught.value)
    assert len(supervisor.children[0].log.read_text().splitlines()) == 3


def test_a_command_that_is_not_there_is_named(supervisor: Supervisor, tmp_path: Path) -> None:
    with pytest.raises(StartFailedError, match=r"cannot run .*nowhere: No such file"):
        supervisor.once(ChildSpec("nowhere", command([str(tmp_path / "nowhere")])), LIMIT)


def test_a_task_that_takes_too_long_is_ended(supervisor: Supervisor) -> None:
    with pytest.raises(StartFailedError, match="did not end within"):
        supervisor.once(child("slow", "import signal; signal.pause()"), 0.1)


def test_delays_grow_to_a_limit_and_start_over_after_a_steady_life(tmp_path: Path) -> None:
    died = Child(child("any", ""), tmp_path / "any.log")
    delays = [died.note_death(0.0) for _ in range(20)]
    assert delays[:4] == [0.2, 0.4, 0.8, 1.6]
    assert delays[-1] == LONGEST_DELAY
    assert died.note_death(1000.0) == 0.2
