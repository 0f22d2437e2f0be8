"""Why a text cannot be what it is sent as, where records do not say so already."""

import re
from typing import Final

ENTROPY_LENGTH: Final = 200
"""Characters: room for any dice, names or lines of a poem; a seat needs no more to spoil a foreseen shuffle."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


def entropy_fault(text: str) -> str | None:
    """Why this text cannot be mixed into a seed; None if it can."""
    if not 1 <= len(text) <= ENTROPY_LENGTH:
        return f"must have 1 to {ENTROPY_LENGTH} characters"
    return "must not hold control characters" if _CONTROL.search(text) else None
