"""A rum deal as one viewer sees it: what both games show."""

from collections.abc import Mapping

from replay.rules.game import View, Viewer
from replay.rules.rums.layout import Layout, Turn
from replay.rules.scores import Plain


def rum_view(layout: Layout, turn: Turn, viewer: Viewer, *, on: bool, further: Mapping[str, Plain]) -> View:
    """The view of layout and turn. Never the stock, never another's hand; the pile has been seen by all."""
    return View(
        turn=turn.seat if on else None,
        upcard=layout.pile[-1] if layout.pile else None,
        stock_count=len(layout.stock),
        discard_count=len(layout.pile),
        hands=tuple(hand if viewer.sees(seat) else None for seat, hand in enumerate(layout.hands, start=1)),
        counts=tuple(len(hand) for hand in layout.hands),
        further={
            "phase": "drawn" if turn.drawn else "start",
            "taken": turn.taken,
            "turnovers": layout.turnovers,
            **further,
        },
    )
