"""Single-Pack Rum read a second time: its tables of plays, its splashes by trying everything, its scoring formula.

Imports nothing of the game that judges, only the shape of a position and of a play. It reads the book's table of legal
plays and its table of forbidden plays each by itself, so the two are held against one another as well.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Final, NamedTuple

from replay.rules.cards import JOKER, PACK, Card, Cards
from replay.rules.rums.commands import Discard, Draw, Take
from replay.rules.single_pack_rum.commands import Command, LayOff, Meld, Splash
from replay.rules.single_pack_rum.state import Finished, State, Table
from tests.rules.oracles.rums import (
    IMPOSSIBLE,
    drawable,
    is_combination,
    just_taken,
    most_plays,
    only_for_its_ace,
    subsets,
)
from tests.rules.oracles.same_plays import same_plays


class Position:
    """What the tables ask about, seen from one seat."""

    def __init__(self, table: Table, seat: int) -> None:
        self.seat = seat
        self.my_turn = table.turn.seat == seat
        self.drawn = table.turn.drawn
        self.turn = table.turn
        self.options = table.options
        self.hand = table.layout.hands[seat - 1]
        self.pile = table.layout.pile
        self.table = {number: laid.cards for number, laid in enumerate(table.melds, start=1)}
        self.own = {number for number, laid in enumerate(table.melds, start=1) if laid.seat == seat}
        self.actions = table.actions
        self.acted = seat in table.acted

    def beyond_limit(self, command: Meld | LayOff) -> bool:
        """The table of `table_actions`: whether this would be one too many in the turn."""
        melds, to_others, to_own = self.actions
        if isinstance(command, Meld):
            melds += 1
        elif command.meld in self.own:
            to_own += 1
        else:
            to_others += 1
        match self.options.table_actions:
            case "exclusive":
                return melds + to_others + to_own > 1
            case "own_extra":
                return (melds, to_others, to_own) not in _OWN_EXTRA
            case "free":
                return False

    def taken(self, card: Card) -> bool:
        """XA-4 and its exception SA-24."""
        only_one = len(self.hand) == 1 and self.actions != (0, 0, 0)
        return just_taken(self.hand, self.turn, self.options, card) and not only_one

    def lying(self, command: LayOff | Splash) -> list[Cards]:
        """What the combinations named become with all that is added to them."""
        if isinstance(command, LayOff):
            return [(*self.table[command.meld], command.card)]
        numbers = {number for number, _ in command.lay_offs}
        return [
            (*self.table[number], *(card for it, cards in command.lay_offs if it == number for card in cards))
            for number in numbers
        ]


_OWN_EXTRA: Final = {(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2)}
"""One of the three, and one more to his own: layouts, cards to others', cards to his own."""


class Row(NamedTuple):
    """One row of the table of forbidden plays."""

    clause: str
    applies: Callable[[Position, Command], bool]


def groups(command: Command) -> tuple[Cards, ...]:
    """What a play lays out as combinations of its own."""
    match command:
        case Meld(cards=cards):
            return (cards,)
        case Splash(melds=melds):
            return melds
        case _:
            return ()


def used(command: Command) -> Cards:
    """The cards that a play takes out of the hand."""
    match command:
        case Draw() | Take():
            return ()
        case Discard(card=card) | LayOff(card=card):
            return (card,)
        case Meld(cards=cards):
            return cards
        case Splash(melds=melds, lay_offs=lay_offs, discard=discard):
            cards = tuple(card for some in (*melds, *(added for _, added in lay_offs)) for card in some)
            return cards if discard is None else (*cards, discard)


def _spoils_splash(at: Position, it: Command) -> bool:
    if not isinstance(it, Splash):
        return False
    return at.acted or len(used(it)) < len(at.hand) or (bool(it.lay_offs) and not at.options.splash_layoffs)


def _wrong(at: Position, it: Command, *, for_its_ace: bool, added: bool) -> bool:
    """Whether something laid out (or made by adding) is no combination, all for an ace or not."""
    if added and not isinstance(it, LayOff | Splash):
        return False
    made = at.lying(it) if added and isinstance(it, LayOff | Splash) else groups(it)
    wrong = [cards for cards in made if not is_combination(cards)]
    return bool(wrong) and all(map(only_for_its_ace, wrong)) == for_its_ace


def _beyond(at: Position, it: Command) -> bool:
    return isinstance(it, Meld | LayOff) and at.beyond_limit(it)


FORBIDDEN: Final = (
    Row("S6", lambda at, it: not at.my_turn or (at.drawn and isinstance(it, Draw | Take))),
    Row("S7", lambda at, it: isinstance(it, Discard) and not at.drawn),
    Row("S10", lambda at, it: isinstance(it, Meld | LayOff | Splash) and not at.drawn),
    Row("SA-14", lambda at, it: isinstance(it, Splash) and not at.options.splash),
    Row("SA-15", _spoils_splash),
    Row("SA-28", lambda _, it: isinstance(it, Splash) and not it.melds),
    Row("S9", lambda at, it: _wrong(at, it, for_its_ace=False, added=False)),
    Row("SA-10", lambda at, it: _wrong(at, it, for_its_ace=True, added=False)),
    Row("SA-9", lambda at, it: isinstance(it, Meld) and len(it.cards) > 3 and at.options.table_actions != "free"),
    Row("SA-9", lambda at, it: _wrong(at, it, for_its_ace=False, added=True)),
    Row("SA-10", lambda at, it: _wrong(at, it, for_its_ace=True, added=True)),
    Row("SA-25", lambda at, it: _beyond(at, it) and at.options.table_actions != "exclusive"),
    Row("SA-3", _beyond),
    Row("XA-4", lambda at, it: isinstance(it, Discard) and at.taken(it.card)),
)
"""The book's table of forbidden plays; the first row that applies is cited."""


def judge(table: Table) -> Callable[[Command], str | None]:
    """The verdicts of this table."""
    layout = table.layout
    draws = drawable(layout, table.options, 1, [laid.cards for laid in table.melds])
    seats: dict[int, Position] = {}

    def verdict(command: Command) -> str | None:
        if command.seat not in seats:
            seats[command.seat] = Position(table, command.seat)
        at = seats[command.seat]
        named = [number for number, _ in command.lay_offs] if isinstance(command, Splash) else []
        if isinstance(command, LayOff):
            named = [command.meld]
        if isinstance(command, Splash) and not (command.melds or command.lay_offs):
            return IMPOSSIBLE  # it lays nothing down, so it is no splash
        if isinstance(command, Draw):
            possible = command.card in draws
        elif isinstance(command, Take):
            possible = bool(layout.pile)
        else:
            away = used(command)  # of one pack each card is there once
            possible = at.table.keys() >= set(named) and len(set(away)) == len(away) and set(away) <= set(at.hand)
        if not possible:
            return IMPOSSIBLE
        return next((row.clause for row in FORBIDDEN if row.applies(at, command)), None)

    return verdict


def simple_plays(table: Table, seat: int) -> list[Command]:
    """The plays that the table of legal plays gives this seat, but for splashes; a draw unnamed, a layout sorted."""
    at = Position(table, seat)
    if not at.my_turn:
        return []
    if not at.drawn:
        return [Draw(seat), Take(seat)] if at.pile else [Draw(seat)]
    most = len(at.hand) if at.options.table_actions == "free" else 3
    laying: list[Meld | LayOff] = [Meld(seat, _sorted(cards)) for cards in laid_out(at.hand) if len(cards) <= most]
    laying += (LayOff(seat, number, card) for number, lying in at.table.items() for card in additions(at.hand, lying))
    discards = (Discard(seat, card) for card in at.hand if not at.taken(card))
    return [*(it for it in laying if not at.beyond_limit(it)), *discards]


def _sorted(cards: Cards) -> Cards:
    return tuple(sorted(cards))


def laid_out(hand: Cards) -> list[Cards]:
    """Every combination in the hand."""
    return [tuple(card for place, card in enumerate(hand) if some >> place & 1) for some in subsets(hand)]


def additions(hand: Cards, lying: Cards) -> list[Card]:
    """The cards of the hand of which one may be added to the combination."""
    return [card for card in hand if is_combination((*lying, card))]


def splash_discards(table: Table, seat: int) -> set[Card | None]:
    """The cards (None for none) that may be the discard of some splash of this seat."""
    at = Position(table, seat)
    if not (at.my_turn and at.drawn and at.options.splash) or at.acted:
        return set()
    addable = [_all_additions(at.hand, lying) for lying in at.table.values()] if at.options.splash_layoffs else []
    covered = covering(at.hand)
    found: set[Card | None] = set()
    for added in product(*addable):
        away = frozenset[Card]().union(*added)
        if len(away) < sum(map(len, added)):
            continue  # a card on two combinations
        rest = frozenset(at.hand) - away
        found.update(discard for discard in (None, *sorted(rest)) if rest - {discard} and covered(rest - {discard}))
    return found


def _all_additions(hand: Cards, lying: Cards) -> list[frozenset[Card]]:
    """Every set of cards of the hand, none too, that may be added to the combination together."""
    related = [card for card in hand if card[0] == lying[0][0] or card[1] == lying[0][1]]
    sets = (some for size in range(1, len(related) + 1) for some in combinations(related, size))
    return [frozenset(), *(frozenset(some) for some in sets if is_combination((*lying, *some)))]


def covering(hand: Cards) -> Callable[[frozenset[Card]], bool]:
    """Whether cards of this hand are combinations and nothing else."""
    combined = [frozenset(cards) for cards in laid_out(hand)]

    def covered(cards: frozenset[Card]) -> bool:
        first = min(cards, default=None)
        return first is None or any(covered(cards - some) for some in combined if first in some and some <= cards)

    return covered


def list_fault(state: State, seat: int, listed: tuple[Command, ...]) -> str | None:
    """What is wrong with the game's list: it holds every play but a splash, and of splashes one for each discard."""
    if isinstance(state, Finished) or state.turn.seat != seat:
        return f"{listed} is listed for who may not play" if listed else None
    simple = [it._replace(cards=_sorted(it.cards)) if isinstance(it, Meld) else it for it in listed]
    simple = [it for it in simple if not isinstance(it, Splash)]
    legal = simple_plays(state, seat)
    if not same_plays(simple, legal):
        return f"{simple} is listed, {legal} is legal"
    splashes = [it for it in listed if isinstance(it, Splash)]
    verdict = judge(state)
    wrong = [it for it in splashes if verdict(it) is not None]
    if wrong:
        return f"{wrong} is listed and not legal"
    discards = splash_discards(state, seat)
    if {it.discard for it in splashes} != discards or len(splashes) != len(discards):
        return f"{splashes} is listed, there are splashes with discards {discards}"
    return None


def sayable(table: Table, seat: int) -> Iterator[Command]:
    """Plays to be asked: every draw, discard and small layout, and additions and splashes, right and wrong.

    What another seat holds does not come into it.
    """
    at = Position(table, seat)
    hand = at.hand
    strange = [card for card in PACK if card not in hand][:2]
    yield Draw(seat)
    yield Take(seat)
    for card in (*PACK, JOKER):
        yield Draw(seat, card)
        yield Discard(seat, card)
    for number in range(1, len(at.table) + 2):
        yield from (LayOff(seat, number, card) for card in (*hand, *strange))
    for size in (1, 2, 3):
        yield from (Meld(seat, cards) for cards in combinations(hand, size))
    yield from (Meld(seat, cards) for cards in laid_out(hand) if len(cards) > 3)
    yield from (Meld(seat, cards) for cards in (hand, hand[:4], (*hand[:2], strange[0]), hand[:1] * 3) if cards)
    yield from _splashes(at, strange[0])


def _splashes(at: Position, strange: Card) -> Iterator[Splash]:
    seat, hand = at.seat, at.hand
    yield Splash(seat, (), (), hand[0] if hand else strange)
    yield Splash(seat, ((*hand, strange),))
    yield Splash(seat, (hand[::-1],)) if hand else Splash(seat, ())
    yield Splash(seat, (hand[:-1],), (), hand[-1]) if len(hand) > 1 else Splash(seat, ())
    for number in range(1, len(at.table) + 2):
        yield Splash(seat, (), ((number, hand),))
        if len(hand) > 3:
            yield Splash(seat, (hand[3:],), ((number, hand[:2]),), hand[2])
    melds = laid_out(hand)
    for one in melds:
        rest = tuple(card for card in hand if card not in one)
        yield Splash(seat, (one,))
        yield Splash(seat, (one, rest) if rest else (one,))
        if rest:
            yield Splash(seat, (one, rest[1:]) if rest[1:] else (one,), (), rest[0])
            yield from (Splash(seat, (one,), ((number, rest),)) for number in at.table)
        if len(rest) > 1:
            yield from (Splash(seat, (one,), ((number, rest[:-1]),), rest[-1]) for number in at.table)
            yield from (Splash(seat, (one,), ((number, rest[:1]), (number, rest[1:]))) for number in at.table)


def count(hand: Cards) -> int:
    """The pips of a hand."""
    return sum(1 + "A23456789TJQK".index(card[0]) for card in hand)


def points(state: State, _number: int) -> tuple[int, ...]:
    """The points of a finished deal by the formula, from the hands alone."""
    assert isinstance(state, Finished)
    hands, options = state.table.layout.hands, state.table.options
    if state.ending == "void":
        return (0,) * len(hands)
    pips = list(map(count, hands))
    f = 2 if state.splash else 1
    won = sum(f * left for seat, left in enumerate(pips, start=1) if seat != state.last)
    lost = [0 if options.settlement == "winner_credit" else -f * left for left in pips]
    return tuple(won if seat == state.last else lost[seat - 1] for seat in range(1, len(hands) + 1))


def unsound(state: State, scored: tuple[int, ...]) -> str | None:
    """A deal sums to zero; when the winner is only credited, nobody else has any points."""
    assert isinstance(state, Finished)
    if state.table.options.settlement == "zero_sum":
        return None if sum(scored) == 0 else f"{scored} do not sum to zero"
    others = [n for seat, n in enumerate(scored, start=1) if seat != state.last]
    return None if not any(others) and min(scored) >= 0 else f"{scored} are not the winner's alone"


def bound(state: State, made: Counter[str]) -> int:
    """The most plays that can have led here."""
    table = state.table if isinstance(state, Finished) else state
    laid = sum(len(meld.cards) for meld in table.melds)
    return most_plays(table.layout, made, laid)
