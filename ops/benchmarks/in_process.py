"""What needs no web server: folding events, and rebuilding a session from the store against reading and decoding it."""

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from ops.benchmarks.seeded import STAMP, long_session, whole_session
from replay.codec import START, decode, encode
from replay.folder import Folder
from replay.log import Batch
from replay.redis_client import Store
from replay.redis_log import RedisLog
from replay.rules.session import fold
from replay.shards import new_session_id


class Rebuild(NamedTuple):
    """Milliseconds of processor time, by what was done to one session."""

    events: int
    rebuilt: float
    decoded: float
    ratio: float


def folded_each_second(sessions: int, deals: int, rounds: int) -> float:
    """Typed events folded from nothing, per second of processor time: the median over rounds of whole sessions."""
    histories = [whole_session(seed, deals) for seed in range(sessions)]
    events = sum(map(len, histories))

    def fold_all() -> None:
        for history in histories:
            fold(None, history)

    return events / median(_processor_time(fold_all) for _ in range(rounds))


def rebuilt(store: Store, length: int, rounds: int) -> Rebuild:
    """A session of so many events folded by a process that has never seen it, and the same read and decoded only."""
    log, session = RedisLog(store), new_session_id()
    log.append(Batch(session, START, encode(session, long_session(3, length), after=START, stamp=STAMP), 0))

    def rebuild() -> None:
        folded = Folder(log).now(session)
        if folded is None or folded.session.version != length:
            raise RuntimeError("the session could not be rebuilt")

    def read() -> None:
        decode(log.read(session))

    rebuild()
    pairs = [(_processor_time(rebuild), _processor_time(read)) for _ in range(rounds)]
    return Rebuild(
        length,
        median(pair[0] for pair in pairs) * 1e3,
        median(pair[1] for pair in pairs) * 1e3,
        median(pair[0] / pair[1] for pair in pairs),
    )


def _processor_time(action: Callable[[], None]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def folded_whole(game: str, deals: int, rounds: int) -> tuple[float, int]:
    """Milliseconds of processor time, at best, to fold a session of so many deals at most, and its number of events."""
    events = whole_session(1, deals, game=game)
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        fold(None, events)
        best = min(best, time.process_time() - start)
    return best * 1e3, len(events)
