"""The contract itself: the OpenAPI document, printed once a process."""

from typing import Final

from flask import Response, current_app

from service.document import JSON, Resource
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
