"""What plays over HTTP are measured against: a Flask application that runs the append script and nothing else.

It knows no callers, no rules and no sessions; the event is made beforehand, sealed and with its digest. Same script,
same store, same web server with the same settings. `app` runs the script as redis-py would have anybody run one; `lean`
through the product's own client, which asks less of the processor, to show the rest of the difference.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

from flask import Flask, request
from redis import Redis

from ops.benchmarks.seeded import long_session
from replay.codec import START, encode
from replay.envelope import Stamp
from replay.redis_client import Script, Store, connect
from replay.shards import checkpoints_key, events_key, key, shard_of
from service.cli_run import serve
from workers.lifeline import die_with_parent
from workers.settings import read_settings

_APPEND = Script(files("replay").joinpath("lua/append.lua").read_text())
_STAMP = Stamp("2026-09-21T13:46:40.123Z", "seat:1", "a" * 32)
_EVENT = encode("", long_session(1, 8), after=START, stamp=_STAMP)[-1]
_PUBLIC, _BESIDE, _DIGEST = _EVENT.raw, _EVENT.sealed_bytes(), _EVENT.digest
_BODY = "0" * 32


Run = Callable[[Sequence[str], Sequence[str | bytes | int]], Any]


def by_redis_py(client: Redis) -> Run:
    """Runs the append script by redis-py's own means."""
    script = client.register_script(_APPEND.text)
    return lambda keys, arguments: script(keys=list(keys), args=list(arguments))


def by_our_client(store: Store) -> Run:
    """Runs the append script by the product's client."""
    return lambda keys, arguments: store.run(_APPEND, keys, *arguments)


def create_app(client: Redis, run: Run) -> Flask:
    """The application."""
    app = Flask("trivial", static_folder=None)

    @app.post("/v1/sessions/<session>/plays")
    def _append(session: str) -> tuple[dict[str, int], int]:
        shard = shard_of(session)
        beside = (key(shard, name) for name in ("commands", "outbox", "index", "summaries", "people", "contested"))
        keys = [events_key(session), checkpoints_key(session), *beside]
        seen = request.headers["If-Match"].strip('"')
        command = request.headers["Idempotency-Key"]
        event = (_PUBLIC, _BESIDE, _DIGEST)
        answer = run(keys, (session, seen, _DIGEST, 1, 0, "", command, _BODY, 201, "", "", 0, 0, *event))
        return {"version": answer[1]}, 201

    @app.get("/v1/sessions/<session>")
    def _version(session: str) -> dict[str, int]:
        return {"version": client.xlen(events_key(session))}

    return app


if __name__ == "__main__":
    serve(f"ops.benchmarks.trivial:{sys.argv[1]}", read_settings())
else:
    die_with_parent()
    _client = connect(read_settings().events_url)
    app = create_app(_client, by_redis_py(_client))
    lean = create_app(_client, by_our_client(Store(_client)))
