"""Written plays that both rums have: `draw`, `draw 5d`, `take`, `discard Ks`."""

from replay.rules.cards import parse_card
from replay.rules.game import NotationError
from replay.rules.rums.commands import Discard, Draw, RumCommand, Take
from replay.rules.rums.events import CardDiscarded, CardDrawn, CardTaken, DealVoided, RumEvent


def read_rum_play(seat: int, verb: str, arguments: list[str]) -> RumCommand | None:
    """The command, or None if the verb is none of the shared ones; raises NotationError, or NotACardError."""
    match verb, arguments:
        case "draw", []:
            return Draw(seat)
        case "draw", [card]:
            return Draw(seat, parse_card(card))
        case "take", []:
            return Take(seat)
        case "discard", [card]:
            return Discard(seat, parse_card(card))
        case (("draw" | "take" | "discard"), _):
            raise NotationError(f"{verb!r} does not go with {len(arguments)} cards")
        case _:
            return None


def write_rum_play(event: RumEvent) -> str:
    """An event as the play that it came from."""
    match event:
        case CardDrawn(card=card):
            return f"draw {card}"
        case CardTaken():
            return "take"
        case CardDiscarded(card=card):
            return f"discard {card}"
        case DealVoided():
            return "draw"
