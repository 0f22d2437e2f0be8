"""Bodies and answers about tokens, and about looks at hidden cards."""

import re
from typing import Any, Final

from marshmallow import Schema, fields, validate

from replay.records.structure import name_fault
from service.schemas.answers import Page
from service.schemas.fields import Items, StrictSchema, Text, Whole

MOST_SESSIONS: Final = 100
LONGEST_LIFE: Final = 10 * 366 * 86_400
"""Seconds; some ten years. Longer ones are better left without an end."""

_ID: Final = re.compile(r"[0-9a-f-]{36}")
_ROLES: Final = ("organiser", "auditor", "watch", "seat")


def _id_fault(text: str) -> str | None:
    return None if _ID.fullmatch(text) else "must be the id of a session"


class NewTokenBody(StrictSchema):
    """A token to be made. A seat's is for one session and one seat; an organiser's is for none."""

    role = fields.String(required=True, validate=validate.OneOf(_ROLES))
    sessions = Items(Text(_id_fault), most=MOST_SESSIONS, least=1)
    seat = Whole(least=1, most=8)
    label = Text(name_fault)
    expires_in = Whole(least=1, most=LONGEST_LIFE, metadata={"description": "Seconds; left out: it does not expire."})


class RevokeBody(StrictSchema):
    """Revoking a token: nothing to say."""


class TokenSchema(Schema):
    """A token's description, which is never the token itself."""

    id = fields.String(required=True)
    role = fields.String(required=True, validate=validate.OneOf(_ROLES))
    name = fields.String(required=True, metadata={"description": "How the log names its holder."})
    label = fields.String(required=True, allow_none=True)
    sessions = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata={"description": "Which it is for; null: all that its maker rules, later ones too."},
    )
    seat = fields.Integer(required=True, allow_none=True)
    made_by = fields.String(required=True, allow_none=True)
    made_at = fields.String(required=True, allow_none=True)
    expires_at = fields.String(required=True, allow_none=True)
    revoked_at = fields.String(required=True, allow_none=True)
    last_used_on = fields.String(required=True, allow_none=True, metadata={"description": "The day, in UTC."})


class MadeTokenSchema(TokenSchema):
    """A token just made. `token` is shown this once, and again to a repeat of the same command."""

    token = fields.String(required=True)


class TokensSchema(Page):
    """A page of tokens. `seats`, for one session only: those that its seats were given when it was opened."""

    tokens = fields.List(fields.Nested(TokenSchema), required=True)
    seats = fields.List(fields.Nested(TokenSchema))


class PrivilegedReadSchema(Schema):
    """One look at a session while a deal was on, by somebody who sees all cards."""

    number = fields.Integer(required=True)
    at = fields.String(required=True)
    who = fields.String(required=True)
    token = fields.String(required=True, metadata={"description": "The token's id."})
    version = fields.Integer(required=True, metadata={"description": "Of the session, when it was shown."})
    deal = fields.Integer(required=True)
    read = fields.String(required=True)
    request = fields.String(required=True, metadata={"description": "The id of the request."})


class PrivilegedReadsSchema(Page):
    """A page of looks, the oldest first."""

    privileged_reads = fields.List(fields.Nested(PrivilegedReadSchema), required=True)


NEW_TOKEN: Final = NewTokenBody()
REVOKE: Final[Any] = RevokeBody()
