"""Bodies and answers of disputes and rulings, for reading them and for the document."""

from typing import Final, get_args

from marshmallow import Schema, fields, validate

from replay.records.limits import NOTE_LENGTH
from replay.records.structure import note_fault
from replay.rules.session_events import RulingKind, Subject
from service.schemas.answers import Page
from service.schemas.bodies import NOTE_PATTERN, LineSchema
from service.schemas.faults import REASON_SAID, SHORT_SAID, reason_fault, short_fault
from service.schemas.fields import LARGEST, Items, StrictSchema, Text, Whole
from service.schemas.shown import SessionSchema

_KINDS: Final = get_args(RulingKind)
_SUBJECTS: Final = get_args(Subject)
_POINTS: Final = Whole(least=-(10**9), most=10**9)


class DisputeBody(StrictSchema):
    """A deal contested, or a version of it."""

    deal = Whole(least=1, required=True)
    version = Whole(least=1)
    about = fields.String(load_default="ruling", validate=validate.OneOf(_SUBJECTS))
    words = Text(note_fault, required=True, metadata={"maxLength": NOTE_LENGTH, "pattern": NOTE_PATTERN})


class WithdrawBody(StrictSchema):
    """Withdrawing a dispute: nothing to say."""


class ConfirmBody(StrictSchema):
    """Confirming a result: nothing to say."""


class ChangeBody(StrictSchema):
    """A play as it truly was, in the notation of records, with `!` if it was irregular."""

    version = Whole(least=1, required=True)
    play = Text(short_fault, required=True, metadata=SHORT_SAID)


class RulingBody(StrictSchema):
    """A ruling. Which of the later fields are asked for depends on the kind."""

    ruling = fields.String(required=True, validate=validate.OneOf(_KINDS))
    reason = Text(reason_fault, required=True, metadata=REASON_SAID)
    deal = Whole(least=1)
    disputes = Items(Whole(least=1), most=100, load_default=list)
    clause = Text(short_fault, metadata=SHORT_SAID)
    rests_on = Items(Whole(least=1), most=100, load_default=list)
    despite_information = Text(reason_fault, metadata=REASON_SAID)
    overrules = Whole(least=1)
    to = Whole(least=1, metadata={"description": "retract: the version that the deal goes back to."})
    changes = Items(fields.Nested(ChangeBody), most=100, load_default=list)
    points = Items(_POINTS, most=8, metadata={"description": "adjust, penalty: what is added, as points are written."})
    winners = Items(Whole(least=1, most=8), most=8)


class DisputeSchema(Schema):
    """A dispute; its words are for those of the table."""

    number = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    deal = fields.Integer(required=True)
    at = fields.Integer(required=True, allow_none=True)
    about = fields.String(required=True, validate=validate.OneOf(_SUBJECTS))
    words = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("open", "withdrawn", "ruled")))


class DisputesSchema(Page):
    """The disputes of a session."""

    disputes = fields.List(fields.Nested(DisputeSchema), required=True)


class DeskItemSchema(DisputeSchema):
    """An open dispute, and where it is."""

    session = fields.String(required=True)
    game = fields.String(required=True)


class DeskSchema(Page):
    """Open disputes of all sessions that the caller rules, the longest open first."""

    disputes = fields.List(fields.Nested(DeskItemSchema), required=True)


class LinePlaySchema(Schema):
    """A play of an amended deal."""

    version = fields.Integer(required=True)
    text = fields.String(required=True)
    irregular = fields.Boolean(required=True)
    clause = fields.String(required=True, allow_none=True)


class RulingSchema(Schema):
    """A ruling on the record."""

    version = fields.Integer(required=True)
    number = fields.Integer(required=True)
    ruling = fields.String(required=True, validate=validate.OneOf(_KINDS))
    deal = fields.Integer(required=True, allow_none=True)
    disputes = fields.List(fields.Integer(), required=True)
    reason = fields.String(required=True)
    clause = fields.String(required=True, allow_none=True)
    rests_on = fields.List(fields.Integer(), required=True)
    despite = fields.String(required=True, allow_none=True)
    overrules = fields.Integer(required=True, allow_none=True)
    to = fields.Integer(required=True, allow_none=True)
    changed = fields.List(fields.Integer(), required=True)
    delta = fields.List(fields.Integer(), required=True, allow_none=True)
    points = fields.List(fields.Integer(), required=True, allow_none=True)
    totals = fields.List(fields.Integer(), required=True)
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    line = fields.List(fields.Nested(LinePlaySchema), required=True, allow_none=True)
    overruled = fields.Boolean(required=True)


class RulingsSchema(Page):
    """The rulings of a session."""

    rulings = fields.List(fields.Nested(RulingSchema), required=True)


class BrokenSchema(Schema):
    """A later play that no longer holds; clause null if no table could make it."""

    version = fields.Integer(required=True)
    play = fields.Integer(required=True)
    text = fields.String(required=True)
    clause = fields.String(required=True, allow_none=True)
    detail = fields.String(required=True)


class SideOfPreviewSchema(Schema):
    """The session, and the deal that is ruled on, before or after a ruling."""

    session = fields.Nested(SessionSchema, required=True)
    points = fields.List(fields.Integer(), required=True, allow_none=True)
    lines = fields.List(fields.Nested(LineSchema), required=True)
    totals = fields.List(fields.Integer(), required=True)
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    outlook = fields.Dict(required=True, metadata={"description": "What totals mean for later deals: `minimums`."})


class PreviewSchema(Schema):
    """A ruling that was not made: what it would change."""

    version = fields.Integer(required=True)
    possible = fields.Boolean(required=True)
    before = fields.Nested(SideOfPreviewSchema, required=True)
    after = fields.Nested(SideOfPreviewSchema, required=True, allow_none=True)
    no_longer_hold = fields.List(fields.Nested(BrokenSchema), required=True)


class WhatIfBody(StrictSchema):
    """A line that did not happen: from a version, other plays, as `POST …/plays` takes them."""

    at = Whole(least=1, most=LARGEST, required=True)
    plays = fields.List(fields.Dict(), required=True, metadata={"maxItems": 500})


class WhatIfStepSchema(Schema):
    """One play of such a line, and the session after it."""

    play = fields.Dict(required=True)
    state = fields.Nested(SessionSchema, required=True)


class StoppedSchema(Schema):
    """The play that cannot be made there, counted from 1."""

    play = fields.Integer(required=True)
    clause = fields.String(required=True, allow_none=True)
    detail = fields.String(required=True)


class WhatIfSchema(Schema):
    """How such a line goes, as far as it can be played."""

    version = fields.Integer(required=True)
    steps = fields.List(fields.Nested(WhatIfStepSchema), required=True)
    stopped_at = fields.Nested(StoppedSchema, required=True, allow_none=True)
    points = fields.List(fields.Integer(), required=True, allow_none=True)
    lines = fields.List(fields.Nested(LineSchema), required=True)
