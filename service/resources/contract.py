"""The contract itself: the OpenAPI document, printed once a process, and the page to read it and try it."""

from typing import Final

from flask import Response, current_app

from service.docs_page import ASSETS, FORMS, PAGE, POLICY, asset
from service.document import JSON, Resource
from service.problems import ProblemError
from service.schemas.answers import DocumentSchema

DOCUMENT: Final = "upcard_document"
"""Where the application keeps what prints the document; then, the print."""

resource = Resource("contract", "/", "The contract")


@resource.get("openapi.json", DocumentSchema, who="nobody")
def read_contract() -> Response:
    """This document (OpenAPI 3.1)."""
    print_it = current_app.extensions[DOCUMENT]
    if not isinstance(print_it, bytes):
        print_it = current_app.extensions[DOCUMENT] = print_it()
    return Response(print_it, content_type=JSON)


@resource.get("docs", None, who="nobody", forms=("text/html",), headers=("Content-Security-Policy",))
def read_docs() -> Response:
    """A page that shows this document and lets it be tried. Nothing of it comes from another host."""
    return Response(PAGE, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": POLICY})


@resource.get("docs/<asset_name>", None, who="nobody", forms=FORMS, problems=("not-found",))
def read_docs_asset(asset_name: str) -> Response:
    """A file of that page."""
    if asset_name not in ASSETS:
        raise ProblemError("not-found", "The page has no such file.")
    content, form = asset(asset_name)
    return Response(content, content_type=form if form == "image/png" else f"{form}; charset=utf-8")
