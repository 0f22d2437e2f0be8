"""Runs one command and says what it took. A small program of its own, so that a large parent does not count as memory
of the command, as the kernel would have it."""

import json
import os
import sys
import time


def main(command: list[str]) -> None:
    """Run the command with its output thrown away; print seconds, processor seconds and bytes at the peak."""
    began = time.perf_counter()
    pid = os.posix_spawn(
        command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    )
    _, status, usage = os.wait4(pid, 0)
    print(
        json.dumps(
            {
                "status": os.waitstatus_to_exitcode(status),
                "seconds": time.perf_counter() - began,
                "user": usage.ru_utime,
                "system": usage.ru_stime,
                "peak": usage.ru_maxrss * 1024,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])
