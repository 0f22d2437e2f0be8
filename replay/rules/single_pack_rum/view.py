"""A deal of Single-Pack Rum as one viewer sees it."""

from replay.rules.game import View, Viewer
from replay.rules.rums.views import rum_view
from replay.rules.scores import Plain
from replay.rules.single_pack_rum.state import State, Table


def view(state: State, viewer: Viewer) -> View:
    """The view: what lies on the table, every count, and only the hands that he may see."""
    table = state if isinstance(state, Table) else state.table
    melds: tuple[Plain, ...] = tuple(
        {"id": f"m{number}", "seat": laid.seat, "cards": laid.cards} for number, laid in enumerate(table.melds, start=1)
    )
    return rum_view(table.layout, table.turn, viewer, on=isinstance(state, Table), further={"melds": melds})
