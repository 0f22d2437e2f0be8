"""Whether a hand could lawfully be emptied now, and by which groups: what an answer of yes binds a player to."""

from replay.rules.canasta.melds import minimum
from replay.rules.canasta.planning import Plan, plans
from replay.rules.canasta.state import Table


def may_be_left(table: Table) -> int:
    """Cards that a play may leave in the hand of who goes out: one to discard, none in the turn of CA-26."""
    return 0 if table.turn.last_red else 1


def ways_out(table: Table, seat: int) -> list[Plan]:
    """What this hand could lay to go out, the dearest canastas first; nothing at all if one card is to be discarded.

    One play can lay all that several could, so these are enough to say whether he could go out.
    """
    side = table.side(seat)
    most = may_be_left(table)
    out = []
    for plan in plans(table, seat, most_kept=most):
        if plan.canastas < table.canastas_needed:
            continue
        if plan.groups and not side.melds and not _reaches_minimum(table, seat, plan):
            continue
        out.append(plan)
    return sorted(out, key=lambda plan: (-plan.bonus, -plan.points, plan.kept))


def can_go_out(table: Table, seat: int) -> bool:
    """CA-42, CA-43: whether melds, and one discard where a discard is allowed, could lawfully empty this hand now.

    An answer that the player has already been given is not looked at.
    """
    return bool(ways_out(table, seat))


def _reaches_minimum(table: Table, seat: int, plan: Plan) -> bool:
    total = table.totals[table.side_of(seat)]
    return plan.points >= minimum(total, table.options) or waived(table, seat, plan.kept)


def waived(table: Table, seat: int, kept: int, *, taking: bool = False) -> bool:
    """CA-24: whether a first play that leaves so many cards makes a concealed hand, exempt from the minimum.

    The canastas needed are asked elsewhere; a side without a meld has none to add to (CA-46).
    """
    options = table.options
    if not options.concealed_waives_minimum or seat in table.laid_before or table.turn.laid:
        return False
    if (taking or table.turn.took_pile) and not options.concealed_allows_pile:
        return False
    return kept <= 1
