"""What the players of Canasta may agree on, each option with its clause; and the two presets (CA-37)."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

from replay.rules.options import Option, OptionValue, deals, switch, target


class Options(NamedTuple):
    """The options of one session."""

    preset: Literal["goren_1949", "official_1949"]
    deals: int | None
    target: int | None
    negative_minimum: Literal[50, 15]
    frozen_before_initial_meld: bool
    red_upcard_freezes: bool
    concealed_needs_own_canasta: bool
    single_card_pile: Literal["allow", "forbid"]
    upcard_black_three_stays: bool
    wilds_may_exceed_naturals: bool
    black_three_wilds: bool
    ask_limit: Literal["per_turn", "per_deal"]
    concealed_allows_pile: bool
    concealed_waives_minimum: bool
    forced_take_on_empty_stock: bool
    two_handed_draw_two: bool


OPTIONS: Final = (
    Option("preset", "goren_1949", "CA-37", "values of all options not given", choices=("goren_1949", "official_1949")),
    deals(None, "XA-8"),
    target(5000, "CA-31"),
    Option("negative_minimum", 50, "CA-11", "first meld of a side below zero", choices=(50, 15)),
    switch("frozen_before_initial_meld", "CA-7", "the pile is frozen for a side without a meld"),
    switch("red_upcard_freezes", "CA-7", "the pile is frozen by a red three in it"),
    switch("concealed_needs_own_canasta", "CA-23", "the concealed hand must contain a canasta"),
    Option("single_card_pile", "allow", "CA-30", "one card in hand, one in the pile", choices=("allow", "forbid")),
    switch("upcard_black_three_stays", "CA-6", "a black three may be the upcard", default=True),
    switch("wilds_may_exceed_naturals", "CA-16", "a meld may have more wilds than naturals", default=True),
    switch("black_three_wilds", "CA-19", "wilds may join black threes"),
    Option("ask_limit", "per_turn", "CA-22", "how often a player may ask", choices=("per_turn", "per_deal")),
    switch("concealed_allows_pile", "CA-46", "a hand is concealed although the pile was taken", default=True),
    switch("concealed_waives_minimum", "CA-24", "a concealed hand is exempt from the minimum"),
    switch("forced_take_on_empty_stock", "CA-47", "a pile that fits must be taken", default=True),
    switch("two_handed_draw_two", "CA-48", "two players draw two cards and need two canastas"),
)

PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "goren_1949": {},
    "official_1949": {
        "negative_minimum": 15,
        "frozen_before_initial_meld": True,
        "red_upcard_freezes": True,
        "concealed_needs_own_canasta": True,
        "single_card_pile": "forbid",
    },
}


def agreed(options: Mapping[str, OptionValue]) -> Options:
    """All options by name, already checked against the table, as a record."""
    return Options(**cast("dict[str, int]", dict(options)))  # type: ignore[arg-type]  # checked by name and value above
