"""Reading a body by its schema, with what does not fit as a 422 problem by field."""

from typing import Any

from marshmallow import Schema, ValidationError

from service.problems import invalid


def load(schema: Schema, body: Any) -> dict[str, Any]:
    """The fields of the body; raises a 422 problem."""
    try:
        fields: dict[str, Any] = schema.load(body)
    except ValidationError as fault:
        raise invalid("The body does not fit.", fault.messages_dict) from None
    return fields
