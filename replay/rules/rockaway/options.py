"""What the players of Rockaway may agree on, each option with its clause."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

from replay.rules.options import Option, OptionValue, deals, switch, target


class Options(NamedTuple):
    """The options of one session."""

    deals: int | None
    target: int | None
    multi_ace: Literal["per_ace", "once"]
    draw_past_fitting: bool
    ace_forced_when_exhausted: bool
    blocked: Literal["score_all", "lowest_is_out"]
    exhausted_multiplier: int


OPTIONS: Final = (
    deals(10, "R15"),
    target(None, "RA-31"),
    Option("multi_ace", "per_ace", "RA-1", "how several aces in one hand count", choices=("per_ace", "once")),
    switch("draw_past_fitting", "RA-28", "an ace-holder who is drawing may draw past a fitting card"),
    switch("ace_forced_when_exhausted", "RA-13", "on an empty stock an ace must be played if nothing else fits"),
    Option("blocked", "score_all", "RA-30", "who scores in a blocked deal", choices=("score_all", "lowest_is_out")),
    # The bound keeps a score within 64 bits even if eight aces double all the rest of two packs.
    Option("exhausted_multiplier", 2, "RA-3", "multiplier of an exhausted deal before the last three", 1, 1_000_000),
)


def agreed(options: Mapping[str, OptionValue]) -> Options:
    """All options by name, already checked against the table, as a record."""
    return Options(**cast("dict[str, int]", dict(options)))  # type: ignore[arg-type]  # checked by name and value above
