"""Drawing at Canasta: past red threes to a playing card, or two (CA-34, CA-48, CA-50)."""

from replay.rules.canasta.cards import is_red_three
from replay.rules.canasta.deal import make
from replay.rules.canasta.state import Table
from replay.rules.cards import Card, Cards
from replay.rules.stock import undrawable


def undrawable_cards(table: Table, named: Cards | None) -> str | None:
    """Why no table could make this draw; None if one could. A draw that names its cards names all of them."""
    if not table.stock:
        return "the stock is empty"
    copies = make(len(table.hands), table.options).copies
    come: list[Card] = []
    while not _complete(table, come):
        at = len(come)
        name = named[at] if named is not None and at < len(named) else None
        if named is not None and name is None:
            return f"more cards came than the {len(named)} that are named"
        laid = (laid.cards for side in table.sides for laid in side.melds)
        reds = (side.red_threes for side in table.sides)
        seen = (*table.hands, table.pile, table.stock[at:], come, *laid, *reds)
        fault = undrawable(table.stock[at], name, copies, seen)
        if fault is not None:
            return fault
        come.append(_card(table.stock[at], name))
    if named is not None and len(named) > len(come):
        return f"only {len(come)} cards came, {len(named)} are named"
    return None


def drawn_cards(table: Table, named: Cards | None) -> tuple[Cards, bool]:
    """All cards that a possible draw brings, in order; and whether the stock ended with a red three (CA-26)."""
    come: list[Card] = []
    while not _complete(table, come):
        at = len(come)
        come.append(_card(table.stock[at], named[at] if named is not None else None))
    return tuple(come), len(come) == len(table.stock) and is_red_three(come[-1])


def _complete(table: Table, come: list[Card]) -> bool:
    wanted = 2 if table.draws_two else 1
    kept = sum(not is_red_three(card) for card in come)
    return kept == wanted or len(come) == len(table.stock)


def _card(known: Card | None, named: Card | None) -> Card:
    card = known if known is not None else named
    if card is None:
        raise ValueError("an unknown card was drawn and not named")
    return card
