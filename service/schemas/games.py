"""Which game has which plays as bodies: the service's one list of games."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow_oneofschema.one_of_schema import OneOfSchema

from service.schemas import canasta, poker_rum, rockaway, single_pack_rum
from service.schemas.plays import GamePlays, Reader

GAME_PLAYS: Final[Mapping[str, GamePlays]] = {
    "canasta": canasta.PLAYS,
    "rockaway": rockaway.PLAYS,
    "poker_rum": poker_rum.PLAYS,
    "single_pack_rum": single_pack_rum.PLAYS,
}
READERS: Final[Mapping[str, Reader]] = {name: Reader(plays) for name, plays in GAME_PLAYS.items()}


class PlaySchema(OneOfSchema):
    """Any play of any game, for the document. The service itself reads a play by the session's game."""

    type_schemas = {  # noqa: RUF012 - as the package wants it
        play_type.body.__name__: play_type.body for plays in GAME_PLAYS.values() for play_type in plays.types.values()
    }


def write_play(game: str, command: Any, seat: int) -> dict[str, Any]:
    """A command as a body that `POST …/plays` takes."""
    return {"seat": seat, **GAME_PLAYS[game].write(command)}
