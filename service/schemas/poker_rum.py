"""Plays of Poker Rum as bodies."""

from typing import Any, Final

from replay.rules.poker_rum.commands import Command, Show
from service.schemas.fields import CardField
from service.schemas.plays import GamePlays, PlayBody, PlayType
from service.schemas.rums import RUM_TYPES, write_rum


class PokerRumShow(PlayBody):
    """`{"type": "show", "card": "Ks"}`: discard it and show the rest."""

    card = CardField(required=True)


def _write(command: Command) -> dict[str, Any]:
    return {"type": "show", "card": command.card} if isinstance(command, Show) else write_rum(command)


PLAYS: Final = GamePlays(
    types={**RUM_TYPES, "show": PlayType(PokerRumShow, lambda seat, body: Show(seat, body["card"]))}, write=_write
)
