"""A deal of Canasta as one viewer sees it: sides, minimum and freeze for all; hands only for who may see them."""

from replay.rules.canasta.melds import frozen_by, minimum
from replay.rules.canasta.state import State, Table
from replay.rules.game import View, Viewer
from replay.rules.scores import Plain


def view(state: State, viewer: Viewer) -> View:
    """The view. Never the stock, never another's hand; a partner's hand is another's."""
    table = state if isinstance(state, Table) else state.table
    sides: tuple[Plain, ...] = tuple(_side(table, at) for at in range(len(table.sides)))
    return View(
        turn=table.to_act if isinstance(state, Table) else None,
        upcard=table.pile[-1] if table.pile else None,
        stock_count=len(table.stock),
        discard_count=len(table.pile),
        hands=tuple(hand if viewer.sees(seat) else None for seat, hand in enumerate(table.hands, start=1)),
        counts=tuple(len(hand) for hand in table.hands),
        further={"phase": table.phase, "answer": table.turn.answer, "sides": sides},
    )


def _side(table: Table, at: int) -> Plain:
    side, seat = table.sides[at], at + 1
    frozen = frozen_by(table, seat) if table.pile else None
    melds: tuple[Plain, ...] = tuple(
        {"rank": laid.rank, "cards": laid.cards, "canasta": laid.canasta} for laid in side.melds
    )
    return {
        "seats": tuple(each for each in range(1, len(table.hands) + 1) if table.side_of(each) == at),
        "melds": melds,
        "red_threes": side.red_threes,
        "minimum": minimum(table.totals[at], table.options),
        "frozen": frozen is not None,
        "frozen_by": frozen,
    }
