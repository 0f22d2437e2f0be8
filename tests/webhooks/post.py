"""A house with its webhooks, and the process that sends, here in this one: its clock stands still until it is moved.

Only the sockets are real: receivers listen on loopback, which the policy opens.
"""

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from replay.log import OutcomeUnknownError, StoreUnavailableError
from tests.http.house import START, Fake, House
from tests.webhooks.receiver import Got, signed_by
from workers.webhooks.addresses import Policy
from workers.webhooks.courier import Courier
from workers.webhooks.register import Register, Row
from workers.webhooks.rounds import Rounds
from workers.webhooks.sending import Sender
from workers.webhooks.signing import fingerprint, secret
from workers.webhooks.webhook import Webhook

TLS: Final = ssl.create_default_context()
KEY: Final = b"a key of the server"
CREATED: Final = "2026-09-21T13:46:40.000Z"
"""Before anything that a house records."""
HOUR: Final = 3_600_000
WHOLE: Final = list(range(1, 17))
"""Versions of a session whose one short deal is over: opened, dealt, thirteen plays, ended."""


@dataclass
class Moment:
    """A clock that is moved by hand: milliseconds since the epoch."""

    now: int = field(default_factory=lambda: int(START.timestamp() * 1_000))

    def __call__(self) -> int:
        return self.now


class Post:
    """The webhooks of a house on fakeredis."""

    def __init__(self, *, limit: float = 30.0) -> None:
        self.fake: Final = Fake()
        self.house: Final = House(self.fake).settled()
        self.register: Final = Register(self.house.store)
        self.clock: Final = Moment()
        self.limit = limit
        """Seconds for an attempt, of processes made from now on."""
        self._made = 0
        self._rounds: Final[list[Rounds]] = []

    def owner(self, token: str | None = None) -> str:
        """How the log names this organiser."""
        caller = self.house.tokens.caller(token or self.house.owner)
        assert caller is not None
        return caller.name

    def webhook(self, url: str, **fields: Any) -> Webhook:
        """Register one for all sessions of the house's owner, unless `fields` say otherwise."""
        self._made += 1
        name = f"wh_{self._made}"
        plain = Webhook(
            id=name,
            owner=self.owner(),
            url=url,
            kinds=None,
            session=None,
            enabled=True,
            because=None,
            created_at=CREATED,
            serial=1,
            fingerprint=fingerprint(secret(KEY, name, 1)),
        )._replace(**fields)
        assert self.register.put(None, plain) == "done"
        return plain

    def change(self, webhook: Webhook, **fields: Any) -> None:
        """Change it as its organiser would."""
        row = self.row(webhook)
        assert self.register.put(row, row.webhook._replace(**fields, changed=self.clock.now)) == "done"

    def row(self, webhook: Webhook) -> Row:
        """As it is stored now."""
        row = self.register.row(webhook.id)
        assert row is not None
        return row

    def rounds(self, *, key: bytes = KEY, chance: Callable[[], float] = lambda: 0.5) -> Rounds:
        """A process that sends; the one before it has ended, and its lease has run out."""
        if self._rounds:
            self._end(self._rounds[-1], self._holder(len(self._rounds)))
        return self.beside(key=key, chance=chance)

    def beside(self, *, key: bytes = KEY, chance: Callable[[], float] = lambda: 0.5) -> Rounds:
        """One more process that sends, beside the one that there is."""
        holder = self._holder(len(self._rounds) + 1)
        sender = Sender(Policy(loopback=True), tls=TLS, limit=self.limit)
        courier = Courier(self.house.log, self.register, sender, key, holder, self.clock, chance)
        made = Rounds(self.house.log, self.register, courier, holder, self.clock, self.house.tokens.grants.ended)
        self._rounds.append(made)
        return made

    def _holder(self, number: int) -> str:
        return f"process {number}"

    def _end(self, rounds: Rounds, holder: str) -> None:
        rounds.close()
        with suppress(StoreUnavailableError, OutcomeUnknownError):
            self.register.hold(holder, 0)

    def later(self, rounds: Rounds, milliseconds: int, step: int = 60_000) -> None:
        """Let so much time pass, with the process at work all the while."""
        until = self.clock.now + milliseconds
        while self.clock.now < until:
            self.clock.now = min(self.clock.now + step, until)
            rounds.settle()

    def outcomes(self, webhook: Webhook) -> list[tuple[int, str]]:
        """Version and outcome of each attempt, the first first."""
        return [(each["version"], each["outcome"]) for each in reversed(self.register.attempts(webhook.id, 1_000))]

    def leave(self) -> None:
        """End every process."""
        for rounds in self._rounds:
            rounds.close()
        self.house.leave()


@contextmanager
def post(*, limit: float = 30.0) -> Iterator[Post]:
    """A post for as long as the block runs. `limit`: seconds for an attempt."""
    made = Post(limit=limit)
    try:
        yield made
    finally:
        made.leave()


def verified(gots: list[Got], webhook: Webhook, session: str) -> None:
    """Each is signed, and has its event's id and always the same bytes."""
    bodies: dict[str, bytes] = {}
    for got in gots:
        assert signed_by(got, secret(KEY, webhook.id, 1))
        assert got.id == f"evt_{session}_{got.version}"
        assert bodies.setdefault(got.id, got.body) == got.body
