"""Plays of Canasta as they are written in a record, without the seat: `take K=Kh,Ks Q=Qh,Qd,Qc`, `draw 3h 5d`, …"""

from typing import assert_never

from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Group, Meld, Pass, Take
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
from replay.rules.cards import RANKS, parse_card
from replay.rules.game import NotationError


def read_play(seat: int, verb: str, arguments: list[str]) -> Command:
    """A written play as a command; raises NotationError, or NotACardError."""
    match verb, arguments:
        case "draw", []:
            return Draw(seat)
        case "draw", cards:
            return Draw(seat, tuple(map(parse_card, cards)))
        case "take", [first, *further]:
            return Take(seat, (_group(first, may_be_empty=True), *map(_group, further)))
        case "meld", [_, *_]:
            return Meld(seat, tuple(map(_group, arguments)))
        case "discard", [card]:
            return Discard(seat, parse_card(card))
        case "ask", []:
            return Ask(seat)
        case (("yes" | "no"), []):
            return Answer(seat, verb == "yes")
        case "pass", []:
            return Pass(seat)
        case (("take" | "meld" | "discard" | "ask" | "yes" | "no" | "pass"), _):
            raise NotationError(f"{verb!r} does not go with {len(arguments)} words")
        case _:
            raise NotationError(f"{verb[:20]!r} is no play of Canasta")


def _group(text: str, *, may_be_empty: bool = False) -> Group:
    rank, equals, cards = text.partition("=")
    if not equals or len(rank) != 1 or rank not in RANKS or not (cards or may_be_empty):
        raise NotationError(f"{text[:20]!r} is no group, such as K=Kh,Ks,2d")
    return Group(rank, tuple(map(parse_card, cards.split(","))) if cards else ())


def write_play(event: Event) -> str:
    """An event as the play that it came from. Draws name all that came."""
    match event:
        case CardsDrawn(cards=cards):
            return f"draw {' '.join(cards)}"
        case PileTaken(groups=groups):
            return f"take {_written(groups)}"
        case Melded(groups=groups):
            return f"meld {_written(groups)}"
        case CardDiscarded(card=card):
            return f"discard {card}"
        case Asked():
            return "ask"
        case Answered(yes=yes):
            return "yes" if yes else "no"
        case Passed():
            return "pass"
        case _:
            assert_never(event)


def _written(groups: Groups) -> str:
    return " ".join(f"{rank}={','.join(cards)}" for rank, cards in groups)
