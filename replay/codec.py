"""Events to envelopes and back, and an event as one viewer may see it.

What is stored of an event, under which kind, and to whom each sealed field may be shown, is declared with the event
types of the session and of each game; this file only carries it out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from types import NoneType
from typing import Any, Final, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from replay.envelope import Envelope
from replay.rules.cards import Card
from replay.rules.game import EventType, Viewer
from replay.rules.registry import REVISIONS
from replay.rules.session import BrokenLogError
from replay.rules.session_events import EVENTS, Event, Irregular


class _Coder(NamedTuple):
    """An event type with what coding it needs, worked out once."""

    type: EventType
    fields: tuple[str, ...]
    pick: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    flat: bool
    """Whether every field is a plain value, so that nothing needs to be made a tuple again."""


def _is_flat(hint: Any) -> bool:
    if hint is Card:
        return True
    parts = get_args(hint) if get_origin(hint) is not None or isinstance(hint, type(int | None)) else (hint,)
    return get_origin(hint) in (None, Union) and all(part in (int, str, bool, NoneType, Card) for part in parts)


def _coder(event_type: EventType) -> _Coder:
    fields: tuple[str, ...] = event_type.shape._fields
    flat = all(map(_is_flat, get_type_hints(event_type.shape).values()))
    return _Coder(event_type, fields, _picker(fields), flat)


def _picker(fields: tuple[str, ...]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    if len(fields) > 1:
        return itemgetter(*fields)
    # An itemgetter of one name gives the value alone.
    return lambda data: tuple(data[name] for name in fields)


_TYPES: Final = (*EVENTS, *(event_type for game in REVISIONS for event_type in game.events))
_BY_SHAPE: Final = {event_type.shape: _coder(event_type) for event_type in _TYPES}
_BY_KIND: Final = {(coder.type.kind, coder.type.schema): coder for coder in _BY_SHAPE.values()}

_UNREADABLE: Final = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What bytes that were JSON once, but never ours, can bring about here."""

MARK: Final = "irregular"
"""The public field that marks an irregular play: an object with the clause that it offends, or null."""


def encode(events: Iterable[Event], *, after: int, at: str, who: str) -> list[Envelope]:
    """The envelopes of new events that follow version `after`."""
    return [_encode(event, version, at, who) for version, event in enumerate(events, start=after + 1)]


def _encode(event: Event, version: int, at: str, who: str) -> Envelope:
    mark = None
    if isinstance(event, Irregular):
        mark, event = {"clause": event.clause}, event.play
    coder = _BY_SHAPE[type(event)]
    kind, schema, _, audiences = coder.type
    data: dict[str, Any] = dict(zip(coder.fields, cast("tuple[Any, ...]", event), strict=True))
    sealed = {name: data.pop(name) for name in audiences}
    if mark is not None:
        data[MARK] = mark
    return Envelope(version, kind, schema, at, who, data, sealed)


def decode(stored: Sequence[Envelope]) -> list[Event]:
    """The events that these envelopes hold; raises BrokenLogError at the first that is none that anybody declares."""
    events: list[Event] = []
    for _, kind, schema, _, _, public, sealed in stored:
        try:
            coder = _BY_KIND[kind, schema]
            data = {**public, **sealed} if sealed else public
            picked = coder.pick(data)
            event = coder.type.shape._make(picked if coder.flat else map(_frozen, picked))
            if len(data) > len(picked):
                event = Irregular(event, data[MARK]["clause"])
        except _UNREADABLE as fault:
            raise _unreadable(stored[len(events)], fault) from fault
        events.append(event)
    return events


def _unreadable(stored: Envelope, fault: Exception) -> BrokenLogError:
    return BrokenLogError(stored.version, f"it is no event that anybody declares: {type(fault).__name__} {fault}"[:200])


def shown(stored: Envelope, viewer: Viewer) -> dict[str, Any]:
    """The fields of an event as the viewer may see them: a sealed field that he may not see is null.

    The seat that the event is about is not among them; see `seat_of`. Raises BrokenLogError.
    """
    try:
        return _shown(stored, viewer)
    except _UNREADABLE as fault:
        raise _unreadable(stored, fault) from fault


def _shown(stored: Envelope, viewer: Viewer) -> dict[str, Any]:
    data = {name: value for name, value in stored.public.items() if name != "seat"}
    if stored.sealed:
        coder = _BY_KIND[stored.kind, stored.schema]
        seat = stored.public.get("seat")
        for name, value in stored.sealed.items():
            audience = coder.type.sealed[name]
            if viewer.everything or (audience.own_seat and seat is not None and viewer.sees(seat)):
                data[name] = value
            elif audience.by_seat:
                data[name] = [part if viewer.sees(n) else None for n, part in enumerate(value, start=1)]
            else:
                data[name] = None
    return data


def seat_of(stored: Envelope) -> int | None:
    """The seat that made the play; None for an event that is no play."""
    seat = stored.public.get("seat")
    return seat if isinstance(seat, int) else None


def _frozen(value: Any) -> Any:
    """Lists as tuples, all the way down: stored JSON as the events have it."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, Mapping):
        return {name: _frozen(part) for name, part in value.items()}
    return value
