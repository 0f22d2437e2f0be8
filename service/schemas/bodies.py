"""Bodies that are no plays: opening a session, a deal. And what answers look like, for the document."""

from marshmallow import Schema, fields, validate

from replay.records.structure import name_fault, note_fault, time_fault
from service.schemas.faults import entropy_fault
from service.schemas.fields import CardField, Items, StrictSchema, Text, Truth, Whole


class OpenBody(StrictSchema):
    """A session to open."""

    game = fields.String(required=True, validate=validate.Length(1, 40))
    revision = Whole(least=1, most=1_000_000)
    players = Items(Text(name_fault), most=8, required=True)
    options = fields.Dict(keys=fields.String(), load_default=dict)
    mode = fields.String(load_default="dealt", validate=validate.OneOf(("dealt", "recorded")))
    public = Truth(load_default=False)


class ShuffledDealBody(StrictSchema):
    """A deal that the service shuffles; `entropy` is mixed into the seed after what the seats gave."""

    entropy = Text(entropy_fault)


class EntropyBody(StrictSchema):
    """A seat's text to be mixed into the seed of the next deal."""

    entropy = Text(entropy_fault, required=True)


class RecordedDealBody(StrictSchema):
    """The cards of a deal at a real table. The stock may stop early; `dealer` is who is next if left out."""

    hands = Items(Items(CardField(), most=104), most=8, required=True)
    upcard = CardField(required=True)
    stock = Items(CardField(unknown=True), most=108, load_default=list)
    dealer = Whole(least=1, most=8)
    at = Text(time_fault)
    note = Text(note_fault)


class CloseBody(StrictSchema):
    """Closing a session: nothing to say."""


class ProblemSchema(Schema):
    """RFC 9457, with what applies of `clause`, `legal`, `version` and `errors`."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    clause = fields.String(allow_none=True)
    legal = fields.List(fields.Dict())
    version = fields.Integer()
    errors = fields.Dict()


class PlayerSchema(Schema):
    """A seat and who sits there."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True, allow_none=True, metadata={"description": "Null for one who is forgotten."})


class HandSchema(Schema):
    """A seat's hand: how many cards, and which, if the viewer may see them."""

    seat = fields.Integer(required=True)
    count = fields.Integer(required=True)
    cards = fields.List(fields.String(), required=True, allow_none=True)


class IrregularitySchema(Schema):
    """A play that happened although the rules forbid it; clause null if they do not."""

    version = fields.Integer(required=True)
    play = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    clause = fields.String(required=True, allow_none=True)


class DealSchema(Schema):
    """The deal in progress, or the last one. Each game has further fields."""

    number = fields.Integer(required=True)
    dealer = fields.Integer(required=True)
    turn = fields.Integer(required=True, allow_none=True)
    upcard = fields.String(required=True, allow_none=True)
    stock_count = fields.Integer(required=True)
    discard_count = fields.Integer(required=True)
    ending = fields.String(required=True, allow_none=True)
    hands = fields.List(fields.Nested(HandSchema), required=True)
    irregularities = fields.List(fields.Nested(IrregularitySchema))
    exhausted = fields.Boolean()
    passes = fields.Integer()
    drawn = fields.Integer()


class SessionSchema(Schema):
    """A session as one viewer sees it."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    revision = fields.Integer(required=True)
    options = fields.Dict(required=True)
    mode = fields.String(required=True)
    public = fields.Boolean(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("waiting", "playing", "over")))
    players = fields.List(fields.Nested(PlayerSchema), required=True)
    totals = fields.List(fields.Integer(), required=True)
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    opened_at = fields.String(required=True)
    head = fields.String(required=True, metadata={"description": "The digest of the last event."})
    commitment = fields.String(
        required=True, allow_none=True, metadata={"description": "The seal of the seed of the deal on, or the next."}
    )
    entropy = fields.List(fields.String(allow_none=True), required=True)
    deal = fields.Nested(DealSchema, required=True, allow_none=True)


class OpenedSchema(SessionSchema):
    """A session just opened, with the tokens of its seats."""

    seat_tokens = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class SessionsSchema(Schema):
    """A page of sessions."""

    sessions = fields.List(fields.Nested(SessionSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class EventSchema(Schema):
    """An event as one viewer may see it; null stands for what he may not."""

    version = fields.Integer(required=True)
    kind = fields.String(required=True)
    schema = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    at = fields.String(required=True)
    who = fields.String(required=True)
    request = fields.String(required=True)
    data = fields.Dict(required=True)
    seals = fields.Dict(required=True)
    salts = fields.Dict(required=True)
    digest = fields.String(required=True)


class EventsSchema(Schema):
    """A page of events."""

    events = fields.List(fields.Nested(EventSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class StepSchema(Schema):
    """An event of a replay, and the session after it."""

    version = fields.Integer(required=True)
    event = fields.Nested(EventSchema, required=True)
    state = fields.Nested(SessionSchema, required=True)


class ReplaySchema(Schema):
    """A page of a replay."""

    steps = fields.List(fields.Nested(StepSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class LineSchema(Schema):
    """One line of a score sheet."""

    seat = fields.Integer(required=True)
    points = fields.Integer(required=True)
    clause = fields.String(required=True)
    text = fields.String(required=True)
    cards = fields.List(fields.String(), required=True)


class SheetSchema(Schema):
    """The outcome of a deal, and its score sheet."""

    number = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("playing", "pending", "posted")))
    ending = fields.String(required=True, allow_none=True)
    points = fields.List(fields.Integer(), required=True, allow_none=True)
    lines = fields.List(fields.Nested(LineSchema), required=True)
    posted_at = fields.String(required=True, allow_none=True)
    irregularities = fields.List(fields.Nested(IrregularitySchema))


class EntrySchema(Schema):
    """A ledger entry."""

    number = fields.Integer(required=True)
    kind = fields.String(required=True)
    deal = fields.Integer(required=True, allow_none=True)
    points = fields.List(fields.Integer(), required=True)
    lines = fields.List(fields.Nested(LineSchema), required=True)
    versions = fields.List(fields.Integer(), required=True)
    revision = fields.Integer(required=True)
    posted_at = fields.String(required=True)


class LedgerSchema(Schema):
    """A page of the ledger, and the balances of all that is posted."""

    entries = fields.List(fields.Nested(EntrySchema), required=True)
    balances = fields.List(fields.Integer(), required=True)
    next = fields.String(required=True, allow_none=True)


class LegalSchema(Schema):
    """What a seat may play."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    turn = fields.Integer(required=True, allow_none=True)
    plays = fields.List(fields.Dict(), required=True)


class CheckSchema(Schema):
    """The verdict on a record, as `upcard check --json` prints it."""

    verdict = fields.String(required=True)
    deals = fields.List(fields.Dict(), required=True)
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    detail = fields.String()


class ImportedSchema(Schema):
    """A record that has been stored as a session, with its verdict."""

    session = fields.Nested(SessionSchema, required=True)
    check = fields.Nested(CheckSchema, required=True)


class CheckpointSchema(Schema):
    """A signed head."""

    session = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    at = fields.String(required=True)
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
    """The audit of a deal, and of all that it rests on."""

    session = fields.String(required=True)
    deal = fields.Integer(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(("verified", "unverified", "diverged")))
    diverged_at = fields.Integer(required=True, allow_none=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True, allow_none=True)
    lines = fields.List(fields.Nested(AuditLineSchema), required=True)
