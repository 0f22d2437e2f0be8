"""What the players of Single-Pack Rum may agree on, each option with its clause."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

from replay.rules.options import Option, OptionValue, deals, switch, target
from replay.rules.rums.options import SHARED_OPTIONS


class Options(NamedTuple):
    """The options of one session."""

    deals: int | None
    target: int | None
    five_six_hand: int
    table_actions: Literal["own_extra", "exclusive", "free"]
    settlement: Literal["zero_sum", "winner_credit"]
    splash: bool
    splash_layoffs: bool
    turnover_keeps_top: bool
    max_turnovers: int | None
    may_discard_taken_card: bool


OPTIONS: Final = (
    deals(None, "SA-23"),
    target(None, "SA-23"),
    Option("five_six_hand", 6, "SA-1", "cards dealt to each of five or six players", choices=(6, 5)),
    Option(
        "table_actions",
        "own_extra",
        "SA-25",
        "what may be laid in one turn",
        choices=("own_extra", "exclusive", "free"),
    ),
    Option("settlement", "zero_sum", "SA-13", "who pays", choices=("zero_sum", "winner_credit")),
    switch("splash", "SA-14", "the splash is played"),
    switch("splash_layoffs", "SA-28", "a splash may add cards to the table; no effect without `splash`"),
    *SHARED_OPTIONS,
)


def agreed(options: Mapping[str, OptionValue]) -> Options:
    """All options by name, already checked against the table, as a record."""
    return Options(**cast("dict[str, int]", dict(options)))  # type: ignore[arg-type]  # checked by name and value above
