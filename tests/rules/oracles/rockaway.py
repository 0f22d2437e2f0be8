"""Rockaway read a second time: its two tables of plays and its scoring formula, to hold the rules core against.

Imports neither decide nor score of the game, only the shape of a position and of a play. It reads the book's table of
legal plays and its table of forbidden plays each by itself, so the two are held against one another as well.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from replay.rules.cards import JOKER, PACK, Card, Cards
from replay.rules.rockaway.commands import Command, Draw, Pass, Play
from replay.rules.rockaway.state import Finished, State, Table

IMPOSSIBLE: Final = "impossible"


class Position(NamedTuple):
    """What the tables ask about, seen from one seat."""

    my_turn: bool
    top: Card
    hand: frozenset[Card]
    plain: bool
    """A fitting card that is no ace is held."""
    ace: bool
    """An ace is held, which always fits."""
    stock: bool
    """A card is left to be drawn."""
    ra_28: bool
    """Whether this player may draw past a fitting card."""
    ace_forced: bool

    def fits(self, card: Card) -> bool:
        """R6."""
        return card[0] == "A" or card[0] == self.top[0] or card[1] == self.top[1]


def look(table: Table, seat: int) -> Position:
    """The position of that seat."""
    hand, top, options = frozenset(table.hands[seat - 1]), table.pile[-1], table.options
    aces = {card for card in hand if card[0] == "A"}
    return Position(
        my_turn=table.turn == seat,
        top=top,
        hand=hand,
        plain=any(card[0] == top[0] or card[1] == top[1] for card in hand - aces),
        ace=bool(aces),
        stock=len(table.stock) > table.gone,
        ra_28=options.draw_past_fitting and table.drawn >= 1 and bool(aces),
        ace_forced=options.ace_forced_when_exhausted,
    )


def legal_kinds(at: Position) -> set[str]:
    """The book's table of legal plays, row by row: which of plain card, ace, draw, pass."""
    match at.plain, at.ace, at.stock:
        case True, False, _:
            return {"plain"}
        case True, True, left:
            return {"plain", "ace", "draw"} if left and at.ra_28 else {"plain", "ace"}
        case False, True, True:
            return {"ace", "draw"}
        case False, True, False:
            return {"ace"} if at.ace_forced else {"ace", "pass"}
        case False, False, True:
            return {"draw"}
        case _:
            return {"pass"}


def legal_plays(state: State, seat: int) -> list[Command]:
    """The plays that the table of legal plays gives this seat, a draw unnamed."""
    if isinstance(state, Finished) or state.turn != seat:
        return []
    at = look(state, seat)
    kinds = legal_kinds(at)
    plays: list[Command] = [
        Play(seat, card) for card in at.hand if at.fits(card) and ("ace" if card[0] == "A" else "plain") in kinds
    ]
    if "draw" in kinds:
        plays.append(Draw(seat))
    if "pass" in kinds:
        plays.append(Pass(seat))
    return plays


Row = tuple[str, Callable[[Position, Command], bool]]

FORBIDDEN: Final[tuple[Row, ...]] = (
    ("R5", lambda at, _: not at.my_turn),
    ("R10", lambda at, it: isinstance(it, Play) and not at.fits(it.card) and at.top[0] == "A"),
    ("R6", lambda at, it: isinstance(it, Play) and not at.fits(it.card)),
    ("R11", lambda at, it: isinstance(it, Draw) and at.plain and not at.ra_28),
    ("RA-12", lambda at, it: isinstance(it, Pass) and at.stock),
    ("R11", lambda at, it: isinstance(it, Pass) and at.plain),
    ("RA-13", lambda at, it: isinstance(it, Pass) and at.ace and at.ace_forced),
)
"""The book's table of forbidden plays; the first row that applies is cited."""


def drawable(table: Table) -> set[Card | None]:
    """What a draw may name; None stands for a draw that names nothing."""
    stock = table.stock[table.gone :]
    if not stock:
        return set()
    if stock[0] is not None:
        return {stock[0], None}
    # Nobody has written the next card down: it must be named, and may be any that is not known to lie elsewhere.
    rest = Counter({card: 1 if len(table.hands) < 5 else 2 for card in PACK})
    rest.subtract(table.pile)
    for hand in table.hands:
        rest.subtract(hand)
    rest.subtract(card for card in stock if card is not None)
    return set(+rest)


def sayable(_table: Table, seat: int) -> Iterator[Command]:
    """Every play that this seat can say at all: each card and a joker, played or drawn by name; draw; pass."""
    yield Draw(seat)
    yield Pass(seat)
    for card in (*PACK, JOKER):
        yield Play(seat, card)
        yield Draw(seat, card)


def judge(table: Table) -> Callable[[Command], str | None]:
    """The verdicts of this table: `impossible` where no table could make the play, or the clause of the first row that
    forbids it, or None for a legal play."""
    draws = drawable(table)
    seats = [look(table, seat) for seat in range(1, len(table.hands) + 1)]
    return lambda command: _verdict(seats[command.seat - 1], draws, command)


def _verdict(at: Position, draws: set[Card | None], command: Command) -> str | None:
    if isinstance(command, Play) and command.card not in at.hand:
        return IMPOSSIBLE
    if isinstance(command, Draw) and command.card not in draws:
        return IMPOSSIBLE
    return next((clause for clause, applies in FORBIDDEN if applies(at, command)), None)


def count(hand: Cards, rule: str) -> int:
    """The scoring formula up to `t`."""
    face = {"J": 10, "Q": 10, "K": 10, "T": 10}
    base = sum(face[card[0]] if card[0] in face else int(card[0]) for card in hand if card[0] != "A")
    aces = sum(card[0] == "A" for card in hand)
    if rule == "once":
        return max(base + 20 * aces, 2 * base) if aces else base
    total = base
    for _ in range(aces):
        total = max(total + 20, 2 * total)
    return total


def points(state: State, number: int) -> tuple[int, ...]:
    """The points of a finished deal by the formula, from the hands alone."""
    assert isinstance(state, Finished)
    table, options = state.table, state.table.options
    exhausted = not table.stock[table.gone :]
    if options.deals is not None and options.deals - 2 <= number <= options.deals:
        multiplier = 9 if exhausted else 3
    else:
        multiplier = options.exhausted_multiplier if exhausted else 1
    counts = [count(hand, options.multi_ace) for hand in table.hands]
    spared = {seat for seat, hand in enumerate(table.hands) if not hand}
    if not spared and options.blocked == "lowest_is_out":
        spared = {seat for seat, t in enumerate(counts) if t == min(counts)}
    return tuple(0 if seat in spared else t * multiplier for seat, t in enumerate(counts))


def most_plays(seats: int) -> int:
    """Law 8: the most plays that a deal of legal plays can take.

    Every card is drawn at most once, and every card but the upcard is played at most once. A pass needs an empty stock;
    fewer than `seats` stand before each card played, and exactly `seats` in a row end the deal. So there are at most
    stock + (pack - 1) + (seats - 1) x (pack - 1) + seats plays, which is stock + seats x pack.
    """
    pack = 52 if seats < 5 else 104
    return pack - 7 * seats - 1 + seats * pack


def bound(state: State, _made: Counter[str]) -> int:
    """The same for the deal that has come to this state."""
    table = state.table if isinstance(state, Finished) else state
    return most_plays(len(table.hands))
