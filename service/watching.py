"""Sessions that somebody watches: one thread reads for all of them, and rings whoever waits.

Nobody is handed anything. Whoever watches has a place in the log (a version) and asks for what follows it: from what
was read last, which all share, or from the log if he is further behind. So nothing is lost, doubled or out of order
however slow he is, and he costs no memory. Left out: what of an event he may see, and in what form (event_stream).
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Final, NamedTuple, Protocol

from replay.chain import read_checked
from replay.envelope import Envelope
from replay.folder import Folder
from replay.log import StoreUnavailableError
from replay.rules.game import Viewer
from replay.rules.session_state import BrokenLogError, Session

RECENT: Final = 128
"""Events of a watched session that are kept to be shared; also the most that is read of it at once."""
_ABREAST: Final = 8
"""How many of those who wait for one session are rung at once; each that has woken rings the next. Hundreds woken at
once would all ask for the interpreter every few milliseconds, and hold up one another and everybody else."""
_TRY_AGAIN: Final = 0.5
"""Seconds between attempts to read from a store that is away."""
_CALL_EVERY: Final = 1.0
"""Seconds between two moments at which all who wait are asked whether they are still there."""
_SUMMON: Final = 0.002
"""Seconds after which the reading thread is woken again, if it had just begun to wait for the others only."""

log = logging.getLogger(__name__)


class Limits(NamedTuple):
    """Limits on those who wait, by streams and by long polls alike."""

    streams: int = 512
    """At a time, in this process."""
    per_address: int = 64
    """At a time, from one address."""
    longest_wait: int = 60
    """Seconds of a long poll."""
    comment_every: float = 15.0
    """Seconds after which a stream on which nothing happens says that it is there."""


class TooManyStreamsError(Exception):
    """There is no place for one more who waits."""


class Feed(Protocol):
    """What tells of news; see RedisFeed."""

    def wait(self, after: Mapping[str, int]) -> set[str]:
        """Which of these sessions have events after the version named."""

    def wake(self) -> None:
        """Have `wait` return at once."""


class Entry:
    """An event with what has been made of it for those who watch, so that it is made once for all who see the same."""

    __slots__ = ("_made", "stored")

    def __init__(self, stored: Envelope) -> None:
        self.stored: Final = stored
        self._made: tuple[int, dict[tuple[Viewer, str], bytes]] = (0, {})

    def made(self, at: int) -> dict[tuple[Viewer, str], bytes]:
        """What has been made of it while the session stood at that version: what may be seen changes with it."""
        held = self._made
        if held[0] != at:
            held = self._made = (at, {})
        return held[1]


class _Watched:
    """A session that is watched."""

    def __init__(self, session_id: str, session: Session) -> None:
        self.id: Final = session_id
        self.session = session
        self.head = session.version
        """The last version that those who watch are told of. `session` may be newer."""
        self.recent: tuple[int, tuple[Entry, ...]] = (session.version, ())
        """The last ones up to a version, without a gap; replaced as a whole, to be read without a lock."""
        self.ended = False
        self.calls = 0
        """How often all have been asked whether they are still there."""
        self.watchers = 0
        self._lock: Final = Lock()
        self._asleep: Final[dict[Watcher, int]] = {}
        """Who waits, with all there was to know when he began to (`_told`): the longest waiting first."""

    def advance(self, stored: Sequence[Envelope], session: Session) -> None:
        """These events follow the head."""
        head = stored[-1].version
        with self._lock:
            self.recent = (head, (*self.recent[1], *map(Entry, stored))[-RECENT:])
            self.session, self.head = session, head
        self.ring(_ABREAST)

    def end(self) -> None:
        """Nothing more will be told."""
        self.ended = True
        self.ring(_ABREAST)

    def call(self) -> None:
        """Ask all whether they are still there."""
        self.calls += 1
        self.ring(_ABREAST)

    def ring(self, count: int) -> None:
        """Wake so many of those who do not know all yet."""
        with self._lock:
            for _ in range(count):
                sleeper = next(iter(self._asleep), None)
                if sleeper is None or not (self.ended or self._asleep[sleeper] < self._told()):
                    return
                del self._asleep[sleeper]
                sleeper.bell.put(None)

    def lie_down(self, watcher: "Watcher", seen: int, calls: int) -> bool:
        """Have this one rung when there is something beyond `seen` and so many calls; False if there is already."""
        with self._lock:
            if self.ended or self.head > seen or self.calls > calls:
                return False
            self._asleep[watcher] = self._told()
            return True

    def _told(self) -> int:
        """A number that grows whenever there is something to wake for."""
        return self.head + self.calls

    def get_up(self, watcher: "Watcher") -> bool:
        """Have this one not rung any more; False if he has been."""
        with self._lock:
            return self._asleep.pop(watcher, None) is not None

    def shared(self, after: int, most: int) -> tuple[Entry, ...] | None:
        """Events after that version, of those kept; None if the first of them is not."""
        head, recent = self.recent
        start = after - (head - len(recent))
        return recent[start : start + most] if start >= 0 else None


class Watcher:
    """Somebody who watches a session, in a thread of his own. `Watching.watch` makes one."""

    def __init__(self, watched: _Watched, folder: Folder) -> None:
        self._watched: Final = watched
        self._folder: Final = folder
        self.bell: Final[SimpleQueue[None]] = SimpleQueue()

    @property
    def session(self) -> Session:
        """The session, as new as all that is told of it."""
        return self._watched.session

    @property
    def ended(self) -> bool:
        """Whether nothing more will be told: the process is stopping, or the log cannot be believed."""
        return self._watched.ended

    def after(self, version: int, most: int = RECENT) -> Sequence[Entry]:
        """The events that follow a version, at most so many. Raises StoreUnavailableError, BrokenLogError."""
        head = self._watched.head
        if version >= head:
            return []
        shared = self._watched.shared(version, most)
        if shared is not None:
            return shared
        stored = read_checked(self._folder.log, self._watched.id, version, min(most, head - version))
        if not stored:
            raise BrokenLogError(version + 1, "an event is missing")
        return [Entry(each) for each in stored]

    def wait(self, seen: int, seconds: float) -> bool:
        """Wait for an event after version `seen`; False if there is none after so many seconds, or at the end, or when
        he should show that he is still there."""
        deadline, calls = time.monotonic() + seconds, self._watched.calls
        while (left := deadline - time.monotonic()) > 0 and self._watched.lie_down(self, seen, calls):
            try:
                self.bell.get(timeout=left)
            except Empty:
                if self._watched.get_up(self):
                    break
                self.bell.get()
            # Before anything else: whoever comes next must not wait for what is done here.
            self._watched.ring(1)
        return self._watched.head > seen


class Watching:
    """All that is watched in this process, and the thread that reads for it; it starts with the first who watches."""

    def __init__(self, folder: Folder, feed: Feed, limits: Limits | None = None) -> None:
        self.limits: Final = limits or Limits()
        self._folder: Final = folder
        self._feed: Final = feed
        self._lock: Final = Lock()
        self._places: Final[Counter[str]] = Counter()
        self._watched: Final[dict[str, _Watched]] = {}
        self._read_for: frozenset[str] = frozenset()
        self._news: Final = Event()
        self._stopped: Final = Event()
        self._thread: Thread | None = None
        self._called_at = float("-inf")
        self.before_first: Callable[[], None] = lambda: None
        """What is to be done before the first one watches."""
        self.before_telling: Callable[[], object] = lambda: None
        """What is to be done before those who watch are rung, so that they need not all do it at once."""

    @property
    def open(self) -> int:
        """How many wait at the moment, by streams and long polls."""
        with self._lock:
            return self._places.total()

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """A place for one who waits; raises TooManyStreamsError if all are taken, or too many from this address."""
        with self._lock:
            full = self._places.total() >= self.limits.streams or self._places[address] >= self.limits.per_address
            if not full:
                self._places[address] += 1
        if full:
            self._call()
            raise TooManyStreamsError(address)
        try:
            yield
        finally:
            with self._lock:
                self._places[address] -= 1
                if not self._places[address]:
                    del self._places[address]

    @contextmanager
    def watch(self, session_id: str, session: Session) -> Iterator[Watcher]:
        """Watch a session from how it was just found."""
        with self._lock:
            watched = self._watched.get(session_id)
            if watched is None or watched.ended:
                watched = self._watched[session_id] = _Watched(session_id, session)
                watched.ended = self._stopped.is_set()
            watched.watchers += 1
            if self._thread is None:
                self.before_first()
                self._thread = Thread(target=self._read, name="watching", daemon=True)
                self._thread.start()
        try:
            self._summon(session_id)
            yield Watcher(watched, self._folder)
        finally:
            with self._lock:
                watched.watchers -= 1
                if not watched.watchers and self._watched.get(session_id) is watched:
                    del self._watched[session_id]

    def stop(self) -> None:
        """Nothing more will be told: have all who wait find out, now and whenever they come."""
        self._stopped.set()
        self._news.set()
        with self._lock:
            all_watched = list(self._watched.values())
        for watched in all_watched:
            watched.end()
        self._feed.wake()

    def _call(self) -> None:
        """Have those whose client has left find that out, as they do by sending something; once a second at most."""
        now = time.monotonic()
        with self._lock:
            if now - self._called_at < _CALL_EVERY:
                return
            self._called_at = now
            all_watched = list(self._watched.values())
        for watched in all_watched:
            watched.call()

    def _summon(self, session_id: str) -> None:
        """See to it that the thread reads for this session too."""
        self._news.set()
        deadline = time.monotonic() + 1.0
        while session_id not in self._read_for and not self._stopped.is_set() and time.monotonic() < deadline:
            self._feed.wake()
            self._stopped.wait(_SUMMON)

    def _read(self) -> None:
        while not self._stopped.is_set():
            self._news.clear()
            with self._lock:
                after = {each.id: each.head for each in self._watched.values() if not each.ended}
                self._read_for = frozenset(after)
            if not after:
                self._news.wait()
                continue
            try:
                for session_id in self._feed.wait(after):
                    self._tell(session_id)
            except StoreUnavailableError as fault:
                log.warning("streams wait for the store: %s", fault)
                self._stopped.wait(_TRY_AGAIN)

    def _tell(self, session_id: str) -> None:
        with self._lock:
            watched = self._watched.get(session_id)
        if watched is None:
            return
        try:
            stored = read_checked(self._folder.log, session_id, watched.head, RECENT)
            if stored:
                self.before_telling()
                watched.advance(stored, self._session_with(session_id, stored))
        except BrokenLogError as fault:
            log.error("diverged at version %s", fault.version)  # noqa: TRY400 - it says all; where it was noticed adds nothing
            watched.end()

    def _session_with(self, session_id: str, stored: Sequence[Envelope]) -> Session:
        """The session with these events, and perhaps more; without asking the store again, if that can be."""
        held = self._folder.held(session_id)
        version = held.session.version if held else 0
        if version + 1 < stored[0].version:
            folded = self._folder.now(session_id)
        else:
            folded = self._folder.extend(session_id, held, [each for each in stored if each.version > version])
        if folded is None:
            raise BrokenLogError(stored[0].version, "the session is gone")
        return folded.session
