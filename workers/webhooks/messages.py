"""What is sent of an event: its id and its body, which follow from the stored event alone. Pure.

The view is that of an onlooker of a deal in progress, also when the deal is over: else a repeat could say more than the
first attempt said. Left out: ledger entries. They are no events; who waits for `session.deal_ended` finds them.
"""

import re
from typing import Final

import orjson

from replay.codec import seat_of, shown
from replay.envelope import Envelope
from replay.rules.game import ONLOOKER
from replay.rules.registry import REVISIONS
from replay.rules.session_events import EVENTS

KINDS: Final = frozenset(
    each.kind for each in (*EVENTS, *(event_type for game in REVISIONS for event_type in game.events))
)
"""Every kind of event that there can be."""

_ID: Final = re.compile(r"evt_([0-9a-f-]{36})_([1-9][0-9]{0,17})")


def message_id(session: str, version: int) -> str:
    """The event's id: the same at every attempt and for every webhook, so that a receiver can drop what it knows."""
    return f"evt_{session}_{version}"


def read_message_id(text: str) -> tuple[str, int] | None:
    """Session and version of the event with this id; None if it is no id of ours."""
    match = _ID.fullmatch(text)
    return (match[1], int(match[2])) if match else None


def message_body(session: str, stored: Envelope) -> bytes:
    """The body: JSON, keys sorted. Raises BrokenLogError."""
    data = {
        "version": stored.version,
        "kind": stored.kind,
        "schema": stored.schema,
        "seat": seat_of(stored),
        "at": stored.stamp.at,
        "data": shown(stored, ONLOOKER).data,
        "digest": stored.digest.hex(),
    }
    message = {"type": stored.kind, "timestamp": stored.stamp.at, "api": "v1", "session": session, "data": data}
    return orjson.dumps(message, option=orjson.OPT_SORT_KEYS)
