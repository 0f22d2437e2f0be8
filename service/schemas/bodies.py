"""Bodies that are no plays: opening a session, a deal. And what answers are made of, for the document.

What differs by game is in shown.py, problems are in problems.py.
"""

from typing import Any, ClassVar, Final, get_args

from marshmallow import Schema, fields, validate

from replay.records.checking import WORST_LAST
from replay.records.limits import NOTE_LENGTH
from replay.records.structure import FORM, name_fault, note_fault, time_fault
from replay.rules.game import Ending
from replay.rules.session_terms import LONGEST
from service.schemas.faults import ENTROPY_SAID, entropy_fault
from service.schemas.fields import CardField, Items, StrictSchema, Text, Truth, Whole

_ENDINGS: Final = get_args(Ending)
_TIME: Final = {"format": "date-time"}
NOTE_PATTERN: Final = "^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$"
"""Of a note, as `note_fault` has it: lines and tabs, and no other control character."""


def _ending(**named: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(_ENDINGS), **named)


class OpenBody(StrictSchema):
    """A session to open."""

    game = fields.String(required=True, validate=validate.Length(1, 40))
    revision = Whole(least=1, most=1_000_000)
    players = Items(Text(name_fault), most=8, required=True)
    options = fields.Dict(keys=fields.String(), load_default=dict)
    mode = fields.String(load_default="dealt", validate=validate.OneOf(("dealt", "recorded")))
    public = Truth(load_default=False)
    terms = fields.Dict(keys=fields.String(), load_default=dict)


class ShuffledDealBody(StrictSchema):
    """A deal that the service shuffles; `entropy` is mixed into the seed after what the seats gave."""

    entropy = Text(entropy_fault, metadata=ENTROPY_SAID)


class EntropyBody(StrictSchema):
    """A seat's text to be mixed into the seed of the next deal."""

    entropy = Text(entropy_fault, required=True, metadata=ENTROPY_SAID)


class RecordedDealBody(StrictSchema):
    """The cards of a deal at a real table. The stock may stop early; `dealer` is who is next if left out."""

    hands = Items(Items(CardField(), most=104), most=8, required=True)
    upcard = CardField(required=True)
    stock = Items(CardField(unknown=True), most=108, load_default=list)
    dealer = Whole(least=1, most=8)
    at = Text(time_fault, metadata={**_TIME, "description": "When it was played."})
    note = Text(note_fault, metadata={"maxLength": NOTE_LENGTH, "pattern": NOTE_PATTERN})


class DealBody(Schema):
    """The next deal: nothing, where the service shuffles, or the cards of a real table."""

    any_of: ClassVar = (ShuffledDealBody, RecordedDealBody)


class CloseBody(StrictSchema):
    """Closing a session: nothing to say."""


class PlayerSchema(Schema):
    """A seat and who sits there."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True, allow_none=True, metadata={"description": "Null for one who is forgotten."})


class HandSchema(Schema):
    """A seat's hand: how many cards, and which, if the viewer may see them."""

    seat = fields.Integer(required=True)
    count = fields.Integer(required=True)
    cards = fields.List(CardField(), required=True, allow_none=True)


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
    upcard = CardField(required=True, allow_none=True)
    stock_count = fields.Integer(required=True)
    discard_count = fields.Integer(required=True)
    ending = _ending(required=True, allow_none=True)
    hands = fields.List(fields.Nested(HandSchema), required=True)
    irregularities = fields.List(fields.Nested(IrregularitySchema))


class TermsSchema(Schema):
    """What a dispute holds up, and when a result is final; an opening may name some of them."""

    disputes = fields.String(required=True, validate=validate.OneOf(("provisional", "frozen")))
    arithmetic_minutes = Whole(required=True, most=LONGEST)
    ruling_minutes = Whole(required=True, most=LONGEST)
    second_person = fields.Boolean(required=True)


class SessionFields(Schema):
    """A session as one viewer sees it."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    revision = fields.Integer(required=True)
    options = fields.Dict(required=True)
    mode = fields.String(required=True, validate=validate.OneOf(("dealt", "recorded")))
    public = fields.Boolean(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("waiting", "playing", "over")))
    players = fields.List(fields.Nested(PlayerSchema), required=True)
    totals = fields.List(fields.Integer(), required=True)
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    opened_at = fields.String(required=True, metadata=_TIME)
    head = fields.String(required=True, metadata={"description": "The digest of the last event."})
    commitment = fields.String(
        required=True, allow_none=True, metadata={"description": "The seal of the seed of the deal on, or the next."}
    )
    entropy = fields.List(fields.String(allow_none=True), required=True)
    terms = fields.Nested(TermsSchema, required=True)
    disputes = fields.List(fields.Integer(), required=True, metadata={"description": "Numbers of the open ones."})
    rulings = fields.Integer(required=True, metadata={"description": "How many there are."})
    deal = fields.Nested(DealSchema, required=True, allow_none=True)


class EventFields(Schema):
    """An event as one viewer may see it; null stands for what he may not."""

    version = fields.Integer(required=True)
    kind = fields.String(required=True)
    schema = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    at = fields.String(required=True, metadata=_TIME)
    who = fields.String(required=True)
    request = fields.String(required=True)
    data = fields.Dict(required=True)
    seals = fields.Dict(required=True)
    salts = fields.Dict(required=True)
    digest = fields.String(required=True)


class LineSchema(Schema):
    """One line of a score sheet, for a seat or, where sides score, for a side. Of a payment: to whom, or from whom."""

    seat = fields.Integer()
    side = fields.Integer()
    points = fields.Integer(required=True)
    clause = fields.String(required=True, allow_none=True)
    text = fields.String(required=True)
    cards = fields.List(CardField(), required=True)
    to = fields.Integer()
    from_ = fields.Integer(data_key="from")
    item = fields.Integer(metadata={"minimum": 1, "maximum": 9})


class SheetSchema(Schema):
    """The outcome of a deal, and its score sheet."""

    number = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("playing", "pending", "posted")))
    ending = _ending(required=True, allow_none=True)
    points = fields.List(fields.Integer(), required=True, allow_none=True)
    lines = fields.List(fields.Nested(LineSchema), required=True)
    sheets = fields.List(
        fields.List(fields.Integer()), metadata={"description": "Canasta: items 1 to 9 of each side's printed sheet."}
    )
    posted_at = fields.String(required=True, allow_none=True, metadata=_TIME)
    result = fields.String(required=True, allow_none=True, validate=validate.OneOf(("provisional", "final")))
    final_at = fields.String(required=True, allow_none=True, metadata=_TIME)
    rulings = fields.List(fields.Integer(), required=True, metadata={"description": "Numbers of those on it."})
    disputes = fields.List(fields.Integer(), required=True, metadata={"description": "Numbers of the open ones."})
    irregularities = fields.List(fields.Nested(IrregularitySchema))


class EntrySchema(Schema):
    """A ledger entry."""

    number = fields.Integer(required=True)
    kind = fields.String(
        required=True, validate=validate.OneOf(("deal_score", "brought_forward", "reversal", "ruling"))
    )
    deal = fields.Integer(required=True, allow_none=True)
    points = fields.List(fields.Integer(), required=True)
    lines = fields.List(fields.Nested(LineSchema), required=True)
    versions = fields.List(fields.Integer(), required=True)
    revision = fields.Integer(required=True)
    posted_at = fields.String(required=True, metadata=_TIME)
    answers = fields.Integer(metadata={"description": "The entry that a reversal takes back, or the reversal."})
    ruling = fields.Integer()
    answered_by = fields.Integer(metadata={"description": "The reversal that takes this entry back."})


class LedgerSchema(Schema):
    """A page of the ledger, and the balances of all that is posted."""

    entries = fields.List(fields.Nested(EntrySchema), required=True)
    balances = fields.List(fields.Integer(), required=True)
    next = fields.String(required=True, allow_none=True)


class StopSchema(Schema):
    """Where judging stopped: the play by its number in the deal, 0 for the deal itself."""

    play = fields.Integer(required=True)
    text = fields.String(required=True, allow_none=True)
    clause = fields.String(required=True, allow_none=True)
    detail = fields.String(required=True)


class MarkedSchema(Schema):
    """A play that the record marks as irregular; clause null if it was legal."""

    play = fields.Integer(required=True)
    text = fields.String(required=True)
    clause = fields.String(required=True, allow_none=True)


class DealVerdictSchema(Schema):
    """One deal judged: `points` are the right ones, whatever the record claims."""

    number = fields.Integer(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(WORST_LAST))
    finished = fields.Boolean(required=True)
    ending = _ending(required=True, allow_none=True)
    points = fields.List(fields.Integer(), required=True, allow_none=True)
    totals = fields.List(fields.Integer(), required=True, allow_none=True)
    stopped_at = fields.Nested(StopSchema, required=True, allow_none=True)
    irregularities = fields.List(fields.Nested(MarkedSchema))


class CheckSchema(Schema):
    """The verdict on a record, as `upcard check --json` prints it."""

    verdict = fields.String(required=True, validate=validate.OneOf(WORST_LAST))
    deals = fields.List(fields.Nested(DealVerdictSchema), required=True)
    winners = fields.List(fields.Integer(), required=True, allow_none=True)
    detail = fields.String()


class WrittenDealSchema(StrictSchema):
    """A deal of a record. What is left out is not claimed."""

    dealer = Whole(least=1, most=8)
    hands = fields.List(fields.String(), required=True, metadata={"examples": [["9c Td", "As 2h"]]})
    upcard = CardField(required=True)
    stock = fields.String()
    plays = fields.List(fields.String(), metadata={"examples": [["1 play 9c", "2 draw"]]})
    points = fields.List(fields.Integer())
    at = fields.String(metadata=_TIME)
    note = fields.String(metadata={"maxLength": NOTE_LENGTH, "pattern": NOTE_PATTERN})


class RecordFields(StrictSchema):
    """A record of a whole session."""

    record = fields.Integer(required=True, validate=validate.Equal(FORM))
    game = fields.String(required=True)
    revision = Whole(least=1, most=1_000_000)
    options = fields.Dict()
    players = fields.List(fields.String(), required=True)
    first_deal = Whole(least=1, most=1_000_000_000)
    totals = fields.List(fields.Integer())
    closed = fields.Boolean()
    deals = fields.List(fields.Nested(WrittenDealSchema), required=True)
