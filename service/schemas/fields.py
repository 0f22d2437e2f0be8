"""Fields that take exactly what the contract says: a whole number is no text, no float and no bool."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields

from replay.rules.cards import Card, NotACardError, parse_card

LARGEST: Final = 2**53
"""Whole numbers up to here are the same in every client's JSON."""


class StrictSchema(Schema):
    """A body that holds nothing that nobody reads; marshmallow refuses unknown fields by itself."""

    error_messages = {"unknown": "Nobody reads this field.", "type": "Must be an object."}  # noqa: RUF012 - marshmallow


class Whole(fields.Integer):
    """A whole number within bounds, exactly as JSON has it."""

    def __init__(self, *, least: int = 0, most: int = LARGEST, **named: Any) -> None:
        metadata = {"minimum": least, "maximum": most, **named.pop("metadata", {})}
        super().__init__(strict=True, metadata=metadata, **named)
        self._least: Final = least
        self._most: Final = most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **named: Any) -> int:  # noqa: ARG002
        if type(value) is not int or not self._least <= value <= self._most:
            raise ValidationError(f"Must be a whole number from {self._least} to {self._most}.")
        return value


class Truth(fields.Boolean):
    """True or false, and nothing that merely looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **named: Any) -> bool:  # noqa: ARG002
        if value is not True and value is not False:
            raise ValidationError("Must be true or false.")
        return bool(value)


class Text(fields.String):
    """Text in which `fault_of` finds no fault, kept as it was written."""

    def __init__(self, fault_of: Callable[[str], str | None], **named: Any) -> None:
        super().__init__(**named)
        self._fault_of: Final = fault_of

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **named: Any) -> str:  # noqa: ARG002
        if not isinstance(value, str):
            raise ValidationError("Must be text.")
        if fault := self._fault_of(value):
            raise ValidationError(f"It {fault}.")
        return value


class CardField(fields.String):
    """A card as it is written: `9c`, `Td`, `Jk`. With `unknown`, `??` for a card nobody has seen, read as None."""

    def __init__(self, *, unknown: bool = False, **named: Any) -> None:
        pattern = r"^([AKQJT2-9][cdhs]|Jk|\?\?)$" if unknown else "^([AKQJT2-9][cdhs]|Jk)$"
        super().__init__(metadata={"examples": ["9c"], "pattern": pattern}, **named)
        self._unknown: Final = unknown

    def _deserialize(  # type: ignore[override]  # a card is a text, and None stands for one unseen
        self,
        value: Any,
        attr: str | None,  # noqa: ARG002
        data: Mapping[str, Any] | None,  # noqa: ARG002
        **named: Any,  # noqa: ARG002
    ) -> Card | None:
        if self._unknown and value == "??":
            return None
        try:
            return parse_card(value)
        except (NotACardError, TypeError):
            # No example: an error never names a card, lest it be one that the caller may not see.
            raise ValidationError("Must be a card: its rank, then its suit.") from None


class Items(fields.List[Any]):
    """A list of bounded length."""

    def __init__(
        self, item: fields.Field[Any] | type[fields.Field[Any]], *, most: int, least: int = 0, **named: Any
    ) -> None:
        metadata = {"minItems": least, "maxItems": most, **named.pop("metadata", {})}
        super().__init__(item, metadata=metadata, **named)
        self._least: Final = least
        self._most: Final = most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **named: Any) -> list[Any]:
        if not isinstance(value, list) or not self._least <= len(value) <= self._most:
            raise ValidationError(f"Must be a list of {self._least} to {self._most}.")
        return super()._deserialize(value, attr, data, **named)
