"""Bodies of the plays that both rums have."""

from typing import Any, Final

from replay.rules.rums.commands import Discard, Draw, RumCommand, Take
from service.schemas.fields import CardField
from service.schemas.plays import DrawBody, PlayBody, PlayType, only_card


class RumDraw(DrawBody):
    """`{"type": "draw"}`."""


class RumTake(PlayBody):
    """`{"type": "take"}`: the top discard."""


class RumDiscard(PlayBody):
    """`{"type": "discard", "card": "Ks"}`."""

    card = CardField(required=True)


RUM_TYPES: Final = {
    "draw": PlayType(RumDraw, lambda seat, body: Draw(seat, only_card(body.get("cards")))),
    "take": PlayType(RumTake, lambda seat, _body: Take(seat)),
    "discard": PlayType(RumDiscard, lambda seat, body: Discard(seat, body["card"])),
}


def write_rum(command: RumCommand) -> dict[str, Any]:
    """A command as the body that would give it."""
    match command:
        case Draw():
            return {"type": "draw"}
        case Take():
            return {"type": "take"}
        case Discard(card=card):
            return {"type": "discard", "card": card}
