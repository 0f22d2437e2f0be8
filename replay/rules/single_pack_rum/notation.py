"""Plays of Single-Pack Rum as they are written in a record, without the seat."""

import re
from typing import Final, assert_never

from replay.rules.cards import Card, Cards, parse_card
from replay.rules.game import NotationError
from replay.rules.rums.events import CardDiscarded, CardDrawn, CardTaken, DealVoided
from replay.rules.rums.notation import read_rum_play, write_rum_play
from replay.rules.single_pack_rum.commands import Command, LayOff, Meld, Splash
from replay.rules.single_pack_rum.events import Event, LaidOff, Melded, Splashed

_LABEL: Final = re.compile(r"m([1-9][0-9]{0,2})", re.ASCII)


def read_play(seat: int, verb: str, arguments: list[str]) -> Command:
    """A written play as a command; raises NotationError, or NotACardError."""
    shared = read_rum_play(seat, verb, arguments)
    if shared is not None:
        return shared
    match verb, arguments:
        case "meld", [_, *_]:
            return Meld(seat, _cards(arguments))
        case "lay_off", [label, card]:
            return LayOff(seat, _meld(label), parse_card(card))
        case "splash", [_, *_]:
            return _splash(seat, arguments)
        case (("meld" | "lay_off" | "splash"), _):
            raise NotationError(f"{verb!r} does not go with {len(arguments)} words")
        case _:
            raise NotationError(f"{verb[:20]!r} is no play of Single-Pack Rum")


def _splash(seat: int, words: list[str]) -> Splash:
    discard: Card | None = None
    if "discard" in words:
        at = words.index("discard")
        if len(words) != at + 2:
            raise NotationError("one card follows 'discard', and ends the splash")
        discard, words = parse_card(words[at + 1]), words[:at]
    melds: list[Cards] = []
    lay_offs: list[tuple[int, Cards]] = []
    for group in _groups(words):
        if _LABEL.fullmatch(group[0]):
            lay_offs.append((_meld(group[0]), _cards(group[1:])))
        else:
            melds.append(_cards(group))
    return Splash(seat, tuple(melds), tuple(lay_offs), discard)


def _groups(words: list[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            groups.append([])
        else:
            groups[-1].append(word)
    if not all(groups):
        raise NotationError("an empty group")
    return groups


def _cards(words: list[str]) -> Cards:
    if not words:
        raise NotationError("no cards")
    return tuple(map(parse_card, words))


def _meld(label: str) -> int:
    match = _LABEL.fullmatch(label)
    if match is None:
        raise NotationError(f"{label[:20]!r} is no combination's label, such as m1")
    return int(match[1])


def write_play(event: Event) -> str:
    """An event as the play that it came from."""
    match event:
        case CardDrawn() | CardTaken() | CardDiscarded() | DealVoided():
            return write_rum_play(event)
        case Melded(cards=cards):
            return f"meld {' '.join(cards)}"
        case LaidOff(meld=meld, card=card):
            return f"lay_off m{meld} {card}"
        case Splashed(melds=melds, lay_offs=lay_offs, discard=discard):
            groups = [" ".join(cards) for cards in melds]
            groups += [" ".join((f"m{meld}", *cards)) for meld, cards in lay_offs]
            return f"splash {' | '.join(groups)}" + (f" discard {discard}" if discard else "")
        case _:
            assert_never(event)
