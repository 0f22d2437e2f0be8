"""Plays of Rockaway as bodies."""

from typing import Any, Final, assert_never

from replay.rules.rockaway.commands import Command, Draw, Pass, Play
from service.schemas.fields import CardField
from service.schemas.plays import DrawBody, GamePlays, PlayBody, PlayType, only_card


class RockawayPlay(PlayBody):
    """`{"type": "play", "card": "9c"}`."""

    card = CardField(required=True)


class RockawayDraw(DrawBody):
    """`{"type": "draw"}`."""


class RockawayPass(PlayBody):
    """`{"type": "pass"}`."""


def _write(command: Command) -> dict[str, Any]:
    match command:
        case Play(card=card):
            return {"type": "play", "card": card}
        case Draw():
            return {"type": "draw"}
        case Pass():
            return {"type": "pass"}
        case _:
            assert_never(command)


PLAYS: Final = GamePlays(
    types={
        "play": PlayType(RockawayPlay, lambda seat, body: Play(seat, body["card"])),
        "draw": PlayType(RockawayDraw, lambda seat, body: Draw(seat, only_card(body.get("cards")))),
        "pass": PlayType(RockawayPass, lambda seat, _body: Pass(seat)),
    },
    write=_write,
)
