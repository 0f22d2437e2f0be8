"""Plays as bodies: one schema for each play of each game, found by game and type.

Each game's own file declares its plays; this one finds them, reads what all plays share, and writes plays as bodies.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import orjson
from marshmallow import ValidationError, fields

from replay.rules.cards import Card
from service.problems import invalid
from service.schemas.fields import CardField, Items, StrictSchema, Truth, Whole

MOST_SEATS: Final = 8
_KNOWN: Final = 2_000
"""Bodies remembered for each game: every one of Rockaway, from every seat."""
_SHORT: Final = 300
"""Bytes of a body that may be remembered, so that all of them stay below two megabytes."""


class PlayBody(StrictSchema):
    """What every play may say: its type and its seat; and of a recorded table, that it was irregular."""

    type = fields.String(required=True)
    seat = Whole(least=1, most=MOST_SEATS)
    irregular = Truth(metadata={"description": "It happened although the rules forbid it. Recorded sessions only."})


class DrawBody(PlayBody):
    """A draw; at a recorded table it may name what was drawn."""

    cards = Items(CardField(), most=1, least=1)


class PlayType(NamedTuple):
    """One type of play of a game: its body, and how to make the game's command from it."""

    body: type[PlayBody]
    command: Callable[[int, Mapping[str, Any]], Any]
    """From the seat and the fields of the body; may raise ValidationError."""


class GamePlays(NamedTuple):
    """All types of play of a game, and how to write its commands as bodies."""

    types: Mapping[str, PlayType]
    write: Callable[[Any], dict[str, Any]]
    """A command as the body that would give it, without the seat."""


def only_card(cards: list[Card] | None) -> Card | None:
    """The one card that a draw of one card may name."""
    if cards is None:
        return None
    if len(cards) != 1:
        raise ValidationError({"cards": ["Must name the one card that was drawn."]})
    return cards[0]


class Reader:
    """Reads plays of one game.

    There are few different ones, and the same bytes always say the same: what fitted is remembered.
    """

    def __init__(self, plays: GamePlays) -> None:
        self._types: Final = plays.types
        self._bodies: Final = {name: play_type.body() for name, play_type in plays.types.items()}
        self._known: Final = lru_cache(_KNOWN)(self._checked)

    def read(self, body: bytes) -> Mapping[str, Any]:
        """The fields of a play, checked, from the body as JSON; raises a 422 problem."""
        return self._known(body) if len(body) <= _SHORT else self._checked(body)

    def _checked(self, body: bytes) -> Mapping[str, Any]:
        written = orjson.loads(body)
        name = written.get("type")
        schema = self._bodies.get(name) if isinstance(name, str) else None
        if schema is None:
            raise invalid("This game has no such play.", {"type": ["Must be one of " + ", ".join(self._types) + "."]})
        try:
            return MappingProxyType(schema.load(written))
        except ValidationError as fault:
            raise invalid("The play cannot be read.", fault.messages_dict) from None

    def command(self, seat: int, fields_read: Mapping[str, Any]) -> Any:
        """The game's command; raises a 422 problem."""
        try:
            return self._types[fields_read["type"]].command(seat, fields_read)
        except ValidationError as fault:
            raise invalid("The play cannot be read.", fault.messages_dict) from None
