"""Poker Rum read a second time: its tables of plays, its scoring formula, and the least deadwood by trying everything.

Imports nothing of the game that judges or counts, only the shape of a position and of a play. It reads the book's table
of legal plays and its table of forbidden plays each by itself, so the two are held against one another as well.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from replay.rules.cards import JOKER, PACK, Card, Cards
from replay.rules.poker_rum.commands import Command, Show
from replay.rules.poker_rum.options import Options
from replay.rules.poker_rum.state import Finished, State, Table
from replay.rules.rums.commands import Discard, Draw, Take
from tests.rules.oracles.rums import IMPOSSIBLE, drawable, just_taken, most_plays, subsets


class BruteForce:
    """The least deadwood of some cards and of all their parts: the first card is left over, or lies in one of the
    combinations that hold it, and so on with the rest."""

    def __init__(self, hand: Cards, ace_value: int) -> None:
        points = {"A": ace_value, "K": 10, "Q": 10, "J": 10, "T": 10}
        self.points = [points[card[0]] if card[0] in points else int(card[0]) for card in hand]
        self.holding: list[list[int]] = [[] for _ in hand]
        for some in subsets(hand):
            self.holding[(some & -some).bit_length() - 1].append(some)
        self.known = {0: 0}

    def least(self, part: int) -> int:
        """The least deadwood of the cards whose places are the bits of this number."""
        if part not in self.known:
            first = part & -part
            place = first.bit_length() - 1
            left = self.points[place] + self.least(part ^ first)
            for some in self.holding[place]:
                if some & part == some:
                    left = min(left, self.least(part ^ some))
            self.known[part] = left
        return self.known[part]


def deadwood(hand: Cards, ace_value: int) -> int:
    """The least deadwood of a hand, by brute force."""
    return BruteForce(hand, ace_value).least((1 << len(hand)) - 1)


class Position:
    """What the tables ask about, seen from one seat; the deadwood only when it is asked for."""

    def __init__(self, table: Table, seat: int) -> None:
        self.my_turn = table.turn.seat == seat
        self.drawn = table.turn.drawn
        self.hand = table.layout.hands[seat - 1]
        self.pile = bool(table.layout.pile)
        self.options = table.options
        self.turn = table.turn
        self.brute_force: BruteForce | None = None

    def taken(self, card: Card) -> bool:
        """XA-4."""
        return just_taken(self.hand, self.turn, self.options, card)

    def too_high(self, card: Card) -> bool:
        """P9: without this card the others leave more than one may show with."""
        if self.brute_force is None:
            self.brute_force = BruteForce(self.hand, self.options.ace_value)
        rest = (1 << len(self.hand)) - 1 ^ 1 << self.hand.index(card)
        return self.brute_force.least(rest) > self.options.call_limit


def legal_plays(state: State, seat: int) -> list[Command]:
    """The plays that the table of legal plays gives this seat, a draw unnamed."""
    if isinstance(state, Finished) or state.turn.seat != seat:
        return []
    at = Position(state, seat)
    if not at.drawn:
        return [Draw(seat), Take(seat)] if at.pile else [Draw(seat)]
    free = [card for card in set(at.hand) if not at.taken(card)]
    shows = [Show(seat, card) for card in free if not at.too_high(card)]
    return [*(Discard(seat, card) for card in free), *shows]


class Row(NamedTuple):
    """One row of the table of forbidden plays."""

    clause: str
    applies: Callable[[Position, Command], bool]


FORBIDDEN: Final = (
    Row("P8", lambda at, _: not at.my_turn),
    Row("P8", lambda at, it: at.drawn if isinstance(it, Draw | Take) else not at.drawn),
    Row("XA-4", lambda at, it: isinstance(it, Discard | Show) and at.taken(it.card)),
    Row("P9", lambda at, it: isinstance(it, Show) and at.too_high(it.card)),
)
"""The book's table of forbidden plays; the first row that applies is cited."""


def sayable(_table: Table, seat: int) -> Iterator[Command]:
    """Every play that this seat can say: each card and a joker, drawn by name, discarded or shown; draw; take."""
    yield Draw(seat)
    yield Take(seat)
    for card in (*PACK, JOKER):
        yield Draw(seat, card)
        yield Discard(seat, card)
        yield Show(seat, card)


def judge(table: Table) -> Callable[[Command], str | None]:
    """The verdicts of this table."""
    layout = table.layout
    draws = drawable(layout, table.options, 1 if len(layout.hands) <= 3 else 2)
    seats: dict[int, Position] = {}

    def verdict(command: Command) -> str | None:
        if command.seat not in seats:
            seats[command.seat] = Position(table, command.seat)
        at = seats[command.seat]
        if isinstance(command, Draw) and command.card not in draws:
            return IMPOSSIBLE
        if isinstance(command, Take) and not layout.pile:
            return IMPOSSIBLE
        if isinstance(command, Discard | Show) and command.card not in at.hand:
            return IMPOSSIBLE
        return next((row.clause for row in FORBIDDEN if row.applies(at, command)), None)

    return verdict


class Settlement(NamedTuple):
    """The scoring formula: who wins, what each pays into the pot, and the points."""

    winners: tuple[int, ...]
    payments: dict[int, int]
    points: tuple[int, ...]


def settlement(counts: tuple[int, ...], caller: int, options: Options) -> Settlement:
    """The formula, line by line. Seats from 1."""
    seats = range(1, len(counts) + 1)
    d = dict(zip(seats, counts, strict=True))
    low = min(counts)
    winners = [p for p in seats if d[p] == low]
    if options.caller_tie == "opponent_wins" and caller in winners and winners != [caller]:
        winners.remove(caller)
    pay = {p: (d[p] - low) * (2 if p == caller else 1) for p in seats if p not in winners}
    pot = sum(pay.values())
    share = {p: pot // len(winners) for p in winners}
    left_of_caller = [(caller + n) % len(counts) + 1 for n in range(len(counts))]
    for p in [p for p in left_of_caller if p in winners][: pot % len(winners)]:
        share[p] += 1
    return Settlement(tuple(winners), pay, tuple(share[p] if p in share else -pay[p] for p in seats))


def points(state: State, _number: int) -> tuple[int, ...]:
    """The points of a finished deal by the formula, from the hands alone."""
    assert isinstance(state, Finished)
    hands, options = state.table.layout.hands, state.table.options
    if state.ending == "void":
        return (0,) * len(hands)
    counts = tuple(deadwood(hand, options.ace_value) for hand in hands)
    return settlement(counts, state.last, options).points


def unsound(_state: State, scored: tuple[int, ...]) -> str | None:
    """A deal always sums to zero."""
    return None if sum(scored) == 0 else f"{scored} do not sum to zero"


def bound(state: State, made: Counter[str]) -> int:
    """The most plays that can have led here."""
    table = state.table if isinstance(state, Finished) else state
    return most_plays(table.layout, made, 0)
