"""What the report of a deal for a hearing looks like as JSON, for the document."""

from typing import Final, get_args

from marshmallow import Schema, fields, validate

from replay.rules.game import Ending
from replay.rules.session_events import Mode
from service.schemas.bodies import LineSchema
from service.schemas.disputes import DisputeSchema, RulingSchema
from service.schemas.fields import CardField

_WHOLES: Final = fields.List(fields.Integer(), required=True)
_TIME: Final = {"format": "date-time"}


class NamedSeatSchema(Schema):
    """A seat, and who plays there; null once he has been forgotten."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True, allow_none=True)


class AmendedPlaySchema(Schema):
    """What a play is since a ruling amended it."""

    ruling = fields.Integer(required=True, allow_none=True)
    seat = fields.Integer(required=True)
    text = fields.String(required=True)
    irregular = fields.Boolean(required=True)
    clause = fields.String(required=True, allow_none=True)


class ReportedPlaySchema(Schema):
    """A play as it was recorded, in the notation of records, and what else its turn allowed."""

    version = fields.Integer(required=True)
    play = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Its number among those that stand."}
    )
    at = fields.String(required=True, metadata=_TIME)
    who = fields.String(required=True)
    seat = fields.Integer(required=True)
    text = fields.String(required=True)
    irregular = fields.Boolean(required=True)
    clause = fields.String(required=True, allow_none=True)
    turn = fields.Integer(required=True, allow_none=True)
    legal = fields.List(fields.String(), required=True, metadata={"description": "At most 40 of `legal_count`."})
    legal_count = fields.Integer(required=True)
    struck_by = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The ruling that took it back."}
    )
    amended = fields.Nested(AmendedPlaySchema, required=True, allow_none=True)


class ReportedDisputeSchema(DisputeSchema):
    """A dispute, when it was opened and by whom, and the ruling that ended it."""

    who = fields.String(required=True)
    opened_at = fields.String(required=True, metadata=_TIME)
    ruling = fields.Integer(required=True, allow_none=True)


class CountedSchema(Schema):
    """What the deal counted, and the session's totals; no points while the deal was on."""

    points = fields.List(fields.Integer(), required=True, allow_none=True)
    lines = fields.List(fields.Nested(LineSchema), required=True)
    totals = _WHOLES
    winners = fields.List(fields.Integer(), required=True, allow_none=True)


class ReportedRulingSchema(RulingSchema):
    """A ruling, who made it and when, and what it changed."""

    who = fields.String(required=True)
    ruled_at = fields.String(required=True, metadata=_TIME)
    before = fields.Nested(CountedSchema, required=True)
    after = fields.Nested(CountedSchema, required=True)


class ConfirmedSchema(Schema):
    """A second person agreed to the result."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    at = fields.String(required=True, metadata=_TIME)


class SignedHeadSchema(Schema):
    """The last signed head that the audit has seen."""

    session = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    at = fields.String(required=True, metadata=_TIME)
    key = fields.String(required=True)
    signature = fields.String(required=True)


class HearingSchema(Schema):
    """All that was dealt, played, contested and ruled in a deal, and what that made of its score."""

    session = fields.String(required=True)
    game = fields.String(required=True)
    revision = fields.Integer(required=True)
    options = fields.Dict(required=True)
    mode = fields.String(required=True, validate=validate.OneOf(get_args(Mode)))
    players = fields.List(fields.Nested(NamedSeatSchema), required=True)
    sides = fields.List(fields.List(fields.Integer()), required=True)
    deal = fields.Integer(required=True)
    dealer = fields.Integer(required=True)
    versions = _WHOLES
    dealt_before = fields.List(
        fields.List(fields.Integer()),
        required=True,
        metadata={"description": "First and last versions of dealings under the same number before a redeal."},
    )
    started_at = fields.String(required=True, metadata=_TIME)
    ended_at = fields.String(required=True, metadata=_TIME)
    played_at = fields.String(required=True, allow_none=True)
    note = fields.String(required=True, allow_none=True)
    ending = fields.String(required=True, validate=validate.OneOf(get_args(Ending)))
    hands = fields.List(fields.List(CardField()), required=True)
    upcard = CardField(required=True)
    stock = fields.List(CardField(unknown=True, allow_none=True), required=True)
    plays = fields.List(fields.Nested(ReportedPlaySchema), required=True)
    disputes = fields.List(fields.Nested(ReportedDisputeSchema), required=True)
    rulings = fields.List(fields.Nested(ReportedRulingSchema), required=True)
    confirmed = fields.List(fields.Nested(ConfirmedSchema), required=True)
    points = _WHOLES
    lines = fields.List(fields.Nested(LineSchema), required=True)
    totals = _WHOLES
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    clauses = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "What the named clauses of the rule book say."},
    )
    result = fields.String(required=True, validate=validate.OneOf(("provisional", "final")))
    final_at = fields.String(required=True, allow_none=True, metadata=_TIME)
    checkpoint = fields.Nested(SignedHeadSchema, required=True, allow_none=True)
