"""Events to envelopes and back, and an event as one viewer may see it.

What is stored of an event, under which kind, and to whom each sealed field may be shown, is declared with the event
types of the session and of each game; this file only carries it out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from types import NoneType
from typing import Any, Final, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from replay.envelope import Envelope, Openings, Stamp, Tip, fresh_salt, genesis, sealed
from replay.rules.cards import Card
from replay.rules.game import BY_SEAT, OWN_SEAT, EventType, Viewer
from replay.rules.registry import REVISIONS
from replay.rules.session_events import EVENTS, Event, Irregular, SessionOpened
from replay.rules.session_state import BrokenLogError


class _Coder(NamedTuple):
    """An event type with what coding it needs, worked out once."""

    type: EventType
    fields: tuple[str, ...]
    pick: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    flat: bool
    """Whether every field is a plain value, so that nothing needs to be made a tuple again."""
    seeds: frozenset[str]
    """Sealed fields that may be null, and may stay closed in an export for ever."""


def _is_flat(hint: Any) -> bool:
    if hint is Card:
        return True
    parts = get_args(hint) if get_origin(hint) is not None or isinstance(hint, type(int | None)) else (hint,)
    return get_origin(hint) in (None, Union) and all(part in (int, str, bool, NoneType, Card) for part in parts)


def _coder(event_type: EventType) -> _Coder:
    fields: tuple[str, ...] = event_type.shape._fields
    named = (*event_type.public, *event_type.sealed)
    if sorted(named) != sorted(fields):
        raise TypeError(f"every field of {event_type.kind} must be public or sealed, and once: {fields}, {named}")
    flat = all(map(_is_flat, get_type_hints(event_type.shape).values()))
    seeds = frozenset(name for name, audience in event_type.sealed.items() if audience.seed)
    return _Coder(event_type, fields, _picker(fields), flat, seeds)


def _picker(fields: tuple[str, ...]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    if len(fields) > 1:
        return itemgetter(*fields)
    # An itemgetter of one name gives the value alone.
    return lambda data: tuple(data[name] for name in fields)


_TYPES: Final = (*EVENTS, *(event_type for game in REVISIONS for event_type in game.events))
_BY_SHAPE: Final = {event_type.shape: _coder(event_type) for event_type in _TYPES}
_BY_KIND: Final = {(coder.type.kind, coder.type.schema): coder for coder in _BY_SHAPE.values()}

SEEDS: Final = frozenset((coder.type.kind, name) for coder in _BY_SHAPE.values() for name in coder.seeds)
"""Kinds and their fields that hold a seed: it opens when the deal that was dealt from it is over, and else never."""
WORDS: Final = frozenset(
    (coder.type.kind, name)
    for coder in _BY_SHAPE.values()
    for name, audience in coder.type.sealed.items()
    if audience.table
)
"""Kinds and their fields that are for the table alone: to others they stay closed for ever, and hide no card."""

_UNREADABLE: Final = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What bytes that were JSON once, but never ours, can bring about here."""

MARK: Final = "irregular"
"""The public field that marks an irregular play: an object with the clause that it offends, or null."""


START: Final = Tip(0, b"")
"""Of a log in which nothing is: the opening itself says what its chain begins with."""


def encode(
    session: str, events: Iterable[Event], *, after: Tip, stamp: Stamp, salt: Callable[[], str] = fresh_salt
) -> list[Envelope]:
    """The envelopes of new events that follow `after`; START before the opening, which is then the first of them."""
    made: list[Envelope] = []
    for event in events:
        if isinstance(event, SessionOpened):
            after = Tip(0, genesis(session, event.game, event.revision, event.options))
        made.append(_encode(event, after, stamp, salt))
        after = made[-1].tip
    return made


def _encode(event: Event, after: Tip, stamp: Stamp, salt: Callable[[], str]) -> Envelope:
    mark = None
    if isinstance(event, Irregular):
        mark, event = {"clause": event.clause}, event.play
    coder = _BY_SHAPE[type(event)]
    kind, schema, _, _, audiences, _ = coder.type
    data: dict[str, Any] = dict(zip(coder.fields, cast("tuple[Any, ...]", event), strict=True))
    opened: Openings = {}
    if audiences:
        hidden = {name: data.pop(name) for name in audiences}
        opened = {
            name: [(salt(), part) for part in hidden[name]] if audience.by_seat else (salt(), hidden[name])
            for name, audience in audiences.items()
            # What there is none of needs no seal, where it is no secret that there is none.
            if hidden[name] is not None or audience in (OWN_SEAT, BY_SEAT)
        }
    if mark is not None:
        data[MARK] = mark
    return sealed(after, kind, schema, stamp, data, opened)


def decode(stored: Sequence[Envelope]) -> list[Event]:
    """The events that these envelopes hold; raises BrokenLogError at the first that is none that anybody declares.

    A sealed field that cannot be opened here is None.
    """
    events: list[Event] = []
    for each in stored:
        try:
            coder = _BY_KIND[each.kind, each.schema]
            data = each.data
            if coder.type.sealed:
                data = {**data, **_unsealed(coder, each.opened)}
            picked = coder.pick(data)
            event = coder.type.shape._make(picked if coder.flat else map(_frozen, picked))
            if coder.type.upcast is not None:
                event = _upcast(coder, event)
            if len(data) > len(picked):
                event = Irregular(event, data[MARK]["clause"])
        except _UNREADABLE as fault:
            raise _unreadable(each, fault) from fault
        events.append(event)
    return events


def _unsealed(coder: _Coder, opened: Openings) -> dict[str, Any]:
    """The sealed fields with their values."""
    values: dict[str, Any] = {}
    for name, audience in coder.type.sealed.items():
        opening = opened.get(name)
        if opening is None:
            values[name] = None
        elif audience.by_seat:
            values[name] = [each and each[1] for each in opening]
        else:
            values[name] = opening[1]
    return values


def _upcast(coder: _Coder, event: Any) -> Any:
    """The event as one that is written today, schema by schema."""
    while (upcast := coder.type.upcast) is not None:
        event = upcast(event)
        coder = _BY_SHAPE[type(event)]
    return event


def _unreadable(stored: Envelope, fault: Exception) -> BrokenLogError:
    return BrokenLogError(stored.version, f"it is no event that anybody declares: {type(fault).__name__} {fault}"[:200])


class Shown(NamedTuple):
    """An event as one viewer may see it."""

    data: dict[str, Any]
    """Every field but the seat; a sealed one that he may not see is null, of a list by seat each part for itself."""
    opened: dict[str, Any]
    """What opens the seals that he may open."""


def shown(stored: Envelope, viewer: Viewer) -> Shown:
    """The fields of an event as the viewer may see them. The seat that it is about is not among them; see `seat_of`.

    Raises BrokenLogError.
    """
    try:
        data = {name: value for name, value in stored.data.items() if name != "seat"}
        coder = _BY_KIND[stored.kind, stored.schema]
        opened = _opened(stored, coder, viewer) if stored.opened else {}
        if coder.type.sealed:
            data |= _unsealed(coder, opened)
            for name, audience in coder.type.sealed.items():
                if audience.by_seat and name not in opened:
                    data[name] = [None] * len(stored.seals[name])
                if name not in stored.seals and not audience.by_seat:
                    # Neither sealed nor public: shown as null it would be taken for public, and no digest would fit.
                    del data[name]
    except _UNREADABLE as fault:
        raise _unreadable(stored, fault) from fault
    return Shown(data, opened)


def _opened(stored: Envelope, coder: _Coder, viewer: Viewer) -> dict[str, Any]:
    """What opens the seals that the viewer may open; whatever is not allowed here stays closed."""
    seat = stored.data.get("seat")
    opened: dict[str, Any] = {}
    for name, opening in stored.opened.items():
        audience = coder.type.sealed[name]
        if audience.seed:
            allowed = viewer.seeds
        elif audience.table:
            allowed = viewer.table
        else:
            allowed = viewer.everything or (audience.own_seat and seat is not None and viewer.sees(seat))
        if allowed:
            opened[name] = opening
        elif audience.by_seat and any(map(viewer.sees, range(1, len(opening) + 1))):
            opened[name] = [part if viewer.sees(n) else None for n, part in enumerate(opening, start=1)]
    return opened


def seat_of(stored: Envelope) -> int | None:
    """The seat that made the play; None for an event that is no play."""
    seat = stored.data.get("seat")
    return seat if isinstance(seat, int) else None


def _frozen(value: Any) -> Any:
    """Lists as tuples, all the way down: stored JSON as the events have it."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, Mapping):
        return {name: _frozen(part) for name, part in value.items()}
    return value
