"""Which game has which plays as bodies: the service's one list of games."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from marshmallow import Schema, fields, validate
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from service.schemas import canasta, poker_rum, rockaway, single_pack_rum
from service.schemas.plays import GamePlays, PlayBody, Reader
from service.schemas.shapes import camel, named_schema

GAME_PLAYS: Final[Mapping[str, GamePlays]] = {
    "canasta": canasta.PLAYS,
    "rockaway": rockaway.PLAYS,
    "poker_rum": poker_rum.PLAYS,
    "single_pack_rum": single_pack_rum.PLAYS,
}
READERS: Final[Mapping[str, Reader]] = {name: Reader(plays) for name, plays in GAME_PLAYS.items()}


_TYPED: Final[dict[type[PlayBody], type[Schema]]] = {}


def _typed(body: type[PlayBody], name: str) -> type[Schema]:
    """The body with the one type that it has. Games share bodies, and the document names each once."""
    if body not in _TYPED:
        only = fields.String(required=True, validate=validate.Equal(name))
        _TYPED[body] = named_schema(body.__name__, body, body.__doc__ or name, type=only)
    return _TYPED[body]


def _of_game(name: str, plays: GamePlays) -> type[OneOfSchema]:
    of_game: type[OneOfSchema] = type(
        f"PlayOf{camel(name)}Schema",
        (OneOfSchema,),
        {
            "__doc__": f"A play of {name}.",
            "type_field": "type",
            "type_schemas": {each: _typed(play_type.body, each) for each, play_type in plays.types.items()},
        },
    )
    return of_game


class PlaySchema(Schema):
    """A play: the session's game says of which kind. Games share types, so each has a discriminator of its own."""

    any_of: ClassVar = tuple(_of_game(name, plays) for name, plays in GAME_PLAYS.items())


def write_play(game: str, command: Any, seat: int) -> dict[str, Any]:
    """A command as a body that `POST …/plays` takes."""
    return {"seat": seat, **GAME_PLAYS[game].write(command)}
