"""What seeded players of both rums share: the options that both have, how cards lie hidden, which cards go together.

Judges nothing: what is legal, players are told.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final, TypeVar

from replay.rules.cards import Card, Cards
from replay.rules.game import Dealt
from replay.rules.rums.commands import Discard, Draw, Take
from replay.rules.rums.layout import Layout, Turn

PATIENCE: Final = 600
"""Plays after which a deal is left: neither book says that one ever ends (XA-3)."""
_ROW: Final = "A23456789TJQKA"
_PIPS: Final = {letter: place for place, letter in enumerate(_ROW[:13], start=1)}

Pick = TypeVar("Pick")


def options(chance: Random) -> dict[str, object]:
    """The options that both rums have, at random."""
    return {
        "deals": chance.choice((None, 1, 2, 3, 4, 10)),
        "target": chance.choice((None, None, None, 60, 200)),
        "turnover_keeps_top": chance.random() < 0.4,
        "max_turnovers": chance.choice((None, None, 0, 0, 1, 2, 2)),
        "may_discard_taken_card": chance.random() < 0.3,
    }


def some(chance: Random, given: dict[str, object]) -> dict[str, object]:
    """The options, now and then one left to its default."""
    return {name: value for name, value in given.items() if chance.random() < 0.9}


def of_kind(legal: Iterable[Any], kind: type[Pick]) -> list[Pick]:
    """The plays of one kind."""
    return [it for it in legal if isinstance(it, kind)]


def kinship(card: Card, hand: Cards) -> int:
    """How many cards of the hand might go with this one: its rank, or its suit within two places."""
    found = 0
    for other in hand:
        apart = (_PIPS[card[0]] - _PIPS[other[0]]) % 13
        found += card[0] == other[0] or (card[1] == other[1] and apart in {1, 2, 11, 12})
    return found - 1


def most_useless(discards: list[Discard], hand: Cards) -> Discard:
    """The discard of the card with fewest kin, of equals the highest."""
    return min(discards, key=lambda it: (kinship(it.card, hand), -_PIPS[it.card[0]]))


def drawing(
    chance: Random, layout: Layout, turn: Turn, legal: tuple[Any, ...], *, keen: int = 2, beside: Cards = ()
) -> Draw | Take:
    """Draw or take: the top discard if it has so many kin in the hand or beside it, or now and then for no reason."""
    takes = of_kind(legal, Take)
    hand = (*layout.hands[turn.seat - 1], *beside)
    if takes and (chance.random() < 0.05 or kinship(layout.pile[-1], (*hand, layout.pile[-1])) >= keen):
        return takes[0]
    return of_kind(legal, Draw)[0]


def load(chance: Random, lie: Dealt) -> Dealt:
    """The same cards dealt so that some hands are all but finished, which is rare by chance."""
    pack = [card for card in (*(card for hand in lie.hands for card in hand), lie.upcard, *lie.stock) if card]
    chance.shuffle(pack)
    hands = [near_finished(chance, pack, len(hand), chance.choice((1, 2, 3, 3))) for hand in lie.hands]
    chance.shuffle(hands)
    return Dealt(tuple(hands), pack[0], tuple(pack[1:]))


def near_finished(chance: Random, pack: list[Card], size: int, most: int) -> Cards:
    """A hand of so many cards taken out of a pack, with at most so many combinations laid into it."""
    hand: list[Card] = []
    for _ in range(most):
        seed = chance.choice(pack)
        if chance.random() < 0.5:
            some = [card for card in pack if card[0] == seed[0]][: chance.choice((3, 3, 4, 5))]
        else:
            start, length = _ROW.index(seed[0]), chance.choice((3, 4, 4, 5))
            run = [Card(letter + seed[1]) for letter in _ROW[start : start + length]]
            some = run if set(run) <= set(pack) else []
        if len(some) >= 3 and len(hand) + len(some) <= size:
            hand += some
            for card in some:
                pack.remove(card)
    while len(hand) < size:
        hand.append(pack.pop())
    chance.shuffle(hand)
    return tuple(hand)


def on(state: Any) -> Any:
    """The table of a deal of either rum, finished or not."""
    return getattr(state, "table", state)


def next_card(layout: Layout, stock: tuple[Card | None, ...], *, keeps_top: bool) -> Card | None:
    """The card that a draw brings, from the stock as it was dealt; None if it brings none."""
    if layout.stock:
        written = layout.stock[0]
        return stock[len(stock) - len(layout.stock)] if written is None else written
    turned = layout.pile[:-1] if keeps_top else layout.pile
    return turned[0] if turned else None


def name_draw(state: Any, command: Any, stock: tuple[Card | None, ...]) -> Any:
    """The command with the card that it draws named, if it draws one."""
    if not isinstance(command, Draw):
        return command
    layout, limit = state.layout, state.options.max_turnovers
    if not layout.stock and limit is not None and layout.turnovers >= limit:
        return command
    return command._replace(card=next_card(layout, stock, keeps_top=state.options.turnover_keeps_top))


def tells(command: object) -> bool:
    """Whether the command names a card of the stock."""
    return isinstance(command, Draw) and command.card is not None


def all_cards(state: Any) -> Counter[Card | None]:
    """Where all the cards are: hands, pile, table, and stock, None for what nobody has written down."""
    table = on(state)
    found: Counter[Card | None] = Counter(table.layout.pile)
    for hand in table.layout.hands:
        found.update(hand)
    for meld in getattr(table, "melds", ()):
        found.update(meld.cards)
    found.update(table.layout.stock)
    return found


def twin(chance: Random, state: Any, viewer: int | None) -> Any:
    """The same to this viewer: hidden hands and the stock hold one another's cards, but for a card just taken.

    What he could work out by remembering discards is dealt out anew as well, so more is held hidden than must be.
    """
    table = on(state)
    if table is not state:
        return state._replace(table=twin(chance, table, viewer))
    layout, turn = table.layout, table.turn
    kept: dict[int, Cards] = {}
    pool: list[Card] = [card for card in layout.stock if card is not None]
    for seat, hand in enumerate(layout.hands, start=1):
        shown = hand if seat == viewer else (turn.taken,) if seat == turn.seat and turn.taken in hand else ()
        kept[seat] = shown
        rest = list(hand)
        for card in shown:
            rest.remove(card)
        pool += rest
    chance.shuffle(pool)
    hands = tuple(
        (*kept[seat], *(pool.pop() for _ in range(len(hand) - len(kept[seat]))))
        for seat, hand in enumerate(layout.hands, start=1)
    )
    stock = tuple(card if card is None else pool.pop() for card in layout.stock)
    return table._replace(layout=layout._replace(hands=hands, stock=stock))


def rare_turns(before: Any, command: Any, after: Any) -> Iterator[str]:
    """What a play of either rum shows of turning the pile and of taken cards."""
    layout, turn, options = before.layout, before.turn, before.options
    hand = layout.hands[command.seat - 1]
    if isinstance(command, Take):
        yield "take"
    if isinstance(command, Draw) and not layout.stock and on(after).layout.turnovers > layout.turnovers:
        yield "turned, top kept" if options.turnover_keeps_top else "turned"
        if on(after).layout.turnovers > 1:
            yield "turned again"
    if isinstance(command, Draw) and command.card is not None and layout.stock and layout.stock[0] is None:
        yield "unwritten card drawn"
    if isinstance(command, Discard) and command.card == turn.taken:
        if options.may_discard_taken_card:
            yield "taken card discarded by option"
        elif hand.count(command.card) > 1:
            yield "copy of the taken card discarded"
    if getattr(after, "ending", None) == "void":
        yield "void"


WANTED_TURNS: Final = {
    "void": 60,
    "take": 1000,
    "turned": 100,
    "turned, top kept": 60,
    "turned again": 60,
    "unwritten card drawn": 500,
    "taken card discarded by option": 100,
}
"""How many of these a full run must see."""
