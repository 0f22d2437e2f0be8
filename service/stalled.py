"""Has the kernel cut connections whose client takes nothing of what it is sent.

The web server would wait for such a client for ever, and with it a thread that nobody can reach. Its sockets are found
among this process's open files, since it hands them to nobody. Linux only; elsewhere this does nothing.
"""

import os
import socket
import stat
import sys
from pathlib import Path


def cut_stalled(port: int, patience: int) -> None:
    """Have each connection to this port cut that takes nothing for so many seconds: those of now, and those to come.

    To be called once this process listens: connections take it over from what they came to.
    """
    files = [int(entry.name) for entry in Path("/proc/self/fd").iterdir()] if sys.platform == "linux" else []
    for number in filter(_is_socket, files):
        try:
            with socket.socket(fileno=os.dup(number)) as each:
                if each.family in (socket.AF_INET, socket.AF_INET6) and each.getsockname()[1] == port:
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, patience * 1000)
        except OSError:
            # Closed while we looked, and so is cut already.
            continue


def _is_socket(number: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False
