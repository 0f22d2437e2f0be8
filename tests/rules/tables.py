"""What seeded play needs of each game: options and styles of play at random, its oracle, what a viewer cannot know.

One entry a game; the laws in test_laws*.py ask nothing else of it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from replay.rules.cards import Card
from tests.rules.oracles import rockaway as rockaway_oracle
from tests.rules.players import rockaway as rockaway_players

Style = Callable[[Random, Any, tuple[Any, ...]], Any]
"""How somebody plays: chooses one of the legal plays in a state."""


@dataclass(frozen=True, kw_only=True)
class Support:
    """One game's part in seeded play. States and commands are the game's own."""

    options: Callable[[Random], dict[str, object]]
    styles: tuple[Style, ...]
    name_draw: Callable[[Any, Any, Card | None], Any]
    """A command with the card that it draws named, if it draws one; from the state, the command, the next card."""
    judged: Callable[[Any, Iterable[int] | None], Iterator[tuple[Any, str | None]]]
    """Every play that these seats (None: all) can say at all, each with its verdict."""
    legal_plays: Callable[[Any, int], set[Any]]
    verdict: Callable[[Any, Any], str | None]
    """`impossible`, a clause, or None for legal."""
    points: Callable[[Any, int], tuple[int, ...]]
    bound: Callable[[int], int]
    cards: Callable[[Any], Counter[Card]]
    """Where all the cards are that somebody has written down."""
    twin: Callable[[Random, Any, int | None], Any]
    """A state that differs from this one only in what that seat (None: an onlooker) cannot know."""
    tells: Callable[[Any], bool]
    """Whether a command claims to know a hidden card, as only the keeper of a recorded table may."""
    rare: Callable[[Any, Any, Any], Iterator[str]]
    """Names of rare things that the play from one state to another shows."""
    wanted: frozenset[str]
    """The rare things that every run must have seen."""


SUPPORT: Final[Mapping[str, Support]] = {
    "rockaway": Support(
        options=rockaway_players.options,
        styles=rockaway_players.STYLES,
        name_draw=rockaway_players.name_draw,
        judged=rockaway_oracle.judged,
        legal_plays=rockaway_oracle.legal_plays,
        verdict=rockaway_oracle.verdict,
        points=rockaway_oracle.points,
        bound=rockaway_oracle.bound,
        cards=rockaway_players.all_cards,
        twin=rockaway_players.twin,
        tells=rockaway_players.tells,
        rare=rockaway_players.rare,
        wanted=rockaway_players.WANTED,
    ),
}
