"""From plain data (what JSON or TOML holds) to a record: every check that needs no play. Strict: no guesses.

Which options, players and totals a session can have is asked of the session itself, so that there is one answer.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final, TypeVar, cast

from replay.records.limits import DEAL_NUMBER, NAME_LENGTH, NOTE_LENGTH, WHOLE_NUMBER
from replay.records.malformed import MalformedRecordError, quoted
from replay.records.notation import PlayReader, play_reader, read_cards, read_stock
from replay.records.record import Record, WrittenDeal, WrittenPlay
from replay.rules.game import AnyGame
from replay.rules.options import OptionError
from replay.rules.registry import UnknownGameError, find_game
from replay.rules.session_decide import UnseatableError, open_session

T = TypeVar("T")

FORM: Final = 1
"""The version of the written form that this reads."""

_KEYS: Final = frozenset(
    {"record", "game", "revision", "options", "players", "first_deal", "totals", "closed", "deals"}
)
_REQUIRED: Final = ("record", "game", "players", "deals")
_DEAL_KEYS: Final = frozenset({"dealer", "hands", "upcard", "stock", "plays", "points", "at", "note"})
_DEAL_REQUIRED: Final = ("hands", "upcard")

# Controls, half surrogate pairs, and the two separators that end a line wherever Unicode is believed.
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
CONTROL_IN_LINES: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
_RFC_3339: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:)(\d{2})(?:\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII
)


def record_from(data: object) -> Record:
    """The record that the data is; raises MalformedRecordError."""
    table = _table(data, _KEYS, _REQUIRED)
    if type(table["record"]) is not int or table["record"] != FORM:
        raise MalformedRecordError(f"record: this reads form {FORM}, and finds {_found(table['record'])}")
    game = _game(table["game"], table.get("revision"), given="revision" in table)
    players = tuple(_at("players", _list, table["players"], _name))
    units = len(game.sides(len(players)))
    totals = tuple(_at("totals", _list, table["totals"], _points, units)) if "totals" in table else None
    try:
        opened = open_session(
            game,
            seats=len(players),
            options=_at("options", _options, table.get("options", {})),
            mode="recorded",
            public=False,
            owner="",
            first_deal=_at("first_deal", _whole, table.get("first_deal", 1), 1, DEAL_NUMBER),
            totals=totals,
        )
    except OptionError as error:
        name, fault = next(iter(error.faults.items()))
        raise MalformedRecordError(f"options: {quoted(name)} {fault}") from None
    except UnseatableError as error:
        raise MalformedRecordError(f"players: {error}") from None
    closed = table.get("closed", False)
    if not isinstance(closed, bool):
        raise MalformedRecordError(f"closed: must be true or false, not {_found(closed)}")
    plays = play_reader(game.name, game.revision, len(players))
    deals = _each("deal", "deals", table["deals"], lambda deal: _deal(deal, len(players), units, plays))
    return Record(game, opened.options, players, opened.first_deal, opened.totals, closed, deals)


def name_fault(name: str) -> str | None:
    """Why this cannot be a player's name; None if it can."""
    if not name.strip():
        return "must not be blank"
    if len(name) > NAME_LENGTH:
        return f"must not be longer than {NAME_LENGTH} characters"
    return "must not hold control characters" if CONTROL.search(name) else None


def note_fault(note: str) -> str | None:
    """Why this cannot be a note; None if it can. A note may have lines and tabs."""
    if len(note) > NOTE_LENGTH:
        return f"must not be longer than {NOTE_LENGTH} characters"
    return "must not hold control characters" if CONTROL_IN_LINES.search(note) else None


def time_fault(text: str) -> str | None:
    """Why this is no RFC 3339 time; None if it is one."""
    match = _RFC_3339.fullmatch(text)
    if match is not None:
        date, clock, seconds, offset = match.groups()
        try:
            # A leap second is a time that RFC 3339 knows and Python does not.
            datetime.fromisoformat(f"{date}T{clock}{'59' if seconds == '60' else seconds}{offset.upper()}")
        except ValueError:
            pass
        else:
            return None
    return "must be an RFC 3339 time with its offset, such as 1931-06-04T20:30:00Z"


def _game(name: object, revision: object, *, given: bool) -> AnyGame:
    if not isinstance(name, str):
        raise MalformedRecordError(f"game: must be text, not {_found(name)}")
    if given and type(revision) is not int:
        raise MalformedRecordError(f"revision: must be a whole number, not {_found(revision)}")
    if isinstance(revision, int) and not 1 <= revision <= WHOLE_NUMBER:
        raise MalformedRecordError(f"revision: must be from 1 to {WHOLE_NUMBER}")
    try:
        return find_game(name, revision if isinstance(revision, int) else None)
    except UnknownGameError as error:
        raise MalformedRecordError(f"game: {error}") from None


def _deal(data: object, seats: int, units: int, reader: PlayReader) -> WrittenDeal:
    table = _table(data, _DEAL_KEYS, _DEAL_REQUIRED)
    get = table.get
    upcard = _at("upcard", read_cards, table["upcard"])
    if len(upcard) != 1:
        raise MalformedRecordError(f"upcard: must be one card, not {len(upcard)}")
    return WrittenDeal(
        hands=tuple(_at("hands", _list, table["hands"], read_cards, seats)),
        upcard=upcard[0],
        stock=_at("stock", read_stock, table["stock"]) if "stock" in table else (),
        plays=_plays(table["plays"], reader) if "plays" in table else (),
        dealer=_at("dealer", _whole, get("dealer"), 1, seats) if "dealer" in table else None,
        points=tuple(_at("points", _list, get("points"), _points, units)) if "points" in table else None,
        at=_at("at", _time, get("at")) if "at" in table else None,
        note=_at("note", _note, get("note")) if "note" in table else None,
    )


def _plays(data: object, reader: PlayReader) -> tuple[WrittenPlay, ...]:
    if isinstance(data, list):
        try:
            return tuple(map(reader.__getitem__, data))
        except (MalformedRecordError, TypeError):
            pass  # said again below, with its place
    return _each("play", "plays", data, reader.__missing__)


def _at(place: str, read: Callable[..., T], *arguments: object) -> T:
    """What `read` makes of the arguments; a fault of it says the place."""
    try:
        return read(*arguments)
    except MalformedRecordError as fault:
        raise fault.within(place) from None


def _each(one: str, many: str, data: object, read: Callable[[object], T]) -> tuple[T, ...]:
    """Every entry of a list read; a fault says which, counted from 1."""
    if not isinstance(data, list):
        raise MalformedRecordError(f"{many}: must be a list, not {_found(data)}")
    made: list[T] = []
    for number, entry in enumerate(data, start=1):
        try:
            made.append(read(entry))
        except MalformedRecordError as fault:
            raise fault.within(f"{one} {number} of the record" if one == "deal" else f"{one} {number}") from None
    return tuple(made)


def _list(data: object, read: Callable[[object], T], size: int | None = None) -> list[T]:
    if not isinstance(data, list):
        raise MalformedRecordError(f"must be a list, not {_found(data)}")
    if size is not None and len(data) != size:
        raise MalformedRecordError(f"must have {size} entries, not {len(data)}")
    return [_at(f"entry {number}", read, entry) for number, entry in enumerate(data, start=1)]


def _table(data: object, known: frozenset[str], required: tuple[str, ...]) -> dict[str, object]:
    if not isinstance(data, dict):
        raise MalformedRecordError(f"must be a table, not {_found(data)}")
    if not known.issuperset(data):
        strange = next(key for key in data if key not in known)
        raise MalformedRecordError(f"there is no key {quoted(strange)}")
    for key in required:
        if key not in data:
            raise MalformedRecordError(f"the key '{key}' is missing")
    return cast("dict[str, object]", data)


def _options(data: object) -> dict[str, object]:
    if not isinstance(data, dict):
        raise MalformedRecordError(f"must be a table, not {_found(data)}")
    return data


def _whole(value: object, least: int, most: int) -> int:
    # A bool is an int to Python, not to the person who wrote it down.
    if type(value) is not int:
        raise MalformedRecordError(f"must be a whole number, not {_found(value)}")
    if not least <= value <= most:
        raise MalformedRecordError(f"must be from {least} to {most}")
    return value


def _points(value: object) -> int:
    return _whole(value, -WHOLE_NUMBER, WHOLE_NUMBER)


def _name(value: object) -> str:
    return _text(value, name_fault)


def _note(value: object) -> str:
    return _text(value, note_fault)


def _time(value: object) -> str:
    if isinstance(value, datetime) and value.tzinfo is not None:
        # TOML has times of its own; a record keeps the same moment as text.
        value = value.isoformat().replace("+00:00", "Z")
    return _text(value, time_fault)


def _text(value: object, fault_of: Callable[[str], str | None]) -> str:
    if not isinstance(value, str):
        raise MalformedRecordError(f"must be text, not {_found(value)}")
    if fault := fault_of(value):
        raise MalformedRecordError(fault)
    return value


def _found(value: object) -> str:
    """What was found, with the number where it is one of ordinary size."""
    return str(value) if type(value) is int and abs(value) < WHOLE_NUMBER else quoted(value)
