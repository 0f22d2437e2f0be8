"""The nine-line sheet of Canasta (C24): lines for items 1 to 6 and 8, and the sheet of each side."""

from replay.rules.canasta.cards import CANASTA_POINTS, total
from replay.rules.canasta.state import Finished, Side, State, Table
from replay.rules.scores import Line, Sheet, add_up


def score(state: State) -> Sheet:
    """The sheet of a deal that is over; raises ValueError while it is on."""
    if isinstance(state, Table):
        raise ValueError("the deal is still on")  # noqa: TRY004 - asked too soon, not of a wrong type
    table = state.table
    lines: list[Line] = []
    for at, side in enumerate(table.sides):
        number = at + 1
        if state.ending == "out" and table.side_of(state.last) == at:
            lines += _going_out(state, number)
        lines += _laid(side, number)
        lines += _left(table, side, number)
    sheet = add_up(len(table.sides), tuple(lines))
    return sheet._replace(sheets=tuple(_items(sheet.lines, number) for number in range(1, len(table.sides) + 1)))


def concealed(state: Finished) -> bool:
    """C25, CA-23, CA-46: whether the player who went out had laid nothing in earlier turns, and all on his own."""
    table, turn = state.table, state.table.turn
    options, side = table.options, table.side(state.last)
    if state.last in table.laid_before or turn.added_to_old or not turn.laid:
        return False
    if turn.took_pile and not options.concealed_allows_pile:
        return False
    own = any(laid.canasta for laid in side.melds if laid.rank in turn.new_ranks)
    return own or not options.concealed_needs_own_canasta


def _going_out(state: Finished, number: int) -> list[Line]:
    lines = [Line(number, 100, "C24", "going out", item=1)]
    if concealed(state):
        lines.append(Line(number, 100, "C25", "concealed hand", item=2))
    return lines


def _laid(side: Side, number: int) -> list[Line]:
    """Items 3 to 6: what the side has on the table. Red threes count for it only beside a meld (C27)."""
    lines = []
    if side.red_threes and side.melds:
        lines.append(Line(number, _red_points(side), _red_clause(side), "red threes", side.red_threes, item=3))
    for laid in side.melds:
        kind = laid.canasta
        if kind is not None:
            item = 4 if kind == "natural" else 5
            lines.append(Line(number, CANASTA_POINTS[kind], "C28", f"{kind} canasta", laid.cards, item=item))
    lines += [Line(number, total(laid.cards), "C24", "cards melded", laid.cards, item=6) for laid in side.melds]
    return sorted(lines, key=lambda line: line.item or 0)


def _left(table: Table, side: Side, number: int) -> list[Line]:
    """Item 8: cards left in the side's hands, and red threes of a side without a meld (C27, CA-29)."""
    hands = [hand for seat, hand in enumerate(table.hands, start=1) if table.side_of(seat) == number - 1 and hand]
    lines = [Line(number, -total(hand), "C24", "cards left in hand", hand, item=8) for hand in hands]
    if side.red_threes and not side.melds:
        lines.append(Line(number, -_red_points(side), "C27", "red threes without a meld", side.red_threes, item=8))
    return lines


def _red_points(side: Side) -> int:
    """CA-28: 100 each, 200 each only if the side has all four."""
    count = len(side.red_threes)
    return count * (200 if count == 4 else 100)


def _red_clause(side: Side) -> str:
    return "CA-28" if len(side.red_threes) == 4 else "C24"


def _items(lines: tuple[Line, ...], number: int) -> tuple[int, ...]:
    """Items 1 to 9 as on the printed sheet, where item 8 has no sign."""
    items = [sum(line.points for line in lines if line.unit == number and line.item == item) for item in range(1, 7)]
    gains = sum(items)
    left = -sum(line.points for line in lines if line.unit == number and line.item == 8)
    return (*items, gains, left, gains - left)
