"""Options of a session: what a game lets its players agree on, and how an agreement is read.

Each game declares its options once, as a table with the clause that each governs. What they mean is the game's affair.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

OptionValue = int | str | bool | None

LARGEST: Final = 1_000_000_000
"""Upper bound of a whole-number option: far beyond any table, and sums of scores under it stay within 64 bits."""


class Option(NamedTuple):
    """One option. `choices` lists the values of a text or bool; a whole number has a least value instead."""

    name: str
    default: OptionValue
    clause: str
    effect: str
    least: int | None = None
    """The least whole number allowed; None when `choices` says what is allowed."""
    most: int = LARGEST
    choices: tuple[OptionValue, ...] = ()
    nullable: bool = False

    def fault(self, value: object) -> str | None:
        """Why the value is not one of this option's, in words; None if it is."""
        if value is None and self.nullable:
            return None
        if self.least is not None:
            # A bool is an int to Python, not to the person who wrote the option down.
            if isinstance(value, bool) or not isinstance(value, int):
                return "must be a whole number" + (" or null" if self.nullable else "")
            if not self.least <= value <= self.most:
                return f"must be from {self.least} to {self.most}"
            return None
        if not any(type(value) is type(choice) and value == choice for choice in self.choices):
            return "must be one of " + ", ".join(_written(choice) for choice in self.choices)
        return None


class OptionError(ValueError):
    """Options that the game does not have, or values that they cannot take: `faults` by option name."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {fault}" for name, fault in faults.items()))
        self.faults: Final = dict(faults)


PRESET: Final = "preset"
"""The option that names a whole set of options, in a game that has such sets."""


def agree(
    table: tuple[Option, ...],
    given: Mapping[str, object],
    presets: Mapping[str, Mapping[str, OptionValue]] = MappingProxyType({}),
) -> dict[str, OptionValue]:
    """Every option of the table, the given ones as given, the rest by the preset or by default.

    Raises OptionError naming each fault.
    """
    by_name = {option.name: option for option in table}
    faults: dict[str, str] = {}
    preset = given.get(PRESET)
    chosen = presets.get(preset, {}) if isinstance(preset, str) else {}
    agreed = {option.name: chosen.get(option.name, option.default) for option in table}
    for name, value in given.items():
        option = by_name.get(name)
        if option is None:
            faults[name[:40]] = "is no option of this game"
        elif fault := option.fault(value):
            faults[name] = fault
        else:
            assert value is None or isinstance(value, int | str)  # noqa: S101 - what `fault` has just made certain
            agreed[name] = value
    if faults:
        raise OptionError(faults)
    return agreed


def _written(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def switch(name: str, clause: str, effect: str, *, default: bool = False) -> Option:
    """An option that is on or off."""
    return Option(name, default, clause, effect, choices=(True, False))


DEALS: Final = "deals in the session"
TARGET: Final = "a total that ends the session"


def deals(default: int | None, clause: str) -> Option:
    """How many deals the session has (XA-8); null leaves it open."""
    return Option("deals", default, clause, DEALS, least=1, nullable=True)


def target(default: int | None, clause: str) -> Option:
    """The total that ends the session (XA-8); null for none."""
    return Option("target", default, clause, TARGET, least=1, nullable=True)
