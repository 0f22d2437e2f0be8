"""What seeded play needs of each game: options and styles of play at random, its oracle, what a viewer cannot know.

One entry a game; the laws in test_laws*.py ask nothing else of it. A game without an entry fails them all.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from replay.rules.cards import Card
from replay.rules.game import AnyGame, Dealt
from tests.rules.oracles import canasta as canasta_oracle
from tests.rules.oracles import canasta_plays
from tests.rules.oracles import poker_rum as poker_rum_oracle
from tests.rules.oracles import rockaway as rockaway_oracle
from tests.rules.oracles import single_pack_rum as single_pack_rum_oracle
from tests.rules.oracles.same_plays import same_plays
from tests.rules.players import canasta as canasta_players
from tests.rules.players import canasta_rare
from tests.rules.players import poker_rum as poker_rum_players
from tests.rules.players import rockaway as rockaway_players
from tests.rules.players import rums as rums_players
from tests.rules.players import single_pack_rum as single_pack_rum_players

Style = Callable[[Random, Any, tuple[Any, ...]], Any]
"""How somebody plays: chooses one of the legal plays in a state."""
Judge = Callable[[Any], str | None]
"""The verdict on a command: `impossible`, the clause of the first forbidding row, or None for legal."""


@dataclass(frozen=True, kw_only=True)
class Support:
    """One game's part in seeded play. States and commands are the game's own."""

    options: Callable[[Random], dict[str, object]]
    styles: tuple[Style, ...]
    sessions: int = 2_000
    """Sessions of a full run."""
    deals: int = 4
    """A session that has a target is left after so many deals if that has not ended it."""
    totals: Callable[[Random, int], tuple[int, ...] | None] | None = None
    """Points brought forward, by how many score; None where any below the target will do."""
    least_written: int = 0
    """Cards of the stock that must be written down, since the dealing itself may draw them."""
    load: Callable[[Random, Dealt], Dealt] = lambda _, lie: lie
    """The same cards dealt so that something rare is likely to come of it; done in a share of the deals."""
    name_draw: Callable[[Any, Any, tuple[Card | None, ...]], Any]
    """A command with the card that it draws named, if it draws one; from the state, the command, the stock as dealt."""
    sayable: Callable[[Any, int], Iterator[Any]]
    """The plays to be asked of this seat in this state: all that it can say, or where they are too many, a set that
    offends against every row in every way."""
    judge: Callable[[Any], Judge]
    """The oracle of a state."""
    list_fault: Callable[[Any, int, tuple[Any, ...]], str | None]
    """What is wrong with the game's list of a seat's legal plays."""
    points: Callable[[Any, int], tuple[int, ...]]
    unsound: Callable[[Any, tuple[int, ...]], str | None] = lambda *_: None
    """What is wrong with the points of a finished deal, whatever it was: that they do not sum to zero, say."""
    bound: Callable[[Any, Counter[str]], int]
    """The most plays that can have led to a state, of which so many were of each kind, by the names of commands."""
    patience: int | None = None
    """Where deals can go on without end: a deal is left after so many plays. None: every deal must end."""
    cards: Callable[[Any], Counter[Card | None]]
    """Where all the cards are; None for those that nobody has written down."""
    twin: Callable[[Random, Any, int | None], Any]
    """A state that differs from this one only in what that seat (None: an onlooker) cannot know."""
    tells: Callable[[Any], bool]
    """Whether a command claims to know a hidden card, as only the keeper of a recorded table may."""
    rare: Callable[[Any, Any, Any], Iterator[str]]
    """Names of rare things that the play from one state to another shows."""
    wanted: Mapping[str, int]
    """The rare things that a full run must have seen at least so often; a shorter one in proportion, rounded down."""


def in_full(legal_plays: Callable[[Any, int], list[Any]]) -> Callable[[Any, int, tuple[Any, ...]], str | None]:
    """The fault of a list that should hold every legal play, and each once."""

    def fault(state: Any, seat: int, listed: tuple[Any, ...]) -> str | None:
        legal = legal_plays(state, seat)
        return None if same_plays(listed, legal) else f"{listed} is listed, {legal} is legal"

    return fault


SUPPORT: Final[Mapping[str, Support]] = {
    "rockaway": Support(
        options=rockaway_players.options,
        styles=rockaway_players.STYLES,
        name_draw=rockaway_players.name_draw,
        sayable=rockaway_oracle.sayable,
        judge=rockaway_oracle.judge,
        list_fault=in_full(rockaway_oracle.legal_plays),
        points=rockaway_oracle.points,
        bound=rockaway_oracle.bound,
        cards=rockaway_players.all_cards,
        twin=rockaway_players.twin,
        tells=rockaway_players.tells,
        rare=rockaway_players.rare,
        wanted=rockaway_players.WANTED,
    ),
    "poker_rum": Support(
        options=poker_rum_players.options,
        styles=poker_rum_players.STYLES,
        load=rums_players.load,
        name_draw=rums_players.name_draw,
        sayable=poker_rum_oracle.sayable,
        judge=poker_rum_oracle.judge,
        list_fault=in_full(poker_rum_oracle.legal_plays),
        points=poker_rum_oracle.points,
        unsound=poker_rum_oracle.unsound,
        bound=poker_rum_oracle.bound,
        patience=rums_players.PATIENCE,
        cards=rums_players.all_cards,
        twin=rums_players.twin,
        tells=rums_players.tells,
        rare=poker_rum_players.rare,
        wanted=poker_rum_players.WANTED,
    ),
    "single_pack_rum": Support(
        options=single_pack_rum_players.options,
        styles=single_pack_rum_players.STYLES,
        load=rums_players.load,
        name_draw=rums_players.name_draw,
        sayable=single_pack_rum_oracle.sayable,
        judge=single_pack_rum_oracle.judge,
        list_fault=single_pack_rum_oracle.list_fault,
        points=single_pack_rum_oracle.points,
        unsound=single_pack_rum_oracle.unsound,
        bound=single_pack_rum_oracle.bound,
        patience=rums_players.PATIENCE,
        cards=rums_players.all_cards,
        twin=rums_players.twin,
        tells=rums_players.tells,
        rare=single_pack_rum_players.rare,
        wanted=single_pack_rum_players.WANTED,
    ),
    "canasta": Support(
        options=canasta_players.options,
        styles=canasta_players.STYLES,
        sessions=1_000,
        deals=40,
        totals=canasta_players.totals,
        least_written=canasta_players.LEAST_WRITTEN,
        load=canasta_players.load,
        name_draw=canasta_players.name_draw,
        sayable=canasta_plays.sayable,
        judge=canasta_oracle.judge_of,
        list_fault=canasta_plays.list_fault,
        points=canasta_oracle.points,
        bound=canasta_oracle.bound,
        cards=canasta_players.all_cards,
        twin=canasta_players.twin,
        tells=canasta_players.tells,
        rare=canasta_rare.rare,
        wanted=canasta_rare.WANTED,
    ),
}


def support_of(game: AnyGame) -> Support:
    """The game's part; a game that has none fails whoever asks, since no law can be held for it."""
    assert game.name in SUPPORT, f"no oracle and no players of {game.name}: seeded play wants them in tests/rules"
    return SUPPORT[game.name]


def judged(support: Support, state: Any, seats: Iterable[int]) -> Iterator[tuple[Any, str | None]]:
    """Everything that these seats can say, each with its verdict."""
    judge = support.judge(state)
    for seat in seats:
        for command in support.sayable(state, seat):
            yield command, judge(command)
