"""The page that shows the OpenAPI document and lets it be tried: Swagger UI's own files, around them a page of ours.

Every file comes from this host, and the page's policy allows no other. Left out: what the document says.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy. No script and no style stands in the page itself, so nothing inline needs to be allowed; the
style sheet's icons are written into it as `data:`."""

PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Upcard: the HTTP contract</title>
  <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/index.css">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <noscript>This page needs scripts. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
  <main id="contract"></main>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
"""

_START: Final = """\
// Shows the document of this host. No validator is asked: that would be another host's.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#contract",
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
});
"""

_DIST: Final[Mapping[str, str]] = {
    "index.css": "text/css",
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}
FORMS: Final = ("text/css", "text/javascript", "image/png")
ASSETS: Final = (*_DIST, "start.js")


class Asset(NamedTuple):
    """A file that the page loads."""

    content: bytes
    form: str
    """Its media type."""


@cache
def asset(name: str) -> Asset:
    """The file of that name; raises KeyError if the page has no such file."""
    if name == "start.js":
        return Asset(_START.encode(), "text/javascript")
    form = _DIST[name]
    return Asset(files("flask_swagger_ui").joinpath("dist", name).read_bytes(), form)
