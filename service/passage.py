"""What happens around every request, whatever it asks for: an id, what is left to its sender, a figure, a line.

The line is of the request, not of what it brought: method, route as it is declared, status, milliseconds, the caller's
name (an organiser's or a seat's, never a player's), the session. Paths, queries and headers are the client's to fill,
so none of them is written down.
"""

import re
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from flask import Flask

from service.auth import CALLER, COUNTED
from service.context import SERVING, installed
from service.figures import METHODS, answered
from service.logs import REQUESTS
from service.rates import Verdict, believe_proxies
from service.request_ids import HEADER, give_id
from service.requests import current

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

NO_ROUTE: Final = "none"
"""Stands for the route of a request that goes nowhere."""

_SESSION: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class Application(Flask):
    """A Flask application through which every request passes alike."""

    def wsgi_app(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer one request, as WSGI has it."""
        began = time.perf_counter()
        given = give_id(environ)

        def begin(status: str, headers: list[tuple[str, str]], *fault: Any) -> Any:
            headers.append((HEADER, given))
            counted = environ.get(COUNTED)
            if counted is not None:
                headers += _left(counted)
            _tell(environ, status[:3], time.perf_counter() - began, given)
            return start_response(status, headers, *fault)

        using = installed(self)
        if using.bounds.proxies:
            # Whom it comes from is seen before anything looks at it.
            believe_proxies(environ, using.bounds.proxies)
        before = SERVING.set(using)
        try:
            return super().wsgi_app(environ, begin)
        finally:
            SERVING.reset(before)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: none here is asynchronous, and the framework would look anew at every request."""
        return func


def _left(verdict: Verdict) -> list[tuple[str, str]]:
    return [
        ("RateLimit-Limit", str(verdict.limit)),
        ("RateLimit-Remaining", str(verdict.remaining)),
        ("RateLimit-Reset", str(verdict.reset)),
    ]


def _tell(environ: "WSGIEnvironment", status: str, seconds: float, given: str) -> None:
    asked = current()
    rule = asked.url_rule
    route = rule.rule if rule is not None else NO_ROUTE
    method = environ["REQUEST_METHOD"]
    answered(method, route, status, seconds)
    told = {
        "request": given,
        "method": method if method in METHODS else "other",
        "route": route,
        "status": int(status),
        "ms": round(seconds * 1000, 2),
        "caller": environ.get(CALLER, "nobody"),
    }
    session = (asked.view_args or {}).get("session_id")
    if session is not None and _SESSION.fullmatch(session):
        told["session"] = session
    REQUESTS.tell(told)
