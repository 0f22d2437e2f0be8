"""What the rules say of melds and of the pile: group by group, and of all groups of a play together."""

from collections.abc import Sequence

from replay.rules.canasta.cards import is_black_three, is_red_three, is_wild, total, wilds
from replay.rules.canasta.commands import Group
from replay.rules.canasta.options import Options
from replay.rules.canasta.state import Side, Table
from replay.rules.cards import Card, Cards
from replay.rules.game import Refusal
from replay.rules.scores import Plain


def outlook(options: Options, totals: tuple[int, ...]) -> dict[str, Plain]:
    """CA-11: what each side's first meld will need."""
    return {"minimums": tuple(minimum(total, options) for total in totals)}


def minimum(points: int, options: Options) -> int:
    """C16, CA-11: what a side's first meld of a deal needs, by its total before the deal."""
    if points < 0:
        return options.negative_minimum
    if points < 1500:
        return 50
    return 90 if points < 3000 else 120


def frozen_by(table: Table, seat: int) -> str | None:
    """The clause by which the pile is frozen for this seat's side; None if it is not (C20, CA-7)."""
    if any(map(is_wild, table.pile)):
        return "C20"
    options = table.options
    if options.red_upcard_freezes and any(map(is_red_three, table.pile)):
        return "CA-7"
    if options.frozen_before_initial_meld and not table.side(seat).melds:
        return "CA-7"
    return None


def taking_refused(table: Table, seat: int, first: Group) -> Refusal | None:
    """Whether the pile cannot be taken with this group from the hand, before any meld is judged."""
    upcard = table.pile[-1]
    if is_wild(upcard) or is_black_three(upcard):
        return Refusal("CA-10", f"{upcard} cannot be taken")
    alone = len(table.pile) == 1 and len(table.hands[seat - 1]) == 1
    if alone and table.options.single_card_pile == "forbid":
        return Refusal("CA-30", "one card in hand does not take a pile of one card")
    if first.rank != upcard[0]:
        return Refusal("CA-8", f"the first group must be of the rank of {upcard}")
    naturals = sum(card[0] == upcard[0] and not is_wild(card) for card in first.cards)  # a joker is no jack
    frozen = frozen_by(table, seat)
    if frozen is not None and naturals < 2:
        return Refusal(frozen, "the pile is frozen: two naturals from the hand must match the upcard")
    if table.side(seat).meld(first.rank) is None and naturals < 2 and not (naturals and wilds(first.cards)):
        return Refusal("CA-8", "two naturals, or a natural and a wild, must match the upcard, or a meld of its rank")
    return None


def melding_refused(table: Table, seat: int, groups: Sequence[Group], upcard: Card | None) -> Refusal | None:
    """Whether these groups from the hand, the upcard with the first of them, make no legal melds of the side."""
    side, options = table.side(seat), table.options
    whole = [(group.rank, _whole(side, group, upcard if at == 0 else None)) for at, group in enumerate(groups)]
    tests = (_mixed, _unnatural, _too_wild)
    for test in tests:
        for rank, cards in whole:
            refusal = test(rank, cards, options)
            if refusal is not None:
                return refusal
    ranks = [rank for rank, _ in whole]
    if len(set(ranks)) < len(ranks):
        return Refusal("CA-14", "two groups of one rank")
    return None


def _whole(side: Side, group: Group, upcard: Card | None) -> Cards:
    lying = side.meld(group.rank)
    return (*(lying.cards if lying else ()), *group.cards, *(() if upcard is None else (upcard,)))


def _mixed(rank: str, cards: Cards, _options: Options) -> Refusal | None:
    if any(card[0] != rank and not is_wild(card) for card in cards):
        return Refusal("C12", f"{' '.join(cards)} are not all of one rank")
    return Refusal("C12", f"{' '.join(cards)} are fewer than three cards") if len(cards) < 3 else None


def _unnatural(_rank: str, cards: Cards, _options: Options) -> Refusal | None:
    wild = wilds(cards)
    if len(cards) - wild < 2 or wild > 3:
        return Refusal("C14", f"{' '.join(cards)} has {len(cards) - wild} naturals and {wild} wild cards")
    return None


def _too_wild(_rank: str, cards: Cards, options: Options) -> Refusal | None:
    wild = wilds(cards)
    if not options.wilds_may_exceed_naturals and wild > len(cards) - wild:
        return Refusal("CA-16", f"{' '.join(cards)} has more wild cards than naturals")
    return None


def laid_points(groups: Sequence[Group], upcard: Card | None) -> int:
    """CA-12, CA-13: the card points of all groups of a play, the upcard's among them."""
    return sum(total(group.cards) for group in groups) + (total((upcard,)) if upcard is not None else 0)
