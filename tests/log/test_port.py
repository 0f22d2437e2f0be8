"""What every adapter of the log owes its callers, one suite for all.

Left out: what lies beside the events (test_port_beside.py), races and failures of the store.
"""

from typing import Any

from replay.envelope import Envelope, Stamp, Tip, genesis, sealed
from replay.log import Appended, Batch, Conflict, KeyReused, Repeated
from replay.shards import SHARDS, new_session_id, shard_of
from tests.log.places import (
    NOW,
    STAMP,
    Place,
    batch,
    command,
    elsewhere,
    next_one,
    noted,
    opening,
    summary,
)

AT = STAMP.at


def test_an_empty_log_knows_nothing(place: Place) -> None:
    session = new_session_id()
    assert place.log.version(session) == 0
    assert place.log.read(session) == []
    assert place.log.read(session, after=7, limit=3) == []
    assert place.log.recall(session, command("k")) is None
    assert place.log.sessions(None, 10) == []
    assert place.log.due(10) == []


def test_events_come_back_in_order_as_they_were_given(place: Place) -> None:
    session = new_session_id()
    given = [noted(n, n=n) for n in range(1, 8)]
    assert place.log.append(batch(session, given[:1], summary=summary())) == Appended(1)
    assert place.log.append(batch(session, given[1:4])) == Appended(4)
    assert place.log.append(batch(session, given[4:])) == Appended(7)
    assert place.log.read(session) == given
    assert place.log.version(session) == 7


def test_sessions_do_not_mix(place: Place) -> None:
    first = new_session_id()
    others = [new_session_id(like=first), elsewhere(first)]
    for session in (first, *others):
        assert place.log.append(opening(session)) == Appended(1)
    assert place.log.append(next_one(first, 2)) == Appended(2)
    assert [place.log.version(session) for session in others] == [1, 1]


def test_a_conflict_tells_the_version_and_records_nothing(place: Place) -> None:
    session = new_session_id()
    place.log.append(batch(session, [noted(1), noted(2), noted(3)], summary=summary("waiting")))
    before = place.log.read(session)
    for stale_or_early in (1, 2, 3, 5, 6, 1000, 2**40):
        refused = next_one(session, stale_or_early, summary=summary("over"), due=(1,), command=command("k"))
        assert place.log.append(refused) == Conflict(3), stale_or_early
    assert place.log.read(session) == before
    assert place.log.version(session) == 3
    assert place.log.sessions(None, 1) == [(session, summary("waiting"))]
    assert place.log.due(10) == []
    assert place.log.recall(session, command("k")) is None
    assert place.log.append(next_one(session, 4, command=command("k"))) == Appended(4)


def test_a_session_that_is_not_opened_is_at_version_0(place: Place) -> None:
    session = new_session_id()
    assert place.log.append(next_one(session, 2)) == Conflict(0)
    assert place.log.version(session) == 0
    assert place.log.read(session) == []
    assert place.log.sessions(None, 10) == []


def test_a_session_is_opened_once(place: Place) -> None:
    session = new_session_id()
    assert place.log.append(opening(session)) == Appended(1)
    assert place.log.append(opening(session)) == Conflict(1)


def test_several_events_are_recorded_together_or_not_at_all(place: Place) -> None:
    session = new_session_id()
    place.log.append(opening(session))
    late = [noted(2, by="late"), noted(3, by="late"), noted(4, by="late")]
    assert place.log.append(batch(session, [noted(2, by="first"), noted(3, by="first")])) == Appended(3)
    assert place.log.append(batch(session, late)) == Conflict(3)
    assert [each.data.get("by") for each in place.log.read(session)] == [None, "first", "first"]


def test_a_repeated_key_gets_the_first_answer(place: Place) -> None:
    session = new_session_id()
    place.log.append(opening(session))
    first = batch(session, [noted(2), noted(3)], command=command("k", status=202))
    assert place.log.append(first) == Appended(3)
    place.log.append(next_one(session, 4))
    again = batch(session, [noted(2), noted(3)], NOW + 9, due=(1,), command=command("k", status=500))
    assert place.log.append(again) == Repeated(202, 3, session)
    assert place.log.recall(session, command("k")) == Repeated(202, 3, session)
    assert place.log.version(session) == 4
    assert place.log.due(10) == []


def test_a_key_with_another_body_is_refused(place: Place) -> None:
    session = new_session_id()
    place.log.append(opening(session))
    place.log.append(next_one(session, 2, command=command("k", "body")))
    other = command("k", "another body")
    assert place.log.append(next_one(session, 3, command=other)) == KeyReused()
    assert place.log.recall(session, other) == KeyReused()
    assert place.log.version(session) == 2


def test_the_key_is_asked_before_the_version(place: Place) -> None:
    session = new_session_id()
    place.log.append(opening(session))
    place.log.append(next_one(session, 2, command=command("k")))
    place.log.append(next_one(session, 3))
    for version in (2, 4, 77):
        assert place.log.append(next_one(session, version, command=command("k"))) == Repeated(201, 2, session)
        assert place.log.append(next_one(session, version, command=command("k", "x"))) == KeyReused()


def test_a_repeated_opening_names_the_session_that_was_opened(place: Place) -> None:
    key = command("open it")
    first, second = (new_session_id(like=key.key) for _ in range(2))
    assert place.log.append(opening(first, key=key)) == Appended(1)
    assert place.log.append(opening(second, key=key)) == Repeated(201, 1, first)
    assert place.log.version(second) == 0
    assert [session for session, _ in place.log.sessions(None, 10)] == [first]


def test_a_key_is_known_in_the_shard_of_its_session_alone(place: Place) -> None:
    session = new_session_id()
    neighbour, stranger = new_session_id(like=session), elsewhere(session)
    place.log.append(opening(session, key=command("k")))
    assert place.log.recall(neighbour, command("k")) == Repeated(201, 1, session)
    assert place.log.recall(stranger, command("k")) is None
    assert place.log.append(opening(stranger, key=command("k"))) == Appended(1)
    assert place.log.recall(stranger, command("k")) == Repeated(201, 1, stranger)
    assert place.log.recall(session, command("k")) == Repeated(201, 1, session)


def test_due_versions_wait_once_since_they_were_first_due(place: Place) -> None:
    session = new_session_id()
    place.log.append(batch(session, [noted(1)], summary=summary(), due=(1,)))
    place.log.append(batch(session, [noted(2), noted(3)], NOW + 5, due=(3,)))
    place.log.append(batch(session, [noted(n) for n in range(4, 13)], NOW + 9, due=(3, 1, 12)))
    assert place.log.due(10) == [(session, 1, NOW), (session, 3, NOW + 5), (session, 12, NOW + 9)]
    assert place.log.due(2) == [(session, 1, NOW), (session, 3, NOW + 5)]
    assert place.log.due(0) == []


def test_each_shard_shows_those_that_wait_longest(place: Place) -> None:
    session = new_session_id()
    neighbour, stranger = new_session_id(like=session), elsewhere(session)
    place.log.append(batch(stranger, [noted(1)], NOW + 8, summary=summary(), due=(1, 2)))
    place.log.append(batch(neighbour, [noted(1)], NOW + 6, summary=summary(), due=(1,)))
    place.log.append(batch(session, [noted(1)], NOW + 4, summary=summary(), due=(1,)))
    assert place.log.due(1)[0] == (session, 1, NOW + 4)
    assert [since for _, _, since in place.log.due(1)] == [NOW + 4, NOW + 8]
    assert sorted(place.log.due(2), key=lambda each: (each[2], each[1])) == [
        (session, 1, NOW + 4),
        (neighbour, 1, NOW + 6),
        (stranger, 1, NOW + 8),
        (stranger, 2, NOW + 8),
    ]


def test_sessions_are_listed_newest_first_over_all_shards(place: Place) -> None:
    ids = sorted((new_session_id(like=f"{shard}") for shard in range(3 * SHARDS)), reverse=True)
    assert len({shard_of(session) for session in ids}) > SHARDS // 2
    for n, session in enumerate(reversed(ids)):
        place.log.append(batch(session, [noted(1)], summary=summary("waiting", f"P{n}")))
    listed = place.log.sessions(None, 1000)
    assert [session for session, _ in listed] == ids
    assert listed[0][1].owner == f"P{len(ids) - 1}"
    assert place.log.sessions(None, 5) == listed[:5]
    assert place.log.sessions(ids[4], 5) == listed[5:10]
    assert place.log.sessions(ids[-1], 5) == []
    assert place.log.sessions("", 5) == []
    assert place.log.sessions("~", 2) == listed[:2]
    assert place.log.sessions(None, 0) == []


def test_a_summary_stays_until_another_is_given(place: Place) -> None:
    session = new_session_id()
    first = summary("waiting", "Zoë, 李 and Ann \N{PLAYING CARD ACE OF SPADES}")
    place.log.append(batch(session, [noted(1)], summary=first))
    place.log.append(batch(session, [noted(2)]))
    assert place.log.sessions(None, 1) == [(session, first)]
    place.log.append(batch(session, [noted(3)], summary=summary("over")))
    assert place.log.sessions(None, 9) == [(session, summary("over"))]


def test_a_session_is_listed_once_it_has_a_summary(place: Place) -> None:
    session = new_session_id()
    place.log.append(batch(session, [noted(1)]))
    assert place.log.sessions(None, 9) == []
    place.log.append(batch(session, [noted(2)], summary=summary()))
    assert place.log.sessions(None, 9) == [(session, summary())]


def test_reading_from_a_version_and_so_many(place: Place) -> None:
    session = new_session_id()
    given = [noted(n) for n in range(1, 31)]
    place.log.append(batch(session, given, summary=summary()))
    for after in (0, 1, 12, 29, 30, 31, 500):
        assert place.log.read(session, after) == given[after:], after
        for limit in (0, 1, 2, 18, 500):
            assert place.log.read(session, after, limit) == given[after : after + limit], (after, limit)


def test_reading_beyond_any_version_finds_nothing(place: Place) -> None:
    session = new_session_id()
    place.log.append(opening(session))
    for after in (2**31, 2**53, 2**63, 2**64 - 1, 2**64, 10**30):
        assert place.log.read(session, after) == [], after


def test_bytes_come_back_as_they_were_stored(place: Place) -> None:
    session = new_session_id()
    written: list[tuple[str, int, Stamp, dict[str, Any], dict[str, Any]]] = [
        ("test.opened", 1, Stamp(AT, "Zoë “Z” O'Hara", '"\\'), {"players": ["Ann", "李", '\0\n\t"\\', "😀"]}, {}),
        (
            *("test.dealt", 3, Stamp(AT, "")),
            {"n": -(2**63), "m": 2**64 - 1},
            {"hands": [["1", ["Td", "Jk"]], ["2", []]], "stock": ["", None]},
        ),
        ("test.noted", 1, Stamp(AT, "seat:1", "é"), {}, {"é": ["s", {"b": [1, None, True, False, "x"], "a": []}]}),
        ("test.noted", 1, STAMP, {"long": "€" * 40_000}, {"long": ["5", "z" * 100_000], "none": []}),
    ]
    given: list[Envelope] = []
    after = Tip(0, genesis(session, "test", 1, {}))
    for each in written:
        given.append(sealed(after, *each))
        after = given[-1].tip
    place.log.append(Batch(session, Tip(0, b""), given, NOW, summary()))
    found = place.log.read(session)
    assert found == given
    assert [(each.raw, each.sealed_bytes(), each.digest) for each in found] == [
        (each.raw, each.sealed_bytes(), each.digest) for each in given
    ]


def test_another_adapter_on_the_same_store_knows_it_all(place: Place) -> None:
    session = new_session_id()
    key = command("k")
    place.log.append(batch(session, [noted(1), noted(2, {"card": "Td"})], summary=summary(), due=(1,), command=key))
    restarted = place.again()
    assert restarted.version(session) == 2
    assert restarted.read(session) == place.log.read(session)
    assert restarted.sessions(None, 9) == [(session, summary())]
    assert restarted.due(9) == [(session, 1, NOW)]
    assert restarted.recall(session, key) == Repeated(201, 2, session)
    assert restarted.append(next_one(session, 2)) == Conflict(2)
    assert restarted.append(next_one(session, 3)) == Appended(3)
    assert place.log.version(session) == 3
