"""Problems (RFC 9457) for the document: a schema for each kind, told apart by `type`."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema, fields, validate

from service.problems import KINDS
from service.schemas.bodies import CheckSchema
from service.schemas.games import PlaySchema
from service.schemas.shapes import camel, named_schema


class ProblemFields(Schema):
    """What every problem says. New kinds may come: go by `status` where you do not know the `type`."""

    title = fields.String(required=True)
    detail = fields.String(required=True, metadata={"description": "For people. It never names a hidden card."})


def _version(*, required: bool) -> fields.Integer:
    return fields.Integer(required=required, metadata={"description": "The session's version."})


def _clause(*, required: bool) -> fields.String:
    return fields.String(
        required=required, metadata={"description": "The clause of the rule book.", "examples": ["R11"]}
    )


_MEMBERS: Final[Mapping[str, Mapping[str, fields.Field[Any]]]] = {
    "illegal-play": {
        "clause": _clause(required=True),
        "version": _version(required=True),
        "legal": fields.List(
            fields.Nested(PlaySchema), required=True, metadata={"description": "What this seat may play."}
        ),
    },
    "impossible-play": {"version": _version(required=True)},
    "frozen": {"version": _version(required=True)},
    "impossible-ruling": {"version": _version(required=True)},
    "information-shown": {
        "version": _version(required=True),
        "shown_at": fields.Integer(required=True, metadata={"description": "The version that showed the first card."}),
    },
    "not-now": {"clause": _clause(required=False), "version": _version(required=False)},
    "diverged": {"version": _version(required=False)},
    "stale-version": {"version": _version(required=True)},
    "version-required": {"version": _version(required=True)},
    "invalid": {
        "errors": fields.Dict(metadata={"description": "What is wrong, by field; lists are keyed by place from 0."}),
        "check": fields.Nested(CheckSchema, metadata={"description": "The verdict on a record that is not stored."}),
    },
}
"""What a kind has beside what all have."""


def _problem(slug: str) -> type[Schema]:
    kind = KINDS[slug]
    return named_schema(
        f"{camel(slug)}ProblemSchema",
        ProblemFields,
        f"{kind.title}.",
        type=fields.String(required=True, validate=validate.Equal(f"/problems/{slug}")),
        status=fields.Integer(required=True, validate=validate.Equal(int(kind.status))),
        **_MEMBERS.get(slug, {}),
    )


PROBLEMS: Final[Mapping[str, type[Schema]]] = {slug: _problem(slug) for slug in KINDS}
