"""Seeded players of Canasta: options, totals and deals that bring about what is rare, styles of play, hidden cards.

Judges nothing: what is legal, players are told.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final, TypeVar

from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Meld, Pass, Take
from replay.rules.canasta.state import Finished, State, Table
from replay.rules.cards import PACK, Card
from replay.rules.game import Dealt
from tests.rules.oracles.canasta_table import BLACK, JOKER, RED, wild, worth

SWITCHES: Final = (
    "frozen_before_initial_meld",
    "red_upcard_freezes",
    "concealed_needs_own_canasta",
    "upcard_black_three_stays",
    "wilds_may_exceed_naturals",
    "black_three_wilds",
    "concealed_allows_pile",
    "concealed_waives_minimum",
    "forced_take_on_empty_stock",
    "two_handed_draw_two",
)


def options(chance: Random) -> dict[str, object]:
    """A preset alone in half of the sessions; in the others everything at random, now and then left to the preset."""
    preset: dict[str, object] = {"preset": chance.choice(("goren_1949", "official_1949"))}
    if chance.random() < 0.5:
        return preset
    some: dict[str, object] = {name: chance.random() < 0.5 for name in SWITCHES}
    some |= {
        "deals": chance.choice((None, None, None, 3)),
        "target": chance.choice((5000, 5000, 5000, None)),
        "negative_minimum": chance.choice((15, 50)),
        "single_card_pile": chance.choice(("allow", "forbid")),
        "ask_limit": chance.choice(("per_turn", "per_deal")),
    }
    return preset | {name: value for name, value in some.items() if chance.random() < 0.8}


def totals(chance: Random, units: int) -> tuple[int, ...] | None:
    """Brought forward: nothing in a few sessions, else any total from below zero to just under the target."""
    if chance.random() < 0.1:
        return None
    kinds = ((-900, -5), (0, 1495), (1500, 2995), (3000, 4995))
    # One side at least is near the end, so that sessions are of a few deals.
    lows = [(4400, 4995), *(chance.choice(kinds) for _ in range(units - 1))]
    chance.shuffle(lows)
    if chance.random() < 0.3:
        lows = [(4800, 4995)] * units
    return tuple(5 * chance.randrange(low // 5, high // 5 + 1) for low, high in lows)


LEAST_WRITTEN: Final = 24
"""Cards of the stock that must be written down: four replace red threes, and twenty may have to be covered."""


def load(chance: Random, lie: Dealt) -> Dealt:
    """The same cards, laid so that something rare comes about."""
    way = chance.choice((_red_last, _four_reds, _covered, _strong, _threes, _reds_in_a_row))
    cards: list[Any] = [card for hand in lie.hands for card in hand]
    cards += (lie.upcard, *lie.stock)
    size = len(lie.hands[0])
    way(chance, cards, size, size * len(lie.hands))
    hands = tuple(tuple(cards[at : at + size]) for at in range(0, size * len(lie.hands), size))
    upcard, *stock = cards[size * len(lie.hands) :]
    return Dealt(hands, upcard, tuple(stock))


def _swap(cards: list[Card], at: int, wanted: Sequence[str], start: int = 0) -> None:
    """Put one of the wanted cards at this place, from the first place after `start` that has one."""
    there = next((place for place in range(start, len(cards)) if cards[place] in wanted), None)
    if there is not None:
        cards[at], cards[there] = cards[there], cards[at]


def _red_last(chance: Random, cards: list[Card], _size: int, upcard: int) -> None:
    for at in range(-1, -chance.choice((2, 2, 3)), -1):
        _swap(cards, at, RED)
    for at in range(upcard):  # none may come before
        if cards[at] in RED:
            _swap(cards, at, [card for card in PACK if card not in RED], upcard + 20)


def _four_reds(chance: Random, cards: list[Card], size: int, _upcard: int) -> None:
    seat = chance.randrange(2)
    for at in range(4):
        _swap(cards, seat * size + at, RED, seat * size + at)
        _swap(cards, seat * size + at, RED)


def _covered(chance: Random, cards: list[Card], _size: int, upcard: int) -> None:
    _swap(cards, upcard, [chance.choice((*RED, "2c", "2h", JOKER))])


def _strong(chance: Random, cards: list[Card], size: int, _upcard: int) -> None:
    """A hand of nearly one canasta and another group."""
    seat, ranks = chance.randrange(2), chance.sample("AKQJT98765", 2)
    for at in range(min(size, 11)):
        rank = ranks[0] if at < 7 else ranks[1]
        _swap(cards, seat * size + at, [rank + suit for suit in "cdhs"], seat * size + at)


def _threes(chance: Random, cards: list[Card], size: int, upcard: int) -> None:
    _strong(chance, cards, size, upcard)
    for at in range(3):
        _swap(cards, size + 8 + at, BLACK)


def _reds_in_a_row(chance: Random, cards: list[Card], _size: int, upcard: int) -> None:
    start = upcard + 1 + chance.choice((8, 11, 12, 13))
    for at in range(2):
        _swap(cards, start + at, RED)


Pick = TypeVar("Pick")


def _of(legal: tuple[Command, ...], kind: type[Pick]) -> list[Pick]:
    return [it for it in legal if isinstance(it, kind)]


def anything(chance: Random, _state: Table, legal: tuple[Command, ...]) -> Command:
    """Any legal play."""
    return chance.choice(legal)


def _least_needed(chance: Random, state: Table, legal: tuple[Command, ...]) -> Discard:
    """The discard that is dearest to nobody: single, cheap, no wild card."""
    discards = _of(legal, Discard)
    hand = state.hands[state.seat - 1]
    counts = Counter(card[0] for card in hand)
    own = {laid.rank for laid in state.side(state.seat).melds}
    return min(discards, key=lambda it: (wild(it.card), it.card[0] in own, counts[it.card[0]], chance.random()))


def _laid(it: Meld | Take) -> list[Card]:
    return [card for group in it.groups for card in group.cards]


def builder(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Takes the pile when it can, opens, builds canastas, mostly without wild cards, asks now and then, goes out."""
    takes, melds = _of(legal, Take), _of(legal, Meld)
    answers = _of(legal, Answer)
    if answers:
        return chance.choice(answers)
    if takes and chance.random() < 0.9:
        return min(takes, key=lambda it: len(_laid(it)))
    draws, asks = _of(legal, Draw), _of(legal, Ask)
    if draws:
        return draws[0]
    if asks and chance.random() < 0.4:
        return asks[0]
    hand = state.hands[state.seat - 1]
    closing = [it for it in melds if len(_laid(it)) >= len(hand) - 1]
    if closing and chance.random() < 0.7:
        return chance.choice(closing)
    plain = [it for it in melds if not any(map(wild, _laid(it)))]
    if not state.side(state.seat).melds or chance.random() < 0.2:
        plain = plain or melds
    if plain and chance.random() < 0.8:
        return max(plain, key=lambda it: len(_laid(it)))
    return _last_resort(chance, state, legal)


def _last_resort(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    if _of(legal, Discard):
        return _least_needed(chance, state, legal)
    return chance.choice(legal)


def spender(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Lays whatever can be laid, wild cards first, on canastas too."""
    laying: list[Take | Meld] = [*_of(legal, Take), *_of(legal, Meld)]
    if laying:
        return max(laying, key=lambda it: (sum(map(wild, _laid(it))), len(_laid(it))))
    return next(iter(_of(legal, Draw)), None) or _last_resort(chance, state, legal)


def freezer(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """A builder that throws wild cards, and black threes before the next player."""
    spoil = [it for it in _of(legal, Discard) if wild(it.card) or it.card in BLACK]
    if spoil and chance.random() < 0.5:
        return chance.choice(spoil)
    return builder(chance, state, legal)


def hider(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Lays nothing before it can lay everything at once."""
    hand = state.hands[state.seat - 1]
    closing = [it for it in _of(legal, Meld) if len(_laid(it)) >= len(hand) - 1]
    if closing:
        return max(closing, key=lambda it: len(_laid(it)))
    quiet = [it for it in legal if isinstance(it, Draw | Answer)]
    if quiet:
        return chance.choice(quiet)
    return _last_resort(chance, state, tuple(it for it in legal if not isinstance(it, Meld | Take)) or legal)


def keeper(chance: Random, state: Table, legal: tuple[Command, ...]) -> Command:
    """Never goes out while it need not, and passes as soon as it may, so that the stock runs out."""
    hand = state.hands[state.seat - 1]
    staying = [it for it in legal if not isinstance(it, Take | Meld) or len(_laid(it)) < len(hand) - 2]
    passes = _of(tuple(staying), Pass)
    if passes and chance.random() < 0.8:
        return passes[0]
    rest = [it for it in staying if not (isinstance(it, Discard) and len(hand) == 1)] or list(legal)
    melds = [it for it in rest if isinstance(it, Meld)]
    if melds and chance.random() < 0.6:
        return chance.choice(melds)
    draws = [it for it in rest if isinstance(it, Draw)]
    return draws[0] if draws else _last_resort(chance, state, tuple(rest))


STYLES: Final = (builder, builder, builder, freezer, spender, hider, keeper, keeper, anything)


def name_draw(state: Table, command: Command, stock: tuple[Card | None, ...]) -> Command:
    """A draw with all that it brings named, from the stock as it was dealt."""
    if not isinstance(command, Draw):
        return command
    come = tuple(card for card in _coming(state, stock[len(stock) - len(state.stock) :]) if card is not None)
    return command._replace(cards=come) if come else command


def tells(command: Command) -> bool:
    """Whether the command names cards of the stock."""
    return isinstance(command, Draw) and command.cards is not None


def all_cards(state: State) -> Counter[Card | None]:
    """Where all the cards are: hands, pile, melds, red threes, and the stock, None for what nobody has written down."""
    table = state.table if isinstance(state, Finished) else state
    found: Counter[Card | None] = Counter(table.pile)
    for cards in (*table.hands, *(side.red_threes for side in table.sides)):
        found.update(cards)
    for side in table.sides:
        for laid in side.melds:
            found.update(laid.cards)
    found.update(table.stock)
    return found


def twin(chance: Random, state: State, viewer: int | None) -> State:
    """The same to this viewer: hidden hands and the stock hold one another's cards. No hand can hold a red three, and
    what the next draw lays open stays, since it is known as soon as it is drawn."""
    if isinstance(state, Finished):
        table = twin(chance, state.table, viewer)
        assert isinstance(table, Table)
        return state._replace(table=table)
    coming = _coming(state, state.stock)
    fixed = {at for at, card in enumerate(coming) if card in RED}
    hidden = [seat for seat in range(1, len(state.hands) + 1) if seat != viewer]
    later = [card for card in state.stock[len(coming) :] if card is not None]
    reds = [card for card in later if card in RED]
    pool = [card for seat in hidden for card in state.hands[seat - 1]]
    pool += [card for card in (*coming, *later) if card is not None and card not in RED]
    chance.shuffle(pool)
    hands = list(state.hands)
    for seat in hidden:
        hands[seat - 1] = tuple(pool.pop() for _ in hands[seat - 1])
    first = [card if card is None or at in fixed else pool.pop() for at, card in enumerate(coming)]
    rest = [*pool, *reds]
    chance.shuffle(rest)
    stock = (*first, *(card if card is None else rest.pop() for card in state.stock[len(coming) :]))
    return state._replace(hands=tuple(hands), stock=stock)


def _coming(state: Table, stock: tuple[Card | None, ...]) -> list[Card | None]:
    """What the next draw brings: red threes, and the playing cards that replace them."""
    wanted, come = (2 if state.draws_two else 1), []
    for card in stock:
        come.append(card)
        wanted -= card not in RED
        if not wanted:
            break
    return come


def laid_worth(before: Table, it: Meld | Take) -> int:
    """The points of what a play lays."""
    return worth(_laid(it)) + (worth(before.pile[-1:]) if isinstance(it, Take) else 0)
