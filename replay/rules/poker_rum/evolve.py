"""How a deal of Poker Rum goes from one state to the next. Judges nothing."""

from typing import assert_never

from replay.rules.game import Dealt, Setting
from replay.rules.poker_rum.events import Event, HandShown
from replay.rules.poker_rum.state import Finished, State, Table
from replay.rules.rums.events import CardDiscarded, CardDrawn, CardTaken, DealVoided
from replay.rules.rums.layout import Turn, discarded, drew, laid_out, left_of, took


def start(setting: Setting, dealt: Dealt) -> Table:
    """The table when the cards lie (PA-5); the seat left of the dealer begins (PA-6)."""
    layout = laid_out(dealt)
    return Table(setting.options, layout, Turn(left_of(layout, setting.dealer), drawn=False, taken=None))


def evolve(state: State, event: Event) -> State:
    """Apply what happened. An event after the end can only come from a broken log, and raises ValueError."""
    if isinstance(state, Finished):
        raise ValueError("an event after the end of the deal")  # noqa: TRY004 - the log is broken, not a type
    options, layout, turn = state
    match event:
        case CardDrawn():
            return Table(options, *drew(layout, turn, event, keeps_top=options.turnover_keeps_top))
        case CardTaken():
            return Table(options, *took(layout, event))
        case CardDiscarded():
            return Table(options, *discarded(layout, event))
        case DealVoided(seat=seat):
            return Finished(state, "void", seat)
        case HandShown(seat=seat, card=card):
            return Finished(Table(options, *discarded(layout, CardDiscarded(seat, card, None))), "shown", seat)
        case _:
            assert_never(event)
