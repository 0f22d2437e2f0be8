"""Plays of Canasta as bodies."""

from collections.abc import Mapping
from typing import Any, Final, assert_never

from marshmallow import ValidationError, fields

from replay.rules.canasta.commands import Answer, Ask, Command, Discard, Draw, Group, Meld, Pass, Take
from replay.rules.cards import RANKS
from service.schemas.fields import CardField, Items, Truth
from service.schemas.plays import DrawBody, GamePlays, PlayBody, PlayType
from service.schemas.shapes import CARD

_MOST: Final = 108
"""Cards in a group: the whole pack."""


class GroupsField(fields.Dict):
    """Groups by rank, `{"K": ["Kh", "Ks", "2d"]}`, read in the order in which they are written."""

    def __init__(self, *, may_be_empty: bool, **named: Any) -> None:
        self._least: Final = 0 if may_be_empty else 1
        cards = {"type": "array", "items": CARD, "minItems": self._least, "maxItems": _MOST}
        groups = {"propertyNames": {"enum": [*RANKS]}, "additionalProperties": cards, "minProperties": 1}
        super().__init__(metadata={"schema": {"type": "object", **groups}}, **named)
        self._cards: Final = Items(CardField(), most=_MOST)

    def _deserialize(  # type: ignore[override]  # groups, where a plain field would give a dict
        self,
        value: Any,
        attr: str | None,  # noqa: ARG002
        data: Mapping[str, Any] | None,  # noqa: ARG002
        **named: Any,  # noqa: ARG002
    ) -> tuple[Group, ...]:
        if not isinstance(value, dict) or not value or len(value) > len(RANKS):
            raise ValidationError("Must be an object of groups by rank.")
        groups = []
        for rank, cards in value.items():
            if len(rank) != 1 or rank not in RANKS:
                raise ValidationError("A group is named by its rank, as in K.")
            group = [card for card in self._cards.deserialize(cards) or () if card is not None]
            if len(group) < self._least:
                raise ValidationError("A group needs a card.")
            groups.append(Group(rank, tuple(group)))
        return tuple(groups)


class CanastaDraw(DrawBody):
    """`{"type": "draw"}`."""

    cards = Items(CardField(), most=8, least=1)


class CanastaTake(PlayBody):
    """`{"type": "take", "melds": {"K": ["Kh", "Ks"], "Q": ["Qh", "Qd", "Qc"]}}`; the order of groups means nothing."""

    melds = GroupsField(may_be_empty=True, required=True)


class CanastaMeld(PlayBody):
    """`{"type": "meld", "melds": {"K": ["Kh", "Ks", "2d"]}}`."""

    melds = GroupsField(may_be_empty=False, required=True)


class CanastaDiscard(PlayBody):
    """`{"type": "discard", "card": "9h"}`."""

    card = CardField(required=True)


class CanastaAsk(PlayBody):
    """`{"type": "ask"}`."""


class CanastaAnswer(PlayBody):
    """`{"type": "answer", "yes": true}`."""

    yes = Truth(required=True)


class CanastaPass(PlayBody):
    """`{"type": "pass"}`."""


def _draw(seat: int, body: Mapping[str, Any]) -> Draw:
    cards = body.get("cards")
    return Draw(seat, None if cards is None else tuple(cards))


def _groups(groups: tuple[Group, ...]) -> dict[str, Any]:
    return {group.rank: group.cards for group in groups}


def _write(command: Command) -> dict[str, Any]:
    match command:
        case Draw():
            return {"type": "draw"}
        case Take(groups=groups):
            return {"type": "take", "melds": _groups(groups)}
        case Meld(groups=groups):
            return {"type": "meld", "melds": _groups(groups)}
        case Discard(card=card):
            return {"type": "discard", "card": card}
        case Ask():
            return {"type": "ask"}
        case Answer(yes=yes):
            return {"type": "answer", "yes": yes}
        case Pass():
            return {"type": "pass"}
        case _:
            assert_never(command)


PLAYS: Final = GamePlays(
    types={
        "draw": PlayType(CanastaDraw, _draw),
        "take": PlayType(CanastaTake, lambda seat, body: Take(seat, body["melds"], any_order=True)),
        "meld": PlayType(CanastaMeld, lambda seat, body: Meld(seat, body["melds"])),
        "discard": PlayType(CanastaDiscard, lambda seat, body: Discard(seat, body["card"])),
        "ask": PlayType(CanastaAsk, lambda seat, _body: Ask(seat)),
        "answer": PlayType(CanastaAnswer, lambda seat, body: Answer(seat, body["yes"])),
        "pass": PlayType(CanastaPass, lambda seat, _body: Pass(seat)),
    },
    write=_write,
)
