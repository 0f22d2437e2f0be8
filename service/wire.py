"""What passes between the application and the web server: bodies that come, and answers that go, whole."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, cast

from flask import Request, Response

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

EVERYWHERE: Final = (
    ("Cache-Control", "no-store"),
    ("Vary", "Authorization"),
    ("X-Content-Type-Options", "nosniff"),
)
"""An answer is this caller's and this moment's, and is what it says it is."""


def body_of(asked: Request, limit: int) -> bytes:
    """What is left of the body, at most so many bytes of it. Raises werkzeug's own error if the framework has to read
    more than it is allowed to."""
    if asked.environ.get("wsgi.input_terminated"):
        # A server that ends bodies by itself is asked directly, which takes a tenth of the framework's own steps.
        raw: bytes = asked.environ["wsgi.input"].read(limit)
        return raw
    return asked.get_data()


class Endless:
    """A body that makes its pieces one by one, as bytes, and gives back what it holds by `close`."""


class Answer(Response):
    """Any answer of the application; whatever else a view or the framework returns is made one."""

    def get_wsgi_response(self, environ: "WSGIEnvironment") -> tuple[Iterable[bytes], str, list[tuple[str, str]]]:
        """As WSGI has it, with the headers that every answer carries.

        A body that is whole is given as the list that it is, which the web server sends at once: it walks through
        anything else piece by piece. Such an answer also needs none of the framework's last looks at its headers.
        """
        body, headers = self.response, self.headers
        whole = isinstance(body, list) and "Content-Length" in headers and not self._on_close
        if whole and environ["REQUEST_METHOD"] != "HEAD":
            return cast("list[bytes]", body), self.status, [*headers, *EVERYWHERE]
        pieces, status, looked_at = super().get_wsgi_response(environ)
        if isinstance(body, Endless):
            # As it is, without the framework's wrappings: hundreds of them make a piece at the same moment.
            pieces = cast("Iterable[bytes]", body)
        return pieces, status, [*looked_at, *EVERYWHERE]
