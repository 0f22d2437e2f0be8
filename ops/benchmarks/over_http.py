"""Plays over HTTP, ours against the trivial application's, in rounds that take turns.

64 sessions of four seats, each a whole deal from its first play to its last, over 16 connections that stay open. Every
play is sent with its seat's token, the exact version in If-Match and an Idempotency-Key; all requests are made before
the clock starts. Sessions are written to the store directly; each is read once over HTTP before its round, so that both
short and long ones are folded already, as they are while people play.
"""

import time
from collections.abc import Sequence
from itertools import count
from random import Random
from statistics import median
from typing import Final, NamedTuple

import orjson

from ops.benchmarks.load import Taken, send
from ops.benchmarks.seeded import PLAYERS, STAMP, PlayedDeal, deals_like, long_session, opened, played
from ops.benchmarks.servers import WebServer
from replay.codec import START, encode
from replay.log import Appended, Batch
from replay.redis_client import Store
from replay.redis_log import RedisLog
from replay.rules.session import fold
from replay.rules.session_events import Event
from replay.rules.session_state import Session
from replay.shards import new_session_id
from service.schemas.games import write_play
from service.tokens import Tokens

CONNECTIONS: Final = 16
PLAYS: Final = range(56, 73)
"""Plays of a deal that is taken: about as many each, so that all connections end at about the same time."""


class Play(NamedTuple):
    """One play to be sent: its body, its seat, and the version it names."""

    body: bytes
    seat: int
    version: int


class Sitting(NamedTuple):
    """A session to be measured: the events it has before, and the plays that are sent."""

    before: tuple[Event, ...]
    plays: tuple[Play, ...]


class Round(NamedTuple):
    """What one round of one application took."""

    taken: Taken
    processor: float
    """Seconds of the web server."""

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.taken.rate

    @property
    def microseconds(self) -> float:
        """Processor time of the web server for one answer."""
        return self.processor / self.taken.answers.total() * 1e6


def first_plays(sessions: int, game: str) -> list[Sitting]:
    """So many sessions of a game, just opened, with the first plays of a deal: as many as a deal of Rockaway has."""
    event, session = opened("organiser:bench", deals=None, game=game)
    chance = Random(3)
    deals = (played(session, chance, PLAYS.start) for _ in range(sessions))
    return [Sitting((event, deal.events[0]), _plays(session, deal)) for deal in deals]


def sittings(sessions: int, length: int) -> list[Sitting]:
    """So many sessions with a deal to be played, all told `length` events long before it (1: just opened)."""
    made = []
    event, session = opened("organiser:bench", deals=None)
    history: Sequence[Event] = [event]
    if length > 1:
        history = _to_the_end_of_a_deal(long_session(1, length))
        session = fold(None, history)
    found = deals_like(session, 2, PLAYS)
    for _ in range(sessions):
        deal = next(found)
        made.append(Sitting((*history, deal.events[0]), _plays(session, deal)))
    return made


def _to_the_end_of_a_deal(events: list[Event]) -> list[Event]:
    while fold(None, events).playing:
        events.pop()
    return events


def _plays(before: Session, deal: PlayedDeal) -> tuple[Play, ...]:
    return tuple(
        Play(orjson.dumps(write_play(before.game.name, command, command.seat)), command.seat, version)
        for version, command in enumerate(deal.commands, start=before.version + 1)
    )


class Arena:
    """A store with both web servers over it."""

    def __init__(self, store: Store, tokens: Tokens) -> None:
        self._log: Final = RedisLog(store)
        self._tokens: Final = tokens
        self._keys: Final = count()

    def ours(self, server: WebServer, sessions: list[Sitting]) -> Round:
        """A round of Upcard on fresh sessions like these."""
        ids = [self.stored(sitting) for sitting in sessions]
        scripts = self._scripts(ids, sessions)
        reads = [_read(session, self._tokens.seat(session, 1)) for session in ids]
        send(server.port, [reads])
        return _measured(server, scripts, "201")

    def trivial(self, server: WebServer, sessions: list[Sitting]) -> Round:
        """A round of the trivial application: requests of the same form, on streams that begin at nothing."""
        ids = [new_session_id() for _ in sessions]
        from_nothing = [
            Sitting((), tuple(play._replace(version=n) for n, play in enumerate(sitting.plays))) for sitting in sessions
        ]
        scripts = self._scripts(ids, from_nothing)
        send(server.port, [[_read(session, "nobody") for session in ids]])
        return _measured(server, scripts, "201")

    def reads(self, server: WebServer, sessions: list[Sitting], times: int) -> Round:
        """A round of reading sessions, so many times each; ours and the trivial application's alike."""
        ids = [self.stored(sitting) for sitting in sessions]
        requests = [_read(session, self._tokens.seat(session, 1)) for session in ids]
        send(server.port, [requests])
        return _measured(server, [requests[n::CONNECTIONS] * times for n in range(CONNECTIONS)], "200")

    def watch(self, session: str, after: int) -> bytes:
        """The request for a stream of a session's events after a version, as its first seat."""
        token = self._tokens.seat(session, 1)
        return (
            f"GET /v1/sessions/{session}/events?after={after} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Accept: text/event-stream\r\nAuthorization: Bearer {token}\r\n\r\n"
        ).encode()

    def requests(self, session: str, sitting: Sitting) -> list[bytes]:
        """The plays of a sitting as requests; its last ends the deal and makes two events, so it is left out."""
        return [self._request(session, play) for play in sitting.plays[:-1]]

    def stored(self, sitting: Sitting) -> str:
        """The id of a fresh session like this one, before its plays."""
        session = new_session_id()
        envelopes = encode(session, sitting.before, after=START, stamp=STAMP)
        batch = Batch(session, START, envelopes, time.time_ns() // 1_000_000, names=PLAYERS)
        outcome = self._log.append(batch)
        if not isinstance(outcome, Appended):
            raise TypeError(f"a fresh session could not be written: {outcome}")
        return session

    def _scripts(self, ids: list[str], sessions: list[Sitting]) -> list[list[bytes]]:
        """For each connection its requests: its sessions take turns, a play each."""
        scripts: list[list[bytes]] = []
        for n in range(CONNECTIONS):
            mine = list(zip(ids[n::CONNECTIONS], sessions[n::CONNECTIONS], strict=True))
            script = []
            for turn in range(max((len(sitting.plays) for _, sitting in mine), default=0)):
                script += [
                    self._request(one, sitting.plays[turn]) for one, sitting in mine if turn < len(sitting.plays)
                ]
            scripts.append(script)
        return [script for script in scripts if script]

    def _request(self, session: str, play: Play) -> bytes:
        token = self._tokens.seat(session, play.seat)
        head = (
            f"POST /v1/sessions/{session}/plays HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            f'If-Match: "{play.version}"\r\nIdempotency-Key: bench-{next(self._keys):08}-{session}\r\n'
            f"Content-Type: application/json\r\nContent-Length: {len(play.body)}\r\n\r\n"
        )
        return head.encode() + play.body


def _read(session: str, token: str) -> bytes:
    return f"GET /v1/sessions/{session} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def _measured(server: WebServer, scripts: Sequence[Sequence[bytes]], expected: str) -> Round:
    before = server.processor_seconds()
    taken = send(server.port, scripts)
    processor = server.processor_seconds() - before
    if set(taken.answers) != {expected}:
        raise RuntimeError(f"every answer should be {expected}: {dict(taken.answers)}")
    return Round(taken, processor)


def rate(rounds: list[Round]) -> float:
    """The median rate."""
    return median(each.rate for each in rounds)


def cost(rounds: list[Round]) -> float:
    """The median cost of one answer in processor time, microseconds."""
    return median(each.microseconds for each in rounds)


def shuffled_order(names: list[str], chance: Random) -> list[str]:
    """The order of one round, so that nobody always follows the same neighbour."""
    return chance.sample(names, len(names))
