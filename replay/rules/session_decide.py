"""What a session answers to a command: the events that it brings, or a refusal that changes nothing.

Nothing here is needed to replay a log, so all of it may change.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from replay.rules.cards import Card, Cards, excess
from replay.rules.game import (
    AnyGame,
    Dealt,
    FrozenError,
    IllegalPlayError,
    ImpossiblePlayError,
    NotNowError,
    RefusedError,
    Setting,
)
from replay.rules.options import agree
from replay.rules.session import fold, played
from replay.rules.session_events import (
    DealEnded,
    DealStarted,
    EntropyAdded,
    Event,
    Irregular,
    Mode,
    SessionClosed,
    SessionOpened,
)
from replay.rules.session_state import Irregularity, Session
from replay.rules.session_terms import agreed_terms


class UnseatableError(ValueError):
    """The game is not for so many players, or what is brought forward has not one number for each that scores."""


class DealCommand(NamedTuple):
    """Start the next deal with these cards. A stock that stops early is filled up with unknown cards (XA-17)."""

    hands: tuple[Cards, ...]
    upcard: Card
    stock: tuple[Card | None, ...]
    dealer: int | None = None
    played_at: str | None = None
    note: str | None = None
    entropy: str | None = None
    """What the organiser had mixed into the seed; None if the cards were not shuffled here."""


def open_session(
    game: AnyGame,
    *,
    seats: int,
    options: Mapping[str, object],
    mode: Mode,
    public: bool,
    owner: str,
    first_deal: int = 1,
    totals: tuple[int, ...] | None = None,
    terms: Mapping[str, object] | None = None,
    seed: str | None = None,
) -> SessionOpened:
    """A session opens. `seed`: a fresh one, if the service is to shuffle. Raises OptionError, TermError, or
    UnseatableError."""
    if seats not in game.seats:
        raise UnseatableError(f"{game.name} is for {game.seats[0]} to {game.seats[-1]} players")
    agreed = agree(game.options, options, game.presets)
    units = len(game.sides(seats))
    if totals is None:
        totals = (0,) * units
    elif len(totals) != units:
        raise UnseatableError(f"{units} totals are needed, {len(totals)} are given")
    winners = winners_at(game, game.agreed(agreed), seats, first_deal - 1, totals)
    return SessionOpened(
        game.name,
        game.revision,
        agreed,
        seats,
        mode,
        public,
        owner,
        first_deal,
        totals,
        winners,
        agreed_terms(terms or {})._asdict(),
        seed if winners is None else None,
    )


def add_entropy(session: Session, seat: int, text: str) -> EntropyAdded:
    """A seat has a text mixed into the seed of the next deal: one, and only between deals. Raises NotNowError."""
    require_between_deals(session)
    if session.mode == "recorded":
        raise NotNowError("the cards of this session come from a real table")
    if session.entropy[seat - 1] is not None:
        raise NotNowError(f"seat {seat} has given its entropy for this deal")
    return EntropyAdded(seat, text)


def require_unfrozen(session: Session) -> None:
    """Raise FrozenError while a dispute holds everything up."""
    if session.disputes and session.terms.disputes == "frozen":
        held = next((each for each in session.disputes if each.status == "open"), None)
        if held is not None:
            raise FrozenError(f"dispute {held.number} is open, and until it ends nothing goes on")


def require_between_deals(session: Session) -> None:
    """Raise NotNowError unless the next deal may start, or FrozenError."""
    require_unfrozen(session)
    if session.winners is not None:
        raise NotNowError("the session is over", "XA-15")
    if session.playing:
        raise NotNowError("a deal is still on")


def start_deal(session: Session, command: DealCommand) -> DealStarted:
    """The next deal starts. Raises NotNowError, or ImpossiblePlayError if no pack holds such a deal."""
    require_between_deals(session)
    stock = whole_stock(session, command)
    dealer = session.next_dealer if command.dealer is None else command.dealer
    setting = Setting(session.options, session.next_number, dealer, session.totals)
    undealable = session.game.undealable(setting, Dealt(command.hands, command.upcard, stock))
    if undealable is not None:
        raise ImpossiblePlayError(undealable)
    return DealStarted(
        number=session.next_number,
        dealer=dealer,
        hands=command.hands,
        upcard=command.upcard,
        stock=stock,
        played_at=command.played_at,
        note=command.note,
        entropy=command.entropy,
    )


Seed = Callable[[], str | None]
"""Where a seed comes from, for who needs one."""


def no_seed() -> None:
    """Where the cards come from a real table."""


class Run(NamedTuple):
    """Plays one after another, as far as they can be made."""

    events: tuple[Event, ...]
    session: Session
    """The session after these events."""
    refusal: RefusedError | None
    """Why the next play cannot be made; None if there is none left."""


def play(session: Session, command: Any, *, irregular: bool = False, seed: Seed = no_seed) -> tuple[Event, ...]:
    """A play of the game's own kind: one event, and the end of the deal if it ends it.

    With `irregular` a play that the rules forbid is recorded as the fact it was. `seed` gives a fresh one for the next
    deal, if the service is to shuffle it; it is asked only when this one ends. Raises NotNowError, ImpossiblePlayError,
    IllegalPlayError.
    """
    run = play_on(session, ((command, irregular),), seed)
    if run.refusal is not None:
        raise run.refusal
    return run.events


def play_on(session: Session, plays: Iterable[tuple[Any, bool]], seed: Seed = no_seed) -> Run:
    """Plays of the deal that is on, each a command and whether it is irregular, up to the first that is refused.

    The game's state goes from play to play without the session around it. Raises NotNowError if no deal is on.
    """
    deal, game = session.deal, session.game
    if deal is None:
        raise NotNowError("no deal has been started")
    if deal.last is not None:
        raise NotNowError("the deal is over", "XA-15")
    require_unfrozen(session)
    state, line, ending = deal.state, deal.line, None
    events: list[Event] = []
    marks: list[Irregularity] = []
    refusal: RefusedError | None = None
    for command, irregular in plays:
        if ending is not None:
            refusal = NotNowError("the deal is over", "XA-15")
            break
        impossible = game.impossible(state, command)
        if impossible is not None:
            refusal = ImpossiblePlayError(impossible)
            break
        forbidden = game.forbidden(state, command)
        if forbidden is not None and not irregular:
            refusal = IllegalPlayError(forbidden.clause, forbidden.detail)
            break
        outcome = game.outcome(state, command)
        state = game.evolve(state, outcome)
        ending = game.ending(state)
        event: Event = outcome
        if irregular:
            clause = forbidden.clause if forbidden else None
            event = Irregular(outcome, clause)
            marks.append(
                Irregularity(session.version + len(events) + 1, deal.plays + len(events) + 1, outcome.seat, clause)
            )
        events.append(event)
        line = (line, session.version + len(events), event)
    after = played(session, state, line, len(events), marks)
    if ending is not None:
        ended = end_deal(after, seed())
        events.append(ended)
        after = fold(after, (ended,))
    return Run(tuple(events), after, refusal)


def end_deal(session: Session, seed: str | None) -> DealEnded:
    """The end of a deal whose last play has been made. `seed`: a fresh one for the next deal, if it is shuffled here.

    Raises NotNowError if the deal goes on.
    """
    deal, game = session.deal, session.game
    ending = game.ending(deal.state) if deal is not None and deal.last is None else None
    if deal is None or ending is None:
        raise NotNowError("no deal is at its end")
    points = game.score(deal.state).points
    totals = tuple(map(sum, zip(session.totals, points, strict=True)))
    winners = winners_at(game, session.options, session.seats, deal.number, totals)
    return DealEnded(deal.number, ending, points, winners, session.seed, seed if winners is None else None)


def close(session: Session, *, on_record: bool = False) -> SessionClosed:
    """The organiser ends an open session (XA-10); raises NotNowError.

    `on_record`: a written record says that it was closed, which is a fact whatever its options.
    """
    require_between_deals(session)
    options = session.options
    if not on_record and (options.deals is not None or options.target is not None):
        raise NotNowError("the session ends by its options `deals` or `target`", "XA-10")
    return SessionClosed(best_of(session.game, session.seats, session.totals))


def whole_stock(session: Session, deal: DealCommand) -> tuple[Card | None, ...]:
    """The stock at its full length (XA-17); raises ImpossiblePlayError if hands, upcard and stock are no deal."""
    make = session.game.make(session.seats, session.options)
    for seat, hand in enumerate(deal.hands, start=1):
        if len(hand) != make.hand_size:
            raise ImpossiblePlayError(f"seat {seat} was dealt {len(hand)} cards, not {make.hand_size}")
    room = make.copies.total() - make.hand_size * len(deal.hands) - 1
    if len(deal.stock) > room:
        raise ImpossiblePlayError(f"the stock has {len(deal.stock)} cards, not {room}")
    known = [card for hand in deal.hands for card in hand]
    known.append(deal.upcard)
    known.extend(card for card in deal.stock if card is not None)
    too_many = excess(known, make.copies)
    if too_many is not None:
        card, count = too_many
        raise ImpossiblePlayError(f"{count} cards {card}, the pack has {make.copies[card]}")
    return deal.stock + (None,) * (room - len(deal.stock))


def dealt(session: Session, cards: tuple[Card, ...]) -> Dealt:
    """The pack, shuffled by whoever holds chance, dealt out one card at a time from the dealer's left (XA-5)."""
    seats = session.seats
    size = session.game.make(seats, session.options).hand_size
    first = session.next_dealer % seats
    hands = [cards[(seat - first) % seats : size * seats : seats] for seat in range(seats)]
    return Dealt(tuple(hands), cards[size * seats], cards[size * seats + 1 :])


def winners_at(game: AnyGame, options: Any, seats: int, number: int, totals: tuple[int, ...]) -> tuple[int, ...] | None:
    """XA-8, XA-9: the winners if the session ends with deal `number` at these totals; None if it goes on."""
    best = best_of(game, seats, totals)
    if options.deals is not None and number >= options.deals:
        return best
    if options.target is None or max(totals) < options.target:
        return None
    shared = len(best) > len(game.sides(seats)[0])
    return None if shared and game.shared_best_plays_on else best


def best_of(game: AnyGame, seats: int, totals: tuple[int, ...]) -> tuple[int, ...]:
    """XA-9: every seat of the sides with the best total, in order."""
    best = min(totals) if game.lowest_wins else max(totals)
    return tuple(
        sorted(seat for side, total in zip(game.sides(seats), totals, strict=True) if total == best for seat in side)
    )
