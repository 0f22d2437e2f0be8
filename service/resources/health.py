"""Whether the service is alive, and whether it is ready to be used."""

from typing import Any

from flask import Response

from replay.log import StoreUnavailableError
from service.answers import answer
from service.context import context
from service.document import Resource
from service.schemas.answers import AliveSchema, ReadySchema

resource = Resource("health", "/health", "For whoever runs it")


@resource.get("/live", AliveSchema, who="nobody")
def live() -> Response:
    """Whether this process answers."""
    return answer({"status": "alive"})


@resource.get("/ready", ReadySchema, who="nobody", also={503: ReadySchema})
def ready() -> Response:
    """Whether plays can be recorded and will be scored; 503 says what is missing."""
    using = context()
    checks: dict[str, Any] = {"events": _reachable(), "durability": using.durability}
    for process in ("worker", "sweeper"):
        try:
            checks[process] = "seen" if using.kicker.seen(process) else "not seen lately"
        except StoreUnavailableError:
            checks[process] = "the jobs' Redis cannot be reached"
    is_ready = checks["events"] == "reachable" and checks["worker"] == checks["sweeper"] == "seen"
    return answer({"status": "ready" if is_ready else "not ready", **checks}, 200 if is_ready else 503)


def _reachable() -> str:
    try:
        context().store.read("PING")
    except StoreUnavailableError:
        return "the events' Redis cannot be reached"
    return "reachable"
