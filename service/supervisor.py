"""Keeps child processes alive and stops them in order. Knows nothing of what they are.

A child that ends is started again, sooner the first time and later each time after; all children end with this process
(`workers.lifeline`), and with them whatever else is in their process group. Left out: which children there are, and
when they count as ready (`launch`).
"""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO, Self

from workers.lifeline import tied

FIRST_DELAY = 0.2
LONGEST_DELAY = 10.0
# A child that lived this long was up; its next end is a first one again.
STEADY_AFTER = 30.0
# While starting up, a child that ends this often will not come up by being started once more.
START_ATTEMPTS = 3
TAIL_LINES = 12
# A log that grew past this is set aside when its child starts, so that no run begins with an old giant.
LOG_LIMIT = 16 * 1024 * 1024


class StopAskedError(Exception):
    """SIGINT, SIGTERM or SIGHUP arrived: stop everything in order."""


class StartFailedError(Exception):
    """Something does not come up; the message says what, and why."""


@dataclass(frozen=True)
class ChildSpec:
    """A child: its name (also its log's), how to start it, and what the launcher may say about its end.

    `rank` orders the stopping: higher ranks go first. `patience` is how many seconds it may take to stop by itself.
    `explain` turns the end of its log into words, or gives None when there is nothing to add.
    """

    name: str
    start: Callable[[IO[bytes]], subprocess.Popen[bytes]]
    rank: int = 1
    patience: float = 15.0
    explain: Callable[[str], str | None] = field(default=lambda _: None)


def command(
    line: Sequence[str], env: Mapping[str, str] | None = None
) -> Callable[[IO[bytes]], subprocess.Popen[bytes]]:
    """How to start an ordinary command as a child: in its own process group, tied to us, speaking to its log."""

    def start(log: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - the product's own commands, no shell
            tied(line),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=env,
            # A Ctrl-C at the terminal reaches the launcher alone, which then stops the children in order.
            process_group=0,
        )

    return start


class Wakeups:
    """Signals as something to wait for: a request to stop, or a child's end. Main thread only; a context manager."""

    def __init__(self) -> None:
        self.stops = 0
        self._old: dict[int, signal.Handlers | Callable[[int, FrameType | None], object] | int | None] = {}

    def __enter__(self) -> Self:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        self._old_fd = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            # nohup's wish, that closing the terminal ends nothing, is kept.
            if signum != signal.SIGHUP or signal.getsignal(signum) != signal.SIG_IGN:
                self._old[signum] = signal.signal(signum, self._noted)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for signum, handler in self._old.items():
            signal.signal(signum, handler)
        signal.set_wakeup_fd(self._old_fd)
        os.close(self._reader)
        os.close(self._writer)

    def _noted(self, signum: int, _frame: FrameType | None) -> None:
        if signum != signal.SIGCHLD:
            self.stops += 1

    def wait(self, seconds: float) -> None:
        """Return when a signal arrived, or after `seconds`."""
        if select.select([self._reader], [], [], max(0.0, seconds))[0]:
            with suppress(BlockingIOError):
                while os.read(self._reader, 512):
                    pass


class Child:
    """One child and its history."""

    def __init__(self, spec: ChildSpec, log: Path) -> None:
        self.spec = spec
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.deaths = 0
        self.retry_at = 0.0
        self._started = 0.0
        self._log_mark = 0

    def start(self) -> None:
        """Start it, noting where its log stands. Raises OSError when the machine will not let us."""
        self._started = time.monotonic()
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".log.old"))
        with self.log.open("ab") as log:
            self._log_mark = log.tell()
            self.process = self.spec.start(log)

    def ended(self) -> int | None:
        """Its exit status (negative: the signal) once it has ended and its process group is swept; else None."""
        if self.process is None:
            return None
        if self.process.returncode is None:
            # Seen but not yet reaped: so its id, which is its group's too, cannot be anybody else's yet.
            if os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                return None
            self.signal_group(signal.SIGKILL)
        return self.process.wait()

    def signal_group(self, signum: int) -> None:
        """Send a signal to the child and whatever it started in its group."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signum)

    def terminate(self) -> None:
        """Ask it, and it alone, to stop: how its own children stop is its business."""
        if self.process is not None and self.process.returncode is None:
            os.kill(self.process.pid, signal.SIGTERM)

    def tail(self) -> str:
        """The last lines it wrote since it was last started."""
        try:
            with self.log.open("rb") as log:
                log.seek(max(self._log_mark, log.seek(0, os.SEEK_END) - 16_384))
                text = log.read().decode(errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-TAIL_LINES:])

    def note_death(self, now: float) -> float:
        """Count its end; give the seconds to wait before it is started again."""
        self.deaths = 1 if now - self._started >= STEADY_AFTER else self.deaths + 1
        self.process = None
        delay = min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(self.deaths - 1, 10))
        self.retry_at = now + delay
        return delay


class Supervisor:
    """Starts children, starts them again, stops them. All of it in the main thread, within `wakeups`."""

    def __init__(self, logs: Path, say: Callable[[str], None], wakeups: Wakeups) -> None:
        self.logs = logs
        self.say = say
        self.wakeups = wakeups
        self.starting = True
        self.children: list[Child] = []

    def add(self, spec: ChildSpec) -> Child:
        """Start one more child."""
        child = Child(spec, self.logs / f"{spec.name}.log")
        self.children.append(child)
        self.tend()
        return child

    def tend(self) -> None:
        """Look after every child once. Raises StartFailedError for one that keeps ending while starting up."""
        for child in self.children:
            status = child.ended()
            if status is not None:
                self._lost(child, _how(status))
            if child.process is None and time.monotonic() >= child.retry_at:
                try:
                    child.start()
                except OSError as error:
                    self._lost(child, f"could not be started: {error}")

    def run_until(self, done: Callable[[], bool], *, look_every: float = 0.1, patience: float | None = None) -> bool:
        """Look after the children until `done`; False when `patience` seconds ran out first.

        Raises StopAskedError when a signal asks us to stop, StartFailedError as `tend`.
        """
        deadline = None if patience is None else time.monotonic() + patience
        while True:
            if self.wakeups.stops:
                raise StopAskedError
            self.tend()
            if done():
                return True
            if deadline is not None and time.monotonic() >= deadline:
                return False
            self.wakeups.wait(min(look_every, self._next_start()))

    def _next_start(self) -> float:
        """Seconds until a child that ended is to be started again."""
        waiting = [child.retry_at for child in self.children if child.process is None]
        return max(0.0, min(waiting) - time.monotonic()) if waiting else LONGEST_DELAY

    def run(self) -> None:
        """Look after the children until a signal asks us to stop."""
        self.starting = False
        with suppress(StopAskedError):
            self.run_until(lambda: False, look_every=LONGEST_DELAY)

    def once(self, spec: ChildSpec, patience: float) -> None:
        """Run a child that is meant to end. Raises StartFailedError when it fails or takes longer than `patience`."""
        child = Child(spec, self.logs / f"{spec.name}.log")
        child.start()
        try:
            if not self.run_until(lambda: child.ended() is not None, patience=patience):
                raise StartFailedError(f"{spec.name} did not end within {patience:.0f} s.\n{child.tail()}")
            if status := child.ended():
                raise StartFailedError(f"{spec.name} {_how(status)}.\n{child.tail()}")
        finally:
            child.signal_group(signal.SIGKILL)
            if child.process is not None:
                child.process.wait()

    def stop(self) -> None:
        """Stop every child, the higher ranks first, each rank wholly gone before the next. A further signal hurries."""
        for rank in sorted({child.spec.rank for child in self.children}, reverse=True):
            self._stop_rank([child for child in self.children if child.spec.rank == rank])
        self.children.clear()

    def _stop_rank(self, children: Sequence[Child]) -> None:
        hurried_before = self.wakeups.stops
        deadline = time.monotonic() + max(child.spec.patience for child in children)
        for child in children:
            child.terminate()
        while left := [child for child in children if child.process is not None and child.ended() is None]:
            remaining = deadline - time.monotonic()
            if remaining <= 0 or self.wakeups.stops > hurried_before:
                for child in left:
                    self.say(f"{child.spec.name} does not stop by itself and is killed.")
                    child.signal_group(signal.SIGKILL)
                deadline, hurried_before = time.monotonic() + LONGEST_DELAY, self.wakeups.stops
            self.wakeups.wait(min(max(remaining, 0.0), 0.5))

    def _lost(self, child: Child, how: str) -> None:
        delay = child.note_death(time.monotonic())
        tail = child.tail()
        reason = child.spec.explain(tail)
        if self.starting and child.deaths >= START_ATTEMPTS:
            raise StartFailedError(
                "\n".join(filter(None, (f"{child.spec.name} does not start: it {how}.", reason, tail)))
            )
        lines = [f"{child.spec.name} {how}; it is started again in {delay:.1f} s."]
        if reason:
            lines.append(reason)
        elif child.deaths >= START_ATTEMPTS:
            lines.append(f"The end of {child.log}:\n{tail}")
        self.say("\n".join(lines))


def _how(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
