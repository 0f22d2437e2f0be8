"""What answers look like by which a session can be checked without trusting this service, for the document."""

from marshmallow import Schema, fields, validate

from service.schemas.hearing import HearingSchema


class CheckpointSchema(Schema):
    """A signed head."""

    session = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    key = fields.String(required=True)
    signature = fields.String(required=True)


class CheckpointsSchema(Schema):
    """All signed heads of a session."""

    checkpoints = fields.List(fields.Nested(CheckpointSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class KeySchema(Schema):
    """A public key (Ed25519)."""

    id = fields.String(required=True)
    public = fields.String(required=True)
    retired_at = fields.String(required=True, allow_none=True)


class KeysSchema(Schema):
    """The present key first, then the retired ones."""

    keys = fields.List(fields.Nested(KeySchema), required=True)


class AuditLineSchema(Schema):
    """One check of an audit."""

    check = fields.String(required=True)
    outcome = fields.String(required=True, validate=validate.OneOf(("holds", "fails", "missing")))
    detail = fields.String(required=True)
    version = fields.Integer(required=True, allow_none=True)


class AuditSchema(Schema):
    """The audit of a deal, and of all that it rests on; with the report for a hearing, unless it diverged before."""

    session = fields.String(required=True)
    deal = fields.Integer(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(("verified", "unverified", "diverged")))
    diverged_at = fields.Integer(required=True, allow_none=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True, allow_none=True)
    lines = fields.List(fields.Nested(AuditLineSchema), required=True)
    report = fields.Nested(HearingSchema, required=True, allow_none=True)
