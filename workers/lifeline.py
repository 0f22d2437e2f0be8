"""Ties a process to its parent: when the parent dies, however it dies, the kernel ends the process too.

Two ways to use it. A process calls `die_with_parent()` itself (a forked work horse, a web server's worker). Or a
command is started through `tied(command)`, which runs this very file as a small program that asks for the death signal
and then becomes the command: nothing runs between fork and exec in the parent, so threads there are no danger.

The kernel watches the parent *thread*: start children from a thread that lives as long as they should, in practice the
main one. Linux only; elsewhere both do nothing. Left out: stopping in good order, which is the launcher's business.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int | None = None, signum: int = signal.SIGKILL) -> None:
    """Have the kernel send `signum` to this process when its parent dies.

    `parent` is the id the parent is known to have, and need not be given in a process that multiprocessing started: a
    process whose parent is gone already ends at once.
    """
    if parent is None:
        # Loaded only here: `tied` wants to become its command as fast as it can.
        from multiprocessing import parent_process  # noqa: PLC0415

        known = parent_process()
        parent = known.pid if known else None
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signum), 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), signum)


def tied(command: Sequence[str]) -> list[str]:
    """The command line that runs `command` as a child which dies with the calling process."""
    # -I and -S: nothing of the environment or of site-packages is read before the command takes over.
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def _become(arguments: Sequence[str]) -> None:
    parent, *command = arguments
    die_with_parent(int(parent))
    try:
        os.execvp(command[0], command)  # noqa: S606 - replacing this process is the purpose; no shell is wanted
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error.strerror}")


if __name__ == "__main__":
    _become(sys.argv[1:])
