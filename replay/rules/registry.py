"""The one file that knows all games. A session keeps the revision it was opened under, so revisions stay listed."""

from collections.abc import Mapping
from typing import Final

from replay.rules.canasta.canasta import CANASTA
from replay.rules.game import AnyGame
from replay.rules.poker_rum.poker_rum import POKER_RUM
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.single_pack_rum.single_pack_rum import SINGLE_PACK_RUM

REVISIONS: Final[tuple[AnyGame, ...]] = (ROCKAWAY, POKER_RUM, SINGLE_PACK_RUM, CANASTA)
"""Every revision of every game that a stored session may have been opened under."""

GAMES: Final[Mapping[str, AnyGame]] = {game.name: game for game in sorted(REVISIONS, key=lambda game: game.revision)}
"""The newest revision of each game, by name."""

_BY_REVISION: Final = {(game.name, game.revision): game for game in REVISIONS}


class UnknownGameError(LookupError):
    """No such game, or no such revision of it."""


def find_game(name: str, revision: int | None = None) -> AnyGame:
    """The game of that name and revision, the newest if none is given; raises UnknownGameError."""
    if name not in GAMES:
        raise UnknownGameError(f"no game {name[:40]!r}; there are {', '.join(sorted(GAMES))}")
    if revision is None:
        return GAMES[name]
    try:
        return _BY_REVISION[name, revision]
    except KeyError:
        raise UnknownGameError(f"{name} has no revision {revision}") from None
