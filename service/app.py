"""The application: resources, problems, headers, the OpenAPI document. Makes nothing up; wires what is elsewhere."""

from typing import Any, Final

from flask import Flask
from werkzeug.routing import IntegerConverter

from service.commands import RefusedCommandError
from service.context import Context
from service.contract import Document, api_of, document_of, printed
from service.passage import Application
from service.problems import install as install_problems
from service.refusals import refusal_problem
from service.resources import (
    audits,
    contract,
    deals,
    disputes,
    entropy,
    events,
    exports,
    health,
    ledger,
    metrics,
    plays,
    privileged_reads,
    records,
    rulings,
    sessions,
    tokens,
    webhooks,
)
from service.wire import Answer

_RESOURCES: Final = (
    *(sessions, entropy, deals, disputes, rulings, audits, exports, plays, events, ledger, records),
    *(tokens, privileged_reads, webhooks, health, metrics, contract),
)


class _Number(IntegerConverter):
    """A number in a path. There is one way to write each, so that one thing has one path."""

    regex = "[1-9][0-9]{0,17}"


def create_app(using: Context) -> Flask:
    """The WSGI application over a context."""
    app, api = _wired()
    using.install(app)
    app.extensions[contract.DOCUMENT] = lambda: printed(document_of(api))
    return app


def contract_document() -> Document:
    """The OpenAPI document, of an application that serves nobody."""
    return document_of(_wired()[1])


def _wired() -> tuple[Flask, Any]:
    """The application without a context, and what collects its document."""
    app = Application("service", static_folder=None)
    app.response_class = Answer
    app.config.update(
        API_TITLE="Upcard",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        # Problems are shown for every error alike, in tests too.
        PROPAGATE_EXCEPTIONS=False,
    )
    app.url_map.strict_slashes = False
    # Another spelling of a path would be answered with a redirection, which is neither JSON nor a problem.
    app.url_map.merge_slashes = False
    app.url_map.converters["int"] = _Number
    api = api_of(app)
    for kind in _RESOURCES:
        api.register_blueprint(kind.resource.blueprint)
    # After flask-smorest, which brings a form of errors of its own.
    install_problems(app)
    app.register_error_handler(RefusedCommandError, lambda refused: refusal_problem(refused).response())
    return app, api
