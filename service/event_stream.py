"""Events as lines that do not end: what one connection is sent, from its place in the log on, until either side leaves.

Two forms, of the same events, shown by the same function as everywhere else. Left out: who reads the log, and how
those who wait are woken (watching).
"""

import logging
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Final, Literal, NamedTuple

import orjson

from replay.envelope import Envelope
from replay.log import OutcomeUnknownError, StoreUnavailableError
from replay.rules.game import Viewer
from replay.rules.session_state import BrokenLogError, Session
from service.auth import Access, granted_to, hidden_deal, identified, looking, note_look
from service.context import Context
from service.problems import ProblemError
from service.render import event_fields
from service.request_ids import request_id
from service.watching import Entry, TooManyStreamsError, Watcher
from service.wire import Endless

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
Form = Literal["text/event-stream", "application/x-ndjson"]

HEADERS: Final = {"X-Accel-Buffering": "no"}
"""What a proxy in between has to know: that each line is wanted at once."""
COME_AGAIN: Final = "1"
"""Seconds after which one who found no place should try again."""

_FIRST: Final[Mapping[Form, bytes]] = {SSE: b"retry: 1000\n\n", NDJSON: b"\n"}
"""Sent at once, so that whoever asked sees that the stream is open. Browsers come again after so many milliseconds."""
_NOTHING: Final[Mapping[Form, bytes]] = {SSE: b":\n\n", NDJSON: b"\n"}
_TOGETHER: Final = 64
"""Events that are sent in one piece while there are more."""
_BELIEVE: Final = 1.0
"""Seconds for which a stream believes that its token is still good."""

log = logging.getLogger(__name__)


class Asked(NamedTuple):
    """What a connection has asked for, and as whom."""

    session: str
    after: int
    form: Form
    authorization: str | None
    address: str


def line(stored: Envelope, session: Session, viewer: Viewer, form: Form) -> bytes:
    """An event in one of the two forms, as the viewer may see it."""
    text = orjson.dumps(event_fields(stored, session, viewer))
    return b"id: %d\ndata: %s\n\n" % (stored.version, text) if form == SSE else text + b"\n"


def too_many() -> ProblemError:
    """503: all places are taken."""
    detail = "This process, or this address, has as many streams and long polls open as it may."
    return ProblemError("too-many-streams", detail, {"Retry-After": COME_AGAIN})


class EventStream(Endless):
    """The body of an answer that does not end. An iterator as WSGI has it, in one thread; `close` gives its place back.

    Ends when this process stops; when the token is not good any more, within a second if there is an event to send,
    else with the next comment; and when the log cannot be read further. Whoever comes again then goes on where he was,
    or is told what is wrong.
    """

    def __init__(self, using: Context, asked: Asked, granted: Access) -> None:
        self._using: Final = using
        self._asked: Final = asked
        self._viewer: Final = granted.viewer
        self._auditor: Final = granted.auditor
        self._noted = {hidden_deal(granted.session)}
        self._looking: Final = (looking(), request_id())
        self._seen = asked.after
        self._begun = False
        self._believed_at = self._sent_at = time.monotonic()
        self._held: Final = ExitStack()
        with ExitStack() as held:
            try:
                held.enter_context(using.watching.place(asked.address))
            except TooManyStreamsError:
                raise too_many() from None
            # Watched from now on, and only then read what was before: nothing can fall in between.
            self._watcher: Final[Watcher] = held.enter_context(using.watching.watch(asked.session, granted.session))
            self._held.push(held.pop_all())

    def __iter__(self) -> "EventStream":
        """Itself."""
        return self

    def __next__(self) -> bytes:
        """What is to be sent next; waits for it."""
        if not self._begun:
            self._begun = True
            return self._sending(_FIRST[self._asked.form])
        try:
            piece = self._piece()
        except (StoreUnavailableError, OutcomeUnknownError) as fault:
            log.warning("a stream ends: %s", fault)
            piece = None
        except BrokenLogError as fault:
            log.error("a stream ends, diverged at version %s", fault.version)  # noqa: TRY400 - it says all
            piece = None
        if piece is None:
            raise StopIteration
        return self._sending(piece)

    def close(self) -> None:
        """Watch no more. May be called more than once."""
        self._held.close()

    def _sending(self, piece: bytes) -> bytes:
        self._sent_at = time.monotonic()
        return piece

    def _piece(self) -> bytes | None:
        """The next events, or a comment when there are none for a while; None at the end."""
        watcher, every = self._watcher, self._using.watching.limits.comment_every
        while not watcher.ended:
            entries = watcher.after(self._seen, _TOGETHER)
            if entries:
                return self._lines(entries) if self._welcome() else None
            if not watcher.wait(self._seen, self._sent_at + every - time.monotonic()) and not watcher.ended:
                return _NOTHING[self._asked.form] if self._welcome(if_unknown=True) else None
        return None

    def _lines(self, entries: Iterable[Entry]) -> bytes:
        session, viewer, form = self._watcher.session, self._viewer, self._asked.form
        self._note(session)
        lines = []
        for entry in entries:
            made = entry.made(session.version)
            text = made.get((viewer, form))
            if text is None:
                text = made[viewer, form] = line(entry.stored, session, viewer, form)
            lines.append(text)
            self._seen = entry.stored.version
        return b"".join(lines)

    def _note(self, session: Session) -> None:
        """Note that an auditor looks at one more deal, before he is shown it."""
        number = hidden_deal(session)
        if self._auditor is not None and number is not None and number not in self._noted:
            note_look(self._using, self._asked.session, session, self._auditor, *self._looking)
            self._noted.add(number)

    def _welcome(self, *, if_unknown: bool = False) -> bool:
        """Whether whoever listens may still hear what he asked for; `if_unknown` when the store cannot be asked."""
        now = time.monotonic()
        if now - self._believed_at < _BELIEVE:
            return True
        asked, using = self._asked, self._using
        try:
            someone = identified(asked.authorization, using)
            folded = using.folder.held(asked.session) or using.folder.now(asked.session)
            granted = granted_to(someone, asked.session, folded) if folded else None
        except ProblemError:
            return False
        except StoreUnavailableError:
            if if_unknown:
                return True
            raise
        self._believed_at = now
        return granted is not None and granted.sees == self._viewer
