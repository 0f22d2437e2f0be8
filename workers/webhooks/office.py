"""Webhooks as the service has to do with them: the register, the judging of URLs, and the secrets, wired together.

And the process that sends. Left out: who may ask for what.
"""

import secrets
from collections.abc import Callable
from random import SystemRandom
from typing import Final

from replay.log import Log
from replay.redis_client import Store
from workers.webhooks.addresses import Policy
from workers.webhooks.courier import Courier
from workers.webhooks.register import Register
from workers.webhooks.rounds import Rounds
from workers.webhooks.sending import Resolve, Sender, looked_up
from workers.webhooks.signing import fingerprint, secret


class Office:
    """The webhooks of one store, for a process that has the server's key."""

    def __init__(self, store: Store, server_key: bytes, policy: Policy, resolve: Resolve = looked_up) -> None:
        self.register: Final = Register(store)
        self._key: Final = server_key
        self._sender: Final = Sender(policy, resolve)

    def check(self, url: str) -> None:
        """Judge a URL and all that its name leads to now; raises RefusedTargetError."""
        self._sender.check(url)

    def read(self, url: str) -> None:
        """Judge a URL as it is written; raises RefusedTargetError."""
        self._sender.read(url)

    def secret(self, webhook: str, serial: int) -> str:
        """A secret of a webhook."""
        return secret(self._key, webhook, serial)

    def fingerprint(self, webhook: str, serial: int) -> str:
        """What is stored of it."""
        return fingerprint(self.secret(webhook, serial))

    def rounds(self, events: Log, clock: Callable[[], int], ended: Callable[[str], bool]) -> Rounds:
        """The process that sends. `clock` gives milliseconds since the epoch; `ended` is asked of tokens' digests."""
        holder = secrets.token_hex(16)
        chance = SystemRandom().random
        courier = Courier(events, self.register, self._sender, self._key, holder, clock, chance)
        return Rounds(events, self.register, courier, holder, clock, ended)
