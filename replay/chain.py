"""Whether stored events follow from one another: versions without a gap, digests that chain, seals that open.

Left out: what the events mean, and whether the rules allow them. See audit.py.
"""

from collections.abc import Sequence
from typing import Any, Final

from replay.codec import SEEDS, WORDS
from replay.envelope import Envelope, Tip, by_seat, digest, genesis, seal_of
from replay.log import Log
from replay.rules.session_state import BrokenLogError


class BrokenChainError(BrokenLogError):
    """The digest of an event is not the one that follows from those before it."""


class BrokenSealError(BrokenLogError):
    """What is said to have been sealed is not what was."""


NOTHING: Final = 0
"""The version before the first event."""


def beginning(session: str, first: Envelope) -> Tip:
    """Where the chain of a session begins, which its opening says; raises BrokenLogError if this is no opening."""
    data = first.data
    try:
        return Tip(NOTHING, genesis(session, data["game"], data["revision"], data["options"]))
    except (LookupError, TypeError, ValueError) as fault:
        raise BrokenLogError(NOTHING + 1, f"it opens no session: {type(fault).__name__}") from fault


def check_chain(session: str, after: Tip | None, stored: Sequence[Envelope]) -> None:
    """Check that these events follow the log up to `after` (None: from its beginning), each with its seals.

    Raises BrokenLogError, BrokenChainError or BrokenSealError at the first that does not.
    """
    if not stored:
        return
    check_links(after or beginning(session, stored[0]), stored)
    for each in stored:
        if each.seals or each.opened:
            check_seals(each)


def check_links(after: Tip, stored: Sequence[Envelope]) -> None:
    """Check the versions and digests alone; raises BrokenLogError or BrokenChainError."""
    version, head = after
    for each in stored:
        version += 1
        if each.version != version:
            raise BrokenLogError(version, f"event {each.version} stands where event {version} must")
        head = digest(head, each.raw)
        if each.digest != head:
            raise BrokenChainError(version, "its digest does not follow from the events before it")


def check_seals(stored: Envelope, *, partly: bool = False) -> None:
    """Check that every seal of an event opens, but for seeds and words that are not known here; raises BrokenSealError.

    `partly`: as one viewer has it, who cannot open every seal; those that are opened must fit.
    """
    seals, opened = stored.seals, stored.opened
    for name in seals.keys() | opened.keys():
        if name in opened:
            fits = _opens(opened[name], seals.get(name), partly=partly)
        else:
            fits = partly or (stored.kind, name) in SEEDS | WORDS
        if not fits:
            raise BrokenSealError(stored.version, f"the seal of its field `{name}` does not open")


def _opens(opening: Any, seal: Any, *, partly: bool) -> bool:
    try:
        if not by_seat(opening):
            return len(opening) == 2 and seal_of(opening) == seal
        return len(opening) == len(seal) and all(
            (partly and each is None) or (len(each) == 2 and seal_of(each) == part)
            for each, part in zip(opening, seal, strict=True)
        )
    except (TypeError, ValueError, LookupError):
        return False


def read_checked(log: Log, session: str, after: int = 0, limit: int | None = None) -> list[Envelope]:
    """Events after that version in order, at most `limit`, checked against one another and the event before them.

    Raises BrokenLogError, and what the log raises.
    """
    if limit == 0:
        return []
    before = log.read(session, after - 1, 1) if after else []
    stored = log.read(session, after, limit)
    if after and not before and stored:
        raise BrokenLogError(after, "an event is missing")
    check_chain(session, before[0].tip if before else None, stored)
    return stored
