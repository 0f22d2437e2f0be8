"""The command line of the bench: measures, and prints a line for each figure with its target.

Rates change with the machine and with whatever else it does; ratios are taken within one run, over rounds that take
turns, and are what to look at.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Final, NamedTuple

import click

from ops.benchmarks import checking, in_process, solving, verifying
from ops.benchmarks.environment import LOCKS, made
from ops.benchmarks.over_http import Arena, Round, Sitting, cost, first_plays, rate, shuffled_order, sittings
from ops.benchmarks.servers import LEAN, TRIVIAL, UPCARD, WebServer, gunicorn, settings, store, web_server
from ops.benchmarks.watchers import delivered, idle
from replay.redis_client import Store, connect
from service.tokens import Tokens, server_key
from workers.store_address import EVENTS_DB, JOBS_DB

MEASURES: Final = ("http", "streams", "games", "fold", "rebuild", "check", "verify", "solver")

CANASTA_DEALS: Final = 50
"""More than a game for 5,000 points takes."""

GAME_COSTS: Final = {"poker_rum": 1.3, "single_pack_rum": 1.3, "canasta": 1.5}
"""What a play may cost over HTTP, as a multiple of a play of Rockaway."""
GAMES: Final = ("rockaway", *GAME_COSTS)
BYTES: Final = 1100
"""What an event may take of the store's memory."""


class Size(NamedTuple):
    """How much is measured."""

    rounds: int
    sessions: int
    long: int
    """Events of a long session."""
    reads: int
    fold_sessions: int
    records: int
    verified: int
    """Deals of an export, if no target ends the session sooner."""
    idle: int
    """Streams that are open while others play."""
    watchers: int
    """Of one session."""
    rivals: bool
    """Whether what others have written is installed and measured too."""


FULL: Final = Size(
    rounds=9,
    sessions=64,
    long=1000,
    reads=40,
    fold_sessions=40,
    records=1000,
    verified=20,
    idle=300,
    watchers=500,
    rivals=True,
)
QUICK: Final = Size(
    rounds=1,
    sessions=4,
    long=200,
    reads=4,
    fold_sessions=2,
    records=10,
    verified=1,
    idle=10,
    watchers=10,
    rivals=False,
)


@click.command()
@click.option("--quick", is_flag=True, help="Little of everything, to see that it runs; the figures mean nothing.")
@click.option("--rounds", type=click.IntRange(1), help="Rounds of each measurement.")
@click.argument("measures", metavar="[MEASURE]…", nargs=-1, type=click.Choice(MEASURES))
def main(quick: bool, rounds: int | None, measures: tuple[str, ...]) -> None:
    """Measure plays over HTTP (http, games), event streams (streams), folding (fold), rebuilding (rebuild), checking
    (check), verifying exports (verify), and Poker Rum's deadwood (solver); all by default."""
    size = QUICK if quick else FULL
    size = size._replace(rounds=rounds or size.rounds)
    asked = measures or MEASURES
    with tempfile.TemporaryDirectory(prefix="upcard-bench-") as folder:
        lines: dict[str, Callable[[], Iterator[str]]] = {
            "http": lambda: over_http(Path(folder, "http"), size),
            "streams": lambda: streams(Path(folder, "streams"), size),
            "games": lambda: games(Path(folder, "games"), size),
            "fold": lambda: folding(size),
            "rebuild": lambda: rebuilding(Path(folder, "rebuild"), size),
            "check": lambda: checks(Path(folder), size),
            "verify": lambda: verifying_exports(size),
            "solver": lambda: solver(Path(folder, "rivals"), size),
        }
        for name in asked:
            for line in lines[name]():
                click.echo(line)


def folding(size: Size) -> Iterator[str]:
    """Events folded on one core."""
    folded = in_process.folded_each_second(size.fold_sessions, 10, size.rounds)
    yield f"fold: {folded:,.0f} events/s on one core (target 200,000)"
    milliseconds, events = in_process.folded_whole("canasta", CANASTA_DEALS, size.rounds)
    yield (
        f"fold, canasta: {milliseconds:.1f} ms of processor time for a whole session of four seats to 5,000 points, "
        f"{events:,} events (target 30 ms)"
    )


def rebuilding(data: Path, size: Size) -> Iterator[str]:
    """A session rebuilt from the store."""
    with store(data) as server:
        took = in_process.rebuilt(Store(connect(server.url(EVENTS_DB))), size.long, size.rounds * 3)
    yield (
        f"rebuild: {took.ratio:.2f} times reading and decoding (target at most 1.6): "
        f"{took.rebuilt:.1f} ms against {took.decoded:.1f} ms of processor time for {took.events} events"
    )


def checks(folder: Path, size: Size) -> Iterator[str]:
    """Records checked."""
    path = folder / "records.ndjson"
    plays = checking.write_records(path, size.records, 10)
    runs = [checking.checked(path, size.records, plays) for _ in range(min(size.rounds, 3))]
    processor, seconds = median(run.processor for run in runs), median(run.seconds for run in runs)
    yield (
        f"check: {plays / processor:,.0f} plays/s of processor time (target 60,000), {plays / seconds:,.0f} by the "
        f"clock: {size.records} records, {plays:,} plays, {max(run.peak for run in runs) / 2**20:.0f} MiB at the peak"
    )


def verifying_exports(size: Size) -> Iterator[str]:
    """Exports verified on one core, of each game."""
    for game in GAMES:
        rate_of, events = verifying.verified_each_second(game, size.verified, size.rounds)
        yield f"verify, {game}: {rate_of:,.0f} events/s on one core (target 20,000), an export of {events:,} events"


def solver(folder: Path, size: Size) -> Iterator[str]:
    """The deadwood of a hand of Poker Rum, on hands of one pack beside what others have written."""
    imported, first = solving.first_use()
    yield (
        f"solver: imported with its tables in {imported:.1f} ms (target 50); "
        f"{first:.1f} µs for each of the first {solving.HANDS:,} hands of a process, near-finished, of two packs"
    )
    missing = made(folder, LOCKS) if size.rivals else "a quick run leaves them out"
    if missing is not None:
        yield f"solver: RLCard and OpenSpiel are not compared: {missing}"
    alone = {solving.OURS: solving.ours()}
    took = {} if missing is not None else solving.measured_beside_rivals(folder / "bin" / "python", size.rounds)
    for kind in solving.KINDS:
        yield _solved(kind, took.get(kind) or solving.measured(alone, kind, size.rounds))


def _solved(kind: solving.Kind, took: solving.Measured) -> str:
    own = took.micros[solving.OURS]
    said = f"solver, {kind.name}: {own:.1f} µs a hand"
    if kind.packs > 1:
        said += f" (target {15 if kind.near else 6})"
    if "RLCard" in took.micros:
        rlcard, openspiel = took.micros["RLCard"], took.micros["OpenSpiel"]
        said += f"; RLCard {rlcard:.1f} µs, {rlcard / own:.0f} times ours (target at least 10)"
        said += f"; OpenSpiel {openspiel:.1f} µs, ours is {own / openspiel:.1f} times that (target at most 2)"
        said += f"; all agree on {took.agreed:,} of {took.comparable:,} hands without an ace"
    return said


def over_http(data: Path, size: Size) -> Iterator[str]:
    """Everything that goes over HTTP, on one store with all web servers up."""
    short, long = sittings(size.sessions, 1), sittings(size.sessions, size.long)
    servers: dict[str, tuple[str, ...]] = {"upcard": UPCARD, "trivial": TRIVIAL, "lean": LEAN}
    for name, application in (
        ("gunicorn upcard", "service.wsgi:app"),
        ("gunicorn trivial", "ops.benchmarks.trivial:app"),
    ):
        if (arguments := gunicorn(application, settings().web_threads)) is not None:
            servers[name] = arguments
    with ExitStack() as stack:
        embedded = stack.enter_context(store(data))
        client = connect(embedded.url(EVENTS_DB))
        over = Store(client)
        arena = Arena(over, Tokens(over, server_key(data), time.monotonic))
        up = {name: stack.enter_context(web_server(each, embedded)) for name, each in servers.items()}
        yield from plays(arena, up, short, long, size)
        yield from reads(arena, up, short, size)
        bytes_each = memory(arena, up["upcard"], short, over, Store(connect(embedded.url(JOBS_DB))))
        yield f"memory: {bytes_each:.0f} bytes of Redis for an event (target at most {BYTES:,})"


def streams(data: Path, size: Size) -> Iterator[str]:
    """What idle streams cost plays, and how soon those who watch a session have a play."""
    table = sittings(size.sessions, 1)
    most = str(size.idle + size.watchers)
    with ExitStack() as stack:
        embedded = stack.enter_context(store(data))
        over = Store(connect(embedded.url(EVENTS_DB)))
        arena = Arena(over, Tokens(over, server_key(data), time.monotonic))
        limits = {"UPCARD_STREAMS": most, "UPCARD_STREAMS_PER_ADDRESS": most}
        alone, watched = (stack.enter_context(web_server(UPCARD, embedded, **limits)) for _ in range(2))
        with idle(watched.port, [arena.watch(arena.stored(table[0]), 2) for _ in range(size.idle)]):
            rounds: dict[str, Callable[[], Round]] = {
                "no stream": lambda: arena.ours(alone, table),
                f"{size.idle} idle streams": lambda: arena.ours(watched, table),
            }
            took = _taken_in_turns(rounds, size.rounds)
        for name, each in took.items():
            yield f"streams, plays with {_figures(name, each)}"
        yield f"streams, plays with {_ratio(took, f'{size.idle} idle streams', 'no stream', 0.9)}"
        found = []
        for sitting in table[: size.rounds]:
            session = arena.stored(sitting)
            watch = [arena.watch(session, 2)] * size.watchers
            found.append(delivered(watched.port, watch, arena.requests(session, sitting)))
    slow, usual = (
        median(each.after_answer[len(each.after_answer) * part // 100] for each in found) for part in (99, 50)
    )
    sent = median(each.after_sending[len(each.after_sending) * 99 // 100] for each in found)
    yield (
        f"streams: 99 in 100 of {size.watchers} watchers have a play {slow * 1e3:.1f} ms after its player has his "
        f"answer (target 40), half of them after {usual * 1e3:.1f} ms; 99 in 100 {sent * 1e3:.1f} ms after he sent it"
    )


def _part(ascending: list[float], hundredths: int) -> float:
    return ascending[len(ascending) * hundredths // 100]


def games(data: Path, size: Size) -> Iterator[str]:
    """What a play of each game costs over HTTP, against a play of Rockaway."""
    tables = {game: first_plays(size.sessions, game) for game in GAMES}
    with ExitStack() as stack:
        embedded = stack.enter_context(store(data))
        over = Store(connect(embedded.url(EVENTS_DB)))
        arena = Arena(over, Tokens(over, server_key(data), time.monotonic))
        server = stack.enter_context(web_server(UPCARD, embedded))
        rounds: dict[str, Callable[[], Round]] = {
            game: partial(arena.ours, server, table) for game, table in tables.items()
        }
        took = _taken_in_turns(rounds, size.rounds)
        jobs = Store(connect(embedded.url(JOBS_DB)))
        used = {game: memory(arena, server, table, over, jobs) for game, table in tables.items()}
    for game, bytes_each in used.items():
        yield f"games: {bytes_each:.0f} bytes of Redis for an event of {game} (target at most {BYTES:,})"
    for game, most in GAME_COSTS.items():
        by_clock = median(a.rate / b.rate for a, b in zip(took["rockaway"], took[game], strict=True))
        by_processor = cost(took[game]) / cost(took["rockaway"])
        yield (
            f"games: a play of {game} costs {by_clock:.2f} times one of rockaway by the clock, "
            f"{by_processor:.2f} by processor time (target at most {most})"
        )


def plays(
    arena: Arena, up: dict[str, WebServer], short: list[Sitting], long: list[Sitting], size: Size
) -> Iterator[str]:
    """Plays a second and their ratios."""
    rounds: dict[str, Callable[[], Round]] = {
        "Upcard": lambda: arena.ours(up["upcard"], short),
        f"Upcard, {size.long} events": lambda: arena.ours(up["upcard"], long),
        "trivial": lambda: arena.trivial(up["trivial"], short),
        "trivial, our client": lambda: arena.trivial(up["lean"], short),
    }
    if "gunicorn upcard" in up:
        rounds["Upcard on gunicorn"] = lambda: arena.ours(up["gunicorn upcard"], short)
        rounds["trivial on gunicorn"] = lambda: arena.trivial(up["gunicorn trivial"], short)
    took = _taken_in_turns(rounds, size.rounds)
    for name, each in took.items():
        yield f"plays, {_figures(name, each)}"
    yield _ratio(took, "Upcard", "trivial", 0.55)
    yield _ratio(took, "Upcard", "trivial, our client", None)
    yield _ratio(took, f"Upcard, {size.long} events", "Upcard", 0.95)
    if "Upcard on gunicorn" in took:
        yield _ratio(took, "Upcard on gunicorn", "Upcard", None)
        yield _ratio(took, "trivial on gunicorn", "trivial", None)


def reads(arena: Arena, up: dict[str, WebServer], short: list[Sitting], size: Size) -> Iterator[str]:
    """Sessions read a second."""
    rounds: dict[str, Callable[[], Round]] = {
        "Upcard": lambda: arena.reads(up["upcard"], short, size.reads),
        "trivial": lambda: arena.reads(up["trivial"], short, size.reads),
    }
    took = _taken_in_turns(rounds, size.rounds)
    for name, each in took.items():
        yield f"reads, {_figures(name, each)}"
    yield f"reads, {_ratio(took, 'Upcard', 'trivial', None)}"


def memory(arena: Arena, server: WebServer, short: list[Sitting], over: Store, jobs: Store) -> float:
    """Bytes of the store for one event, with its share of the session, its key and whatever else is kept of it."""
    before = _used(over, jobs)
    arena.ours(server, short)
    events = sum(len(sitting.before) + len(sitting.plays) + 1 for sitting in short)
    return (_used(over, jobs) - before) / events


def _used(over: Store, jobs: Store) -> int:
    # Jobs are gone once a worker has seen them; here is none.
    jobs.write("FLUSHDB", "SYNC")
    told: bytes = over.read("INFO", "memory")
    return int(told.partition(b"used_memory:")[2].partition(b"\r\n")[0])


def _taken_in_turns(rounds: dict[str, Callable[[], Round]], count: int) -> dict[str, list[Round]]:
    """So many rounds of each, one of all after another, in another order each time; the first is for warming up."""
    chance = Random(1)
    took: dict[str, list[Round]] = {name: [] for name in rounds}
    for number in range(count + 1):
        for name in shuffled_order(list(rounds), chance):
            round_taken = rounds[name]()
            if number or count == 1:
                took[name].append(round_taken)
    return took


def _figures(name: str, rounds: list[Round]) -> str:
    slow = median(each.taken.latencies[len(each.taken.latencies) * 99 // 100] for each in rounds)
    usual = median(median(each.taken.latencies) for each in rounds)
    return (
        f"{name}: {rate(rounds):,.0f}/s, {cost(rounds):.0f} µs of the web server's processor time each, "
        f"{usual * 1e3:.1f} ms (99 in 100: {slow * 1e3:.1f} ms)"
    )


def _ratio(took: dict[str, list[Round]], one: str, other: str, target: float | None) -> str:
    by_clock = median(a.rate / b.rate for a, b in zip(took[one], took[other], strict=True))
    by_processor = cost(took[other]) / cost(took[one])
    wanted = "" if target is None else f" (target {target})"
    return f"{one} : {other} = {by_clock:.2f}{wanted} by the clock, {by_processor:.2f} by processor time"


if __name__ == "__main__":
    main()
