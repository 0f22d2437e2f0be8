"""Helpers to watch whole launchers from outside: start one, wait for a line, be sure that a process is gone."""

import os
import queue
import select
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

# Far beyond what any step takes; only a test that would hang meets it.
LIMIT = 120.0
STAND_IN = (sys.executable, str(Path(__file__).with_name("stand_in.py")))


def free_port() -> int:
    """A port that nobody has at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def settings(data: Path, **more: str) -> dict[str, str]:
    """An environment with a data folder and a port of its own."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("UPCARD_")}
    return plain | {"UPCARD_DATA": str(data), "UPCARD_PORT": str(free_port())} | more


class Launcher:
    """A launcher in a process of its own, whose lines can be waited for. Killed when the block ends."""

    def __init__(self, env: Mapping[str, str], *arguments: str, program: Sequence[str] = STAND_IN) -> None:
        self.lines: list[str] = []
        self.data = Path(env["UPCARD_DATA"])
        self.process = subprocess.Popen(
            [*program, *arguments], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def wait_for(self, words: str) -> str:
        """The next line that holds these words."""
        while (line := self._queue.get(timeout=LIMIT)) is not None:
            self.lines.append(line)
            if words in line:
                return line
        raise AssertionError(f"{words!r} was never said, but:\n" + "\n".join(self.lines))

    def wait(self) -> tuple[int, str]:
        """Its exit status and everything it said."""
        status = self.process.wait(LIMIT)
        while (line := self._queue.get(timeout=LIMIT)) is not None:
            self.lines.append(line)
        return status, "\n".join(self.lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        if self.process.stdout is not None:
            self.process.stdout.close()


def parents() -> dict[int, int]:
    """The parent of every process of this machine."""
    found: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        # The name in brackets may hold anything; it ended while we looked, perhaps.
        with suppress(FileNotFoundError, ProcessLookupError):
            found[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def children(pid: int) -> set[int]:
    """The ids of the processes that this one started."""
    return {child for child, parent in parents().items() if parent == pid}


def descendants(pid: int) -> set[int]:
    """The ids of all processes below this one."""
    family = {pid}
    found, parent_of = set[int](), parents()
    while family:
        family = {child for child, parent in parent_of.items() if parent in family}
        found |= family
    return found


def wait_gone(pids: Iterable[int]) -> None:
    """Return once none of these processes runs any more."""
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            assert select.select([handle], [], [], LIMIT)[0], f"process {pid} is still there"
        finally:
            os.close(handle)
