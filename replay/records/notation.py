"""Cards and plays as a record writes them. What a game's plays look like is its own affair (`Game.read_play`)."""

import re
from functools import lru_cache
from typing import Final

from replay.records.limits import KNOWN_PLAYS, PLAY_LENGTH
from replay.records.malformed import MalformedRecordError, quoted
from replay.records.record import WrittenPlay
from replay.rules.cards import JOKER, PACK, Card, Cards, NotACardError
from replay.rules.game import AnyGame, NotationError
from replay.rules.registry import find_game

UNKNOWN: Final = "??"
"""A card that nobody has seen."""

_CARDS: Final = {str(card): card for card in (*PACK, JOKER)}
_STOCK: Final[dict[str, Card | None]] = {**_CARDS, UNKNOWN: None}
# Not all that Python takes for white space: control characters have no place in a record.
_BLANKS: Final = re.compile(r"[ \t\n]+")


def words(text: str) -> list[str]:
    """What stands between blanks; none for an empty text."""
    return [word for word in _BLANKS.split(text) if word]


def read_cards(text: object) -> Cards:
    """A list of known cards."""
    if not isinstance(text, str):
        raise MalformedRecordError(f"must be cards in a text, not {quoted(text)}")
    try:
        return tuple(map(_CARDS.__getitem__, text.split(" ")))
    except KeyError:
        return tuple(_card(word) for word in words(text))


def read_stock(text: object) -> tuple[Card | None, ...]:
    """A list of cards, those that nobody has seen among them."""
    if not isinstance(text, str):
        raise MalformedRecordError(f"must be cards in a text, not {quoted(text)}")
    try:
        return tuple(map(_STOCK.__getitem__, text.split(" ")))
    except KeyError:
        return tuple(None if word == UNKNOWN else _card(word) for word in words(text))


def _card(word: str) -> Card:
    try:
        return _CARDS[word]
    except KeyError:
        raise MalformedRecordError(f"{quoted(word)} is not a card") from None


def write_cards(cards: tuple[Card | None, ...]) -> str:
    """Cards as a record lists them."""
    return " ".join(UNKNOWN if card is None else card for card in cards)


class PlayReader(dict[str, WrittenPlay]):
    """Written plays of one game with so many seats: `reader[text]` is the play. Read once each, since plays repeat.

    Raises MalformedRecordError for anything that is no play, TypeError for what cannot be a key.
    """

    def __init__(self, game: AnyGame, seats: int) -> None:
        super().__init__()
        self._game: Final = game
        self._seats: Final = {str(seat): seat for seat in range(1, seats + 1)}

    def __missing__(self, text: object) -> WrittenPlay:
        play = self._read(text)
        if len(self) >= KNOWN_PLAYS:
            self.clear()
        assert isinstance(text, str)  # noqa: S101 - `_read` has just made certain
        self[text] = play
        return play

    def _read(self, text: object) -> WrittenPlay:
        if not isinstance(text, str):
            raise MalformedRecordError(f"must be a play in a text, not {quoted(text)}")
        if len(text) > PLAY_LENGTH:
            raise MalformedRecordError(f"{quoted(text)} is longer than {PLAY_LENGTH} characters")
        irregular = text.endswith("!")
        plain = words(text[:-1] if irregular else text)
        match plain:
            case [seat, verb, *arguments]:
                if seat not in self._seats:
                    raise MalformedRecordError(f"{quoted(text)}: no seat {quoted(seat)}, there are {len(self._seats)}")
            case _:
                raise MalformedRecordError(f"{quoted(text)} is not a seat and a play")
        try:
            command = self._game.read_play(self._seats[seat], verb, arguments)
        except (NotationError, NotACardError) as fault:
            raise MalformedRecordError(f"{quoted(text)}: {fault}") from None
        return WrittenPlay(" ".join(plain) + ("!" if irregular else ""), command, irregular)


@lru_cache(maxsize=64)
def play_reader(game: str, revision: int, seats: int) -> PlayReader:
    """The reader of that game's plays, shared by all records."""
    return PlayReader(find_game(game, revision), seats)
