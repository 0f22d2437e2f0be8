"""A record printed: JSON on one line, or TOML. Every option is printed, so that no later default changes what it says.

Reading what is printed gives the same record, and printing that gives the same bytes.
"""

import orjson
import tomli_w

from replay.records.notation import write_cards
from replay.records.reading import NULL
from replay.records.record import Record, WrittenDeal
from replay.records.structure import FORM


def to_json(record: Record) -> bytes:
    """One line of JSON, without its end."""
    return orjson.dumps(plain(record))


def to_toml(record: Record) -> bytes:
    """A TOML file."""
    made = plain(record)
    return tomli_w.dumps({**made, "options": _without_null(record)}).encode()


def plain(record: Record) -> dict[str, object]:
    """The record as plain data, keys in the order of the form's description."""
    return {
        "record": FORM,
        "game": record.game.name,
        "revision": record.game.revision,
        "options": dict(record.options),
        "players": list(record.players),
        "first_deal": record.first_deal,
        "totals": list(record.totals),
        "closed": record.closed,
        "deals": [_deal(deal) for deal in record.deals],
    }


def _deal(deal: WrittenDeal) -> dict[str, object]:
    made: dict[str, object] = {
        "dealer": deal.dealer,
        "hands": [write_cards(hand) for hand in deal.hands],
        "upcard": deal.upcard,
        "stock": write_cards(deal.stock),
        "plays": [play.text for play in deal.plays],
        "points": None if deal.points is None else list(deal.points),
        "at": deal.at,
        "note": deal.note,
    }
    return {key: value for key, value in made.items() if value is not None}


def _without_null(record: Record) -> dict[str, int | str | bool]:
    """The options for TOML. One that is none by default is left out, since TOML has no null; else that is said."""
    by_default = {option.name for option in record.game.options if option.default is None}
    return {
        name: NULL if value is None else value
        for name, value in record.options.items()
        if value is not None or name not in by_default
    }
