"""A deal of Poker Rum as one viewer sees it."""

from replay.rules.game import View, Viewer
from replay.rules.poker_rum.state import State, Table
from replay.rules.rums.views import rum_view


def view(state: State, viewer: Viewer) -> View:
    """The view: every count, the top of the pile, and only the hands that he may see."""
    table = state if isinstance(state, Table) else state.table
    return rum_view(table.layout, table.turn, viewer, on=isinstance(state, Table), further={})
