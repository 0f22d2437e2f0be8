"""What can happen to a session beside the plays of its game.

STORAGE: add, never change. A new meaning is a new schema number or a new kind, and evolve takes every one ever stored.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from replay.rules.cards import Card, Cards
from replay.rules.game import BY_SEAT, NOBODY, SEED, TABLE, Ending, EventType, PlayEvent
from replay.rules.options import OptionValue

Mode = Literal["dealt", "recorded"]
"""Whether the service shuffles, or the cards come from a real table."""


class SessionOpened(NamedTuple):
    """A session was opened; always its first event."""

    game: str
    revision: int
    options: Mapping[str, OptionValue]
    """Every option, defaults included, so that a later default changes nothing."""
    seats: int
    """How many play. Who they are lies beside the log, so that a person can be forgotten and no digest changes."""
    mode: Mode
    public: bool
    owner: str
    """Who opened it, as the service names its organisers."""
    first_deal: int
    totals: tuple[int, ...]
    """Points brought forward from deals before the first one here."""
    winners: tuple[int, ...] | None
    """Seats, if what was brought forward ends the session already; else None."""
    terms: Mapping[str, str | int | bool]
    """How results are disputed and become final; every one, defaults included (see session_terms)."""
    seed: str | None
    """Of the first deal, as 64 hexadecimal digits: hidden, and by its seal committed to. None if nothing is shuffled
    here."""


class EntropyAdded(NamedTuple):
    """A seat gave a text to be mixed into the seed of the next deal."""

    seat: int
    text: str


class DealStarted(NamedTuple):
    """The cards of a deal lie on the table."""

    number: int
    dealer: int
    hands: tuple[Cards, ...]
    """As dealt, before any replacement."""
    upcard: Card
    stock: tuple[Card | None, ...]
    """In the order of drawing, at full length; None for a card that nobody has written down."""
    played_at: str | None
    """RFC 3339: when it was played at a real table, if anybody says."""
    note: str | None
    entropy: str | None
    """What the organiser had mixed into the seed, after the seats; None if nothing was shuffled."""


class DealEnded(NamedTuple):
    """A deal is over. Carries what it scored, so that no later change of scoring can change a total."""

    number: int
    ending: Ending
    points: tuple[int, ...]
    winners: tuple[int, ...] | None
    """Seats that have won the session, if it ends with this deal (XA-8, XA-9); else None."""
    dealt_from: str | None
    """The seed of this deal, revealed; None if nothing was shuffled."""
    seed: str | None
    """As in SessionOpened: of the next deal; None too if there is to be none."""


class SessionClosed(NamedTuple):
    """The organiser ended an open session (XA-10)."""

    winners: tuple[int, ...]


class Irregular(NamedTuple):
    """A play that happened although the rules forbid it, or was marked so though they do not."""

    play: PlayEvent
    clause: str | None
    """The clause it offends, None if the mark was mistaken."""

    @property
    def seat(self) -> int:
        """The seat that made the play."""
        return self.play.seat


Subject = Literal["arithmetic", "ruling"]
"""What a dispute is about: how points were added up, or what was played and whether the rules allow it."""

RulingKind = Literal["let_stand", "retract", "amend", "adjust", "penalty", "void", "redeal", "award"]


class DisputeOpened(NamedTuple):
    """Somebody contests a deal."""

    number: int
    """Of the dispute in its session, from 1."""
    seat: int | None
    """None: the organiser himself."""
    deal: int
    at: int | None
    """The version that is contested, if it is one."""
    about: Subject
    words: str | None
    """His own. None where they are not to be read."""


class DisputeWithdrawn(NamedTuple):
    """A dispute ended without a ruling."""

    number: int
    seat: int | None
    """Who withdrew it; None: the organiser."""


class LinePlay(NamedTuple):
    """One play of an amended deal."""

    version: int
    """Of the event that it amends, or leaves as it was."""
    text: str
    """As records write it: `2 discard Ks`."""
    irregular: bool
    clause: str | None
    """What it offends, if it is irregular and offends one."""


class Ruled(NamedTuple):
    """The organiser ruled. Carries what follows, so that nothing needs to be judged again to replay it."""

    number: int
    """Of the ruling in its session, from 1."""
    ruling: RulingKind
    deal: int | None
    """None for `award`."""
    disputes: tuple[int, ...]
    """Those that it ends."""
    reason: str
    clause: str | None
    """The clause or law that it rests on."""
    rests_on: tuple[int, ...]
    """Versions."""
    despite: str | None
    """Why a card that was seen since is no obstacle."""
    overrules: int | None
    """An earlier ruling, which is undone first."""
    to: int | None
    """`retract`: the version that the deal goes back to."""
    changed: tuple[int, ...]
    """`amend`: versions of the plays that were entered wrongly."""
    delta: tuple[int, ...] | None
    """`adjust`, `penalty`: points added, as points are written."""
    points: tuple[int, ...] | None
    """What the deal counts from now on; None while it is on, or if there is none."""
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None
    """Seats, if the session is over now; else None."""
    line: tuple[tuple[int, str, bool, str | None], ...] | None
    """`amend`: the deal's plays from the first changed one on, as they are from now on; each is a LinePlay, plain."""
    seed: str | None
    """As in DealEnded, if the session goes on that had ended."""


class ResultConfirmed(NamedTuple):
    """A second person agreed to a deal's result."""

    deal: int
    seat: int | None
    """Who; None for one who holds no seat."""


SessionEvent = (
    SessionOpened
    | EntropyAdded
    | DealStarted
    | DealEnded
    | SessionClosed
    | DisputeOpened
    | DisputeWithdrawn
    | Ruled
    | ResultConfirmed
)
Event = SessionEvent | Irregular | PlayEvent

EVENTS: Final = (
    EventType(
        "session.opened",
        1,
        SessionOpened,
        (
            *("game", "revision", "options", "seats", "mode", "public", "owner"),
            *("first_deal", "totals", "winners", "terms"),
        ),
        {"seed": SEED},
    ),
    EventType("session.entropy_added", 1, EntropyAdded, ("seat", "text")),
    EventType(
        "session.deal_started",
        1,
        DealStarted,
        ("number", "dealer", "upcard", "played_at", "note", "entropy"),
        {"hands": BY_SEAT, "stock": NOBODY},
    ),
    EventType(
        "session.deal_ended", 1, DealEnded, ("number", "ending", "points", "winners", "dealt_from"), {"seed": SEED}
    ),
    EventType("session.closed", 1, SessionClosed, ("winners",)),
    EventType("session.dispute_opened", 1, DisputeOpened, ("number", "seat", "deal", "at", "about"), {"words": TABLE}),
    EventType("session.dispute_withdrawn", 1, DisputeWithdrawn, ("number", "seat")),
    EventType(
        "session.ruled",
        1,
        Ruled,
        (
            *("number", "ruling", "deal", "disputes", "reason", "clause", "rests_on", "despite", "overrules"),
            *("to", "changed", "delta", "points", "totals", "winners"),
        ),
        {"line": NOBODY, "seed": SEED},
    ),
    EventType("session.result_confirmed", 1, ResultConfirmed, ("deal", "seat")),
)
