"""What can happen to a session beside the plays of its game.

STORAGE: add, never change. A new meaning is a new schema number or a new kind, and evolve takes every one ever stored.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from replay.rules.cards import Card, Cards
from replay.rules.game import BY_SEAT, NOBODY, Ending, EventType, PlayEvent
from replay.rules.options import OptionValue

Mode = Literal["dealt", "recorded"]
"""Whether the service shuffles, or the cards come from a real table."""


class SessionOpened(NamedTuple):
    """A session was opened; always its first event."""

    game: str
    revision: int
    options: Mapping[str, OptionValue]
    """Every option, defaults included, so that a later default changes nothing."""
    players: tuple[str, ...]
    """Names by seat."""
    mode: Mode
    public: bool
    owner: str
    """Who opened it, as the service names its organisers."""
    first_deal: int
    totals: tuple[int, ...]
    """Points brought forward from deals before the first one here."""
    winners: tuple[int, ...] | None
    """Seats, if what was brought forward ends the session already; else None."""


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


class DealEnded(NamedTuple):
    """A deal is over. Carries what it scored, so that no later change of scoring can change a total."""

    number: int
    ending: Ending
    points: tuple[int, ...]
    winners: tuple[int, ...] | None
    """Seats that have won the session, if it ends with this deal (XA-8, XA-9); else None."""


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


SessionEvent = SessionOpened | DealStarted | DealEnded | SessionClosed
Event = SessionEvent | Irregular | PlayEvent

EVENTS: Final = (
    EventType("session.opened", 1, SessionOpened),
    EventType("session.deal_started", 1, DealStarted, {"hands": BY_SEAT, "stock": NOBODY}),
    EventType("session.deal_ended", 1, DealEnded),
    EventType("session.closed", 1, SessionClosed),
)
