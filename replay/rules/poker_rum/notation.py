"""Plays of Poker Rum as they are written in a record, without the seat."""

from replay.rules.cards import parse_card
from replay.rules.game import NotationError
from replay.rules.poker_rum.commands import Command, Show
from replay.rules.poker_rum.events import Event, HandShown
from replay.rules.rums.notation import read_rum_play, write_rum_play


def read_play(seat: int, verb: str, arguments: list[str]) -> Command:
    """A written play as a command; raises NotationError, or NotACardError."""
    shared = read_rum_play(seat, verb, arguments)
    if shared is not None:
        return shared
    match verb, arguments:
        case "show", [card]:
            return Show(seat, parse_card(card))
        case "show", _:
            raise NotationError(f"'show' does not go with {len(arguments)} cards")
        case _:
            raise NotationError(f"{verb[:20]!r} is no play of Poker Rum")


def write_play(event: Event) -> str:
    """An event as the play that it came from."""
    return f"show {event.card}" if isinstance(event, HandShown) else write_rum_play(event)
