"""Rates: how many requests one token, or one address, may send. Counted in this process alone.

A bucket that refills evenly (the generic cell rate algorithm): a whole minute's worth may come at once, after that one
request each time that there is room for one more. Costs a look into a dictionary. Several processes each count for
themselves, so together they let through up to so many times as much.
"""

import time
from collections.abc import Callable
from ipaddress import IPv6Address
from math import ceil
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

SOME: Final = 10_000
"""Buckets that may be held before the full ones, which say nothing, are thrown away."""


class Verdict(NamedTuple):
    """What is left after a request."""

    limit: int
    remaining: int
    reset: int
    """Seconds until all of it is there again."""
    retry_after: int
    """Seconds to wait; 0 if this request may pass."""


class Rate:
    """So many in so many seconds for each name. `clock` gives seconds that only grow."""

    def __init__(self, limit: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit: Final = limit
        self._seconds: Final = seconds
        self._each: Final = seconds / limit
        self._clock: Final = clock
        self._lock: Final = Lock()
        # For each name, when its bucket will be full again.
        self._full_at: dict[str, float] = {}
        self._tidy_at = SOME

    def count(self, name: str) -> Verdict:
        """Count one request of this name. One that may not pass takes nothing from later ones."""
        now = self._clock()
        with self._lock:
            full_at = max(self._full_at.get(name, now), now) + self._each
            over = full_at - now - self._seconds
            # Sums of fractions: what is over by less than a microsecond is not over.
            if over > 1e-6:
                return Verdict(self.limit, 0, ceil(full_at - self._each - now), max(1, ceil(over)))
            self._full_at[name] = full_at
            if len(self._full_at) > self._tidy_at:
                self._tidy(now)
        left = full_at - now
        return Verdict(self.limit, int((self._seconds - left) / self._each + 1e-6), ceil(left), 0)

    def _tidy(self, now: float) -> None:
        self._full_at = {name: at for name, at in self._full_at.items() if at > now}
        self._tidy_at = max(SOME, 2 * len(self._full_at))


def rate(limit: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> Rate | None:
    """A rate; None, for any number, if the limit is 0."""
    return Rate(limit, seconds, clock) if limit else None


def believe_proxies(environ: "WSGIEnvironment", proxies: int) -> None:
    """Have the request come from where the outermost of so many trusted proxies saw it come from."""
    hops = [each.strip() for each in environ.get("HTTP_X_FORWARDED_FOR", "").split(",") if each.strip()]
    if proxies and len(hops) >= proxies:
        environ["REMOTE_ADDR"] = hops[-proxies]


def address_of(environ: "WSGIEnvironment") -> str:
    """Whom to count a request to: the address, of IPv6 the network that one household has."""
    address: str = environ.get("REMOTE_ADDR") or ""
    if ":" not in address:
        return address[:64]
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"
