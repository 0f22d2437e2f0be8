"""Legal deals of Rockaway that end with the hands one asks for, found by taking turns back from the end.

From the last card on the pile backwards, each turn is taken back as the rules would have allowed it: the card on top
returns to the hand and an unused card that it fits takes its place, then cards go from the hand to the stock while the
hand without them could not have played. Chance picks, and starts again where it does not come out at seven cards each.
Whether what is found is legal is for the checker to say, not for this.
"""

from collections.abc import Sequence
from random import Random

from replay.rules.cards import PACK, Card, Cards, parse_card

HAND = 7
TRIES = 2_000


class _DeadEndError(Exception):
    """This way back does not lead to a deal."""


def hand(text: str) -> Cards:
    """Cards from their written form."""
    return tuple(map(parse_card, text.split()))


def deal_to_order(left: Sequence[str], *, out: int | None, exhausted: bool, seed: object = 0) -> dict[str, object]:
    """A written deal, its dealer named, at whose end the seats hold the cards in `left` and `out` has gone out.

    Without `out` it is blocked. Two to four seats, since one pack is used.
    """
    for attempt in range(TRIES):
        try:
            return _WayBack(Random(f"{seed} {attempt}"), left, out=out, exhausted=exhausted).deal()
        except _DeadEndError:
            continue
    raise AssertionError(f"no deal found that ends with {left}")


class _WayBack:
    """One attempt. Everything is in reverse: what is taken back last was played first."""

    def __init__(self, chance: Random, left: Sequence[str], *, out: int | None, exhausted: bool) -> None:
        self.chance = chance
        self.exhausted = exhausted
        self.hands = [list(hand(text)) for text in left]
        self.seats = len(left)
        held = [card for cards in self.hands for card in cards]
        self.unused = [card for card in PACK if card not in held]
        chance.shuffle(self.unused)
        self.plays: list[str] = []
        self.stock: list[Card] = []
        self.turn = chance.randint(1, self.seats) if out is None else out
        self.blocked = out is None
        self.top = self._take([card for card in self.unused if not self.blocked or self._nobody_fits(card)])
        # Every card but those in hands and the upcard has been played, or a handful where some are still in the stock.
        whole = len(self.unused)
        self.turns = whole if exhausted else min(whole - 1, chance.randint(self.seats * 7, self.seats * 12))

    def deal(self) -> dict[str, object]:
        if self.blocked:
            for _ in range(self.seats):
                self.plays.append(f"{self.turn} pass")
                self._left_of_before()
        for taken_back in range(self.turns):
            self._take_turn_back(rest=(self.turns - taken_back - 1) // self.seats)
            self._left_of_before()
        if any(len(cards) != HAND for cards in self.hands):
            raise _DeadEndError
        return {
            # The turn has gone back to whoever would have played before the first: the dealer.
            "dealer": self.turn,
            "hands": [" ".join(cards) for cards in self.hands],
            "upcard": self.top,
            "stock": " ".join([*reversed(self.stock), *self.unused]),
            "plays": self.plays[::-1],
        }

    def _take_turn_back(self, rest: int) -> None:
        """One play and the draws before it. `rest`: turns of this seat still to be taken back."""
        cards = self.hands[self.turn - 1]
        played = self.top
        cards.append(played)
        least = max(1, HAND - rest)
        under = [card for card in self.unused if _fits(played, card)]
        if len(cards) > least:
            under = [card for card in under if len(_must(cards, card)) <= 1] or under
        self.top = self._take(under)
        self.plays.append(f"{self.turn} play {played}")
        fitting = _must(cards, self.top)
        if len(fitting) > 1 or (fitting and len(cards) == least):
            return
        while len(cards) > least:
            # The card that ended the drawing was drawn last.
            drawn = fitting.pop() if fitting else self.chance.choice(cards)
            cards.remove(drawn)
            self.stock.append(drawn)
            self.plays.append(f"{self.turn} draw")
        if len(cards) > 2 * HAND:
            raise _DeadEndError

    def _take(self, cards: list[Card]) -> Card:
        if not cards:
            raise _DeadEndError
        card = self.chance.choice(cards)
        self.unused.remove(card)
        return card

    def _nobody_fits(self, top: Card) -> bool:
        return not any(_must(cards, top) for cards in self.hands)

    def _left_of_before(self) -> None:
        self.turn = (self.turn - 2) % self.seats + 1


def _fits(card: Card, top: Card) -> bool:
    return card[0] in ("A", top[0]) or card[1] == top[1]


def _must(cards: Sequence[Card], top: Card) -> list[Card]:
    """The cards that forbid their holder to draw or pass: fitting ones that are not aces."""
    return [card for card in cards if card[0] != "A" and _fits(card, top)]
