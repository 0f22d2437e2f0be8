"""What each game shows, for the document: deals, sessions, events and openings, told apart by game or by kind.

The service makes these answers itself (render.py); here it only says what they are.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from marshmallow import Schema, fields, validate
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from replay.records.structure import FORM
from replay.rules.game import AnyGame, EventType
from replay.rules.registry import GAMES, REVISIONS
from replay.rules.session_events import EVENTS
from replay.rules.session_terms import LONGEST
from service.schemas.bodies import DealSchema, EventFields, OpenBody, RecordFields, SessionFields
from service.schemas.fields import CardField
from service.schemas.shapes import camel, documented, named_schema, of_event, of_options


class MeldSchema(Schema):
    """A combination on the table."""

    id = fields.String(required=True, metadata={"examples": ["m1"]})
    seat = fields.Integer(required=True)
    cards = fields.List(CardField(), required=True)


class SideMeldSchema(Schema):
    """A side's meld of one rank."""

    rank = fields.String(required=True)
    cards = fields.List(CardField(), required=True)
    canasta = fields.String(required=True, allow_none=True, validate=validate.OneOf(("natural", "mixed")))


class SideSchema(Schema):
    """A side of Canasta: what lies before it, and what its first meld needs."""

    seats = fields.List(fields.Integer(), required=True)
    melds = fields.List(fields.Nested(SideMeldSchema), required=True)
    red_threes = fields.List(CardField(), required=True)
    minimum = fields.Integer(required=True)
    frozen = fields.Boolean(required=True)
    frozen_by = fields.String(required=True, allow_none=True)


class RockawayDealSchema(DealSchema):
    """A deal of Rockaway."""

    exhausted = fields.Boolean(required=True)
    passes = fields.Integer(required=True, metadata={"description": "Passes in a row."})
    drawn = fields.Integer(required=True, metadata={"description": "Cards drawn in this turn."})


class PokerRumDealSchema(DealSchema):
    """A deal of Poker Rum."""

    phase = fields.String(required=True, validate=validate.OneOf(("start", "drawn")))
    taken = CardField(required=True, allow_none=True)
    turnovers = fields.Integer(required=True)


class SinglePackRumDealSchema(PokerRumDealSchema):
    """A deal of Single-Pack Rum."""

    melds = fields.List(fields.Nested(MeldSchema), required=True)


class CanastaDealSchema(DealSchema):
    """A deal of Canasta."""

    phase = fields.String(required=True, validate=validate.OneOf(("start", "melding", "asked", "last_red")))
    answer = fields.String(required=True, allow_none=True, validate=validate.OneOf(("yes", "no")))
    sides = fields.List(fields.Nested(SideSchema), required=True)


DEALS: Final[dict[str, type[DealSchema]]] = {
    "rockaway": RockawayDealSchema,
    "poker_rum": PokerRumDealSchema,
    "single_pack_rum": SinglePackRumDealSchema,
    "canasta": CanastaDealSchema,
}


def _game(name: str) -> fields.String:
    return fields.String(required=True, validate=validate.Equal(name))


def _session(game: AnyGame, base: type[Schema], suffix: str, says: str) -> type[Schema]:
    return named_schema(
        f"{camel(game.name)}{suffix}Schema",
        base,
        says,
        game=_game(game.name),
        options=documented(of_options(game.options, given=False), required=True),
        deal=fields.Nested(DEALS[game.name], required=True, allow_none=True),
    )


class _Opened(SessionFields):
    seat_tokens = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "The token of each seat. Hand them out; whoever has one plays that seat."},
    )


class SessionSchema(OneOfSchema):
    """A session as one viewer sees it."""

    type_field = "game"
    type_schemas = {  # noqa: RUF012 - as the package wants it
        name: _session(game, SessionFields, "Session", f"A session of {name}.") for name, game in GAMES.items()
    }


class OpenedSchema(OneOfSchema):
    """A session just opened, with the tokens of its seats."""

    type_field = "game"
    type_schemas = {  # noqa: RUF012 - as the package wants it
        name: _session(game, _Opened, "Opened", f"A session of {name} just opened.") for name, game in GAMES.items()
    }


_TERMS: Final = {
    "type": "object",
    "description": "What a dispute holds up, and when a result is final; what is left out has its default.",
    "properties": {
        "disputes": {"type": "string", "enum": ["provisional", "frozen"], "default": "provisional"},
        "arithmetic_minutes": {"type": "integer", "minimum": 0, "maximum": LONGEST, "default": 30},
        "ruling_minutes": {"type": "integer", "minimum": 0, "maximum": LONGEST, "default": 30},
        "second_person": {"type": "boolean", "default": False},
    },
    "additionalProperties": False,
}


def _opening(game: AnyGame) -> type[Schema]:
    least, most = game.seats[0], game.seats[-1]
    name = {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$"}
    players = {"type": "array", "items": {**name, "not": {"pattern": "^\\s*$"}}, "minItems": least, "maxItems": most}
    return named_schema(
        f"Open{camel(game.name)}Schema",
        OpenBody,
        f"A session of {game.name} to open. Options that it does not name have their defaults.",
        game=_game(game.name),
        revision=fields.Integer(
            validate=validate.OneOf([each.revision for each in REVISIONS if each.name == game.name])
        ),
        players=documented(players, required=True),
        options=documented(of_options(game.options, given=True)),
        terms=documented(_TERMS),
    )


class OpenSchema(OneOfSchema):
    """A session to open."""

    type_field = "game"
    type_schemas = {name: _opening(game) for name, game in GAMES.items()}  # noqa: RUF012 - as the package wants it


def _record(game: AnyGame) -> type[Schema]:
    return named_schema(
        f"{camel(game.name)}RecordSchema",
        RecordFields,
        f"A record of a session of {game.name}, in form {FORM}.",
        game=_game(game.name),
        options=documented(of_options(game.options, given=True)),
    )


class RecordSchema(OneOfSchema):
    """A record of a whole session. Cards are text, separated by blanks; plays are in the notation of records."""

    type_field = "game"
    type_schemas = {name: _record(game) for name, game in GAMES.items()}  # noqa: RUF012 - as the package wants it


def _by_kind() -> dict[str, list[EventType]]:
    found: dict[str, list[EventType]] = {}
    for event_type in chain(EVENTS, *(game.events for game in REVISIONS)):
        known = found.setdefault(event_type.kind, [])
        known += [] if event_type in known else [event_type]
    return found


def _event(kind: str, types: Iterable[EventType]) -> type[Schema]:
    data = [of_event(each) for each in types]
    says = next((each.shape.__doc__ for each in types if each.shape.__doc__), kind)
    return named_schema(
        f"{camel(kind)}EventSchema",
        EventFields,
        says,
        kind=fields.String(required=True, validate=validate.Equal(kind)),
        data=documented(data[0] if len(data) == 1 else {"anyOf": data}, required=True),
    )


class EventSchema(OneOfSchema):
    """An event as one viewer may see it; null stands for what he may not."""

    type_field = "kind"
    type_schemas = {  # noqa: RUF012 - as the package wants it
        kind: _event(kind, types) for kind, types in _by_kind().items()
    }
