"""Canasta read a second time: the book's table of forbidden plays row by row, to hold the rules core against.

Imports neither decide, melds, planning, going_out nor drawing of the game, only the shape of a position and of a play.
Whether a hand could go out is found by trying every way to share out its wild cards.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Group, Meld, Pass, Take
from replay.rules.canasta.state import Finished, State
from replay.rules.cards import PACK, Card
from tests.rules.oracles.canasta_table import (
    BLACK,
    JOKER,
    RED,
    Position,
    canastas,
    follow,
    ordered,
    position,
    sheets,
    wild,
    worth,
)

IMPOSSIBLE: Final = "impossible"
RANKS: Final = "AKQJT9876543"


def minimum(at: Position, seat: int) -> int:
    """C16, CA-11."""
    total = at.totals[at.side(seat)]
    if total < 0:
        return at.options.negative_minimum
    return 120 if total >= 3000 else 90 if total >= 1500 else 50


def frozen(at: Position, seat: int) -> str | None:
    """C20, CA-7: what freezes the pile for that seat."""
    if any(map(wild, at.pile)):
        return "C20"
    by_red = at.options.red_upcard_freezes and any(card in RED for card in at.pile)
    by_lack = at.options.frozen_before_initial_meld and not at.table(seat)
    return "CA-7" if by_red or by_lack else None


def _groups(at: Position, it: Command) -> tuple[Group, ...]:
    if isinstance(it, Take):
        return ordered(at, it)
    return it.groups if isinstance(it, Meld) else ()


def _wholes(at: Position, it: Command) -> list[tuple[str, list[Card]]]:
    """Each group with what it joins."""
    found = []
    for n, group in enumerate(_groups(at, it)):
        beside = [at.pile[-1]] if n == 0 and isinstance(it, Take) else []
        found.append((group.rank, [*at.table(it.seat).get(group.rank, ()), *beside, *group.cards]))
    return found


def _left(at: Position, it: Command) -> int:
    """Cards in hand after the play."""
    held = len(at.hands[it.seat - 1]) - sum(len(group.cards) for group in _groups(at, it)) - isinstance(it, Discard)
    return held + (sum(card not in RED for card in at.pile[:-1]) if isinstance(it, Take) else 0)


def _lacks(at: Position, it: Command) -> bool:
    """Whether the side lacks the canastas needed after the play."""
    melds = {**at.table(it.seat), **dict(_wholes(at, it))}
    return len(canastas(melds)) < at.canastas_needed


def _fitting(at: Position, it: Take) -> tuple[int, int]:
    """Naturals of the upcard's rank, and wild cards, in the group that takes."""
    cards = ordered(at, it)[0].cards
    return sum(card[0] == at.pile[-1][0] and not wild(card) for card in cards), sum(map(wild, cards))


Row = Callable[[Position, Command], str | None]


def _question(at: Position, it: Command) -> str | None:
    own = isinstance(it, Answer) and at.partner(at.seat) is None  # asked in vain at a recorded table
    return "CA-22" if at.phase == "asked" and it.seat == at.seat and not own else None


def _out_of_turn(at: Position, it: Command) -> str | None:
    answer = isinstance(it, Answer) and it.seat == at.partner(at.seat)
    return "CA-32" if it.seat != at.seat and not answer else None


def _wrong_order(at: Position, it: Command) -> str | None:
    first = isinstance(it, Draw | Take)
    later = isinstance(it, Meld | Ask | Discard)
    return "CA-32" if (first and at.phase != "start") or (later and at.phase == "start") else None


def _never_taken(at: Position, it: Command) -> str | None:
    return "CA-10" if isinstance(it, Take) and (wild(at.pile[-1]) or at.pile[-1] in BLACK) else None


def _one_card(at: Position, it: Command) -> str | None:
    ones = len(at.pile) == 1 and len(at.hands[it.seat - 1]) == 1
    return "CA-30" if isinstance(it, Take) and ones and at.options.single_card_pile == "forbid" else None


def _first_group(at: Position, it: Command) -> str | None:
    return "CA-8" if isinstance(it, Take) and ordered(at, it)[0].rank != at.pile[-1][0] else None


def _frozen_pile(at: Position, it: Command) -> str | None:
    return frozen(at, it.seat) if isinstance(it, Take) and _fitting(at, it)[0] < 2 else None


def _no_way(at: Position, it: Command) -> str | None:
    if not isinstance(it, Take) or frozen(at, it.seat):
        return None
    naturals, wilds = _fitting(at, it)
    way = naturals >= 2 or (naturals and wilds) or at.pile[-1][0] in at.table(it.seat)
    return None if way else "CA-8"


def _no_meld(at: Position, it: Command) -> str | None:
    for rank, cards in _wholes(at, it):
        if len(cards) < 3 or any(card[0] != rank for card in cards if not wild(card)):
            return "C12"
    return None


def _two_and_three(at: Position, it: Command) -> str | None:
    counts = [Counter(map(wild, cards)) for _, cards in _wholes(at, it)]
    return "C14" if any(count[False] < 2 or count[True] > 3 for count in counts) else None


def _too_wild(at: Position, it: Command) -> str | None:
    counts = [Counter(map(wild, cards)) for _, cards in _wholes(at, it)]
    more = any(count[True] > count[False] for count in counts)
    return "CA-16" if more and not at.options.wilds_may_exceed_naturals else None


def _twice(at: Position, it: Command) -> str | None:
    ranks = [group.rank for group in _groups(at, it)]
    return "CA-14" if len(ranks) > len(set(ranks)) else None


def _black_threes(at: Position, it: Command) -> str | None:
    threes = [card for group in _groups(at, it) if group.rank == "3" for card in group.cards]
    if not threes:
        return None
    if _left(at, it) > (0 if at.last_red else 1) or _lacks(at, it) or at.answer == "no":
        return "C19"
    return "CA-19" if any(map(wild, threes)) and not at.options.black_three_wilds else None


def _too_small(at: Position, it: Command) -> str | None:
    if not isinstance(it, Take | Meld) or at.table(it.seat):
        return None
    laid = [card for _, cards in _wholes(at, it) for card in cards]
    if worth(laid) >= minimum(at, it.seat):
        return None
    hidden = it.seat not in at.veterans and not at.laid and _left(at, it) <= 1 and not _lacks(at, it)
    if (at.took or isinstance(it, Take)) and not at.options.concealed_allows_pile:
        hidden = False
    return None if hidden and at.options.concealed_waives_minimum else "C16"


_LAYING: Final = (Take, Meld)


def _empties(at: Position, it: Command) -> str | None:
    return "C21" if isinstance(it, Take | Meld | Discard) and not _left(at, it) and _lacks(at, it) else None


def _against_answer(at: Position, it: Command) -> str | None:
    if at.answer is None or not isinstance(it, Take | Meld | Discard):
        return None
    if not _left(at, it):
        return "C23" if at.answer == "no" else None
    if at.answer == "no":
        return None
    return "C23" if isinstance(it, Discard) or not could_go_out(follow(at, it)) else None


def _keeps_too_few(at: Position, it: Command) -> str | None:
    if not isinstance(it, Take | Meld) or not (_lacks(at, it) or at.answer == "no"):
        return None
    return "CA-21" if _left(at, it) < (1 if at.last_red else 2) else None


def _ask(at: Position, it: Command) -> str | None:
    if not isinstance(it, Ask):
        return None
    keeps = len(at.hands[it.seat - 1]) >= (1 if at.last_red else 2)
    if at.partner(it.seat) is None or not keeps or not could_go_out(at):
        return "CA-42"
    once = at.asked or (at.options.ask_limit == "per_deal" and it.seat in at.askers)
    return "CA-22" if once else None


def _no_question(at: Position, it: Command) -> str | None:
    return "CA-22" if isinstance(it, Answer) and at.phase != "asked" else None


def _pass_after_yes(at: Position, it: Command) -> str | None:
    return "C23" if isinstance(it, Pass) and at.answer == "yes" else None


def _pass_too_soon(at: Position, it: Command) -> str | None:
    soon = bool(at.stock) or at.phase != "start"
    return "CA-32" if isinstance(it, Pass) and at.phase != "last_red" and soon else None


def _pass_when_forced(at: Position, it: Command) -> str | None:
    if not isinstance(it, Pass) or at.phase == "last_red" or not at.options.forced_take_on_empty_stock or not at.pile:
        return None
    rank = at.pile[-1][0]
    if wild(at.pile[-1]) or rank not in at.table(it.seat) or frozen(at, it.seat):
        return None
    return "CA-47" if judge(at, Take(it.seat, (Group(rank, ()),))) is None else None


def _last_red(at: Position, it: Command) -> str | None:
    return "CA-26" if isinstance(it, Discard) and at.last_red else None


FORBIDDEN: Final[tuple[tuple[tuple[str, ...], Row], ...]] = (
    (("CA-22",), _question),
    (("CA-32",), _out_of_turn),
    (("CA-32",), _wrong_order),
    (("CA-10",), _never_taken),
    (("CA-30",), _one_card),
    (("CA-8",), _first_group),
    (("C20", "CA-7"), _frozen_pile),
    (("CA-8",), _no_way),
    (("C12",), _no_meld),
    (("C14",), _two_and_three),
    (("CA-16",), _too_wild),
    (("CA-14",), _twice),
    (("C19", "CA-19"), _black_threes),
    (("C16",), _too_small),
    (("C21",), _empties),
    (("C23",), _against_answer),
    (("CA-21",), _keeps_too_few),
    (("CA-42", "CA-22"), _ask),
    (("CA-22",), _no_question),
    (("C23",), _pass_after_yes),
    (("CA-32",), _pass_too_soon),
    (("CA-47",), _pass_when_forced),
    (("CA-26",), _last_red),
)
"""The book's table of forbidden plays: the clauses that each row may cite, and the row itself. The first one counts."""


def judge(at: Position, it: Command) -> str | None:
    """The clause of the first row that forbids a possible play; None if it is legal."""
    return next((clause for _, row in FORBIDDEN if (clause := row(at, it)) is not None), None)


def verdict(state: State, it: Command) -> str | None:
    """`impossible`, a clause, or None for a legal play."""
    at = position(state)
    return IMPOSSIBLE if not could_be_made(at, it) else judge(at, it)


def could_be_made(at: Position, it: Command) -> bool:
    """Whether a table could make the play at all."""
    match it:
        case Draw(cards=names):
            return _drawable(at, names)
        case Take():
            if not at.pile:
                return False
            groups = ordered(at, it)
            return all(group.cards for group in groups[1:]) and _held(at, it.seat, groups)
        case Meld(groups=groups):
            return all(group.cards for group in groups) and _held(at, it.seat, groups)
        case Discard(card=card):
            return card in at.hands[it.seat - 1]
        case _:
            return True


def _held(at: Position, seat: int, groups: Iterable[Group]) -> bool:
    return Counter(card for group in groups for card in group.cards) <= Counter(at.hands[seat - 1])


def _drawable(at: Position, names: tuple[Card, ...] | None) -> bool:
    """A draw names nothing, or all that comes; what nobody has written down must be named, and be left in the pack."""
    spare = Counter(dict.fromkeys(PACK, 2) | {Card(JOKER): 4})
    lying = [card for melds in at.melds for cards in melds.values() for card in cards]
    for cards in (*at.hands, at.pile, lying, *at.reds, [card for card in at.stock if card]):
        spare.subtract(cards)
    wanted = 2 if at.seats == 2 and at.options.two_handed_draw_two else 1
    said = list(names) if names is not None else None
    if not at.stock:
        return False
    for known in at.stock:
        if said == []:
            return False
        name = said.pop(0) if said else None
        if known is None and (name is None or spare[name] <= 0):
            return False
        if known is not None and name not in (None, known):
            return False
        card = known or name
        if known is None and name is not None:
            spare[name] -= 1
        wanted -= card not in RED
        if not wanted:
            break
    return not said


def could_go_out(at: Position) -> bool:
    """CA-42, CA-43: whether melds, and a discard where one is allowed, could lawfully empty the hand of who acts.

    Tries every card to discard and every way to share out the wild cards among the ranks in hand and on the table.
    """
    hand = at.hands[at.seat - 1]
    discards: list[Card | None] = [None] if at.last_red else [None, *set(hand)]
    return any(_lays_all(at, hand, discard) for discard in discards)


def _lays_all(at: Position, hand: list[Card], discard: Card | None) -> bool:
    cards = list(hand)
    if discard is not None:
        cards.remove(discard)
    melds = at.table(at.seat)
    if not cards:
        return len(canastas(melds)) >= at.canastas_needed
    naturals = Counter(card[0] for card in cards if not wild(card))
    if any(count + len(melds.get(rank, ())) < 2 for rank, count in naturals.items()):
        return False  # such a card could only lie beside wild ones
    if len(cards) + max(map(len, melds.values()), default=0) < 7 and len(canastas(melds)) < at.canastas_needed:
        return False  # nothing could come to seven cards
    wilds = [card for card in cards if wild(card)]
    bare = Position(**{**vars(at), "answer": None})
    # Of the ways to share out the wild cards, those that come to as many canastas differ in nothing that a row asks.
    ways: dict[tuple[int, int], tuple[Group, ...]] = {(0, 0): ()}
    for rank in sorted({*naturals, *melds} & set(RANKS)):
        own = tuple(card for card in cards if card[0] == rank and not wild(card))
        wider: dict[tuple[int, int], tuple[Group, ...]] = {}
        for (used, grown), groups in ways.items():
            for share in range(min(3, len(wilds) - used) + 1):
                if rank == "3" and share and not at.options.black_three_wilds:
                    break  # CA-19, which is asked of a whole meld
                laid = (*own, *wilds[used : used + share])
                more = (Group(rank, laid),) if laid else ()
                if all(row(bare, Meld(at.seat, more)) is None for row in _EACH_MELD):
                    whole = len(laid) + len(melds.get(rank, ())) >= 7
                    wider.setdefault((used + share, grown + whole), (*groups, *more))
        ways = wider
    laying = [Meld(at.seat, groups) for (used, _), groups in ways.items() if used == len(wilds)]
    return any(all(row(bare, meld) is None for row in _MELD_ROWS) for meld in laying)


_EACH_MELD: Final = (_no_meld, _two_and_three, _too_wild)
_MELD_ROWS: Final = (_no_meld, _two_and_three, _too_wild, _black_threes, _too_small, _empties, _keeps_too_few)


def shares_of(wilds: int, ranks: int) -> Iterator[tuple[int, ...]]:
    """Every way to give so many wild cards to so many ranks, three to each at most (C14)."""
    if not ranks:
        if not wilds:
            yield ()
        return
    for share in range(min(3, wilds) + 1):
        if wilds - share <= 3 * (ranks - 1):
            for rest in shares_of(wilds - share, ranks - 1):
                yield (share, *rest)


def judge_of(state: State) -> Callable[[Command], str | None]:
    """The verdicts of this state: `impossible`, the clause of the first row that forbids, or None for a legal play."""
    at = position(state)
    return lambda it: judge(at, it) if could_be_made(at, it) else IMPOSSIBLE


def points(state: State, _number: int) -> tuple[int, ...]:
    """Item 9 of each side of a finished deal."""
    assert isinstance(state, Finished)
    return tuple(sheet[8] for sheet in sheets(position(state), state.last))


STOCK: Final = {4: 63, 3: 68, 2: 77}
"""Cards left after the deal and one upcard, before red threes are replaced."""


def most_plays(seats: int) -> int:
    """Law 8: the most plays that a deal of legal plays can take.

    A draw takes a card of the stock for good, and a take or a meld lays one of 104 cards for good: at most stock + 104
    of them. So many turns there are at most, each with one discard, and with four players one question and its answer.
    A pass comes last.
    """
    turns = STOCK[seats] + 104
    return turns + turns * (3 if seats == 4 else 1) + 1


def bound(state: State, _made: Counter[str]) -> int:
    """The same for the deal that has come to this state."""
    table = state.table if isinstance(state, Finished) else state
    return most_plays(len(table.hands))
