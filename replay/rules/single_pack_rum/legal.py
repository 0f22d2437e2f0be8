"""What a seat may play at Single-Pack Rum: every play of the simple kinds, and of the splash one for each discard.

Splashes with the same discard differ only in how the same cards lie, so one of them stands for all.
"""

from collections.abc import Callable, Iterator, Mapping

from replay.rules.cards import Card, Cards, rank, suit
from replay.rules.rums.combinations import Fit, combinations_in, fit, with_added
from replay.rules.rums.commands import Discard, Draw, Take
from replay.rules.single_pack_rum.commands import Command, LayOff, Meld, Splash
from replay.rules.single_pack_rum.decide import forbidden
from replay.rules.single_pack_rum.state import Finished, State, Table


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """The plays, in the order of the hand; empty when there is nothing to play."""
    if isinstance(state, Finished) or seat != state.turn.seat:
        return ()
    if not state.turn.drawn:
        return (Draw(seat), Take(seat)) if state.layout.pile else (Draw(seat),)
    hand = state.layout.hands[seat - 1]
    candidates: list[Command] = [Meld(seat, cards) for cards in _layouts(state, hand)]
    candidates += [
        LayOff(seat, meld, card)
        for meld, laid in enumerate(state.melds, start=1)
        for card in hand
        if with_added(laid.cards, (card,)) is Fit.COMBINATION
    ]
    if state.options.splash and seat not in state.acted:
        candidates += _splashes(state, seat, hand)
    candidates += [Discard(seat, card) for card in hand]
    return tuple(command for command in candidates if forbidden(state, command) is None)


def _layouts(table: Table, hand: Cards) -> Iterator[Cards]:
    """Every combination in the hand that could be laid out: of three cards, or in a free session of more."""
    most = len(hand) if table.options.table_actions == "free" else 3
    for size in range(3, most + 1):
        yield from combinations_in(hand, size)


def _splashes(table: Table, seat: int, hand: Cards) -> Iterator[Splash]:
    own = [cards for size in range(3, len(hand) + 1) for cards in combinations_in(hand, size)]
    lying = {meld: laid.cards for meld, laid in enumerate(table.melds, start=1) if table.options.splash_layoffs}
    joining = {meld: _joining(cards, hand) for meld, cards in lying.items()}
    for discard in (None, *hand):
        rest = tuple(card for card in hand if card != discard)
        for melds, added in _arrangements(rest, own, joining):
            if melds and all(with_added(lying[meld], cards) is Fit.COMBINATION for meld, cards in added.items()):
                yield Splash(seat, melds, tuple(sorted(added.items())), discard)
                break


_Arrangement = tuple[tuple[Cards, ...], dict[int, Cards]]


def _arrangements(hand: Cards, own: list[Cards], joining: Mapping[int, Cards]) -> Iterator[_Arrangement]:
    """Ways to lay all these cards down, as combinations of their own or on what lies there: every way to put the first
    card somewhere, and then the rest. Whether all that is added to a combination fits it together is not asked."""
    if not hand:
        yield (), {}
        return
    first, rest = hand[0], hand[1:]
    for meld in own:
        if first in meld and all(card in hand for card in meld):
            left = tuple(card for card in rest if card not in meld)
            for melds, added in _arrangements(left, own, joining):
                yield (meld, *melds), added
    for number, cards in joining.items():
        if first in cards:
            for melds, added in _arrangements(rest, own, joining):
                yield melds, {**added, number: (first, *added.get(number, ()))}


def _joining(lying: Cards, hand: Cards) -> Cards:
    """The cards that could be added to a combination, alone or beside others of the hand.

    One after another they all can, since a run grows card by card. What lies there irregularly may need two at once.
    """
    if fit(lying) is not Fit.COMBINATION:
        return tuple(card for card in hand if _alike(rank, card, lying) or _alike(suit, card, lying))
    joined: Cards = ()
    while True:
        more = (card for card in hand if card not in joined)
        card = next((card for card in more if with_added(lying, (*joined, card)) is Fit.COMBINATION), None)
        if card is None:
            return joined
        joined = (*joined, card)


def _alike(part: Callable[[Card], str], card: Card, lying: Cards) -> bool:
    return {part(card)} == set(map(part, lying))
