"""What happens around every request, whatever it asks for: it gets an id, which goes back with the answer."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask

from service.request_ids import HEADER, give_id

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class Application(Flask):
    """A Flask application through which every request passes alike."""

    def wsgi_app(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer one request, as WSGI has it."""
        given = give_id(environ)

        def begin(status: str, headers: list[tuple[str, str]], *fault: Any) -> Any:
            headers.append((HEADER, given))
            return start_response(status, headers, *fault)

        return super().wsgi_app(environ, begin)
