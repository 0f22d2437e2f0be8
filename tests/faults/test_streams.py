"""Streams of real processes: dropped, killed, stopped, crowded, revoked, stalled, and without their store."""

import http.client
import socket
import subprocess
from contextlib import suppress

import pytest

from ops.benchmarks.seeded import long_session
from replay.codec import START, encode
from replay.envelope import Stamp
from replay.log import Appended, Batch
from replay.shards import new_session_id
from tests.faults.client import Table
from tests.faults.listening import Line, Listener
from tests.faults.running import LIMIT, Service, until
from tests.http.streaming import NDJSON, SSE
from tests.seeds import rng, scaled

pytestmark = [pytest.mark.store, pytest.mark.service]

STAMP = Stamp("2026-09-21T13:46:40.123Z", "organiser:other")


def play_on(table: Table) -> None:
    """Make one play, or deal if no deal is on; nothing if the web server is not there just now."""
    with suppress(OSError, http.client.HTTPException):
        play = table.next_play()
        if play is None:
            table.deal()
        else:
            assert table.make(play).status in (201, 412)


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_dropped_and_killed_at_any_moment_it_misses_nothing_and_doubles_nothing(upcard: Service, form: str) -> None:
    """E2: each of 100 drops comes when chance says, and the web process is killed and restarted among them."""
    chance = rng(f"streams/drops/{form}")
    drops, kills = scaled(100), scaled(20)
    web = upcard.start_web()
    table = Table(upcard.client(), chance, deals=1000)
    listener = Listener(upcard.port, table.path, form, rng(f"streams/listener/{form}"))
    for number in range(kills):
        while listener.drops < drops * (number + 1) // (kills + 1):
            play_on(table)
        upcard.kill(web)
        web = upcard.start_web()
    while listener.drops < drops:
        play_on(table)
    last = upcard.log.version(table.id)
    listener.end(last)
    assert listener.heard == [*range(1, last + 1)]


def test_300_idle_streams_end_with_the_process(upcard: Service) -> None:
    """E2: within 5 s of SIGTERM, each with a proper end. All that time plays are served."""
    upcard.env.update(UPCARD_STREAMS="300", UPCARD_STREAMS_PER_ADDRESS="300", UPCARD_WEB_THREADS="2")
    web = upcard.start_web()
    tables = [Table(upcard.client(), rng(f"streams/idle/{n}")) for n in range(3)]
    lines = [Line(upcard.port, table.path, form=form) for table in tables for form in (SSE, NDJSON) for _ in range(50)]
    for line in lines:
        assert [event["version"] for event in line.events(1)] == [1]
    with Line(upcard.port, tables[0].path) as one_more:
        assert (one_more.status, one_more.problem()) == (503, "too-many-streams")
        assert int(one_more.headers["Retry-After"]) > 0
    for table in tables:
        table.deal()
        play_on(table)
    for number, line in enumerate(lines):
        assert [event["version"] for event in line.events(3)] == [2, 3], number
    web.terminate()
    try:
        assert web.wait(5) == 0
    except subprocess.TimeoutExpired:
        pytest.fail("it has not ended within 5 s")
    for line in lines:
        assert line.receive() is None
        line.close()


def test_who_polls_keeps_nobody_from_playing(upcard: Service) -> None:
    """With place for one request at a time, and several that wait for the play."""
    upcard.env.update(UPCARD_WEB_THREADS="1")
    upcard.start_web()
    table = Table(upcard.client(), rng("streams/polls"), deals=1000)
    pollers = [upcard.client() for _ in range(4)]
    for poller in pollers:
        poller.send("GET", f"{table.path}/events?after=2&wait=30")
    table.deal()
    play_on(table)
    for poller in pollers:
        answer = poller.receive()
        assert [event["version"] for event in answer.body["events"]][:1] == [3], answer


def test_nothing_is_sent_to_a_token_that_was_revoked(upcard: Service) -> None:
    upcard.start_web()
    token = upcard.upcard("token", "create").stdout.strip()
    table = Table(upcard.client(), rng("streams/revoked"), deals=1000)
    line = Line(upcard.port, table.path, token=token)
    line.events(1)
    assert upcard.upcard("token", "revoke", "--token", token).stdout == "revoked\n"

    def ended() -> bool:
        play_on(table)
        return line.receive() is None

    until(ended, "the stream ends")
    line.close()
    with Line(upcard.port, table.path, token=token) as again:
        assert (again.status, again.problem()) == (401, "unauthenticated")


def test_it_outlives_its_store(upcard: Service) -> None:
    upcard.start_web()
    table = Table(upcard.client(), rng("streams/store"), deals=1000)
    table.deal()
    with Line(upcard.port, table.path) as line:
        line.events(2)
        upcard.store.kill()
        with Line(upcard.port, table.path) as meanwhile:
            assert (meanwhile.status, meanwhile.problem()) == (503, "store-unavailable")
        upcard.store.restart()
        until(lambda: table.organiser.call("GET", table.path).status == 200, "the store is used again")
        for _ in range(3):
            play_on(table)
        last = upcard.log.version(table.id)
        assert [event["version"] for event in line.events(last)] == [*range(3, last + 1)]


def test_a_connection_that_takes_nothing_is_cut(upcard: Service) -> None:
    """It holds a place for as long as it is patiently waited for, and no longer."""
    upcard.env.update(UPCARD_STREAM_PATIENCE="1", UPCARD_STREAMS_PER_ADDRESS="1")
    upcard.start_web()
    session = new_session_id()
    # More than all buffers between here and there would take.
    stored = encode(session, long_session(1, 40_000), after=START, stamp=STAMP)
    after = START
    for start in range(0, len(stored), 4000):
        part = stored[start : start + 4000]
        assert isinstance(upcard.log.append(Batch(session, after, part, 0)), Appended)
        after = part[-1].tip
    asked = f"GET /v1/sessions/{session}/events HTTP/1.1\r\nHost: localhost\r\nAccept: {SSE}\r\n"
    with socket.socket() as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.connect(("127.0.0.1", upcard.port))
        stalled.sendall(f"{asked}Authorization: Bearer {upcard.token}\r\n\r\n".encode())
        assert stalled.recv(15) == b"HTTP/1.1 200 OK"

        def there_is_place() -> bool:
            with Line(upcard.port, f"/v1/sessions/{session}", token=upcard.token) as line:
                return line.status == 200

        assert not there_is_place()
        until(there_is_place, "the place is given back", LIMIT)
