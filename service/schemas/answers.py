"""Whole answers, for the document: pages of lists, legal plays, an imported record, the health of the service."""

from marshmallow import Schema, fields, validate

from service.schemas.bodies import CheckSchema
from service.schemas.games import PlaySchema
from service.schemas.shown import EventSchema, SessionSchema


class Page(Schema):
    """A page of a list. `next` is the cursor of the next page, null on the last one."""

    next = fields.String(required=True, allow_none=True)


class SessionsSchema(Page):
    """A page of sessions."""

    sessions = fields.List(fields.Nested(SessionSchema), required=True)


class EventsSchema(Page):
    """A page of events."""

    events = fields.List(fields.Nested(EventSchema), required=True)


class StepSchema(Schema):
    """An event of a replay, and the session after it."""

    version = fields.Integer(required=True)
    event = fields.Nested(EventSchema, required=True)
    state = fields.Nested(SessionSchema, required=True)
    struck = fields.Boolean(metadata={"description": "True if a ruling has taken the play back."})


class ReplaySchema(Page):
    """A page of a replay."""

    steps = fields.List(fields.Nested(StepSchema), required=True)


class NoTakeSchema(Schema):
    """Why the pile cannot be taken; clause null if there is none."""

    clause = fields.String(required=True, allow_none=True)
    detail = fields.String(required=True)


class HintsSchema(Schema):
    """What the list of plays leaves out where it cannot list every play (Canasta)."""

    minimum = fields.Integer(
        required=True, allow_none=True, metadata={"description": "What the first meld needs; null after it."}
    )
    frozen_by = fields.String(required=True, allow_none=True)
    take = fields.Nested(
        NoTakeSchema, required=True, allow_none=True, metadata={"description": "Null if the pile can be taken."}
    )
    melds = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Natural cards held of each rank."},
    )
    wilds = fields.Integer(required=True)
    may_go_out = fields.Boolean(required=True)


class LegalSchema(Schema):
    """What a seat may play."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    turn = fields.Integer(required=True, allow_none=True)
    plays = fields.List(fields.Nested(PlaySchema), required=True)
    hints = fields.Nested(HintsSchema)


class ImportedSchema(Schema):
    """A record that has been stored as a session, with its verdict."""

    session = fields.Nested(SessionSchema, required=True)
    check = fields.Nested(CheckSchema, required=True)


class AliveSchema(Schema):
    """This process answers."""

    status = fields.String(required=True, validate=validate.Equal("alive"))


class ReadySchema(Schema):
    """Whether the service is ready to be used, and each thing that it needs."""

    status = fields.String(required=True, validate=validate.OneOf(("ready", "not ready")))
    events = fields.String(required=True)
    durability = fields.String(required=True)
    worker = fields.String(required=True)
    sweeper = fields.String(required=True)


class DocumentSchema(Schema):
    """An OpenAPI document."""

    openapi = fields.String(required=True)
    info = fields.Dict(required=True)
    paths = fields.Dict(required=True)
    components = fields.Dict(required=True)
    servers = fields.List(fields.Dict(), required=True)
    tags = fields.List(fields.Dict(), required=True)
