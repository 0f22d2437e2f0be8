"""Limits of the service, each a setting: how much may be sent, asked for, opened. Leaves out streams (watching.py)."""

from typing import Final, Literal, NamedTuple

MINUTE: Final = 60.0
HOUR: Final = 3_600.0


class Bounds(NamedTuple):
    """The limits of one process; a rate of 0 stands for any number."""

    per_token: int = 6_000
    """Requests in a minute with one token."""
    per_address: int = 3_000
    """Requests in a minute from one address, of those that come with no token, or with none of ours."""
    openings: int = 1_000
    """Sessions that one organiser opens, or brings as records, in an hour."""
    body: int = 1024 * 1024
    """Bytes of a body."""
    page: int = 500
    """Items on a page, where the list itself does not allow fewer."""
    session_events: int = 100_000
    """Events of a session after which no deal is started any more."""
    tokens: int = 10_000
    """Tokens of one organiser that work at a time; the first may have any number."""
    metrics: Literal["open", "token"] = "open"
    """Who may read the figures of the service."""
    proxies: int = 0
    """Trusted proxies before the service, whose word on a caller's address is taken."""


def in_words(size: int) -> str:
    """A number of bytes: `1 MiB`, `200 KiB`, `1000 bytes`."""
    for unit, name in ((1024 * 1024, "MiB"), (1024, "KiB")):
        if size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} bytes"
