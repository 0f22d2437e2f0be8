"""A deal of Canasta as it stands: on, or finished."""

from typing import Literal, NamedTuple

from replay.rules.canasta.cards import CANASTA, is_wild
from replay.rules.canasta.options import Options
from replay.rules.cards import Card, Cards

Phase = Literal["start", "melding", "asked", "last_red"]


class Laid(NamedTuple):
    """A side's meld of one rank (CA-14)."""

    rank: str
    cards: Cards

    @property
    def canasta(self) -> Literal["natural", "mixed"] | None:
        """C15: seven cards or more; natural without wild cards."""
        if len(self.cards) < CANASTA:
            return None
        return "mixed" if any(map(is_wild, self.cards)) else "natural"


class Side(NamedTuple):
    """What a side has on the table."""

    melds: tuple[Laid, ...]
    """In the order in which they were begun."""
    red_threes: Cards

    def meld(self, rank: str) -> Laid | None:
        """Its meld of that rank."""
        return next((laid for laid in self.melds if laid.rank == rank), None)

    @property
    def canastas(self) -> int:
        """How many of its melds are canastas."""
        return sum(laid.canasta is not None for laid in self.melds)


class Turn(NamedTuple):
    """What has happened in the turn, as far as later plays of it depend on that."""

    laid: bool = False
    """Whether the player has laid anything in it."""
    new_ranks: frozenset[str] = frozenset()
    """Melds begun in it."""
    added_to_old: bool = False
    """Whether he has added to a meld that lay there before (CA-46)."""
    drawn: bool = False
    took_pile: bool = False
    last_red: bool = False
    """Whether the last card of the stock was a red three, so that no discard follows (CA-26)."""
    asked: bool = False
    answer: Literal["yes", "no"] | None = None


class Table(NamedTuple):
    """A deal that is on."""

    options: Options
    totals: tuple[int, ...]
    """Of the sides before the deal, which set the minimum of a first meld (CA-11)."""
    seat: int
    """Whose turn it is; while a question stands, still who asked."""
    phase: Phase
    hands: tuple[Cards, ...]
    pile: Cards
    """The discard pile, its top card last."""
    stock: tuple[Card | None, ...]
    """What is left of it, the next to be drawn first; None for a card that nobody has written down."""
    sides: tuple[Side, ...]
    turn: Turn
    laid_before: frozenset[int]
    """Seats that laid cards in an earlier turn of the deal (CA-23)."""
    asked_before: frozenset[int]
    """Seats that have asked in the deal (CA-44)."""

    def side_of(self, seat: int) -> int:
        """The place of that seat's side in `sides`."""
        return (seat - 1) % len(self.sides)

    def side(self, seat: int) -> Side:
        """That seat's side."""
        return self.sides[self.side_of(seat)]

    @property
    def to_act(self) -> int:
        """The seat that must act: the partner while a question stands."""
        return partner(self, self.seat) if self.phase == "asked" else self.seat

    @property
    def canastas_needed(self) -> int:
        """CA-51."""
        return 2 if self.draws_two else 1

    @property
    def draws_two(self) -> bool:
        """CA-48: only with two players."""
        return self.options.two_handed_draw_two and len(self.hands) == 2


class Finished(NamedTuple):
    """A deal that is over."""

    table: Table
    """As the last play left it."""
    ending: Literal["out", "stock_exhausted"]
    last: int
    """The seat that made the last play."""


State = Table | Finished


def partner(table: Table, seat: int) -> int:
    """The seat across the table; the seat itself where everybody is his own side."""
    seats = len(table.hands)
    return (seat + 1) % seats + 1 if len(table.sides) < seats else seat
