"""What a log keeps beside its events, one suite for all adapters: the expected head, names, checkpoints.

Names with an opening, and what forgetting a player leaves of them. Left out: the events (test_port.py).
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from replay.envelope import Tip
from replay.log import Appended, Conflict, KeyReused, Names, Repeated
from replay.shards import SHARDS, new_session_id, shard_of
from tests.log.places import Place, batch, command, elsewhere, next_one, noted, opening, summary, tip
from tests.seeds import rng, scaled

ALIKE = (
    *("Ann", "ann", "Anna", "Ann ", " Ann", "An", "Ann, Ben", '"Ann"', '["Ann"]', "null", "", "*", "A*", "Ann\0"),
    *("Zoë", "Zoe\N{COMBINING DIAERESIS}", "李", "李李", "😀", "é/è", "a\\b", 'a"b', "\x7f", "\u2028", "x" * 300),
)
"""Names that somebody could take for one another, and such as a store or a script could spoil."""


def names_of(place: Place, sessions: list[str]) -> dict[str, Names]:
    return {session: place.log.names(session) for session in sessions}


# The expected head


def test_at_the_same_version_another_head_is_a_conflict(place: Place) -> None:
    session = new_session_id()
    place.log.append(batch(session, [noted(1), noted(2)], summary=summary()))
    before = place.log.read(session)
    right = next_one(session, 3, due=(3,), command=command("k"), summary=summary("over"), checkpoints=(b"3",))
    true = tip(2).head
    for head in (tip(1).head, tip(3).head, b"", b"\0" * 32, true[:-1], true + b"\0", true.hex().encode()):
        assert place.log.append(right._replace(after=Tip(2, head))) == Conflict(2), head
    assert place.log.read(session) == before
    assert place.log.sessions(None, 9) == [(session, summary())]
    assert place.log.due(9) == []
    assert place.log.checkpoints(session) == []
    assert place.log.recall(session, command("k")) is None
    assert place.log.append(right) == Appended(3)


def test_at_another_version_the_right_head_is_a_conflict(place: Place) -> None:
    session = new_session_id()
    place.log.append(batch(session, [noted(1), noted(2)]))
    for version in (0, 1, 3):
        assert place.log.append(next_one(session, 3)._replace(after=Tip(version, tip(2).head))) == Conflict(2)


def test_the_head_of_every_bit_pattern_is_compared_to_the_byte(place: Place) -> None:
    session = new_session_id()
    # Bytes that a script or a protocol could take for something else.
    heads = [b"\0" * 32, b"\r\n" * 16, b"\xff" * 32, b" " * 32, bytes(range(32)), "é".encode() * 16, b"1" * 32]
    for version, head in enumerate(heads, start=1):
        one = noted(version)._replace(digest=head)
        before = Tip(version - 1, heads[version - 2] if version > 1 else b"")
        assert place.log.append(batch(session, [one])._replace(after=before)) == Appended(version)
    assert [each.digest for each in place.log.read(session)] == heads
    assert [each.tip for each in place.log.read(session)] == [Tip(n, head) for n, head in enumerate(heads, start=1)]


def test_what_opening_begins_with_is_not_compared(place: Place) -> None:
    session = new_session_id()
    assert place.log.append(opening(session)._replace(after=Tip(0, b"whatever"))) == Appended(1)


def test_a_known_key_is_answered_whatever_the_head(place: Place) -> None:
    session = new_session_id()
    place.log.append(opening(session))
    place.log.append(next_one(session, 2, command=command("k")))
    other = next_one(session, 3, command=command("k"))._replace(after=Tip(2, b"another"))
    assert place.log.append(other) == Repeated(201, 2, session)
    assert place.log.append(other._replace(command=command("k", "x"))) == KeyReused()


# Names


def test_names_come_with_the_opening_and_stay(place: Place) -> None:
    session, other = new_session_id(), new_session_id()
    assert place.log.names(session) == ()
    place.log.append(opening(session, names=("Zoë", "李", "😀")))
    place.log.append(opening(other, names=None))
    place.log.append(next_one(session, 2))
    place.log.append(next_one(session, 3, summary=summary("over")))
    assert place.log.names(session) == ("Zoë", "李", "😀")
    assert place.log.names(other) == ()
    assert place.again().names(session) == ("Zoë", "李", "😀")


def test_names_of_what_was_not_recorded_are_not_kept(place: Place) -> None:
    key = command("open")
    session = new_session_id(like=key.key)
    place.log.append(opening(session, key=key, names=("Ann", "Ben")))
    assert place.log.append(opening(session, names=("Cy", "Dee"))) == Conflict(1)
    second = new_session_id(like=key.key)
    assert place.log.append(opening(second, key=key, names=("Cy", "Dee"))) == Repeated(201, 1, session)
    assert place.log.names(session) == ("Ann", "Ben")
    assert place.log.names(second) == ()


def test_every_name_is_kept_to_the_letter_also_when_a_neighbour_is_forgotten(place: Place) -> None:
    session = new_session_id()
    place.log.append(opening(session, names=(*ALIKE, "Gone")))
    assert place.log.names(session) == (*ALIKE, "Gone")
    assert place.log.forget("Gone") == [session]
    assert place.log.names(session) == (*ALIKE, None)


@pytest.mark.parametrize("name", ALIKE, ids=ascii)
def test_a_name_is_forgotten_and_none_that_is_like_it(name: str, place: Place) -> None:
    sessions = [new_session_id() for _ in ALIKE]
    for session, other in zip(sessions, ALIKE, strict=True):
        place.log.append(opening(session, names=(other, "Ben")))
    mine = sessions[ALIKE.index(name)]
    assert place.log.forget(name) == [mine]
    assert names_of(place, sessions) == {
        session: (None if session == mine else other, "Ben") for session, other in zip(sessions, ALIKE, strict=True)
    }


def test_a_player_is_forgotten_in_every_shard_and_seat_and_no_event_changes(place: Place) -> None:
    sessions = [new_session_id(like=f"{shard}") for shard in range(3 * SHARDS)]
    assert len({shard_of(session) for session in sessions}) > SHARDS // 2
    chance = rng("log/forget")
    before: dict[str, Names] = {}
    for session in sessions:
        before[session] = tuple(chance.choice(("Ann", "Ben", "Cy")) for _ in range(4))
        place.log.append(opening(session, names=before[session]))
        place.log.append(next_one(session, 2, checkpoints=(b"2",), due=(2,)))
    events = {session: place.log.read(session) for session in sessions}
    listed, due = place.log.sessions(None, 999), place.log.due(999)
    found = place.log.forget("Ann")
    assert sorted(found) == sorted(session for session in sessions if "Ann" in before[session])
    after = {session: tuple(None if name == "Ann" else name for name in before[session]) for session in sessions}
    assert names_of(place, sessions) == after
    assert place.log.forget("Ann") == []
    assert place.again().forget("Nobody") == []
    assert {session: place.log.read(session) for session in sessions} == events
    assert (place.log.sessions(None, 999), place.log.due(999)) == (listed, due)
    assert all(place.log.checkpoints(session) == [b"2"] for session in sessions)
    # The other two as well, over holes that were left before.
    assert sorted(place.log.forget("Ben")) == sorted(each for each in sessions if "Ben" in before[each])
    place.log.forget("Cy")
    assert set(names_of(place, sessions).values()) == {(None,) * 4}


def test_forgetting_walks_over_more_sessions_than_one_step_takes(place: Place) -> None:
    first = new_session_id()
    sessions = [first, *(new_session_id(like=first) for _ in range(1_300))]
    for n, session in enumerate(sessions):
        place.log.append(opening(session, names=("Ann" if n % 3 else "Zoë", f"P{n}")))
    found = place.log.forget("Zoë")
    assert sorted(found) == sorted(sessions[::3])
    for n, session in enumerate(sessions):
        assert place.log.names(session) == ("Ann" if n % 3 else None, f"P{n}")


def test_while_sessions_are_opened_forgetting_loses_nothing_and_misses_none_that_was_there(place: Place) -> None:
    early = [new_session_id() for _ in range(scaled(2_000))]
    late = [[new_session_id() for _ in range(scaled(2_000))] for _ in range(4)]
    for session in early:
        place.log.append(opening(session, names=("Ann", "Ben")))
    ready = Barrier(6)

    def open_more(sessions: list[str]) -> None:
        log = place.again()
        ready.wait(timeout=60)
        for n, session in enumerate(sessions):
            assert log.append(opening(session, names=("Ann" if n % 2 else "Cy", "李"))) == Appended(1)

    def forget(name: str) -> list[str]:
        log = place.again()
        ready.wait(timeout=60)
        return log.forget(name)

    with ThreadPoolExecutor(6) as pool:
        opened = [pool.submit(open_more, sessions) for sessions in late]
        forgotten = [pool.submit(forget, name) for name in ("Ann", "Ben")]
        for each in opened:
            each.result()
        ann, ben = (each.result() for each in forgotten)
    assert set(early) <= set(ann)
    assert sorted(ben) == sorted(early)
    assert set(names_of(place, early).values()) == {(None, None)}
    for sessions in late:
        for n, session in enumerate(sessions):
            # One that was opened meanwhile has its names, or has been come by.
            assert place.log.names(session) == (None if session in ann else "Ann" if n % 2 else "Cy", "李")
            assert n % 2 or session not in ann


# Checkpoints


def test_checkpoints_are_kept_with_their_events_in_order(place: Place) -> None:
    session, other = new_session_id(), elsewhere("x")
    assert place.log.checkpoints(session) == []
    place.log.append(opening(session))
    assert place.log.checkpoints(session) == []
    place.log.append(batch(session, [noted(2), noted(3)], checkpoints=(b"2", b"\0\r\n\xff")))
    place.log.append(next_one(session, 4))
    place.log.append(next_one(session, 5, checkpoints=(b"2",)))
    assert place.log.checkpoints(session) == [b"2", b"\0\r\n\xff", b"2"]
    assert place.again().checkpoints(session) == place.log.checkpoints(session)
    assert place.log.checkpoints(other) == []


def test_a_checkpoint_of_what_was_not_recorded_is_not_kept(place: Place) -> None:
    session = new_session_id()
    place.log.append(opening(session))
    first = next_one(session, 2, command=command("k"), checkpoints=(b"2",))
    assert place.log.append(first) == Appended(2)
    assert place.log.append(first) == Repeated(201, 2, session)
    assert place.log.append(first._replace(command=command("k", "x"))) == KeyReused()
    assert place.log.append(next_one(session, 2, checkpoints=(b"conflict",))) == Conflict(2)
    early = next_one(session, 9, checkpoints=(b"early",))
    assert place.log.append(early) == Conflict(2)
    assert place.log.checkpoints(session) == [b"2"]


def test_many_due_and_many_signed_are_told_apart(place: Place) -> None:
    session = new_session_id()
    events = [noted(n, {"card": f"{n}"} if n % 2 else None) for n in range(1, 41)]
    due = (1, *range(5, 40, 4))
    signed = tuple(f"{n}".encode() for n in due[1:])
    names = tuple(f"P{n}" for n in range(6))
    everything = batch(
        session, events, summary=summary(), due=due, command=command("k"), names=names, checkpoints=signed
    )
    assert place.log.append(everything) == Appended(40)
    assert place.log.read(session) == events
    assert sorted(version for _, version, _ in place.log.due(99)) == list(due)
    assert place.log.checkpoints(session) == list(signed)
    assert place.log.names(session) == names
    assert place.log.recall(session, command("k")) == Repeated(201, 40, session)
