"""The terms of a session beside its game's options: what a dispute holds up, and when a result is final."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

Term = str | int | bool

LONGEST: Final = 60 * 24 * 365
"""Minutes of the longest correction period: nobody keeps a table's result open for more than a year."""


class Terms(NamedTuple):
    """What was agreed on. Stored whole with the opening, so that a later default changes nothing."""

    disputes: Literal["provisional", "frozen"] = "provisional"
    """While one is open, its deal's result is provisional; or nothing at all may go on."""
    arithmetic_minutes: int = 30
    """After the end of a deal, how long its points may be contested."""
    ruling_minutes: int = 30
    """After the end of a deal, how long its plays may be contested."""
    second_person: bool = False
    """Whether a result is final only once a second person has confirmed it."""


class TermError(ValueError):
    """A term that there is not, or with a value that it cannot have; `name` says which."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} {reason}")
        self.name: Final = name
        self.reason: Final = reason


def agreed_terms(given: Mapping[str, object]) -> Terms:
    """The terms, defaults filled in; raises TermError."""
    for name, value in given.items():
        default = Terms._field_defaults.get(name)
        if default is None:
            raise TermError(name, "is no term of a session")
        if type(value) is not type(default):
            raise TermError(name, f"must be {_KINDS[type(default)]}")
        if isinstance(value, str) and value not in ("provisional", "frozen"):
            raise TermError(name, "must be provisional or frozen")
        if type(value) is int and not 0 <= value <= LONGEST:
            raise TermError(name, f"must be from 0 to {LONGEST}")
    return Terms(**cast("Mapping[str, Term]", given))  # type: ignore[arg-type]  # checked one by one above


_KINDS: Final[Mapping[type, str]] = {str: "text", int: "a whole number", bool: "true or false"}
