"""Bytes that are not ours any more: whatever was done to a log, reading it gives a state or BrokenLogError, no other.

A log changed so that it still makes sense is not found out here; the digest chain is for that.
"""

from functools import cache
from random import Random

import orjson
import pytest
from fakeredis import FakeRedis

from replay.codec import decode, shown
from replay.envelope import Envelope, envelope
from replay.folder import Folder, fold_stored
from replay.redis_client import Store
from replay.redis_log import RedisLog
from replay.rules.game import EVERYTHING, ONLOOKER, Viewer
from replay.rules.session import BrokenLogError, Session, fold
from replay.rules.session_events import DealStarted, Event
from replay.shards import events_key, new_session_id
from tests.log.breaking import CHANGES, Change, Parts, parts_of
from tests.log.histories import AT, history, long_history, stored
from tests.seeds import rng, scaled


def read_back(parts: Parts) -> list[Envelope]:
    return [envelope(version, *part) for version, part in enumerate(parts, start=1)]


def folded(parts: Parts) -> Session | BrokenLogError:
    """What becomes of these bytes; any other exception fails the test."""
    try:
        return fold_stored(None, read_back(parts))
    except BrokenLogError as broken:
        return broken


@cache
def whole() -> list[Parts]:
    """Logs to be spoilt."""
    random = rng("log/whole")
    return [parts_of(stored(history(random, deals=random.choice((1, 1, 2))))) for _ in range(scaled(400))]


def spoilt(random: Random, change: Change) -> Parts:
    parts = list(random.choice(whole()))
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        if parts:
            change(random, parts)
    return parts


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_spoilt_log_gives_a_state_or_is_called_broken(change: Change) -> None:
    random = rng(f"log/broken/{change.__name__}")
    broken = 0
    for _ in range(scaled(6000)):
        parts = spoilt(random, change)
        outcome = folded(parts)
        if isinstance(outcome, BrokenLogError):
            broken += 1
            assert 0 <= outcome.version <= len(parts)
    assert broken > 0


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_spoilt_event_is_shown_or_called_broken(change: Change) -> None:
    random = rng(f"log/broken/shown/{change.__name__}")
    for _ in range(scaled(1000)):
        for version, part in enumerate(spoilt(random, change), start=1):
            try:
                each = envelope(version, *part)
                for viewer in (ONLOOKER, EVERYTHING, Viewer(1), Viewer(2)):
                    shown(each, viewer)
            except BrokenLogError as fault:
                assert fault.version == version  # noqa: PT017 - most of them are shown


@pytest.mark.parametrize(
    ("public", "sealed"),
    [
        (b"", b""),
        (b"null", b""),
        (b"[]", b""),
        (b"{}", b""),
        (b'["rockaway.passed",1,"","",{}]', b""),
        (b'["rockaway.passed",1,"","",{"seat":1}]', b""),
        (b'["rockaway.passed",1,"","",[]]', b""),
        (b'["rockaway.passed",1,"","",null]', b""),
        (b'["rockaway.passed",1,"","","seat turn"]', b""),
        (b'["rockaway.passed",2,"","",{"seat":1,"turn":2}]', b""),
        (b'["rockaway.flown",1,"","",{"seat":1,"turn":2}]', b""),
        (b'[["rockaway.passed"],1,"","",{"seat":1,"turn":2}]', b""),
        (b'["rockaway.passed",[],"","",{"seat":1,"turn":2}]', b""),
        (b'["rockaway.passed",1,"","",{"seat":1,"turn":2,"more":0}]', b""),
        (b'["rockaway.passed",1,"","",{"seat":1,"turn":2,"irregular":null}]', b""),
        (b'["rockaway.passed",1,"","",{"seat":1,"turn":2,"irregular":{}}]', b""),
        (b'["rockaway.passed",1,"","",{"seat":1,"turn":2}]', b"nul"),
        (b'["rockaway.passed",1,"","",{"seat":1,"turn":2}]', b"[1]"),
        (b'["rockaway.card_drawn",1,"","",{"seat":1,"stock_count":2}]', b""),
        (b'["rockaway.card_drawn",1,"","",{"seat":1,"stock_count":2}]', b'{"cart":"Ac"}'),
        (b'["session.closed",1,"","",{}]', b""),
        (b'["session.closed",1,"","",{"winners":' + b"[" * 1000 + b"]" * 1000 + b"}]", b""),
        (b'["\xff",1,"","",{}]', b""),
        (b"[" * 5000, b""),
    ],
)
def test_an_event_that_nobody_declares_is_broken_at_its_version(public: bytes, sealed: bytes) -> None:
    good = stored(long_history(rng("log/good"), 12))[:4]
    with pytest.raises(BrokenLogError) as caught:
        decode([*good, envelope(5, public, sealed)])
    assert caught.value.version == 5
    assert len(str(caught.value)) < 400


def test_an_event_of_no_game_breaks_the_log() -> None:
    class Flown:
        seat = 1

    opening_deal_and_plays = long_history(rng("log/good"), 12)[:4]
    played: list[Event] = [*opening_deal_and_plays, Flown()]
    with pytest.raises(BrokenLogError) as caught:
        fold(None, played)
    assert caught.value.version == len(played)


def test_a_deal_for_nobody_breaks_the_log() -> None:
    opened, started, *_ = long_history(rng("log/good"), 12)
    assert isinstance(started, DealStarted)
    with pytest.raises(BrokenLogError) as caught:
        fold(None, [opened, started._replace(hands=())])
    assert caught.value.version == 2


def test_a_stream_with_a_hole_is_broken_where_it_is() -> None:
    session = new_session_id()
    client = FakeRedis(protocol=2)
    log = RedisLog(Store(client))
    parts = parts_of(stored(long_history(rng("log/good"), 12)))
    for version, (public, sealed) in enumerate(parts, start=1):
        client.xadd(events_key(session), {"p": public, "s": sealed}, id=f"{version}-0")
    whole = Folder(log).now(session)
    assert whole is not None
    client.xdel(events_key(session), "5-0")
    with pytest.raises(BrokenLogError):
        Folder(log).now(session)
    with pytest.raises(BrokenLogError):
        Folder(log).at(session, whole, 7)


def test_bytes_in_the_store_that_cannot_be_read_are_broken_at_their_version() -> None:
    session = new_session_id()
    client = FakeRedis(protocol=2)
    parts = parts_of(stored(long_history(rng("log/good"), 12)))[:3]
    for version, (public, sealed) in enumerate((*parts, (b"\x00", b"")), start=1):
        client.xadd(events_key(session), {"p": public, "s": sealed}, id=f"{version}-0")
    log = RedisLog(Store(client))
    with pytest.raises(BrokenLogError) as caught:
        Folder(log).now(session)
    assert caught.value.version == 4
    assert len(log.read(session, 0, 3)) == 3


def test_an_untouched_log_is_not_called_broken() -> None:
    random = rng("log/untouched")
    for _ in range(scaled(200)):
        played = history(random)
        state = folded(parts_of(stored(played)))
        assert state == fold(None, played)
        assert orjson.loads(stored(played)[0].public_bytes())[2] == AT
