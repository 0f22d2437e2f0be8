"""Who plays the demonstration of each game: the one list to which another game's bots are added.

A bot is a pure function: from the session as its seat sees it and the plays that it may make, one of those plays.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.demo import canasta, rockaway, rums

Fields = Mapping[str, Any]
Bot = Callable[[Fields, Sequence[Fields]], Fields]


class Party(NamedTuple):
    """A table of bots at one game."""

    players: tuple[str, ...]
    options: Fields
    bot: Bot
    """Plays every seat; it is told each time what that seat sees, and nothing else."""
    lowest_wins: bool


PARTIES: Final[Mapping[str, Party]] = {
    "rockaway": Party(("Ann", "Ben", "Cy", "Dot"), {"deals": 10}, rockaway.choose, lowest_wins=True),
    "poker_rum": Party(("Ann", "Ben", "Cy", "Dot"), {"deals": 10, "max_turnovers": 3}, rums.choose, lowest_wins=False),
    "single_pack_rum": Party(
        ("Ann", "Ben", "Cy", "Dot"), {"deals": 10, "max_turnovers": 3}, rums.choose, lowest_wins=False
    ),
    "canasta": Party(("Ann", "Ben", "Cy", "Dot"), {"preset": "official_1949"}, canasta.choose, lowest_wins=False),
}
