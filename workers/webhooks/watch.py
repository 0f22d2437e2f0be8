"""Which sessions there are for each owner of a webhook, and which of them to look at now. Polls the list of sessions.

Nothing tells of an append: what players wait for has no part in webhooks. New sessions, and those that have moved
lately, are looked at every time; the others in turn, so that none is forgotten.
"""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from replay.log import Log

NEWEST: Final = 20
"""Sessions at the top of the list that are looked for every time."""
PAGE: Final = 100
"""Sessions further down that are listed each time, until the end, and then from the top again."""
COLD: Final = 200
"""Sessions that have not moved lately that are looked at each time."""
WARM: Final = 600_000
"""Milliseconds for which a session that has moved is looked at every time."""


class Watch:
    """The sessions of some owners, and when each was last seen to move. What reads may raise StoreUnavailableError."""

    def __init__(self, events: Log) -> None:
        self._events: Final = events
        self._owners: set[str] = set()
        self._sessions: dict[str, set[str]] = {}
        self._versions: OrderedDict[str, int] = OrderedDict()
        self._moved: dict[str, int] = {}
        self._before: str | None = None
        self._listed = False

    def owned(self, owner: str) -> set[str]:
        """The sessions of this owner, as far as they have been listed."""
        return self._sessions.get(owner, set())

    def versions(self, owners: Iterable[str], named: Iterable[str], now: int) -> dict[str, int]:
        """The versions of the sessions to look at now: of these owners, and those named."""
        wanted = set(owners)
        if wanted != self._owners:
            self._forget_all_but(wanted)
        if wanted:
            self._list(None, NEWEST, now)
            self._before = self._list(self._before, PAGE, now)
            self._listed = self._listed or self._before is None
        looked_at = dict.fromkeys([*named, *self._due(now)])
        return {session: self._look(session, now) for session in looked_at}

    def _forget_all_but(self, owners: set[str]) -> None:
        """The list is gone through from the top, since it held nothing of owners that nobody asked for."""
        self._owners, self._before, self._listed = owners, None, False
        self._sessions = {owner: sessions for owner, sessions in self._sessions.items() if owner in owners}
        kept = {session for sessions in self._sessions.values() for session in sessions}
        self._versions = OrderedDict((session, at) for session, at in self._versions.items() if session in kept)
        self._moved = {session: at for session, at in self._moved.items() if session in kept}

    def _list(self, before: str | None, limit: int, now: int) -> str | None:
        """Take in one page of the list; where the next begins, None after the last."""
        page = self._events.sessions(before, limit)
        for session, summary in page:
            if summary.owner in self._owners and session not in self._versions:
                self._sessions.setdefault(summary.owner, set()).add(session)
                self._versions[session] = 0
                if self._listed:
                    # Just opened; it will move soon.
                    self._moved[session] = now
        return page[-1][0] if len(page) == limit else None

    def _due(self, now: int) -> list[str]:
        """Those that have moved lately, those never looked at, and the next of the others in turn."""
        self._moved = {session: at for session, at in self._moved.items() if now - at < WARM}
        fresh = [session for session, version in self._versions.items() if version == 0]
        turn: list[str] = []
        for session in self._versions:
            if len(turn) == COLD:
                break
            if session not in self._moved:
                turn.append(session)
        for session in turn:
            self._versions.move_to_end(session)
        return [*self._moved, *fresh, *turn]

    def _look(self, session: str, now: int) -> int:
        version = self._events.version(session)
        # A session that is only named in a webhook is looked at anyway.
        if session in self._versions and version != self._versions[session]:
            if self._versions[session]:
                self._moved[session] = now
            self._versions[session] = version
        return version
