"""Bodies about webhooks, and what answers about them look like."""

from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.schemas.fields import Items, StrictSchema, Truth, Whole
from workers.webhooks.addresses import LONGEST
from workers.webhooks.messages import KINDS

DAY: Final = 86_400
_SESSION_LONGEST: Final = 36
_ID_LONGEST: Final = 80


def _kind(value: str) -> None:
    if value not in KINDS:
        raise ValidationError("There is no such kind of event.")


class WebhookBody(StrictSchema):
    """A webhook to make. Without `events` all kinds are sent, without `session` those of all sessions of one's own."""

    url = fields.String(
        required=True, validate=validate.Length(1, LONGEST), metadata={"examples": ["https://hooks.example.com/upcard"]}
    )
    events = Items(fields.String(validate=_kind, metadata={"enum": sorted(KINDS)}), most=len(KINDS), least=1)
    session = fields.String(validate=validate.Length(1, _SESSION_LONGEST))


class ChangeWebhookBody(StrictSchema):
    """What to change of a webhook; `events` null stands for all kinds. Whatever waits is then tried at once."""

    url = fields.String(validate=validate.Length(1, LONGEST))
    events = Items(
        fields.String(validate=_kind, metadata={"enum": sorted(KINDS)}), most=len(KINDS), least=1, allow_none=True
    )
    enabled = Truth()

    @validates_schema
    def _says_something(self, data: dict[str, Any], **_: Any) -> None:
        if not data:
            raise ValidationError("There is nothing to change.")


class RotateBody(StrictSchema):
    """A new secret. `overlap`: seconds for which the old one's signature is sent beside the new one's."""

    overlap = Whole(least=0, most=7 * DAY, required=True, metadata={"examples": [DAY]})


class RedeliverBody(StrictSchema):
    """An event to deliver once more, by the id that its message has."""

    id = fields.String(required=True, validate=validate.Length(1, _ID_LONGEST))


class WebhookSchema(Schema):
    """A webhook. Its secret is shown when it is made or rotated, and never again."""

    id = fields.String(required=True)
    url = fields.String(required=True)
    events = fields.List(
        fields.String(), required=True, allow_none=True, metadata={"description": "Kinds that are sent; null for all."}
    )
    session = fields.String(
        required=True, allow_none=True, metadata={"description": "The one session; null for all of its organiser's."}
    )
    enabled = fields.Boolean(required=True)
    disabled_because = fields.String(
        required=True, allow_none=True, validate=validate.OneOf(("asked", "gone", "dead_letters", "revoked", None))
    )
    created_at = fields.String(
        required=True, metadata={"description": "Events recorded from then on are sent.", "format": "date-time"}
    )
    waiting = fields.Integer(
        required=True, metadata={"description": "Deliveries that have failed, or were asked for, and are tried again."}
    )
    dead_letters = fields.Integer(required=True)


class SecretWebhookSchema(WebhookSchema):
    """A webhook just made, or with its secret just rotated."""

    secret = fields.String(
        required=True, metadata={"description": "Keep it: it is shown this once.", "pattern": "^whsec_"}
    )


class WebhooksSchema(Schema):
    """A page of webhooks."""

    webhooks = fields.List(fields.Nested(WebhookSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class MessageSchema(Schema):
    """An event as it is delivered."""

    id = fields.String(required=True, metadata={"description": "The event's, in the header webhook-id."})
    session = fields.String(required=True)
    version = fields.Integer(required=True)


class TriedSchema(MessageSchema):
    """What was delivered, and what came of it."""

    type = fields.String(required=True, metadata={"description": "The kind of event."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    status = fields.Integer(
        required=True, allow_none=True, metadata={"description": "What the receiver answered; null if it did not."}
    )
    error = fields.String(required=True, allow_none=True)


class DeliverySchema(TriedSchema):
    """One attempt to deliver an event."""

    number = fields.Integer(required=True)
    attempt = fields.Integer(required=True, metadata={"description": "The how many-th for this event."})
    outcome = fields.String(required=True, validate=validate.OneOf(("delivered", "failed", "dead")))
    took_ms = fields.Integer(required=True)
    next_at = fields.String(
        required=True, allow_none=True, metadata={"description": "When it is tried again.", "format": "date-time"}
    )


class DeliveriesSchema(Schema):
    """A page of attempts, the newest first; of each webhook the last thousand are kept."""

    deliveries = fields.List(fields.Nested(DeliverySchema), required=True)
    next = fields.String(required=True, allow_none=True)


class DeadLetterSchema(TriedSchema):
    """An event that was given up after its last attempt."""

    attempts = fields.Integer(required=True)


class DeadLettersSchema(Schema):
    """A page of events that were given up, the oldest first."""

    dead_letters = fields.List(fields.Nested(DeadLetterSchema), required=True)
    next = fields.String(required=True, allow_none=True)


def changed(body: dict[str, Any]) -> dict[str, Any]:
    """What a body changes, as the fields of a stored webhook."""
    fields_of: dict[str, Any] = {}
    if "url" in body:
        fields_of["url"] = body["url"]
    if "events" in body:
        fields_of["kinds"] = None if body["events"] is None else tuple(sorted(set(body["events"])))
    if "enabled" in body:
        fields_of |= {"enabled": body["enabled"], "because": None if body["enabled"] else "asked"}
    return fields_of
