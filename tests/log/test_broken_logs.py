"""Bytes that are not ours any more: whatever was done to a log, reading it gives a state or BrokenLogError, no other.

What is changed is once left as it is and once put right by a careful liar, who makes versions, seals and digests anew;
him only a checkpoint finds out, if what he makes makes sense. Left out: which version a change is found at, and that it
always is (test_chain.py).
"""

from functools import cache, partial
from hashlib import sha256
from random import Random
from typing import Any, Final

import orjson
import pytest
from fakeredis import FakeRedis

from replay.chain import check_chain, read_checked
from replay.codec import decode, shown
from replay.envelope import Envelope, digest, envelope
from replay.folder import Folder
from replay.redis_client import Store
from replay.redis_log import RedisLog
from replay.rules.game import EVERYTHING, ONLOOKER, Viewer
from replay.rules.session import fold
from replay.rules.session_events import DealStarted, Event
from replay.rules.session_state import BrokenLogError, Session
from replay.shards import events_key, new_session_id
from tests.log.breaking import CHANGES, Change, Parts, parts_of, put_right
from tests.log.histories import AT, SESSION, history, long_history, stored
from tests.seeds import rng, scaled


def read_back(parts: Parts) -> list[Envelope]:
    return [envelope(version, *part) for version, part in enumerate(parts, start=1)]


def put_in(client: FakeRedis, session: str, parts: Parts) -> None:
    """Write these into the session's stream, as the script would."""
    for version, (public, beside, head) in enumerate(parts, start=1):
        fields: dict[Any, Any] = {"p": public, "h": head} | ({"s": beside} if beside else {})
        client.xadd(events_key(session), fields, id=f"{version}-0")


def folded(parts: Parts) -> Session | BrokenLogError:
    """What becomes of these bytes; any other exception fails the test."""
    try:
        found = read_back(parts)
        check_chain(SESSION, None, found)
        return fold(None, decode(found))
    except BrokenLogError as broken:
        return broken


@cache
def whole() -> list[Parts]:
    """Logs to be spoilt."""
    random = rng("log/whole")
    return [parts_of(stored(history(random, deals=random.choice((1, 1, 2))))) for _ in range(scaled(400))]


def spoilt(random: Random, change: Change, *, carefully: bool) -> Parts:
    parts = list(random.choice(whole()))
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        if parts:
            change(random, parts)
    if carefully:
        put_right(SESSION, parts)
    return parts


@pytest.mark.parametrize("carefully", [False, True], ids=["carelessly", "carefully"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_spoilt_log_gives_a_state_or_is_called_broken(change: Change, carefully: bool) -> None:
    random = rng(f"log/broken/{change.__name__}")
    broken = 0
    for _ in range(scaled(6000)):
        parts = spoilt(random, change, carefully=carefully)
        outcome = folded(parts)
        if isinstance(outcome, BrokenLogError):
            broken += 1
            assert 0 <= outcome.version <= len(parts)
    assert broken > 0


@pytest.mark.parametrize("carefully", [False, True], ids=["carelessly", "carefully"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_spoilt_event_is_shown_or_called_broken(change: Change, carefully: bool) -> None:
    random = rng(f"log/broken/shown/{change.__name__}")
    for _ in range(scaled(1000)):
        for version, part in enumerate(spoilt(random, change, carefully=carefully), start=1):
            try:
                each = envelope(version, *part)
                for viewer in (ONLOOKER, EVERYTHING, Viewer(1), Viewer(2), Viewer(everything=True, seeds=True)):
                    shown(each, viewer)
            except BrokenLogError as fault:
                assert fault.version == version  # noqa: PT017 - most of them are shown


def public(kind: Any = "rockaway.passed", schema: Any = 1, data: Any = None, seals: Any = None, **more: Any) -> bytes:
    """Public bytes of an event at version 5; a pass of seat 1 if nothing else is said."""
    fields = {"at": "", "request": "", "who": "", "version": 5, "kind": kind, "schema": schema, **more}
    fields["data"] = {"seat": 1, "turn": 2} if data is None else data
    fields["seals"] = {} if seals is None else seals
    return orjson.dumps(fields)


DRAWN: Final = {"seat": 1, "stock_count": 2}


@pytest.mark.parametrize(
    ("raw", "beside"),
    [
        (b"", b""),
        (b"null", b""),
        (b"[]", b""),
        (b"{}", b""),
        (public(data={}), b""),
        (public(data={"seat": 1}), b""),
        (public(data=[]), b""),
        (public().replace(b'{"seat":1,"turn":2}', b"null"), b""),
        (public(data="seat turn"), b""),
        (public(schema=2), b""),
        (public("rockaway.flown"), b""),
        (public(["rockaway.passed"]), b""),
        (public(schema=[]), b""),
        (public(version=4), b""),
        (public(version="5"), b""),
        (public(version=None), b""),
        (public().replace(b'"who":"",', b""), b""),
        (public().replace(b'"seals":{}', b'"seal":{}'), b""),
        (public(data={"seat": 1, "turn": 2, "more": 0}), b""),
        (public(data={"seat": 1, "turn": 2, "irregular": None}), b""),
        (public(data={"seat": 1, "turn": 2, "irregular": {}}), b""),
        (public(), b"nul"),
        (public(), b"[1]"),
        (public(), b'"x"'),
        (public(), b"7"),
        (public(), b'{"card":["",1]}'),
        (public("rockaway.card_drawn", data=DRAWN, seals={"card": "00"}), b""),
        (public("rockaway.card_drawn", data=DRAWN, seals={"card": "00"}), b'{"cart":["","Ac"]}'),
        (public("rockaway.card_drawn", data=DRAWN, seals={"card": "00"}), b'{"card":["","Ac"]}'),
        (public("rockaway.card_drawn", data=DRAWN, seals={"card": "00"}), b'{"card":{"":{}}}'),
        (public("rockaway.card_drawn", data=DRAWN, seals={"card": "00"}), b'{"card":null}'),
        (public("rockaway.card_drawn", data=DRAWN, seals={"card": []}), b'{"card":7}'),
        (public("rockaway.card_drawn", data=DRAWN, seals=[]), b'{"card":["","Ac"]}'),
        (public("rockaway.card_drawn", data=DRAWN, seals=7), b""),
        (public("rockaway.card_drawn", data=DRAWN, seals="card"), b""),
        (public("session.closed", data={}), b""),
        (public("session.closed", data={"winners": "deep"}).replace(b'"deep"', b"[" * 1000 + b"]" * 1000), b""),
        (public("\xff").replace("\xff".encode(), b"\xff"), b""),
        (b"[" * 5000, b""),
    ],
)
def test_an_event_that_nobody_declares_is_broken_at_its_version(raw: bytes, beside: bytes) -> None:
    good = stored(long_history(rng("log/good"), 12))[:4]

    def read() -> list[Event]:
        fifth = envelope(5, raw, beside, digest(good[-1].digest, raw))
        check_chain(SESSION, good[-1].tip, [fifth])
        return decode([*good, fifth])

    with pytest.raises(BrokenLogError) as caught:
        read()
    assert caught.value.version == 5
    assert len(str(caught.value)) < 400


def test_what_those_are_made_of_is_an_event() -> None:
    good = stored(long_history(rng("log/good"), 12))[:4]
    opening = b'["","Ac"]'
    drawn = public("rockaway.card_drawn", data=DRAWN, seals={"card": sha256(opening).hexdigest()})
    for raw, beside in ((public(), b""), (drawn, b'{"card":' + opening + b"}")):
        fifth = envelope(5, raw, beside, digest(good[-1].digest, raw))
        check_chain(SESSION, good[-1].tip, [fifth])
        assert len(decode([*good, fifth])) == 5


def test_an_event_of_no_game_breaks_the_log() -> None:
    class Flown:
        seat = 1

    opening_deal_and_plays = long_history(rng("log/good"), 12)[:4]
    played: list[Event] = [*opening_deal_and_plays, Flown()]
    with pytest.raises(BrokenLogError) as caught:
        fold(None, played)
    assert caught.value.version == len(played)


def test_a_deal_for_nobody_breaks_the_log() -> None:
    events = long_history(rng("log/good"), 12)
    opened, started = events[0], next(each for each in events if isinstance(each, DealStarted))
    with pytest.raises(BrokenLogError) as caught:
        fold(None, [opened, started._replace(hands=())])
    assert caught.value.version == 2


def test_a_stream_with_a_hole_is_broken_where_it_is() -> None:
    session = new_session_id()
    client = FakeRedis(protocol=2)
    log = RedisLog(Store(client))
    parts = parts_of(stored(long_history(rng("log/good"), 12), session))
    put_in(client, session, parts)
    whole = Folder(log).now(session)
    assert whole is not None
    client.xdel(events_key(session), "5-0")
    for ask in (Folder(log).now, partial(Folder(log).at, folded=whole, version=7), partial(read_checked, log)):
        with pytest.raises(BrokenLogError) as caught:
            ask(session)
        assert caught.value.version == 5


def test_bytes_in_the_store_that_cannot_be_read_are_broken_at_their_version() -> None:
    session = new_session_id()
    client = FakeRedis(protocol=2)
    parts = parts_of(stored(long_history(rng("log/good"), 12), session))[:3]
    put_in(client, session, [*parts, (b"\x00", b"", b"")])
    log = RedisLog(Store(client))
    with pytest.raises(BrokenLogError) as caught:
        Folder(log).now(session)
    assert caught.value.version == 4
    assert len(log.read(session, 0, 3)) == 3


@pytest.mark.parametrize(
    "fields",
    [{"p": b"no event"}, {"p": b"{}", "s": b"{}"}, {"h": b"", "p": b"{}"}, {"p": b"{}", "h": b"", "s": b"", "x": b""}],
    ids=repr,
)
def test_an_entry_of_another_form_is_broken_at_its_version(fields: dict[Any, Any]) -> None:
    session = new_session_id()
    client = FakeRedis(protocol=2)
    put_in(client, session, parts_of(stored(long_history(rng("log/good"), 12), session))[:3])
    client.xadd(events_key(session), fields, id="4-0")
    with pytest.raises(BrokenLogError) as caught:
        RedisLog(Store(client)).read(session)
    assert caught.value.version == 4


def test_an_untouched_log_is_not_called_broken() -> None:
    random = rng("log/untouched")
    for _ in range(scaled(200)):
        played = history(random)
        state = folded(parts_of(stored(played)))
        assert state == fold(None, played)
        assert orjson.loads(stored(played)[0].raw)["at"] == AT
