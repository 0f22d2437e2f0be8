"""Plays of Single-Pack Rum as bodies."""

import re
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import ValidationError, fields

from replay.rules.single_pack_rum.commands import Command, LayOff, Meld, Splash
from service.schemas.fields import CardField, Items, StrictSchema
from service.schemas.plays import GamePlays, PlayBody, PlayType
from service.schemas.rums import RUM_TYPES, write_rum

_LABEL: Final = re.compile(r"m([1-9][0-9]{0,2})", re.ASCII)
_MOST: Final = 52
"""Cards in a list, or lists: the whole pack."""


class LabelField(fields.String):
    """A combination on the table by its label, `m1`, read as its number."""

    def __init__(self, **named: Any) -> None:
        super().__init__(metadata={"pattern": "^m[1-9][0-9]{0,2}$", "examples": ["m1"]}, **named)

    def _deserialize(  # type: ignore[override]  # a label is a text that stands for a number
        self,
        value: Any,
        attr: str | None,  # noqa: ARG002
        data: Mapping[str, Any] | None,  # noqa: ARG002
        **named: Any,  # noqa: ARG002
    ) -> int:
        match = _LABEL.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise ValidationError("Must be a combination's label, as in m1.")
        return int(match[1])


class SinglePackRumMeld(PlayBody):
    """`{"type": "meld", "cards": ["7d", "8d", "9d"]}`."""

    cards = Items(CardField(), most=_MOST, least=1, required=True)


class SinglePackRumLayOff(PlayBody):
    """`{"type": "lay_off", "meld": "m2", "card": "Td"}`."""

    meld = LabelField(required=True)
    card = CardField(required=True)


class AdditionBody(StrictSchema):
    """Cards that a splash adds to a combination on the table."""

    meld = LabelField(required=True)
    cards = Items(CardField(), most=_MOST, least=1, required=True)


class SinglePackRumSplash(PlayBody):
    """`{"type": "splash", "melds": [["4c", "5c", "6c"], ["9h", "9d", "9s"]], "discard": "Ks"}`."""

    melds = Items(Items(CardField(), most=_MOST, least=1), most=_MOST, required=True)
    lay_offs = Items(fields.Nested(AdditionBody), most=_MOST)
    discard = CardField()


def _splash(seat: int, body: Mapping[str, Any]) -> Splash:
    lay_offs = tuple((each["meld"], tuple(each["cards"])) for each in body.get("lay_offs", ()))
    return Splash(seat, tuple(map(tuple, body["melds"])), lay_offs, body.get("discard"))


def _write(command: Command) -> dict[str, Any]:
    match command:
        case Meld(cards=cards):
            return {"type": "meld", "cards": cards}
        case LayOff(meld=meld, card=card):
            return {"type": "lay_off", "meld": f"m{meld}", "card": card}
        case Splash(melds=melds, lay_offs=lay_offs, discard=discard):
            written: dict[str, Any] = {"type": "splash", "melds": melds}
            if lay_offs:
                written["lay_offs"] = [{"meld": f"m{meld}", "cards": cards} for meld, cards in lay_offs]
            return written | ({"discard": discard} if discard is not None else {})
        case _:
            return write_rum(command)


PLAYS: Final = GamePlays(
    types={
        **RUM_TYPES,
        "meld": PlayType(SinglePackRumMeld, lambda seat, body: Meld(seat, tuple(body["cards"]))),
        "lay_off": PlayType(SinglePackRumLayOff, lambda seat, body: LayOff(seat, body["meld"], body["card"])),
        "splash": PlayType(SinglePackRumSplash, _splash),
    },
    write=_write,
)
