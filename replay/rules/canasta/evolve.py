"""How a deal of Canasta goes from one state to the next, from the dealing on. Judges nothing."""

from typing import assert_never

from replay.rules.canasta.cards import is_black_three, is_red_three, is_wild
from replay.rules.canasta.events import (
    Answered,
    Asked,
    CardDiscarded,
    CardsDrawn,
    Event,
    Groups,
    Melded,
    Passed,
    PileTaken,
)
from replay.rules.canasta.options import Options
from replay.rules.canasta.state import Finished, Laid, Phase, Side, State, Table, Turn
from replay.rules.cards import Card, Cards, without
from replay.rules.game import Dealt, Setting


class StockTooShortError(ValueError):
    """The dealing itself needs a card of the stock that is not there, or not written down (CA-5, CA-6)."""


def start(setting: Setting, dealt: Dealt) -> Table:
    """The table when the cards lie and the red threes are replaced; raises StockTooShortError."""
    options: Options = setting.options
    seats = len(dealt.hands)
    first = setting.dealer % seats + 1
    hands, reds, stock = _replaced(dealt, first)
    pile, stock = _covered(dealt.upcard, stock, options)
    count = 2 if seats == 4 else seats
    sides = tuple(
        Side((), tuple(red for seat in range(1, seats + 1) if (seat - 1) % count == side for red in reds[seat - 1]))
        for side in range(count)
    )
    return Table(
        options=options,
        totals=setting.totals,
        seat=first,
        phase="start",
        hands=hands,
        pile=pile,
        stock=stock,
        sides=sides,
        turn=Turn(),
        laid_before=frozenset(),
        asked_before=frozenset(),
    )


_Stock = tuple[Card | None, ...]


def _replaced(dealt: Dealt, first: int) -> tuple[tuple[Cards, ...], list[Cards], _Stock]:
    """CA-5: from the first player on, each lays all his red threes and draws until his hand is full."""
    hands, stock = list(dealt.hands), dealt.stock
    reds: list[Cards] = [()] * len(hands)
    for turn in range(len(hands)):
        at = (first - 1 + turn) % len(hands)
        size = len(hands[at])
        laid = [card for card in hands[at] if is_red_three(card)]
        hand = [card for card in hands[at] if not is_red_three(card)]
        while len(hand) < size:
            card, stock = _next(stock)
            (laid if is_red_three(card) else hand).append(card)
        hands[at], reds[at] = tuple(hand), tuple(laid)
    return tuple(hands), reds, stock


def _covered(upcard: Card, stock: _Stock, options: Options) -> tuple[Cards, _Stock]:
    """CA-6: a wild card or a red three turned up is covered, and by option a black three."""
    pile = [upcard]
    while is_wild(pile[-1]) or is_red_three(pile[-1]) or _black_three_goes(pile[-1], options):
        card, stock = _next(stock)
        pile.append(card)
    return tuple(pile), stock


def _black_three_goes(card: Card, options: Options) -> bool:
    return is_black_three(card) and not options.upcard_black_three_stays


def _next(stock: _Stock) -> tuple[Card, _Stock]:
    card = stock[0] if stock else None
    if card is None:
        raise StockTooShortError("the stock is too short for what the deal itself draws")
    return card, stock[1:]


def evolve(state: State, event: Event) -> State:
    """Apply what happened. An event after the end can only come from a broken log, and raises ValueError."""
    if isinstance(state, Finished):
        raise ValueError("an event after the end of the deal")  # noqa: TRY004 - the log is broken, not a type
    match event:
        case CardsDrawn():
            return _drawn(_acting(state, event.seat), event)
        case PileTaken(seat=seat, turn=next_turn):
            table = _taken(_acting(state, seat), event)
            return table if next_turn is not None else Finished(table, "out", seat)
        case Melded(seat=seat, groups=groups, turn=next_turn):
            table = _laid(_acting(state, seat), seat, groups)
            return table if next_turn is not None else Finished(table, "out", seat)
        case CardDiscarded(seat=seat, card=card, turn=next_turn):
            table = _less(_acting(state, seat), seat, (card,))
            table = table._replace(pile=(*table.pile, card))
            return _next_turn(table, next_turn) if next_turn is not None else Finished(table, "out", seat)
        case Asked(seat=seat):
            table = _acting(state, seat)
            turn = table.turn._replace(asked=True, answer=None)
            return table._replace(phase="asked", turn=turn, asked_before=table.asked_before | {seat})
        case Answered(yes=yes, turn=asker):
            turn = state.turn._replace(answer="yes" if yes else "no")
            return state._replace(seat=asker, phase=_phase(turn), turn=turn)
        case Passed(seat=seat):
            return Finished(state, "stock_exhausted", seat)
        case _:
            assert_never(event)


def _phase(turn: Turn) -> Phase:
    """The phase of a turn in which no question stands. One asked too early, at a recorded table, starts no turn."""
    if turn.last_red:
        return "last_red"
    return "melding" if turn.drawn or turn.took_pile else "start"


def _acting(table: Table, seat: int) -> Table:
    """The seat acts; out of turn, at a recorded table, it takes the turn with it."""
    return table if seat == table.seat else _next_turn(table, seat)


def _next_turn(table: Table, seat: int) -> Table:
    laid_before = table.laid_before | {table.seat} if table.turn.laid else table.laid_before
    return table._replace(seat=seat, phase="start", turn=Turn(), laid_before=laid_before)


def _drawn(table: Table, event: CardsDrawn) -> Table:
    seat, cards, reds, _, last_red = event
    kept = tuple(card for card in cards if not is_red_three(card))
    hands = with_hand(table.hands, seat, (*table.hands[seat - 1], *kept))
    table = _with_reds(table, seat, reds)
    return table._replace(
        hands=hands,
        stock=table.stock[len(cards) :],
        phase="last_red" if last_red else "melding",
        turn=table.turn._replace(drawn=True, last_red=last_red),
    )


def _taken(table: Table, event: PileTaken) -> Table:
    seat = event.seat
    (rank, cards), *further = event.groups
    rest = tuple(card for card in table.pile[:-1] if not is_red_three(card))
    table = _laid(table, seat, ((rank, cards),), beside=event.upcard)
    table = _laid(table, seat, tuple(further))
    table = _with_reds(table, seat, event.red_threes)
    return table._replace(
        hands=with_hand(table.hands, seat, (*table.hands[seat - 1], *rest)),
        pile=(),
        phase="last_red" if table.turn.last_red else "melding",
        turn=table.turn._replace(took_pile=True),
    )


def _laid(table: Table, seat: int, groups: Groups, beside: Card | None = None) -> Table:
    """Groups go from the hand to the side's melds; `beside` is the upcard that comes with the first of them."""
    side, turn = table.side(seat), table.turn
    new, old = turn.new_ranks, turn.added_to_old
    for rank, cards in groups:
        added = cards if beside is None else (beside, *cards)
        lying = side.meld(rank)
        if lying is None:
            side = side._replace(melds=(*side.melds, Laid(rank, added)))
            new |= {rank}
        else:
            grown = Laid(rank, (*lying.cards, *added))
            side = side._replace(melds=tuple(grown if each is lying else each for each in side.melds))
            old = old or rank not in new
        table = _less(table, seat, cards)
        beside = None
    turn = turn._replace(laid=True, new_ranks=new, added_to_old=old)
    return _with_side(table, seat, side)._replace(turn=turn)


def _less(table: Table, seat: int, cards: Cards) -> Table:
    hand = table.hands[seat - 1]
    for card in cards:
        hand = without(hand, card)
    return table._replace(hands=with_hand(table.hands, seat, hand))


def _with_reds(table: Table, seat: int, reds: Cards) -> Table:
    side = table.side(seat)
    return _with_side(table, seat, side._replace(red_threes=(*side.red_threes, *reds))) if reds else table


def _with_side(table: Table, seat: int, side: Side) -> Table:
    at = table.side_of(seat)
    return table._replace(sides=(*table.sides[:at], side, *table.sides[at + 1 :]))


def with_hand(hands: tuple[Cards, ...], seat: int, hand: Cards) -> tuple[Cards, ...]:
    """The hands with another one for that seat."""
    return (*hands[: seat - 1], hand, *hands[seat:])
