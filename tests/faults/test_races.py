"""Many clients at once on the real server: one wins, the rest are told; repeated keys; two servers on one store.

Every session is read back from the log itself: its events are numbered without a gap, and are what was answered 201.
"""

from collections.abc import Sequence
from threading import Thread
from typing import Any, NamedTuple

import pytest

from replay.chain import check_chain
from replay.codec import decode
from replay.rules.session import fold
from tests.faults.client import Answer, Client, Play, Table
from tests.faults.running import Service
from tests.ops.running import free_port
from tests.seeds import rng, scaled

pytestmark = [pytest.mark.store, pytest.mark.service]

CROWD = 64
AT_ONCE = 20


def at_once(clients: Sequence[Client], method: str, path: str, body: Any, **named: Any) -> list[Answer]:
    """The same request from all of them, every one sent before any answer is read."""
    for client in clients:
        client.send(method, path, body, **named)
    return [client.receive() for client in clients]


def crowd(upcard: Service, size: int) -> list[Client]:
    return [upcard.client() for _ in range(size)]


def check_log(upcard: Service, table: Table, version: int) -> None:
    """The stream's ids are 1 to n, the events chain with their seals, and the log folds to that version."""
    stored = upcard.log.read(table.id)
    assert [each.version for each in stored] == list(range(1, version + 1))
    check_chain(table.id, None, stored)
    assert fold(None, decode(stored)).version == version


def race(clients: Sequence[Client], table: Table, play: Play | None, version: int) -> int:
    """All make the same command at the same version; the version after it."""
    if play is None:
        path, body, token = f"{table.path}/deals", {}, None
    else:
        path, body, token = f"{table.path}/plays", play.body, table.tokens[str(play.seat)]
    answers = at_once(clients, "POST", path, body, token=token, match=version)
    [won] = [answer for answer in answers if answer.status == 201]
    lost = [answer for answer in answers if answer is not won]
    assert {(answer.status, answer.slug, answer.body["version"]) for answer in lost} == {
        (412, "stale-version", won.version)
    }
    assert won.body["version"] == won.version
    return won.version


def test_of_64_at_the_same_version_one_is_recorded(upcard: Service) -> None:
    upcard.start_web()
    clients = crowd(upcard, CROWD)
    chance = rng("races")
    table, version = Table(clients[0], chance, deals=10, players=4), 1
    for _ in range(scaled(1_000)):
        play = table.next_play()
        if play is None and table.now()["status"] == "over":
            check_log(upcard, table, version)
            table, version = Table(clients[0], chance, deals=10, players=4), 1
        after = race(clients, table, play, version)
        # One event, and the end of the deal with it if the play was the last.
        assert after - version in ((1, 2) if play else (1,))
        version = after
    check_log(upcard, table, version)


def test_a_version_from_the_future_is_refused(upcard: Service) -> None:
    upcard.start_web()
    table = Table(upcard.client(), rng("future"))
    table.deal()
    play = table.next_play()
    assert play is not None
    for ahead in (1, 2, 1_000, 10**19):
        answer = table.make(play, match=play.version + ahead)
        assert (answer.status, answer.slug, answer.body["version"]) == (412, "stale-version", play.version)
    assert upcard.log.version(table.id) == play.version
    assert table.make(play).status == 201


def answered_alike(answers: Sequence[Answer], status: int = 201) -> Answer:
    """All are the same answer, and all but at most one are marked as repeats."""
    first = answers[0]
    for answer in answers:
        assert (answer.status, answer.body, answer.headers["etag"]) == (status, first.body, first.headers["etag"])
    marked = [answer for answer in answers if answer.headers.get("idempotency-replayed") == "true"]
    assert len(answers) - len(marked) <= 1
    return first


class Sent(NamedTuple):
    """A command with a key, and how it was answered."""

    path: str
    body: dict[str, Any]
    token: str | None
    match: int | str | None
    key: str
    answer: Answer


def others(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Other bodies that could be sent there; a shuffled deal has none."""
    if "type" in body:
        return [{"type": "draw" if body["type"] == "pass" else "pass"}]
    return [{**body, "public": False}] if "players" in body else []


def test_a_repeated_key_is_one_event_and_one_answer_also_after_a_restart(upcard: Service) -> None:
    web = upcard.start_web()
    clients = crowd(upcard, AT_ONCE)
    sent: list[Sent] = []

    def send(path: str, body: Any, token: str | None, match: int | str | None, key: str) -> Answer:
        answers = at_once(clients, "POST", path, body, token=token, match=match, key=key)
        answer = answered_alike(answers)
        fresh = [each for each in answers if "idempotency-replayed" not in each.headers]
        assert len(fresh) == 1
        sent.append(Sent(path, body, token, match, key, answer))
        return answer

    opening = {"game": "rockaway", "players": ["Ann", "Ben"], "options": {"deals": 2}, "public": True}
    opened = send("/v1/sessions", opening, None, None, "open")
    listed = clients[0].call("GET", "/v1/sessions").body["sessions"]
    assert [session["id"] for session in listed] == [opened.body["id"]]
    table = Table(clients[0], rng("keys"))
    dealt = send(f"{table.path}/deals", {}, None, 1, "deal")
    assert dealt.version == 2
    version = 2
    for number, match in enumerate((None, "*", None), start=1):
        play = table.next_play()
        assert play is not None
        token = table.tokens[str(play.seat)]
        version = send(f"{table.path}/plays", play.body, token, match or play.version, f"play {number}").version
        assert version == play.version + 1
    check_log(upcard, table, version)

    def again() -> None:
        for path, body, token, match, key, answer in sent:
            answers = at_once(clients, "POST", path, body, token=token, match=match, key=key)
            answered_alike([answer, *answers])
            refused = clients[0].call("POST", path, {**body, "no such field": 1}, token=token, match=match, key=key)
            assert (refused.status, refused.slug) == (422, "invalid")
            for other in others(body):
                refused = clients[0].call("POST", path, other, token=token, match=match, key=key)
                assert (refused.status, refused.slug) == (422, "key-reused")
        check_log(upcard, table, version)

    again()
    upcard.store.kill()
    upcard.store.restart()
    again()
    # Nor does it hang on anything that the web server remembers.
    upcard.kill(web)
    upcard.start_web()
    for client in clients:
        client.close()
    again()


class Writer(NamedTuple):
    """One client's part in a free-for-all: what it was answered."""

    recorded: list[tuple[int, Play]]
    refused: list[Answer]


def write(table: Table, version: int, writer: Writer) -> None:
    """Play for whoever's turn it is until the session has gone so far, by turns for one version and for any."""
    exact = True
    while (play := table.next_play()) is not None and play.version < version:
        exact = not exact
        answer = table.make(play, match=play.version if exact else "*")
        if answer.status == 201:
            writer.recorded.append((answer.version, play))
        else:
            writer.refused.append(answer)


def test_two_servers_on_one_store_lose_double_and_reorder_nothing(upcard: Service) -> None:
    other = free_port()
    upcard.start_web()
    upcard.start_web(port=other)
    for number in range(scaled(20)):
        free_for_all(upcard, other, number)


def free_for_all(upcard: Service, other: int, number: int) -> None:
    """Eight clients on two servers play one session, and the log is held against what each of them was answered."""
    table = Table(upcard.client(), rng(f"two servers {number}"), deals=10, players=4)
    table.deal()
    writers = [Writer([], []) for _ in range(8)]
    threads = []
    for at, writer in enumerate(writers):
        seat = table.beside(upcard.client(other if at % 2 else None), rng(f"writer {number}/{at}"))
        threads.append(Thread(target=write, args=(seat, 60, writer)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = upcard.log.read(table.id)
    check_log(upcard, table, len(stored))
    for writer in writers:
        assert {(answer.status, answer.slug) for answer in writer.refused} <= {
            (412, "stale-version"),
            (409, "illegal-play"),
            (409, "impossible-play"),
            (409, "not-now"),
        }
        versions = [version for version, _ in writer.recorded]
        assert versions == sorted(versions)
    recorded = dict(pair for writer in writers for pair in writer.recorded)
    assert len(recorded) == sum(len(writer.recorded) for writer in writers)
    plays = {each.version: each for each in stored if each.kind.startswith("rockaway.")}
    kinds = {"play": "rockaway.card_played", "draw": "rockaway.card_drawn", "pass": "rockaway.passed"}
    # An answer names the version after all that the play brought: the end of its deal has one more.
    ends = {each.version: each.version - 1 for each in stored if each.kind.endswith("deal_ended")}
    assert {ends.get(version, version) for version in recorded} == set(plays)
    for version, play in recorded.items():
        event = plays[ends.get(version, version)]
        assert (event.kind, event.data["seat"]) == (kinds[play.body["type"]], play.seat)
        if play.body["type"] == "play":
            assert event.data["card"] == play.body["card"]
        assert event.stamp.who == f"seat:{play.seat}"
