"""JSON Schema for what marshmallow does not read: stored events by the types of their fields, options by their table.

Only for the OpenAPI document. Left out: what a value means; the rule books and the contract's descriptions say that.
"""

from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from marshmallow import Schema, fields

from replay.rules.cards import Card
from replay.rules.game import Audience, EventType
from replay.rules.options import Option

JsonSchema = dict[str, Any]

CARD: Final[JsonSchema] = {"type": "string", "pattern": "^([AKQJT2-9][cdhs]|Jk)$", "examples": ["9c"]}
_PLAIN: Final[Mapping[Any, JsonSchema]] = {
    int: {"type": "integer"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Card: CARD,
}


def documented(schema: JsonSchema, **named: Any) -> fields.Raw:
    """A field that the document describes by this schema."""
    return fields.Raw(metadata={"schema": schema}, **named)


def named_schema(name: str, base: type[Schema], says: str, **members: Any) -> type[Schema]:
    """A schema of that name made from another, for one game or kind. `says` is its description."""
    return type(name, (base,), {"__doc__": says, **members})


def camel(words: str) -> str:
    """A name of the code, `rockaway.card_played`, as the document names schemas: `RockawayCardPlayed`."""
    return "".join(word.capitalize() for word in words.replace(".", "_").replace("-", "_").split("_"))


def of_type(hint: Any) -> JsonSchema:
    """What JSON holds for a value of this type; raises TypeError for a type that no event may have."""
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(parts)}
    if origin in (Union, UnionType):
        return {"anyOf": [of_type(part) for part in parts]}
    if origin is tuple and parts[1:] == (...,):
        return {"type": "array", "items": of_type(parts[0])}
    if origin is tuple:
        length = {"minItems": len(parts), "maxItems": len(parts)}
        return {"type": "array", "prefixItems": [of_type(part) for part in parts], **length}
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": of_type(parts[1])}
    raise TypeError(f"no JSON is known for {hint}")


def nullable(schema: JsonSchema) -> JsonSchema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def of_event(event_type: EventType) -> JsonSchema:
    """`data` of an event: every field but `seat`, and null for what the viewer may not see."""
    hints = get_type_hints(event_type.shape)
    is_play = hints.pop("seat", None) is not None
    properties = {name: _seen(of_type(hint), event_type.sealed.get(name)) for name, hint in hints.items()}
    # A sealed field that there is nothing of is left out.
    required = [name for name, hint in hints.items() if name not in event_type.sealed or NoneType not in get_args(hint)]
    if is_play:
        clause = {"anyOf": [{"type": "string"}, {"type": "null"}]}
        properties["irregular"] = {
            "type": "object",
            "description": "Marks a play that happened although the rules forbid it; clause null if they do not.",
            "properties": {"clause": clause},
            "required": ["clause"],
        }
    made: JsonSchema = {"type": "object", "properties": properties}
    return made | ({"required": required} if required else {})


def _seen(schema: JsonSchema, audience: Audience | None) -> JsonSchema:
    if audience is None:
        return schema
    return {**schema, "items": nullable(schema["items"])} if audience.by_seat else nullable(schema)


def of_options(table: Iterable[Option], *, given: bool) -> JsonSchema:
    """The options of a game. `given`: as an opening may name some of them, rather than all as they were agreed on."""
    properties = {option.name: of_option(option) for option in table}
    made: JsonSchema = {"type": "object", "properties": properties}
    return made | ({"additionalProperties": False} if given else {"required": list(properties)})


def of_option(option: Option) -> JsonSchema:
    """One option, with the clause that it governs."""
    said = {"description": f"{option.effect} ({option.clause})", "default": option.default}
    if option.choices == (True, False):
        # Not an enum: programs that make clients know enums of texts and whole numbers alone.
        return {**said, "type": "boolean"}
    if option.least is None:
        choices = [*option.choices, None] if option.nullable else [*option.choices]
        return {**said, "enum": choices}
    kinds = ["integer", "null"] if option.nullable else "integer"
    return {**said, "type": kinds, "minimum": option.least, "maximum": option.most}
