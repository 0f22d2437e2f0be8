"""Why a text cannot be what it is sent as, where records do not say so already."""

from typing import Final

from replay.records.structure import CONTROL, CONTROL_IN_LINES

ENTROPY_LENGTH: Final = 200
"""Characters: room for any dice, names or lines of a poem; a seat needs no more to spoil a foreseen shuffle."""


def entropy_fault(text: str) -> str | None:
    """Why this text cannot be mixed into a seed; None if it can."""
    if not 1 <= len(text) <= ENTROPY_LENGTH:
        return f"must have 1 to {ENTROPY_LENGTH} characters"
    return "must not hold control characters" if CONTROL.search(text) else None


REASON_LENGTH: Final = 2_000
"""Characters of a reason: a page is enough to say on what a ruling rests."""
SHORT_LENGTH: Final = 500
"""Characters of a clause, or of a play as it is written."""


def reason_fault(text: str) -> str | None:
    """Why this text cannot be a reason; None if it can. It may have lines."""
    if not text.strip() or len(text) > REASON_LENGTH:
        return f"must have 1 to {REASON_LENGTH} characters, and not blanks alone"
    return "must not hold control characters" if CONTROL_IN_LINES.search(text) else None


def short_fault(text: str) -> str | None:
    """Why this text cannot be a clause or a written play; None if it can."""
    if not text.strip() or len(text) > SHORT_LENGTH:
        return f"must have 1 to {SHORT_LENGTH} characters, and not blanks alone"
    return "must not hold control characters" if CONTROL.search(text) else None


_LINE: Final = "[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]"
_LINES: Final = "[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029]"
_SAYS: Final = "(?=(?:.|\\n)*\\S)"

ENTROPY_SAID: Final = {"minLength": 1, "maxLength": ENTROPY_LENGTH, "pattern": f"^{_LINE}*$"}
REASON_SAID: Final = {"minLength": 1, "maxLength": REASON_LENGTH, "pattern": f"^{_SAYS}{_LINES}*$"}
SHORT_SAID: Final = {"minLength": 1, "maxLength": SHORT_LENGTH, "pattern": f"^{_SAYS}{_LINE}*$"}
"""The same for the document."""
