"""What the players of Poker Rum may agree on, each option with its clause."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

from replay.rules.options import Option, OptionValue, deals, target
from replay.rules.rums.options import SHARED_OPTIONS


class Options(NamedTuple):
    """The options of one session."""

    deals: int | None
    target: int | None
    ace_value: int
    call_limit: int
    caller_tie: Literal["divide", "opponent_wins"]
    turnover_keeps_top: bool
    max_turnovers: int | None
    may_discard_taken_card: bool


OPTIONS: Final = (
    deals(None, "PA-20"),
    target(None, "PA-20"),
    Option("ace_value", 11, "PA-1", "points of an ace in deadwood", choices=(11, 10)),
    Option("call_limit", 15, "PA-2", "most deadwood with which one may show", least=0),
    Option("caller_tie", "divide", "PA-24", "who wins if the caller ties for low", choices=("divide", "opponent_wins")),
    *SHARED_OPTIONS,
)


def agreed(options: Mapping[str, OptionValue]) -> Options:
    """All options by name, already checked against the table, as a record."""
    return Options(**cast("dict[str, int]", dict(options)))  # type: ignore[arg-type]  # checked by name and value above
