"""Sessions of every game as a store holds them, by the players of tests/rules: shuffled from seeds into which seats and
organiser mix texts, and recorded at a table. Exports of them for any viewer, at any version, as the service writes
them.

Left out: whether the rules were right to allow a play; tests/rules asks that.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.audit import hidden_from
from replay.checkpoints import Signer
from replay.codec import START, encode
from replay.envelope import Envelope, Stamp
from replay.exports import header_of, lines, read_export
from replay.log import Batch, Names, Summary
from replay.rules.game import EVERYTHING, ONLOOKER, AnyGame, Viewer
from replay.rules.session import fold
from replay.rules.session_decide import add_entropy, close, play, start_deal
from replay.rules.session_events import DealEnded, Event, SessionClosed, SessionOpened
from replay.rules.session_state import Session
from replay.shuffle import SEED_BYTES, shuffled_deal
from replay.verify import Keys
from service.render import seen_as
from tests.rules import seeded
from tests.rules.tables import Style, support_of
from workers.entries import due

SIGNER: Final = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
"""The service's key."""
FORGER: Final = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64))))
"""Somebody else's."""
TRUSTED: Final[Keys] = {SIGNER.id: SIGNER.public}

NAMES: Final = ("Ann", "Ben", "Zoë", "李", "Eve", "Fay", "Gus", "Hal")
TEXTS: Final = ("", "Ann", "Zoë “Z”", "李", "😀\n", 'G"us\\', "x" * 64)
DEALS: Final = 3
"""A session is left after so many deals."""


class Kept(NamedTuple):
    """A session as its keeper has it."""

    id: str
    events: tuple[Event, ...]
    stored: tuple[Envelope, ...]
    checkpoints: tuple[bytes, ...]
    names: Names

    @property
    def opened(self) -> SessionOpened:
        """The first event."""
        first = self.events[0]
        assert isinstance(first, SessionOpened)
        return first

    @property
    def version(self) -> int:
        """How many events there are."""
        return len(self.stored)

    @property
    def viewers(self) -> list[Viewer]:
        """Everybody for whom it may be exported: the onlooker, each seat, and at a recorded table the organiser."""
        seats = [Viewer(seat) for seat in range(1, self.opened.seats + 1)]
        return [ONLOOKER, *seats, *([EVERYTHING] if self.opened.mode == "recorded" else [])]

    @property
    def moments(self) -> list[int]:
        """The versions at which its log may stand: a deal ends with its last play, and never after it."""
        ends = set(self.ends)
        return [version for version in range(1, self.version + 1) if version + 1 not in ends]

    @property
    def ends(self) -> list[int]:
        """The versions at which a deal ended."""
        return [at for at, event in enumerate(self.events, start=1) if isinstance(event, DealEnded)]

    def state(self, version: int) -> Session:
        """Nothing hidden."""
        return fold(None, self.events[:version])


def kept(game: AnyGame, chance: Random, *, deals: int = DEALS, mode: str | None = None) -> Kept:
    """A session of the game, dealt or recorded, with options, seats, seeds and texts at random."""
    dealt = chance.random() < 0.6 if mode is None else mode == "dealt"
    events = _dealt(game, chance, deals) if dealt else _recorded(game, chance, deals)
    return stored(f"0190d1f2-0000-7000-8000-{chance.randrange(10**12):012}", events, chance)


def stored(session: str, events: Sequence[Event], chance: Random, signer: Signer = SIGNER) -> Kept:
    """These events as they are stored, each at a moment of its own, with salts that nobody sees twice."""
    made: list[Envelope] = []
    for number, event in enumerate(events):
        minutes, seconds = divmod(number, 60)
        at = f"2026-09-21T{minutes // 60 % 24:02}:{minutes % 60:02}:{seconds:02}.{chance.randrange(1000):03}Z"
        stamp = Stamp(at, f"seat:{chance.randrange(1, 5)}", f"request-{number}")
        after = made[-1].tip if made else START
        made += encode(session, (event,), after=after, stamp=stamp, salt=lambda: chance.randbytes(16).hex())
    opened = events[0]
    assert isinstance(opened, SessionOpened)
    return Kept(session, tuple(events), tuple(made), signed(session, made, signer), NAMES[: opened.seats])


def signed(session: str, envelopes: Sequence[Envelope], signer: Signer) -> tuple[bytes, ...]:
    """The checkpoints that the service makes of these events."""
    ends = [each for each in envelopes if each.kind in ("session.deal_ended", "session.closed")]
    return tuple(signer.checkpoint(session, each.tip, each.stamp.at).to_bytes() for each in ends)


def export(
    of: Kept,
    viewer: Viewer = ONLOOKER,
    version: int | None = None,
    signer: Signer = SIGNER,
    *,
    like: Kept | None = None,
) -> bytes:
    """The export of a session as it was at a version, as `GET …/export` gives it. `like`: of a log that was forged, the
    session that it was made of, which tells what is over."""
    until = of.version if version is None else version
    session, envelopes = (like or of).state(until), of.stored[:until]
    keys = [{"id": signer.id, "public": signer.public.hex(), "retired_at": None}]
    header = header_of(of.id, session, of.names, viewer, envelopes[-1].digest.hex(), keys)
    ended = sum(isinstance(event, DealEnded | SessionClosed) for event in (like or of).events[:until])
    events = ((each, seen_as(each, session, viewer)) for each in envelopes)
    return b"".join(lines(header, events, of.checkpoints[:ended], signer))


def batch(of: Kept) -> Batch:
    """What puts the session into a log."""
    session = of.state(of.version)
    return Batch(
        session=of.id,
        after=START,
        envelopes=of.stored,
        now=1_790_000_000_000,
        summary=Summary(session.game.name, session.status, session.public, session.owner),
        due=[each.version for each, event in zip(of.stored, of.events, strict=True) if due(event)],
        names=of.names,
        checkpoints=of.checkpoints,
    )


def is_whole(exported: bytes) -> bool:
    """Whether no card is hidden in it."""
    return hidden_from(read_export(exported).events) is None


def _recorded(game: AnyGame, chance: Random, deals: int) -> list[Event]:
    events: list[Event] = []
    for step in seeded.session(game, chance, irregular=chance.random() < 0.3):
        events += step.events
        if len(step.after.finished) == deals:
            break
    return events


def _dealt(game: AnyGame, chance: Random, deals: int) -> list[Event]:
    support, seats = support_of(game), chance.choice(game.seats)
    events: list[Event] = [seeded.opening(game, support, chance, seats, _seed(chance))]
    session = fold(None, events)
    styles = seeded.styles_of(support, chance, seats)
    while session.winners is None and len(session.finished) < deals:
        for seat in chance.sample(range(1, seats + 1), chance.randrange(seats + 1)):
            events.append(add_entropy(session, seat, chance.choice(TEXTS)))
            session = fold(session, events[-1:])
        assert session.seed is not None
        cards = shuffled_deal(session, bytes.fromhex(session.seed), chance.choice(TEXTS))
        events.append(start_deal(session, cards))
        session = fold(session, events[-1:])
        while session.playing:
            assert session.deal is not None
            if session.deal.plays == support.patience:
                return events
            made = _play(styles, chance, session)
            events += made
            session = fold(session, made)
    if session.winners is None and session.options.deals is None and session.options.target is None:
        events.append(close(session))
    return events


def _play(styles: Sequence[Style], chance: Random, session: Session) -> tuple[Event, ...]:
    assert session.deal is not None
    game, state = session.game, session.deal.state
    turn = game.view(state, EVERYTHING).turn
    assert turn is not None
    command = styles[turn - 1](chance, state, game.legal(state, turn))
    return play(session, command, seed=lambda: _seed(chance))


def _seed(chance: Random) -> str:
    return chance.randbytes(SEED_BYTES).hex()
