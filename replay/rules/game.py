"""The shape that every game fills in: a record of pure functions over its own state, commands and events.

A play is first asked whether a table could make it (`impossible`), then whether the rules forbid it (`forbidden`);
`outcome` says what it brings, `evolve` applies that. What all games share, seats and totals among it, is session.py.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar

from replay.rules.cards import Card, Cards
from replay.rules.clauses import Clause
from replay.rules.options import Option, OptionValue
from replay.rules.scores import Plain, Sheet

Ending = Literal["out", "blocked", "shown", "stock_exhausted", "void"]


class RefusedError(Exception):
    """A command that cannot be carried out now and has changed nothing.

    `detail` names no card that is hidden from who gave the command.
    """

    def __init__(self, detail: str, clause: str | None = None) -> None:
        super().__init__(detail)
        self.detail: Final = detail
        self.clause = clause


class NotNowError(RefusedError):
    """It is not the time: no deal is on, one is still on, or all is over (XA-15, XA-10 where one of them says so)."""


class FrozenError(RefusedError):
    """A dispute is open that holds up the whole session."""


class ImpossibleRulingError(RefusedError):
    """What is ruled cannot be: the deal as it would be is none, or there is nothing to rule on."""


class BrokenLineError(ImpossibleRulingError):
    """A deal, amended so, could not have gone on as it did: a preview shows how far it goes."""


class InformationShownError(RefusedError):
    """A card was seen since, so that what was played cannot simply be taken back; `version` says where first."""

    def __init__(self, detail: str, version: int) -> None:
        super().__init__(detail)
        self.version: Final = version


class ImpossiblePlayError(RefusedError):
    """No table could make this play, so no clause forbids it."""


class IllegalPlayError(RefusedError):
    """The rules forbid the play now: `clause` is the first row of the book's table that applies."""

    clause: str

    def __init__(self, clause: str, detail: str) -> None:
        super().__init__(detail, clause)


class Refusal(NamedTuple):
    """Why a play is forbidden: the clause, and what of the position offends it."""

    clause: str
    detail: str


class Viewer(NamedTuple):
    """Who looks: one seat, everybody's cards, or (neither) an onlooker, who sees what lies face up."""

    seat: int | None = None
    everything: bool = False
    seeds: bool = False
    """Whether the seed of a deal that is over is looked at. Nobody sees one before."""
    table: bool = False
    """Whether he is of the table: a seat, its organiser, an auditor. They read what a dispute says."""

    def sees(self, seat: int) -> bool:
        """Whether this viewer may see the hand of that seat."""
        return self.everything or self.seat == seat


ONLOOKER: Final = Viewer()
EVERYTHING: Final = Viewer(everything=True)


class Make(NamedTuple):
    """What a deal is made of, by number of seats and options: the copies of each card, and the cards in a hand."""

    copies: Counter[Card]
    hand_size: int


class Dealt(NamedTuple):
    """The cards of a deal in their order. The stock gives its first card first and has its full length (XA-17);
    a card that nobody has written down is None."""

    hands: tuple[Cards, ...]
    upcard: Card
    stock: tuple[Card | None, ...]


class Setting(NamedTuple):
    """What a deal depends on beside its cards. `options` is the game's own record of options."""

    options: Any
    number: int
    dealer: int
    totals: tuple[int, ...]


class View(NamedTuple):
    """A deal as one viewer sees it. `further` holds what only this game has, by the names of the HTTP contract."""

    turn: int | None
    upcard: Card | None
    stock_count: int
    discard_count: int
    hands: tuple[Cards | None, ...]
    """Each seat's cards, None where they are hidden; `counts` tells how many there are."""
    counts: tuple[int, ...]
    further: Mapping[str, Plain]


class Audience(NamedTuple):
    """To whom a sealed field of an event may be shown before its deal is over.

    `own_seat`: to the seat that the event is about; `by_seat`: the field holds one value a seat, each for that seat;
    neither: to nobody. Whoever sees everything sees these too, but for a `seed`: that is nobody's until the deal that
    was shuffled with it is over, and if there never is one, for ever.
    """

    own_seat: bool = False
    by_seat: bool = False
    seed: bool = False
    table: bool = False
    """To those of the table for ever, and to nobody else, whatever deal is over."""


OWN_SEAT: Final = Audience(own_seat=True)
BY_SEAT: Final = Audience(by_seat=True)
NOBODY: Final = Audience()
SEED: Final = Audience(seed=True)
TABLE: Final = Audience(table=True)


class EventType(NamedTuple):
    """An event as it is stored: a promise. Kinds and schema numbers are written out and never reused.

    Every field is named once, either as public or as sealed with its audience: one that is named nowhere stops the
    program as it starts, so that nothing is ever shown because somebody forgot it.
    """

    kind: str
    schema: int
    shape: type[Any]
    """A NamedTuple; its fields are the stored names. Field `seat`, if it has one, is who the event is about."""
    public: tuple[str, ...]
    """Fields that everybody may see, at once and for ever."""
    sealed: Mapping[str, Audience] = {}
    """Fields that only some may see, each with its audience."""
    upcast: Callable[[Any], Any] | None = None
    """For a schema that is no longer written: its event as one of the next schema's shape."""


class PlayEvent(Protocol):
    """What every play's event has: the seat that made it."""

    @property
    def seat(self) -> int: ...


T = TypeVar("T")
S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E", bound=PlayEvent)


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, C, E]):
    """One revision of one game: S its deal's state, C its commands, E its events."""

    name: str
    revision: int
    seats: range
    """How many may play."""
    lowest_wins: bool
    """XA-9: whether the lowest total wins the session, or the highest."""
    shared_best_plays_on: bool
    """XA-9: whether a best total that is shared at the target calls for another deal."""
    options: tuple[Option, ...]
    presets: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=dict)
    """Whole sets of options by the value of option `preset`: what they give in place of the table's defaults."""
    agreed: Callable[[Mapping[str, OptionValue]], Any]
    """The game's own record of options, from all of them by name."""
    clauses: Mapping[str, Clause]
    events: tuple[EventType, ...]
    sides: Callable[[int], tuple[tuple[int, ...], ...]]
    """By number of seats: the seats that score together, in the order in which points are written."""
    make: Callable[[int, Any], Make]
    undealable: Callable[[Setting, Dealt], str | None] = lambda _setting, _dealt: None
    """Why cards of the right number still cannot be dealt, where the dealing itself draws; None if they can."""
    start: Callable[[Setting, Dealt], S]
    impossible: Callable[[S, C], str | None]
    """Why no table could make the play; None if one could."""
    forbidden: Callable[[S, C], Refusal | None]
    """Why the rules forbid the play, by the first row that applies; None if it is legal. Asked of possible plays."""
    outcome: Callable[[S, C], E]
    """The one event that a possible play is, with all that it brought."""
    shows: Callable[[E], bool]
    """Whether a play shows somebody a card that he had not seen: what a ruling cannot take back."""
    evolve: Callable[[S, E], S]
    """Applies an event; checks no rules, takes every event ever stored."""
    ending: Callable[[S], Ending | None]
    """How the deal has ended; None while it is on."""
    score: Callable[[S], Sheet]
    """The sheet of a deal that has ended."""
    view: Callable[[S, Viewer], View]
    legal: Callable[[S, int], tuple[C, ...]]
    """What this seat may play now, always in the same order; empty when that is nothing."""
    hints: Callable[[S, int], Mapping[str, Plain]] = lambda _state, _seat: {}
    """What that list leaves out, where it cannot list every play."""
    outlook: Callable[[Any, tuple[int, ...]], Mapping[str, Plain]] = lambda _options, _totals: {}
    """What totals mean for the deals to come, where they mean anything."""
    read_play: Callable[[int, str, list[str]], C]
    """A written play (seat, verb, arguments) as a command; raises NotationError."""
    write_play: Callable[[E], str]
    """An event as the written play that it came from, without the seat."""


AnyGame = Game[Any, Any, Any]


class NotationError(ValueError):
    """The text is not a written play of this game."""


def each_seat(seats: int) -> tuple[tuple[int, ...], ...]:
    """Sides of a game in which everybody plays for himself."""
    return tuple((seat,) for seat in range(1, seats + 1))


def still_on(state: object, table: type[T]) -> T:
    """The state as the game's own state of a deal that is on; the session asks that before any game is asked."""
    if not isinstance(state, table):
        raise ValueError("the deal is over")  # noqa: TRY004 - asked too late, not of a wrong type
    return state


def judge(game: Game[S, C, E], state: S, command: C) -> Refusal | None:
    """Whether the rules forbid the play, after asking whether a table could make it (else ImpossiblePlayError)."""
    impossible = game.impossible(state, command)
    if impossible is not None:
        raise ImpossiblePlayError(impossible)
    return game.forbidden(state, command)


def decide(game: Game[S, C, E], state: S, command: C) -> E:
    """The event that a legal play is; raises ImpossiblePlayError or IllegalPlayError, and then nothing has happened."""
    refusal = judge(game, state, command)
    if refusal is not None:
        raise IllegalPlayError(refusal.clause, refusal.detail)
    return game.outcome(state, command)
