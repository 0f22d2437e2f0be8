"""A deal of Rockaway as it stands: on, or finished. Holds no rule but what follows from counting."""

from typing import Literal, NamedTuple

from replay.rules.cards import Card, Cards
from replay.rules.rockaway.options import Options


class Table(NamedTuple):
    """A deal that is on."""

    options: Options
    last_three: bool
    """Whether this is one of the last three deals (RA-27)."""
    turn: int
    hands: tuple[Cards, ...]
    """By seat; the order inside a hand means nothing."""
    pile: Cards
    """The discard pile, its top card last; never empty (R4)."""
    stock: tuple[Card | None, ...]
    """The stock as it was dealt, the first to be drawn first; None for a card that nobody has written down."""
    gone: int
    """How many cards of the stock have been drawn."""
    passes: int
    """Passes in a row."""
    drawn: int
    """Cards drawn in this turn."""

    @property
    def top(self) -> Card:
        """The card that must be matched."""
        return self.pile[-1]

    @property
    def stock_count(self) -> int:
        """Cards still to be drawn."""
        return len(self.stock) - self.gone

    @property
    def exhausted(self) -> bool:
        """RA-5, RA-6: the stock has reached 0, and nothing ever goes back into it."""
        return self.gone == len(self.stock)


class Finished(NamedTuple):
    """A deal that is over."""

    table: Table
    """As the last play left it."""
    ending: Literal["out", "blocked"]
    last: int
    """The seat that made the last play: the one that is out (R13), or the last to pass (RA-14)."""


State = Table | Finished
