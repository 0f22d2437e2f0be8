"""What the books of both rums say alike, read a second time: combinations, and what a draw may bring.

Imports nothing that judges, only the shape of a position. A run is looked up among all the runs there are, written out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Final

from replay.rules.cards import PACK, SUITS, Card, Cards
from replay.rules.rums.layout import Layout, Turn
from replay.rules.rums.options import RumOptions

IMPOSSIBLE: Final = "impossible"
_ROW: Final = "A23456789TJQKA"
_ROUND: Final = "A23456789TJQK" * 2


def _stretches(row: str, least: int, most: int) -> Iterator[frozenset[Card]]:
    for suit, length in product(SUITS, range(least, most + 1)):
        for start in range(len(row) - length + 1):
            yield frozenset(Card(letter + suit) for letter in row[start : start + length])


RUNS: Final = frozenset(_stretches(_ROW, 3, 13))
"""Every run of a suit, the ace at its bottom or at its top."""
CORNERS: Final = frozenset(_stretches(_ROUND, 3, 12)) - RUNS
"""What would be a run if an ace might stand between king and deuce."""


def is_group(cards: Cards) -> bool:
    """Three or more cards of one rank."""
    return len(cards) >= 3 and len({card[0] for card in cards}) == 1


def is_run(cards: Cards) -> bool:
    """Three or more cards of one suit in sequence, each once."""
    return frozenset(cards) in RUNS and len(set(cards)) == len(cards)


def is_combination(cards: Cards) -> bool:
    """A group or a run."""
    return is_group(cards) or is_run(cards)


def only_for_its_ace(cards: Cards) -> bool:
    """No combination, but one if an ace might stand between king and deuce."""
    return frozenset(cards) in CORNERS and len(set(cards)) == len(cards)


def subsets(cards: Cards) -> list[int]:
    """Every combination among these cards, each as a number with a bit for the place of each of its cards."""
    found: set[tuple[int, ...]] = set()
    for part in (0, 1):
        for letter in {card[part] for card in cards}:
            places = [place for place, card in enumerate(cards) if card[part] == letter]
            for size in range(3, len(places) + 1):
                found |= {some for some in combinations(places, size) if is_combination(tuple(cards[n] for n in some))}
    return [sum(1 << place for place in some) for some in sorted(found)]


def drawable(layout: Layout, options: RumOptions, copies: int, table: Iterable[Cards] = ()) -> set[Card | None]:
    """What a draw may name; None stands for a draw that names nothing. Empty if there is no draw.

    A draw that ends the deal (XA-13) names nothing. `copies` of each card there are; `table` are cards laid out.
    """
    stock: tuple[Card | None, ...] = layout.stock
    if not stock:
        if options.max_turnovers is not None and layout.turnovers >= options.max_turnovers:
            return {None}
        stock = layout.pile[:-1] if options.turnover_keeps_top else layout.pile
        if not stock:
            return set()
    if stock[0] is not None:
        return {stock[0], None}
    # Nobody has written the next card down: it must be named, and may be any that is not known to lie elsewhere.
    rest = Counter(dict.fromkeys(PACK, copies))
    for cards in (*layout.hands, layout.pile, *table):
        rest.subtract(cards)
    rest.subtract(card for card in stock if card is not None)
    return set(+rest)


def just_taken(hand: Cards, turn: Turn, options: RumOptions, card: Card) -> bool:
    """XA-4, XA-7: the card taken in this turn, the hand holding one copy of it."""
    return not options.may_discard_taken_card and card == turn.taken and hand.count(card) == 1


def most_plays(layout: Layout, made: Counter[str], laid: int) -> int:
    """Law 8: the most plays that can have led here, of which so many were of each kind and so many cards lie laid out.

    A deal can go on without end, since a card can be taken whenever one has been discarded, and the pile turned again
    and again (XA-3). What binds it: a turn is a draw or a take, a discard, and layings of at least a card each, which
    never come back. Outside of hands and table there are as many cards at the start of each turn as there were after
    the deal, so that many draws, less the upcard, exhaust the stock, and that many each turning-over of the pile.
    """
    lying = len(layout.stock) + len(layout.pile)
    held = sum(map(len, layout.hands)) + laid
    at_start = lying + 1 if held % len(layout.hands) else lying  # in the middle of a turn a hand holds one card more
    draws = at_start - 1 + layout.turnovers * at_start + 1  # and one that ended the deal (XA-13)
    return 2 * (draws + made["Take"]) + laid
