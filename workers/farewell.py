"""Tells a process that it has been asked to stop, whoever else handles the signal.

For a process whose signals belong to somebody else, as a web server's worker's do: he waits for what is open to end,
and nobody ends it. Left out: stopping, which stays with him.
"""

import os
import signal
from collections.abc import Callable
from threading import Thread

_SIGNALS = frozenset((signal.SIGTERM, signal.SIGINT))


def when_asked_to_stop(then: Callable[[], None]) -> None:
    """Call this, in a thread of its own, when SIGTERM or SIGINT arrives. Once a process, from its main thread.

    Whichever Python function handles the signal, before or later, is called too.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    Thread(target=_listen, args=(reader, then), name="farewell", daemon=True).start()


def _listen(reader: int, then: Callable[[], None]) -> None:
    while not _SIGNALS.intersection(os.read(reader, 64)):
        pass
    then()
