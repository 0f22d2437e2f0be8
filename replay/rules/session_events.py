"""What can happen to a session beside the plays of its game.

STORAGE: add, never change. A new meaning is a new schema number or a new kind, and evolve takes every one ever stored.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from replay.rules.cards import Card, Cards
from replay.rules.game import BY_SEAT, NOBODY, SEED, Ending, EventType, PlayEvent
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


SessionEvent = SessionOpened | EntropyAdded | DealStarted | DealEnded | SessionClosed
Event = SessionEvent | Irregular | PlayEvent

EVENTS: Final = (
    EventType(
        "session.opened",
        1,
        SessionOpened,
        (
            *("game", "revision", "options", "seats", "mode", "public", "owner"),
            *("first_deal", "totals", "winners"),
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
)
