"""Whether the plays that both rums have are possible, and what they bring; and the first of the rows that forbid plays.

The other rows each game says itself.
"""

from collections import Counter
from collections.abc import Iterable

from replay.rules.cards import Card, Cards
from replay.rules.game import Refusal
from replay.rules.rums.commands import Draw, Take
from replay.rules.rums.events import CardDrawn, DealVoided
from replay.rules.rums.layout import Layout, Turn, turned_over
from replay.rules.rums.options import RumOptions
from replay.rules.stock import undrawable


def not_to_be_had(
    command: Draw | Take,
    layout: Layout,
    options: RumOptions,
    copies: Counter[Card],
    melds: Iterable[Cards] = (),
) -> str | None:
    """Why no table could make this draw or take, in words; None if one could.

    A draw that voids the deal brings no card (XA-13).
    """
    if isinstance(command, Take):
        return None if layout.pile else "there is no discard to take"
    if voids(layout, options):
        return None if command.card is None else "the stock is empty and may not be made up: nothing is drawn"
    stock = _stock_to_draw_from(layout, options)
    if not stock:
        return "there is nothing to draw"
    seen = (*layout.hands, layout.pile, layout.stock, *melds)
    return undrawable(stock[0], command.card, copies, seen)


def out_of_step(turn: Turn, seat: int, clause: str, *, draws: bool) -> Refusal | None:
    """The row that both books begin with, each with its own clause: a play out of turn, or a second draw or take."""
    if seat != turn.seat:
        return Refusal(clause, f"it is seat {turn.seat}'s turn")
    return Refusal(clause, "a card has been drawn or taken already") if draws and turn.drawn else None


def voids(layout: Layout, options: RumOptions) -> bool:
    """XA-13: whether a draw would end the deal, since the stock is empty and the pile may not be turned again."""
    return not layout.stock and options.max_turnovers is not None and layout.turnovers >= options.max_turnovers


def drawn(layout: Layout, options: RumOptions, command: Draw) -> CardDrawn | DealVoided:
    """What a possible draw brings."""
    if voids(layout, options):
        return DealVoided(command.seat)
    stock = _stock_to_draw_from(layout, options)
    card = stock[0] if stock[0] is not None else command.card
    if card is None:
        raise ValueError("an unknown card was drawn and not named")
    return CardDrawn(command.seat, card, not layout.stock, len(stock) - 1)


def just_taken(layout: Layout, turn: Turn, options: RumOptions, card: Card) -> bool:
    """XA-4, XA-7: whether this is the card taken in this turn, and the hand holds no other copy of it."""
    if options.may_discard_taken_card or card != turn.taken:
        return False
    return layout.hands[turn.seat - 1].count(card) == 1


def _stock_to_draw_from(layout: Layout, options: RumOptions) -> tuple[Card | None, ...]:
    if layout.stock:
        return layout.stock
    return turned_over(layout, keeps_top=options.turnover_keeps_top).stock
