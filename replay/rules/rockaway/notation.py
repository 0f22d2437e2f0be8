"""Plays of Rockaway as they are written in a record, without the seat: `play 9c`, `draw`, `draw 5d`, `pass`."""

from typing import assert_never

from replay.rules.cards import parse_card
from replay.rules.game import NotationError
from replay.rules.rockaway.commands import Command, Draw, Pass, Play
from replay.rules.rockaway.events import CardDrawn, CardPlayed, Event, Passed


def read_play(seat: int, verb: str, arguments: list[str]) -> Command:
    """A written play as a command; raises NotationError, or NotACardError."""
    match verb, arguments:
        case "play", [card]:
            return Play(seat, parse_card(card))
        case "draw", []:
            return Draw(seat)
        case "draw", [card]:
            return Draw(seat, parse_card(card))
        case "pass", []:
            return Pass(seat)
        case (("play" | "draw" | "pass"), _):
            raise NotationError(f"{verb!r} does not go with {len(arguments)} cards")
        case _:
            raise NotationError(f"{verb[:20]!r} is no play of Rockaway")


def write_play(event: Event) -> str:
    """An event as the play that it came from. Draws name their card, so that a reader needs no count of the stock."""
    match event:
        case CardPlayed(card=card):
            return f"play {card}"
        case CardDrawn(card=card):
            return f"draw {card}"
        case Passed():
            return "pass"
        case _:
            assert_never(event)
