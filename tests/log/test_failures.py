"""The store goes away, refuses, or answers into nothing: what callers are told, and that it is true of the log."""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Semaphore
from typing import Any

import pytest
from redis import Redis

from replay.log import Appended, Conflict, Log, OutcomeUnknownError, Repeated, StoreUnavailableError
from replay.redis_client import Store, connect, durability_faults
from replay.redis_log import RedisLog
from replay.shards import SHARDS, key, new_session_id
from tests.log.places import NOW, batch, command, next_one, noted, opening, summary
from tests.log.proxy import Proxy, proxy
from tests.store_server import StoreServer

pytestmark = pytest.mark.store

REFUSALS = [
    b"-LOADING Redis is loading the dataset in memory",
    b"-OOM command not allowed when used memory > 'maxmemory'.",
    b"-READONLY You can't write against a read only replica.",
    b"-MISCONF Errors writing to the AOF file: No space left on device",
    b"-NOREPLICAS Not enough good replicas to write.",
    b"-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    b"-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
    b"-CLUSTERDOWN The cluster is down",
    b"-TRYAGAIN Multiple keys request during rehashing of slot",
    b"-NOAUTH Authentication required.",
    b"-NOPERM User default has no permissions to run the 'evalsha' command",
    b"-ERR something that nobody has thought of",
]


@pytest.fixture
def clients() -> Iterator[Callable[[str], Redis]]:
    """Clients, closed after the test."""
    made: list[Redis] = []

    def client(url: str) -> Redis:
        made.append(connect(url))
        return made[-1]

    yield client
    for each in made:
        each.close()


@pytest.fixture
def between(server: StoreServer) -> Iterator[Proxy]:
    """A proxy before the shared server."""
    with TemporaryDirectory(prefix="upcard-") as folder, proxy(Path(folder, "s"), server.url) as made:
        yield made


def a_session(log: Log) -> str:
    """The id of a session with one event."""
    session = new_session_id()
    assert log.append(opening(session)) == Appended(1)
    return session


def all_keys(client: Redis) -> list[bytes]:
    return sorted(name for name in client.scan_iter() if isinstance(name, bytes))


def test_a_store_that_is_away_is_unavailable(own_server: StoreServer, clients: Callable[[str], Redis]) -> None:
    log = RedisLog(Store(clients(own_server.url)))
    session = a_session(log)
    own_server.kill()
    questions: list[Callable[[Log], object]] = [
        lambda log: log.append(next_one(session, 2)),
        lambda log: log.read(session),
        lambda log: log.version(session),
        lambda log: log.recall(session, command("k")),
        lambda log: log.sessions(None, 5),
        lambda log: log.due(5),
        lambda log: log.names(session),
        lambda log: log.forget("Ann"),
        lambda log: log.checkpoints(session),
    ]
    for adapter in (log, RedisLog(Store(clients(own_server.url)))):
        for ask in questions:
            with pytest.raises(StoreUnavailableError):
                ask(adapter)
    own_server.restart()
    assert log.version(session) == 1
    assert log.names(session) == ("Ann", "Ben")
    assert log.append(next_one(session, 2)) == Appended(2)


def test_a_key_is_known_after_the_store_was_killed(own_server: StoreServer, clients: Callable[[str], Redis]) -> None:
    log = RedisLog(Store(clients(own_server.url)))
    session = a_session(log)
    recorded = batch(session, [noted(2, {"card": "Td"})], summary=summary("playing"), due=(2,), command=command("k"))
    assert log.append(recorded) == Appended(2)
    before = log.read(session)
    own_server.kill()
    own_server.restart()
    for adapter in (log, RedisLog(Store(clients(own_server.url)))):
        assert adapter.append(recorded) == Repeated(201, 2, session)
        assert adapter.read(session) == before
        assert adapter.sessions(None, 5) == [(session, summary("playing"))]
        assert adapter.due(5) == [(session, 2, NOW)]


def test_a_script_that_the_server_forgot_is_sent_again(server: StoreServer, clients: Callable[[str], Redis]) -> None:
    client = clients(server.url)
    log = RedisLog(Store(client))
    session = a_session(log)
    for version in (2, 3):
        Store(client).write("SCRIPT", "FLUSH")
        assert log.append(next_one(session, version)) == Appended(version)
        assert log.append(next_one(session, version)) == Conflict(version)


@pytest.mark.parametrize("reply", REFUSALS, ids=lambda reply: reply.split()[0].decode())
def test_a_refusal_means_that_nothing_was_recorded(
    reply: bytes, between: Proxy, clients: Callable[[str], Redis]
) -> None:
    log = RedisLog(Store(clients(between.url)))
    session = a_session(log)
    between.answer_instead(reply + b"\r\n")
    with pytest.raises(StoreUnavailableError):
        log.append(next_one(session, 2, command=command("k")))
    assert log.version(session) == 1
    assert log.append(next_one(session, 2, command=command("k"))) == Appended(2)


@pytest.mark.parametrize("reply", [b"gibberish\r\n", b"\0\0"])
def test_an_answer_that_is_none_leaves_the_outcome_unknown(
    reply: bytes, between: Proxy, clients: Callable[[str], Redis]
) -> None:
    log = RedisLog(Store(clients(between.url)))
    session = a_session(log)
    between.answer_instead(reply)
    with pytest.raises(OutcomeUnknownError):
        log.append(next_one(session, 2))
    assert log.append(next_one(session, 2)) == Appended(2)


def setting(name: str, bad: str, good: str) -> tuple[Callable[[Redis], object], Callable[[Redis], object]]:
    return (lambda client: client.config_set(name, bad)), (lambda client: client.config_set(name, good))


def replicate(client: Redis, host: str, port: str) -> None:
    Store(client).write("REPLICAOF", host, port)


@pytest.mark.parametrize(
    ("spoil", "mend"),
    [
        pytest.param(*setting("maxmemory", "1", "0"), id="out of memory"),
        pytest.param(*setting("min-replicas-to-write", "1", "0"), id="no replicas"),
        pytest.param(lambda c: replicate(c, "127.0.0.1", "1"), lambda c: replicate(c, "NO", "ONE"), id="read only"),
    ],
)
def test_a_server_that_takes_no_writes_still_reads(
    spoil: Callable[[Redis], object],
    mend: Callable[[Redis], object],
    own_server: StoreServer,
    clients: Callable[[str], Redis],
) -> None:
    client = clients(own_server.url)
    log = RedisLog(Store(client))
    session = a_session(log)
    before = all_keys(client)
    spoil(client)
    with pytest.raises(StoreUnavailableError, match="refuses"):
        log.append(
            batch(
                *(session, [noted(2), noted(3)]),
                summary=summary("over"),
                due=(3,),
                command=command("k"),
                checkpoints=(b"3",),
            )
        )
    assert log.version(session) == 1
    assert log.recall(session, command("k")) is None
    assert log.sessions(None, 5) == [(session, summary())]
    assert all_keys(client) == before
    with pytest.raises(StoreUnavailableError, match="refuses"):
        log.forget("Ann")
    assert log.names(session) == ("Ann", "Ben")
    mend(client)
    assert log.forget("Ann") == [session]
    assert log.append(next_one(session, 2, command=command("k"))) == Appended(2)


def test_what_was_forgotten_when_the_answer_was_lost_is_forgotten_by_asking_again(
    between: Proxy, clients: Callable[[str], Redis]
) -> None:
    log = RedisLog(Store(clients(between.url)))
    sessions = [a_session(log) for _ in range(40)]
    between.lose_the_answer(lambda: None)
    with pytest.raises(OutcomeUnknownError):
        log.forget("Ann")
    log.forget("Ann")
    assert {log.names(session) for session in sessions} == {(None, "Ben")}


def test_a_lost_answer_leaves_the_outcome_unknown_and_the_event_once(
    between: Proxy, clients: Callable[[str], Redis]
) -> None:
    log = RedisLog(Store(clients(between.url)))
    session = a_session(log)
    calls = between.calls
    between.lose_the_answer(lambda: None)
    with pytest.raises(OutcomeUnknownError):
        log.append(next_one(session, 2, command=command("k")))
    assert between.calls == calls + 1, "a write was sent again"
    assert log.version(session) == 2
    assert log.append(next_one(session, 2, command=command("k"))) == Repeated(201, 2, session)
    assert log.version(session) == 2


def test_a_store_that_does_not_answer_in_time_is_not_waited_for(
    between: Proxy, clients: Callable[[str], Redis]
) -> None:
    client = clients(between.url)
    log = RedisLog(Store(client))
    session = a_session(log)
    between.withhold_the_answer()
    # Only the connection that will get no answer is made impatient, so that a slow machine changes nothing.
    pool: Any = client.connection_pool
    (connection,) = pool._in_use_connections
    connection._sock.settimeout(0.01)
    with pytest.raises(OutcomeUnknownError):
        log.append(next_one(session, 2, command=command("k")))
    # What comes late must not be taken for the answer to the next question.
    assert log.version(session) == 2
    assert log.recall(session, command("k")) == Repeated(201, 2, session)


@pytest.mark.parametrize("moment", ["before the call", "before the answer"])
def test_a_store_killed_between_call_and_answer_leaves_the_outcome_unknown(
    moment: str, own_server: StoreServer, clients: Callable[[str], Redis]
) -> None:
    with TemporaryDirectory(prefix="upcard-") as folder, proxy(Path(folder, "s"), own_server.url) as between:
        log = RedisLog(Store(clients(between.url)))
        session = a_session(log)
        lose = between.lose_the_call if moment == "before the call" else between.lose_the_answer
        lose(own_server.kill)
        sent = batch(session, [noted(2), noted(3)], command=command("k"))
        with pytest.raises(OutcomeUnknownError):
            log.append(sent)
        with pytest.raises(StoreUnavailableError):
            log.version(session)
        own_server.restart()
        recorded = moment == "before the answer"
        assert log.version(session) == (3 if recorded else 1)
        assert log.append(sent) == (Repeated(201, 3, session) if recorded else Appended(3))
        assert log.append(sent) == Repeated(201, 3, session)
        assert log.version(session) == 3


def test_nothing_acknowledged_is_lost_when_the_store_is_killed_under_load(
    own_server: StoreServer, clients: Callable[[str], Redis]
) -> None:
    wanted = 60
    acknowledged = Semaphore(0)
    log = RedisLog(Store(clients(own_server.url)))

    def write(number: int) -> tuple[str, int, int]:
        """A session written until it is long enough; unknown outcomes are asked again with their key."""
        session, version, lost = new_session_id(), 0, 0
        while version < wanted:
            part = next_one(session, version + 1, summary=summary(), command=command(f"{number} {version + 1}"))
            with suppress(StoreUnavailableError):
                try:
                    outcome = log.append(part)
                except OutcomeUnknownError:
                    lost += 1
                    continue
                assert outcome in (Appended(version + 1), Repeated(201, version + 1, session))
                version += 1
                acknowledged.release()
                if version in (wanted // 3, 2 * wanted // 3):
                    assert log.version(session) == version
        return session, version, lost

    with ThreadPoolExecutor(8) as pool:
        writers = [pool.submit(write, number) for number in range(8)]
        for _ in range(2):
            for _ in range(100):
                assert acknowledged.acquire(timeout=60)
            own_server.kill()
            own_server.restart()
        written = [writer.result() for writer in writers]
    for session, version, _ in written:
        assert [each.version for each in log.read(session)] == list(range(1, version + 1))
        assert [each.data for each in log.read(session)] == [{"n": n} for n in range(1, version + 1)]


def test_a_socket_that_nobody_serves_is_unavailable(clients: Callable[[str], Redis]) -> None:
    with TemporaryDirectory(prefix="upcard-") as folder:
        path = Path(folder, "s")
        log = RedisLog(Store(clients(f"unix://{path}?db=0")))
        with pytest.raises(StoreUnavailableError):
            log.version("nobody")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            with pytest.raises(StoreUnavailableError):
                log.append(opening(new_session_id()))


def test_every_setting_that_could_lose_or_evict_is_named(
    own_server: StoreServer, clients: Callable[[str], Redis]
) -> None:
    client = clients(own_server.url)
    store = Store(client)
    assert durability_faults(store, everysec_allowed=False) == []
    assert durability_faults(store, everysec_allowed=True) == []
    client.config_set("appendfsync", "everysec")
    assert durability_faults(store, everysec_allowed=True) == []
    (fault,) = durability_faults(store, everysec_allowed=False)
    assert fault == "appendfsync is 'everysec', it must be 'always'"
    client.config_set("appendfsync", "no")
    (fault,) = durability_faults(store, everysec_allowed=True)
    assert fault == "appendfsync is 'no', it must be 'always' or 'everysec'"
    client.config_set("maxmemory-policy", "allkeys-lru")
    client.config_set("appendonly", "no")
    faults = durability_faults(store, everysec_allowed=False)
    assert [each.split()[0] for each in faults] == ["appendonly", "maxmemory-policy", "appendfsync"]
    for policy in ("volatile-lru", "allkeys-lfu", "volatile-ttl", "allkeys-random"):
        client.config_set("maxmemory-policy", policy)
        assert any(policy in each for each in durability_faults(store, everysec_allowed=True))


def test_the_log_leaves_nothing_that_expires(server: StoreServer, clients: Callable[[str], Redis]) -> None:
    client = clients(server.url)
    log = RedisLog(Store(client))
    session = a_session(log)
    log.append(
        batch(
            session,
            [noted(2)],
            summary=summary("playing"),
            due=(2,),
            command=command("k"),
            checkpoints=(b"signed",),
        )
    )
    names = all_keys(client)
    assert {client.ttl(name) for name in names} == {-1}
    tags = {name.split(b":")[0] for name in names}
    assert len(tags) == 1, "keys of a session lie in several shards"
    assert tags <= {key(shard, "").split(":")[0].encode() for shard in range(SHARDS)}
