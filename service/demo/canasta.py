"""A bot for Canasta that plays as a sensible partner would. It knows what cards count; what is legal it is told.

It takes piles that are worth it, freezes them when the others are ahead, keeps pairs, builds canastas and spoils no
natural ones, asks before it goes out, and lays a whole hand at once when it can.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

Fields = Mapping[str, Any]

PILE_WORTH_A_WILD: Final = 4
"""Cards of a pile from which on it is worth a wild card of the hand."""
PILE_WORTH_FREEZING: Final = 6
"""Cards of a pile from which on a wild card may be thrown on it, to keep it from the others."""
FEW: Final = 4
"""Cards in hand below which nothing is laid that does not lead to a canasta or out."""
HEAVY: Final = 60
"""Points in the own hand from which on a partner is asked to wait."""
STOCK_LOW: Final = 12
"""Cards of the stock at which nobody is asked to wait any more."""
CANASTA: Final = 7
_POINTS: Final = {"A": 20, "2": 20, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}


class Seen(NamedTuple):
    """What the seat to act sees."""

    hand: Sequence[str]
    melds: Mapping[str, Sequence[str]]
    """Its side's, by rank."""
    others: Sequence[Fields]
    """The other sides."""
    deal: Fields


def choose(view: Fields, plays: Sequence[Fields]) -> Fields:
    """One of the plays."""
    deal = view["deal"]
    own = next(side for side in deal["sides"] if deal["turn"] in side["seats"])
    seen = Seen(
        hand=next(hand["cards"] for hand in deal["hands"] if hand["seat"] == deal["turn"]),
        melds={laid["rank"]: laid["cards"] for laid in own["melds"]},
        others=[side for side in deal["sides"] if side is not own],
        deal=deal,
    )
    of = {kind: [play for play in plays if play["type"] == kind] for kind in ("answer", "take", "draw", "meld", "ask")}
    if of["answer"]:
        return _answer(seen, of["answer"])
    start = _take(seen, of["take"]) or next(iter(of["draw"]), None)
    return start or _go_out(seen, of["ask"], of["meld"]) or _meld(seen, of["meld"]) or _discard(seen, plays)


def _answer(seen: Seen, answers: Sequence[Fields]) -> Fields:
    """Yes, unless much would be left in the own hand while the stock still lasts."""
    heavy = _worth(seen.hand) >= HEAVY and seen.deal["stock_count"] > STOCK_LOW
    return next(play for play in answers if play["yes"] is not heavy)


def _take(seen: Seen, takes: Sequence[Fields]) -> Fields | None:
    """The take that costs least, if the pile is worth it; what opens the side always is."""
    if not takes:
        return None
    cheapest = min(takes, key=lambda play: (_wilds(_cards(play)), len(_cards(play))))
    dear = _wilds(_cards(cheapest)) > 0 and seen.deal["discard_count"] < PILE_WORTH_A_WILD
    return None if dear and seen.melds and seen.deal["stock_count"] else cheapest


def _go_out(seen: Seen, asks: Sequence[Fields], melds: Sequence[Fields]) -> Fields | None:
    """Ask first, where a partner may be asked; then lay all that goes, the natural canastas unspoilt if possible."""
    if asks:
        return asks[0]
    left = 0 if seen.deal["phase"] == "last_red" else 1
    closing = [play for play in melds if len(seen.hand) - len(_cards(play)) <= left and _canastas(seen, play)]
    # What joins no meld that lies there may be a concealed hand, if nothing has been laid before.
    closing.sort(key=lambda play: (_spoilt(seen, play), len(play["melds"].keys() & seen.melds.keys())))
    return closing[0] if closing and seen.deal["answer"] != "no" else None


def _meld(seen: Seen, melds: Sequence[Fields]) -> Fields | None:
    """What makes a canasta; else what opens the side with the fewest wild cards; else naturals that can be spared."""
    made = [play for play in melds if _canastas(seen, play) > len(_kinds(seen.melds)) and not _spoilt(seen, play)]
    if made or not seen.melds or seen.deal["answer"] == "yes":
        return min(made or melds, key=lambda play: (_wilds(_cards(play)), len(_cards(play))), default=None)
    plain = [play for play in melds if not _wilds(_cards(play)) and len(seen.hand) - len(_cards(play)) >= FEW]
    return max(plain, key=lambda play: len(_cards(play)), default=None)


def _discard(seen: Seen, plays: Sequence[Fields]) -> Fields:
    """A card that no other side collects, single and cheap; a black three to stop, a wild card to freeze."""
    discards = [play for play in plays if play["type"] == "discard"]
    if not discards:
        return plays[0]
    held = Counter(card[0] for card in seen.hand)
    theirs = {laid["rank"] for side in seen.others for laid in side["melds"]}
    fat = seen.deal["discard_count"] >= PILE_WORTH_FREEZING
    open_to_them = any(side["melds"] and not side["frozen"] for side in seen.others)
    freezes = fat and open_to_them and not seen.melds and _wilds(seen.hand) > 1

    def dear(play: Fields) -> tuple[bool, bool, bool, int, int]:
        card: str = play["card"]
        stops = fat and card in {"3c", "3s"}
        useful = not stops and (card[0] in theirs or card[0] in seen.melds)
        return (_wild(card) is not freezes, not stops, useful, held[card[0]], _worth([card]))

    return min(discards, key=dear)


def _cards(play: Fields) -> list[str]:
    return [card for group in play["melds"].values() for card in group]


def _kinds(melds: Mapping[str, Sequence[str]]) -> dict[str, bool]:
    """The canastas by rank, and whether they are natural."""
    return {rank: not _wilds(cards) for rank, cards in melds.items() if len(cards) >= CANASTA}


def _after(seen: Seen, play: Fields) -> dict[str, bool]:
    """The canastas of the side after the play."""
    laid: Mapping[str, list[str]] = play["melds"]
    return _kinds({rank: [*seen.melds.get(rank, ()), *laid.get(rank, ())] for rank in {*seen.melds, *laid}})


def _canastas(seen: Seen, play: Fields) -> int:
    return len(_after(seen, play))


def _spoilt(seen: Seen, play: Fields) -> int:
    """Natural canastas that the play would make mixed."""
    after = _after(seen, play)
    return sum(natural and not after[rank] for rank, natural in _kinds(seen.melds).items())


def _wild(card: str) -> bool:
    return card == "Jk" or card[0] == "2"


def _wilds(cards: Iterable[str]) -> int:
    return sum(map(_wild, cards))


def _worth(cards: Iterable[str]) -> int:
    return sum(50 if card == "Jk" else _POINTS[card[0]] for card in cards)
