"""What processes say: one JSON object a line on standard error, with the time, the level and the request's id.

Left out of every line: tokens, cards, names of players. So an unexpected error is told by its type and where it came
from, never by its message, which may quote what it choked on.
"""

import logging
import os
import sys
import traceback
from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime
from typing import Any, Final

import orjson
import structlog
from structlog.stdlib import ProcessorFormatter

from service.request_ids import request_id

LINE: Final = orjson.OPT_APPEND_NEWLINE
FRAMES: Final = 30
"""Places of an error that are told, the innermost last."""

_COMMON: Final[list[structlog.types.Processor]] = [
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
]


class RequestLines:
    """The line of each request. Written as it is: through a logger it would cost more than judging a play does."""

    def __init__(self) -> None:
        self.sink: Callable[[bytes], object] | None = None
        """Where lines go; None: nowhere."""

    def tell(self, members: dict[str, Any]) -> None:
        """Write one line of these members, with the time."""
        sink = self.sink
        if sink is not None:
            at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            sink(orjson.dumps({"at": at, "level": "info", "event": "request", **members}, option=LINE))


REQUESTS: Final = RequestLines()


def configure(process: str, level: str) -> None:
    """Have everything in this process that speaks, ours or a library's, speak so. `process` says which one it is."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(process))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    error_output = sys.stderr.fileno()
    # In one write, so that lines of several threads and processes do not mix.
    REQUESTS.sink = (lambda line: os.write(error_output, line)) if root.isEnabledFor(logging.INFO) else None
    for name in list(logging.root.manager.loggerDict):
        # Loggers of libraries that brought handlers of their own speak through ours.
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True


def formatter(process: str) -> logging.Formatter:
    """What makes a line of a record."""

    def named(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event["process"] = process
        return event

    return ProcessorFormatter(
        foreign_pre_chain=_COMMON,
        processors=[ProcessorFormatter.remove_processors_meta, named, _of_request, _without_message, _line],
    )


def _of_request(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    given = request_id()
    if given:
        event.setdefault("request", given)
    return event


def _without_message(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Tell an error by its type and where it came from."""
    # RQ writes what failed, message and all, into the very line.
    event["event"] = str(event["event"]).partition("\nTraceback (most recent call last)")[0]
    told = event.pop("exc_info", None)
    event.pop("exception", None)
    error = sys.exc_info()[1] if told is True else told[1] if isinstance(told, tuple) else told
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
        event["error"] = type(error).__name__
        event["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return event


def _line(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
    return orjson.dumps(event, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
