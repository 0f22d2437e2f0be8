"""Webhooks of an organiser: made, changed, listed, dropped; their deliveries, and deliveries once more by hand.

An organiser has his own, and of others' he does not learn that they exist. The first organiser rules all, so that
somebody can drop those of a token that was revoked. Left out: sending, which is another process's work.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Response

from replay.log import CommandKey, KeyReused
from service.answers import answer, page_answer
from service.auth import access, authenticated
from service.context import context, stamp
from service.document import CURSOR, LIMIT, More, Resource
from service.pages import cursor_of, read_cursor, read_number_cursor
from service.problems import ProblemError, invalid
from service.requests import canonical, command_key, known_arguments, page, read_object
from service.schemas.reading import load
from service.schemas.webhooks import (
    ChangeWebhookBody,
    DeadLettersSchema,
    DeliveriesSchema,
    MessageSchema,
    RedeliverBody,
    RotateBody,
    SecretWebhookSchema,
    WebhookBody,
    WebhookSchema,
    WebhooksSchema,
    changed,
)
from service.tokens import Caller
from workers.webhooks.addresses import RefusedTargetError
from workers.webhooks.messages import read_message_id
from workers.webhooks.register import Pending, Remembered, Row
from workers.webhooks.webhook import Webhook, webhook_of

resource = Resource("webhooks", "/v1/webhooks", "Webhooks")

MOST: Final = 20
"""Webhooks of one organiser."""
MOST_ASKED: Final = 1_000
"""Deliveries of one webhook that may wait when one more is asked for by hand."""
_TRIES: Final = 20
"""Changes by others at the same moment that a change gives way to before it gives up."""

_OWN: Final[More] = {"who": "token", "problems": ("forbidden",)}
_REPLAYED: Final = {"Idempotency-Replayed": "true"}
_NEW: Final = WebhookBody()
_CHANGE: Final = ChangeWebhookBody()
_ROTATE: Final = RotateBody()
_REDELIVER: Final = RedeliverBody()


@resource.post("", 201, SecretWebhookSchema, WebhookBody, problems=("not-now",), headers=("Location",))
def make_webhook() -> Response:
    """Have events sent to a URL. The answer shows the secret that their signatures are made with, this once."""
    someone = _organiser()
    body = read_object()
    said = load(_NEW, body)
    _read_url(said["url"])
    key = command_key(someone, canonical(body), 201)
    office = context().webhooks
    # A repeated request finds by its key the webhook that the first one made.
    webhook_id = f"wh_{key.key if key else secrets.token_hex(16)}"
    known = office.register.remembered(webhook_id, key) if key else None
    if known is None:
        made = _new(webhook_id, said, someone)
        putting = office.register.put(None, made, key, made.to_bytes().decode())
        if putting == "done":
            return _with_secret(made, {}, new=True)
        known = putting if isinstance(putting, Remembered | KeyReused) else None
    return _with_secret(_repeated(known), _REPLAYED, new=True)


def _new(webhook_id: str, said: dict[str, Any], someone: Caller) -> Webhook:
    """The webhook that is asked for; raises problems 422, 409."""
    using = context()
    session = said.get("session")
    if session is not None and not _rules(session, someone):
        raise invalid("The body does not fit.", {"session": ["You rule no such session."]})
    _check_url(said["url"])
    if sum(row.webhook.owner == someone.name for row in using.webhooks.register.rows()) >= MOST:
        raise ProblemError("not-now", f"An organiser may have {MOST} webhooks. Drop one first.")
    moment = using.clock()
    return Webhook(
        id=webhook_id,
        owner=someone.name,
        url=said["url"],
        kinds=changed(said).get("kinds"),
        session=session,
        enabled=True,
        because=None,
        created_at=stamp(moment),
        serial=1,
        fingerprint=using.webhooks.fingerprint(webhook_id, 1),
        changed=_now(),
        token=someone.digest,
    )


@resource.get("", WebhooksSchema, LIMIT, CURSOR, **_OWN)
def list_webhooks() -> Response:
    """The caller's webhooks, the oldest first; everybody's for the first organiser."""
    someone = _organiser()
    known_arguments("limit", "cursor")
    limit, after = page(most=100, default=20), read_cursor()
    rows = [row.webhook for row in context().webhooks.register.rows() if _his(row.webhook, someone)]
    left = [each for each in rows if after is None or f"{each.created_at} {each.id}" > after]
    shown = left[:limit]
    following = cursor_of(f"{shown[-1].created_at} {shown[-1].id}") if len(left) > limit else None
    return page_answer("webhooks", [_fields(each) for each in shown], following)


@resource.get("/<webhook_id>", WebhookSchema, **_OWN)
def read_webhook(webhook_id: str) -> Response:
    """One webhook."""
    webhook = _found(webhook_id, _organiser()).webhook
    known_arguments()
    return answer(_fields(webhook))


@resource.post("/<webhook_id>", 200, WebhookSchema, ChangeWebhookBody)
def change_webhook(webhook_id: str) -> Response:
    """Change its URL or its kinds of events, disable it, or enable it again: it goes on where it had stopped."""
    someone = _organiser()
    _found(webhook_id, someone)
    body = read_object()
    said = load(_CHANGE, body)
    if "url" in said:
        _read_url(said["url"])
    key = command_key(someone, canonical(body), 200)
    if "url" in said and (key is None or context().webhooks.register.remembered(webhook_id, key) is None):
        _check_url(said["url"])
    fields = {**changed(said), "changed": _now()}
    if said.get("enabled"):
        fields["token"] = someone.digest
    after, headers = _change(webhook_id, someone, key, lambda webhook: webhook._replace(**fields))
    return answer(_fields(after), headers=headers)


@resource.delete("/<webhook_id>", problems=("too-large", "unsupported-media-type"))
def drop_webhook(webhook_id: str) -> Response:
    """Drop a webhook, with its deliveries and dead letters. Nothing more is sent to it."""
    _found(webhook_id, _organiser())
    if read_object(optional=True):
        raise invalid("Dropping a webhook takes no body.")
    context().webhooks.register.drop(webhook_id)
    nothing = Response(status=204)
    del nothing.headers["Content-Type"]
    return nothing


@resource.post("/<webhook_id>/secret", 201, SecretWebhookSchema, RotateBody)
def rotate_secret(webhook_id: str) -> Response:
    """Give it a new secret. For the time of the overlap both sign, so that a receiver can change over."""
    someone = _organiser()
    _found(webhook_id, someone)
    body = read_object()
    overlap = load(_ROTATE, body)["overlap"] * 1_000
    key = command_key(someone, canonical(body), 201)
    office = context().webhooks

    def rotate(webhook: Webhook) -> Webhook:
        return webhook.rotated(office.fingerprint(webhook.id, webhook.serial + 1), _now(), overlap)

    after, headers = _change(webhook_id, someone, key, rotate)
    return _with_secret(after, headers, new=False)


@resource.get("/<webhook_id>/deliveries", DeliveriesSchema, LIMIT, CURSOR, **_OWN)
def list_deliveries(webhook_id: str) -> Response:
    """Its attempts to deliver, the newest first."""
    _found(webhook_id, _organiser())
    known_arguments("limit", "cursor")
    limit, before = page(most=100, default=20), read_number_cursor()
    found = context().webhooks.register.attempts(webhook_id, limit + 1, before)
    shown = found[:limit]
    return page_answer("deliveries", shown, cursor_of(shown[-1]["number"]) if len(found) > limit else None)


@resource.get("/<webhook_id>/dead_letters", DeadLettersSchema, LIMIT, CURSOR, **_OWN)
def list_dead_letters(webhook_id: str) -> Response:
    """The events that were given up, the oldest first. Redelivered, an event leaves this list."""
    _found(webhook_id, _organiser())
    known_arguments("limit", "cursor")
    limit, after = page(most=100, default=20), read_cursor()
    found = context().webhooks.register.dead(webhook_id)
    left = [each for each in found if after is None or f"{each['at']} {each['id']}" > after]
    shown = left[:limit]
    following = cursor_of(f"{shown[-1]['at']} {shown[-1]['id']}") if len(left) > limit else None
    told = [{name: value for name, value in each.items() if name != "body"} for each in shown]
    return page_answer("dead_letters", told, following)


@resource.post("/<webhook_id>/redeliver", 202, MessageSchema, RedeliverBody, problems=("not-now",))
def redeliver(webhook_id: str) -> Response:
    """Have an event delivered once more, with the same id and the same bytes; it is tried as often as any other."""
    someone = _organiser()
    webhook = _found(webhook_id, someone).webhook
    body = read_object()
    message = load(_REDELIVER, body)["id"]
    key = command_key(someone, canonical(body), 202)
    register = context().webhooks.register
    known = register.remembered(webhook_id, key) if key else None
    if known is None:
        again = _again(webhook, message)
        _, headers = _change(webhook_id, someone, key, lambda each: each._replace(asked=each.asked + 1), again)
    else:
        _repeated(known)
        headers = _REPLAYED
    session, version = read_message_id(message) or ("", 0)
    return answer({"id": message, "session": session, "version": version}, 202, headers)


def _again(webhook: Webhook, message: str) -> Pending:
    """The redelivery that is asked for; raises problems 422, 409."""
    using = context()
    session, version = read_message_id(message) or ("", 0)
    if not version or not _covers(webhook, session) or version > using.log.version(session):
        raise invalid("The body does not fit.", {"id": ["This webhook has no such event."]})
    if not webhook.enabled:
        raise ProblemError("not-now", "The webhook is disabled.")
    if using.webhooks.register.waiting_count(webhook.id) >= MOST_ASKED:
        raise ProblemError("not-now", f"{MOST_ASKED} deliveries of this webhook wait already.")
    letter = using.webhooks.register.dead_letter(webhook.id, message)
    return Pending(session, version, attempts=0, tried=0, next=0, body=letter["body"] if letter else None)


def _covers(webhook: Webhook, session: str) -> bool:
    """Whether events of this session are this webhook's."""
    if webhook.session is not None:
        return webhook.session == session
    folded = context().folder.now(session)
    return folded is not None and folded.session.owner == webhook.owner


def _change(
    webhook_id: str,
    someone: Caller,
    key: CommandKey | None,
    change: Callable[[Webhook], Webhook],
    again: Pending | None = None,
) -> tuple[Webhook, Mapping[str, str]]:
    """Change a webhook, whatever else changes it at the same moment; as it is then, and headers for the answer."""
    register = context().webhooks.register
    for _ in range(_TRIES):
        row = _found(webhook_id, someone)
        after = change(row.webhook)
        putting = register.put(row, after, key, after.to_bytes().decode(), again)
        if putting == "done":
            return after, {}
        if isinstance(putting, Remembered | KeyReused):
            return _repeated(putting), _REPLAYED
    raise ProblemError("store-unavailable", "Others change this webhook just now; nothing was changed. Try again.")


def _repeated(known: Remembered | KeyReused | None) -> Webhook:
    """The webhook as the first command with this key left it; raises a 422 problem if that had another body."""
    if isinstance(known, Remembered):
        return webhook_of(known.result.encode())
    if known is None:
        raise ProblemError("store-unavailable", "The new webhook's id was taken; nothing was made. Try again.")
    raise ProblemError("key-reused", "This Idempotency-Key came with another body before; nothing was changed now.")


def _organiser() -> Caller:
    """Who asks, who must be an organiser; raises problems 401, 403."""
    someone = authenticated()
    if someone.role != "organiser":
        raise ProblemError("forbidden", "Webhooks are for organisers.")
    return someone


def _his(webhook: Webhook, someone: Caller) -> bool:
    return someone.rules_all or webhook.owner == someone.name


def _found(webhook_id: str, someone: Caller) -> Row:
    """The webhook, if it is his; raises a 404 problem."""
    row = context().webhooks.register.row(webhook_id)
    if row is None or not _his(row.webhook, someone):
        raise ProblemError("not-found", "There is no such webhook.")
    return row


def _rules(session: str, someone: Caller) -> bool:
    try:
        return access(session, someone, fresh=False).organiser
    except ProblemError:
        return False


def _read_url(url: str) -> None:
    """Judge a URL as it is written; raises a 422 problem."""
    try:
        context().webhooks.read(url)
    except RefusedTargetError as fault:
        raise invalid("Nothing is sent there.", {"url": [str(fault)]}) from None


def _check_url(url: str) -> None:
    """Judge what its name leads to now; raises a 422 problem. It is judged again whenever something is sent."""
    try:
        context().webhooks.check(url)
    except RefusedTargetError as fault:
        raise invalid("Nothing is sent there.", {"url": [str(fault)]}) from None


def _now() -> int:
    return int(context().clock().timestamp() * 1_000)


def _fields(webhook: Webhook) -> dict[str, Any]:
    register = context().webhooks.register
    return {
        "id": webhook.id,
        "url": webhook.url,
        "events": webhook.kinds,
        "session": webhook.session,
        "enabled": webhook.enabled,
        "disabled_because": webhook.because,
        "created_at": webhook.created_at,
        "waiting": register.waiting_count(webhook.id),
        "dead_letters": register.dead_count(webhook.id),
    }


def _with_secret(webhook: Webhook, headers: Mapping[str, str], *, new: bool) -> Response:
    """A webhook with its newest secret."""
    shown = {**_fields(webhook), "secret": context().webhooks.secret(webhook.id, webhook.serial)}
    more = {"Location": f"/v1/webhooks/{webhook.id}"} if new else {}
    return answer(shown, 201, {**headers, **more})
