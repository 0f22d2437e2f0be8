"""A go-between before a store's socket that can lose a script's call or its answer, or answer in the store's place.

It loses by closing, so that no test waits for a time-out. Clients on a connection ask one thing at a time. Left out:
calls cut in half: a call is looked for in what one read of the socket brought, enough for calls as small as tests make.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final
from urllib.parse import quote, unquote, urlsplit

Hook = Callable[[], object]


class Proxy:
    """Connects clients with the store. What is asked of it here it does once, to the next script that is called."""

    def __init__(self, path: Path, store_url: str) -> None:
        self.url: Final = f"unix://{quote(str(path))}?db=0"
        self.calls = 0
        """How many scripts were called, sent by digest or in full."""
        self._store: Final = unquote(urlsplit(store_url).path)
        self._threads: Final[list[Thread]] = []
        self._open: Final[list[socket.socket]] = []
        self._instead: bytes | None = None
        self._before: Hook | None = None
        self._after: Hook | None = None
        self._silent = False
        self._listener: Final = self._new_socket()
        self._listener.bind(str(path))
        self._listener.listen()
        self._start(self._accept)

    def answer_instead(self, reply: bytes) -> None:
        """The client gets this; the store does not hear of the call."""
        self._instead = reply

    def lose_the_call(self, first: Hook) -> None:
        """Do this, then close on the client; the store does not hear of the call."""
        self._before = first

    def lose_the_answer(self, then: Hook) -> None:
        """Let the store answer, do this, then close on the client, which gets no answer."""
        self._after = then

    def withhold_the_answer(self) -> None:
        """Let the store answer; the client gets nothing and stays connected."""
        self._silent = True

    def close(self) -> None:
        """Let go of everybody, and wait until all is quiet."""
        for each in self._open:
            _hang_up(each)
        for thread in self._threads:
            thread.join()
        for each in self._open:
            each.close()

    def _new_socket(self) -> socket.socket:
        self._open.append(socket.socket(socket.AF_UNIX))
        return self._open[-1]

    def _start(self, target: Callable[..., None], *arguments: object) -> None:
        self._threads.append(Thread(target=target, args=arguments))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                self._start(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        store = self._new_socket()
        calling = Event()
        try:
            store.connect(self._store)
            self._start(self._bring_back, store, client, calling)
            while request := client.recv(1 << 20):
                if b"EVAL" in request:
                    calling.set()
                    if not self._let_through(client):
                        continue
                else:
                    calling.clear()
                store.sendall(request)
        except OSError:
            pass  # One end is gone, and so is the other then.
        finally:
            _hang_up(client)
            _hang_up(store)

    def _let_through(self, client: socket.socket) -> bool:
        """Whether the store is to hear of this call."""
        self.calls += 1
        if self._instead is not None:
            reply, self._instead = self._instead, None
            client.sendall(reply)
            return False
        if self._before is not None:
            before, self._before = self._before, None
            before()
            raise ConnectionAbortedError
        return True

    def _bring_back(self, store: socket.socket, client: socket.socket, calling: Event) -> None:
        with suppress(OSError):
            while answer := store.recv(1 << 20):
                if not calling.is_set() or answer.startswith(b"-NOSCRIPT"):
                    client.sendall(answer)
                elif self._after is not None:
                    after, self._after = self._after, None
                    after()
                    break
                elif self._silent:
                    self._silent = False
                else:
                    client.sendall(answer)
        _hang_up(client)
        _hang_up(store)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy(path: Path, store_url: str) -> Iterator[Proxy]:
    """A proxy on a socket at this path (short: it must fit an address), until the block ends."""
    between = Proxy(path, store_url)
    try:
        yield between
    finally:
        between.close()
