"""The sheets of the Canasta book as sides of a table, and as written records that mark as irregular what it takes.

For tests alone.
"""

from collections import Counter
from typing import Final, NamedTuple

from replay.rules.canasta.state import Finished, Laid, Side
from replay.rules.cards import JOKER, PACK, Card, Cards
from tests.rules.layout import cards
from tests.rules.layout_canasta import table

HAND: Final = 11


class Printed(NamedTuple):
    """One line of the book's table, and what it scores."""

    melds: tuple[str, ...]
    reds: str
    left: tuple[str, str]
    """The two partners' hands."""
    out: bool
    items: tuple[int, ...]


NOTHING: Final = Printed((), "", ("5h", "Qs"), out=False, items=())
"""A side of which the book says nothing."""


def finished(one: Printed, other: Printed = NOTHING) -> Finished:
    """A deal that ended with these two sides; the first of them may have gone out, by seat 1, who had laid before."""
    sides = tuple(
        Side(tuple(Laid(held[0][0], held) for held in map(cards, side.melds)), cards(side.reds))
        for side in (one, other)
    )
    hands = tuple(cards(side.left[partner]) for partner in (0, 1) for side in (one, other))
    last = table("", phase="melding", laid_before=frozenset({1}))
    ended = last._replace(sides=sides, hands=hands, turn=last.turn._replace(laid=True))
    return Finished(ended, "out" if one.out else "stock_exhausted", 1)


class _Seat(NamedTuple):
    """What a seat is dealt."""

    to_lay: Cards
    waste: Cards
    """What it throws away."""
    left: Cards

    @property
    def held(self) -> Cards:
        return (*self.to_lay, *self.waste, *self.left)


def record(one: Printed, other: Printed = NOTHING) -> dict[str, object]:
    """A record of one deal that ends with these two sides.

    A side's red threes are dealt to its first partner, and the stock begins with what replaces them. Seat 1 draws the
    card that it discards last.
    """
    used = Counter(
        card for side in (one, other) for text in (*side.melds, side.reds, *side.left) for card in cards(text)
    )
    spare = [card for card in (Counter(dict.fromkeys(PACK, 2) | {JOKER: 4}) - used).elements() if card[0] not in "23J"]
    ours, theirs = _dealt(one, spare), _dealt(other, spare)
    seats = [ours[0], theirs[0], ours[1], theirs[1]]
    hands: list[str] = []
    stock: list[Card] = []
    for at, seat in enumerate(seats):
        reds = cards((one, other)[at].reds) if at < 2 else ()
        stock += seat.held[: len(reds)]
        hands.append(" ".join((*reds, *seat.held[len(reds) :])))
    drawn, upcard = spare.pop(), spare.pop()
    plays = [f"1 draw {drawn}"]
    for n, seat in enumerate(seats, start=1):
        plays += [
            f"{n} meld {rank}={','.join(group)}!" for rank, group in _by_rank(seat.to_lay, (one, other)[(n - 1) % 2])
        ]
    plays += [f"{n} discard {card}!" for n, seat in enumerate(seats, start=1) for card in seat.waste]
    plays += [f"1 discard {drawn}!"] if one.out else [f"1 discard {drawn}!", "2 pass!"]
    deal = {"hands": hands, "upcard": upcard, "stock": " ".join(stock), "plays": plays}
    return {"record": 1, "game": "canasta", "players": ["Ann", "Ben", "Cy", "Dee"], "deals": [deal]}


def _dealt(side: Printed, spare: list[Card]) -> tuple[_Seat, _Seat]:
    to_lay = [card for text in side.melds for card in cards(text)]
    seats = []
    for text in side.left:
        left = cards(text)
        room = HAND - len(left)
        mine, to_lay = to_lay[:room], to_lay[room:]
        waste = tuple(spare.pop() for _ in range(room - len(mine)))
        seats.append(_Seat(tuple(mine), waste, left))
    assert not to_lay, "more melds than two hands hold"
    return seats[0], seats[1]


def _by_rank(to_lay: Cards, side: Printed) -> list[tuple[str, list[Card]]]:
    """The cards as groups, wild ones with the meld that the book has them in."""
    groups = []
    rest = Counter(to_lay)
    for text in side.melds:
        held = cards(text)
        group = list((Counter(held) & rest).elements())
        rest -= Counter(group)
        if group:
            groups.append((held[0][0], group))
    return groups
