"""A deal of Rockaway as one viewer sees it: every count, the top of the pile, and only the hands that he may see."""

from replay.rules.game import View, Viewer
from replay.rules.rockaway.state import State, Table


def view(state: State, viewer: Viewer) -> View:
    """The view. Never the stock, never another's hand; the pile under its top card has been seen by all."""
    table = state if isinstance(state, Table) else state.table
    return View(
        turn=table.turn if isinstance(state, Table) else None,
        upcard=table.top,
        stock_count=table.stock_count,
        discard_count=len(table.pile),
        hands=tuple(hand if viewer.sees(seat) else None for seat, hand in enumerate(table.hands, start=1)),
        counts=tuple(len(hand) for hand in table.hands),
        further={"exhausted": table.exhausted, "passes": table.passes, "drawn": table.drawn},
    )
