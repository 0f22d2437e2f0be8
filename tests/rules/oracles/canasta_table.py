"""A second table of Canasta: the book's dealing, plays and sheet done again with lists, to hold the rules core against.

Imports nothing of the game but the shapes of commands, options and state. Judges nothing; that is in canasta.py.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Group, Meld, Pass, Take
from replay.rules.canasta.options import Options
from replay.rules.canasta.state import Finished, State
from replay.rules.cards import Card
from replay.rules.game import Dealt

JOKER = "Jk"
RED = ("3d", "3h")
BLACK = ("3c", "3s")
VALUE = {**dict.fromkeys("A2", 20), **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}


def wild(card: Card) -> bool:
    """Jokers and deuces."""
    return card == JOKER or card[0] == "2"


def worth(cards: Iterable[Card]) -> int:
    """The points of the cards."""
    return sum(50 if card == JOKER else VALUE[card[0]] for card in cards)


@dataclass
class Position:
    """A deal that is on, or has just ended."""

    options: Options
    totals: tuple[int, ...]
    seat: int
    phase: str
    hands: list[list[Card]]
    pile: list[Card]
    stock: list[Card | None]
    melds: list[dict[str, list[Card]]]
    """By side, in the order of sides."""
    reds: list[list[Card]]
    fresh: set[str] = field(default_factory=set)
    """Ranks of the melds begun in this turn."""
    joined_old: bool = False
    """Something was added in this turn to a meld that lay there before."""
    laid: bool = False
    drew: bool = False
    took: bool = False
    last_red: bool = False
    asked: bool = False
    answer: str | None = None
    veterans: set[int] = field(default_factory=set)
    """Seats that laid something in an earlier turn."""
    askers: set[int] = field(default_factory=set)
    ending: str | None = None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)

    def side(self, seat: int) -> int:
        """C1, CA-3: the place of that seat's side."""
        return (seat - 1) % 2 if self.seats == 4 else seat - 1

    def table(self, seat: int) -> dict[str, list[Card]]:
        """The melds of that seat's side."""
        return self.melds[self.side(seat)]

    def partner(self, seat: int) -> int | None:
        """The seat opposite, with four players."""
        return {1: 3, 2: 4, 3: 1, 4: 2}[seat] if self.seats == 4 else None

    @property
    def canastas_needed(self) -> int:
        """CA-51."""
        return 2 if self.seats == 2 and self.options.two_handed_draw_two else 1


def canastas(melds: dict[str, list[Card]]) -> list[str]:
    """C15: the kinds of the canastas among these melds."""
    return [("mixed" if any(map(wild, cards)) else "natural") for cards in melds.values() if len(cards) >= 7]


def dealt_out(options: Options, totals: tuple[int, ...], dealer: int, lie: Dealt) -> Position:
    """C7, CA-5, CA-6: red threes replaced from the first player on, then the upcard turned and covered."""
    seats = len(lie.hands)
    units = 2 if seats == 4 else seats
    stock = list(lie.stock)
    at = Position(options, totals, dealer % seats + 1, "start", [], [], stock, [], [])
    at.hands = [list(hand) for hand in lie.hands]
    at.melds, at.reds = [{} for _ in range(units)], [[] for _ in range(units)]
    for step in range(seats):
        seat = (dealer + step) % seats + 1
        hand, full = at.hands[seat - 1], len(lie.hands[seat - 1])
        reds = [card for card in hand if card in RED]
        hand[:] = [card for card in hand if card not in RED]
        while len(hand) < full:
            card = _next(at)
            (reds if card in RED else hand).append(card)
        at.reds[at.side(seat)] += reds
    at.pile = [lie.upcard]
    while wild(at.pile[-1]) or at.pile[-1] in RED or (at.pile[-1] in BLACK and not options.upcard_black_three_stays):
        at.pile.append(_next(at))
    return at


def _next(at: Position, name: Card | None = None) -> Card:
    card = at.stock.pop(0) or name
    assert card is not None, "a card that nobody has named"
    return card


def ordered(at: Position, it: Take) -> tuple[Group, ...]:
    """The groups of a take, the one that takes first."""
    if not it.any_order:
        return it.groups
    top = at.pile[-1][0]
    return (*(g for g in it.groups if g.rank == top), *(g for g in it.groups if g.rank != top))


def follow(at: Position, it: Command) -> Position:
    """The position after a play, however lawful it was. Draws name what nobody had written down."""
    now = _copy(at)
    if it.seat != now.seat and not isinstance(it, Answer | Pass):
        _next_turn(now, it.seat)
    hand = now.hands[it.seat - 1]
    match it:
        case Draw(cards=names):
            _draw(now, hand, list(names or ()))
        case Take():
            _take(now, it)
        case Meld(seat=seat, groups=groups):
            for group in groups:
                _lay(now, seat, group, [])
        case Discard():
            _discard(now, it)
        case Ask() | Answer():
            _speak(now, it)
        case Pass():
            now.ending = "stock_exhausted"
    if not hand and isinstance(it, Take | Meld | Discard):
        now.ending = "out"
    return now


def _discard(now: Position, it: Discard) -> None:
    hand = now.hands[it.seat - 1]
    hand.remove(it.card)
    now.pile.append(it.card)
    if hand:
        _next_turn(now, it.seat % now.seats + 1)


def _speak(now: Position, it: Ask | Answer) -> None:
    if isinstance(it, Ask):
        now.phase, now.asked, now.answer = "asked", True, None
        now.askers.add(it.seat)
    else:
        now.answer = "yes" if it.yes else "no"
        now.phase = "last_red" if now.last_red else "melding" if now.drew or now.took else "start"


def _copy(at: Position) -> Position:
    return replace(
        at,
        hands=list(map(list, at.hands)),
        pile=list(at.pile),
        stock=list(at.stock),
        melds=[{rank: list(cards) for rank, cards in melds.items()} for melds in at.melds],
        reds=list(map(list, at.reds)),
        fresh=set(at.fresh),
        veterans=set(at.veterans),
        askers=set(at.askers),
    )


def _draw(now: Position, hand: list[Card], names: list[Card]) -> None:
    wanted = 2 if now.seats == 2 and now.options.two_handed_draw_two else 1
    card: Card | None = None
    while wanted and now.stock:
        card = _next(now, names.pop(0) if names else None)
        if card in RED:
            now.reds[now.side(now.seat)].append(card)
        else:
            hand.append(card)
            wanted -= 1
    now.drew = True
    now.last_red = card in RED
    now.phase = "last_red" if now.last_red else "melding"


def _take(now: Position, it: Take) -> None:
    first, *further = ordered(now, it)
    upcard, rest = now.pile[-1], now.pile[:-1]
    _lay(now, it.seat, first, [upcard])
    for group in further:
        _lay(now, it.seat, group, [])
    now.reds[now.side(it.seat)] += [card for card in rest if card in RED]
    now.hands[it.seat - 1] += [card for card in rest if card not in RED]
    now.pile = []
    now.took = True
    now.phase = "last_red" if now.last_red else "melding"


def _lay(now: Position, seat: int, group: Group, beside: list[Card]) -> None:
    for card in group.cards:
        now.hands[seat - 1].remove(card)
    melds = now.table(seat)
    if group.rank not in melds:
        now.fresh.add(group.rank)
    elif group.rank not in now.fresh:
        now.joined_old = True
    melds.setdefault(group.rank, []).extend((*beside, *group.cards))
    now.laid = True


def _next_turn(now: Position, seat: int) -> None:
    if now.laid:
        now.veterans.add(now.seat)
    now.seat, now.phase = seat, "start"
    now.fresh, now.joined_old, now.laid, now.drew, now.took = set(), False, False, False, False
    now.last_red, now.asked, now.answer = False, False, None


def sheets(at: Position, last: int) -> tuple[tuple[int, ...], ...]:
    """The nine items of each side by the book's formula; `last` made the last play."""
    return tuple(_sheet(at, side, last) for side in range(len(at.melds)))


def _sheet(at: Position, side: int, last: int) -> tuple[int, ...]:
    melds, red = at.melds[side], len(at.reds[side])
    out = at.ending == "out" and at.side(last) == side
    hidden = out and at.laid and last not in at.veterans and not at.joined_old
    if at.options.concealed_needs_own_canasta:
        hidden = hidden and bool(canastas({rank: melds[rank] for rank in at.fresh}))
    if not at.options.concealed_allows_pile:
        hidden = hidden and not at.took
    kinds = canastas(melds)
    bonus = red * (200 if red == 4 else 100)
    item3 = bonus if melds else 0
    item6 = sum(map(worth, melds.values()))
    item7 = 100 * out + 100 * hidden + item3 + 500 * kinds.count("natural") + 300 * kinds.count("mixed") + item6
    hands = sum(worth(hand) for seat, hand in enumerate(at.hands, start=1) if at.side(seat) == side)
    item8 = hands + (0 if melds else bonus)
    natural, mixed = 500 * kinds.count("natural"), 300 * kinds.count("mixed")
    return (100 * out, 100 * hidden, item3, natural, mixed, item6, item7, item8, item7 - item8)


def position(state: State) -> Position:
    """The rules core's state as a position."""
    table = state.table if isinstance(state, Finished) else state
    turn = table.turn
    return Position(
        options=table.options,
        totals=table.totals,
        seat=table.seat,
        phase=table.phase,
        hands=[list(hand) for hand in table.hands],
        pile=list(table.pile),
        stock=list(table.stock),
        melds=[{laid.rank: list(laid.cards) for laid in side.melds} for side in table.sides],
        reds=[list(side.red_threes) for side in table.sides],
        fresh=set(turn.new_ranks),
        joined_old=turn.added_to_old,
        laid=turn.laid,
        drew=turn.drawn,
        took=turn.took_pile,
        last_red=turn.last_red,
        asked=turn.asked,
        answer=turn.answer,
        veterans=set(table.laid_before),
        askers=set(table.asked_before),
        ending=state.ending if isinstance(state, Finished) else None,
    )


def same(one: Position, other: Position) -> bool:
    """Whether two positions are one, cards counted and not ordered (XA-7), but for pile and stock."""
    return _plain(one) == _plain(other)


def _plain(at: Position) -> tuple[object, ...]:
    hands = [Counter(hand) for hand in at.hands]
    melds = [{rank: Counter(cards) for rank, cards in melds.items()} for melds in at.melds]
    turn = (at.fresh, at.joined_old, at.laid, at.drew, at.took, at.last_red, at.asked, at.answer)
    public = (at.pile, at.stock, melds, [Counter(reds) for reds in at.reds])
    return (at.totals, at.seat, at.phase, hands, public, turn, at.veterans, at.askers, at.ending)
