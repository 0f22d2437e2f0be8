"""What is no record, of every kind that somebody may send: wrong by a little, and wrong on purpose.

Each entry has a name for messages, the bytes, and a part of the detail that must say where.
"""

import json
from typing import Any, Final, NamedTuple

DEAL: Final[dict[str, Any]] = {
    "hands": ["2c 3c 4c 5c 6c 7c 8c", "2d 3d 4d 5d 6d 7d 8d"],
    "upcard": "9h",
    "plays": ["1 draw 9c", "1 play 9c"],
}
RECORD: Final[dict[str, Any]] = {"record": 1, "game": "rockaway", "players": ["Ann", "Ben"], "deals": [DEAL]}

SIZE: Final = 256 * 1024
"""Bytes of each oversized input: enough that time or memory growing by the square would not be borne."""


class Hostile(NamedTuple):
    """One input that is no record."""

    name: str
    raw: bytes
    detail: str


def changed(name: str, detail: str, **keys: Any) -> Hostile:
    """The record with these keys set."""
    return Hostile(name, json.dumps(RECORD | keys).encode(), detail)


def deal(name: str, detail: str, **keys: Any) -> Hostile:
    """The record with these keys set in its deal."""
    return changed(name, f"deal 1 of the record: {detail}", deals=[DEAL | keys])


def without(key: str) -> Hostile:
    """The record less one key."""
    left = {name: value for name, value in RECORD.items() if name != key}
    return Hostile(f"no {key}", json.dumps(left).encode(), f"the key '{key}' is missing")


def text(name: str, raw: str | bytes, detail: str) -> Hostile:
    """Any bytes."""
    return Hostile(name, raw.encode() if isinstance(raw, str) else raw, detail)


_IN = json.dumps(RECORD)

STRUCTURE: Final = (
    *(text(f"not a table: {raw}", raw, "must be a table") for raw in ("1", '"x"', "[]", "null", "true", "1.5")),
    *map(without, ("record", "game", "players", "deals")),
    changed("a strange key", "there is no key 'winner'", winner=1),
    changed("another form", "record: this reads form 1, and finds 2", record=2),
    changed("form true", "record:", record=True),
    changed("form 1.0", "record:", record=1.0),
    changed("form as text", "record:", record="1"),
    changed("a game that is none", "game: no game 'whist'", game="whist"),
    changed("a game that is a list", "game: must be text", game=["rockaway"]),
    changed("revision 0", "revision:", revision=0),
    changed("a revision to come", "game: rockaway has no revision 999", revision=999),
    changed("revision true", "revision: must be a whole number, not true", revision=True),
    changed("revision null", "revision: must be a whole number, not null", revision=None),
    changed("a revision of 80 bits", "revision:", revision=2**80),
    changed("one player", "players: rockaway is for 2 to 8 players", players=["Ann"]),
    changed("nine players", "players: rockaway is for 2 to 8 players", players=list("abcdefghi")),
    changed("players as text", "players: must be a list", players="Ann Ben"),
    changed("a player that is a number", "players: entry 2: must be text, not 7", players=["Ann", 7]),
    changed("a name that is blank", "players: entry 1: must not be blank", players=[" ", "Ben"]),
    changed("a name of 101", "players: entry 1: must not be longer than 100", players=["a" * 101, "Ben"]),
    *(
        changed(f"a name with {control!r}", "players: entry 2: must not hold control", players=["Ann", f"B{control}n"])
        for control in ("\0", "\n", "\x1b[2J", "\x7f", "\x85", "\u2028", "\ud800", "\udfff")
    ),
    changed("first_deal 0", "first_deal: must be from 1 to", first_deal=0),
    changed("first_deal as text", "first_deal: must be a whole number, not '2'", first_deal="2"),
    changed("first_deal 1.0", "first_deal: must be a whole number", first_deal=1.0),
    changed("first_deal true", "first_deal: must be a whole number", first_deal=True),
    changed("first_deal of 64 bits", "first_deal: must be from 1 to", first_deal=2**63),
    changed("totals too few", "totals: must have 2 entries, not 1", totals=[1]),
    changed("totals too many", "totals: must have 2 entries, not 3", totals=[1, 2, 3]),
    changed("totals null", "totals: must be a list, not null", totals=None),
    changed("a total with a point", "totals: entry 2: must be a whole number", totals=[1, 2.5]),
    changed("a total of 65 bits", "totals: entry 1: must be from", totals=[2**64, 0]),
    changed("a total of minus 65 bits", "totals: entry 1: must be from", totals=[-(2**64), 0]),
    changed("closed 1", "closed: must be true or false", closed=1),
    changed("closed null", "closed: must be true or false", closed=None),
    changed("options a list", "options: must be a table", options=[]),
    changed("an option that is none", "options: 'speed' is no option", options={"speed": 1}),
    changed("an option of a wrong type", "options: 'blocked' must be one of", options={"blocked": 1}),
    changed("an option true for 1", "options: 'deals' must be a whole number", options={"deals": True}),
    changed("an option 1 for true", "options: 'draw_past_fitting' must be one of", options={"draw_past_fitting": 1}),
    changed("an option that is a table", "options: 'deals' must be", options={"deals": {}}),
    changed("an option beyond its bound", "options: 'deals' must be from 1", options={"deals": 2**70}),
    changed("an option with a control in its name", "options: '\\x00' is no option", options={"\0": 1}),
    changed("deals a table", "deals: must be a list", deals={}),
    changed("deals null", "deals: must be a list, not null", deals=None),
    changed("a deal that is text", "deal 2 of the record: must be a table", deals=[DEAL, "x"]),
)

DEALS: Final = (
    deal("a strange key", "there is no key 'pile'", pile="2c"),
    deal("dealer 0", "dealer: must be from 1 to 2", dealer=0),
    deal("dealer 3 of 2", "dealer: must be from 1 to 2", dealer=3),
    deal("dealer true", "dealer: must be a whole number", dealer=True),
    deal("hands too few", "hands: must have 2 entries, not 1", hands=["2c"]),
    deal("hands too many", "hands: must have 2 entries, not 3", hands=["2c", "3c", "4c"]),
    deal("hands a text", "hands: must be a list", hands="2c 3c"),
    deal("a hand that is a list", "hands: entry 1: must be cards in a text", hands=[["2c"], "3c"]),
    deal("a card that is none", "hands: entry 2: '1h' is not a card", hands=["2c", "3c 1h"]),
    deal("a card in capitals", "hands: entry 1: '2C' is not a card", hands=["2C", "3c"]),
    deal("ten as 10", "hands: entry 1: '10c' is not a card", hands=["10c", "3c"]),
    deal("an unknown card dealt", "hands: entry 1: '??' is not a card", hands=["?? 2c", "3c"]),
    deal("a comma", "hands: entry 1: '2c,' is not a card", hands=["2c, 4c", "3c"]),
    deal("a hard blank", "hands: entry 1: '2c\\xa04c' is not a card", hands=["2c\u00a04c", "3c"]),
    deal("a control between cards", "hands: entry 1: '2c\\x1c4c' is not a card", hands=["2c\x1c4c", "3c"]),
    deal("half a surrogate for a card", "hands: entry 1: '\\ud800' is not a card", hands=["\ud800", "3c"]),
    deal("no upcard", "upcard: must be one card, not 0", upcard=""),
    deal("two upcards", "upcard: must be one card, not 2", upcard="9h 9d"),
    deal("an unknown upcard", "upcard: '??' is not a card", upcard="??"),
    deal("upcard null", "upcard: must be cards in a text, not null", upcard=None),
    deal("stock a list", "stock: must be cards in a text", stock=["9c"]),
    deal("a stock of no cards", "stock: '???' is not a card", stock="9c ???"),
    deal("plays a text", "plays: must be a list", plays="1 draw"),
    deal("a play that is a number", "play 2: must be a play in a text, not a whole number", plays=["1 draw", 7]),
    deal("a play that is a list", "play 1: must be a play in a text, not a list", plays=[["1", "draw"]]),
    deal("a play of no words", "play 1: '' is not a seat and a play", plays=[""]),
    deal("a mark alone", "play 1: '!' is not a seat and a play", plays=["!"]),
    deal("a seat alone", "play 1: '1' is not a seat and a play", plays=["1"]),
    deal("seat 0", "play 1: '0 draw': no seat '0'", plays=["0 draw"]),
    deal("seat 3 of 2", "play 2: '3 draw': no seat '3'", plays=["1 draw", "3 draw"]),
    deal("seat 01", "play 1: '01 draw': no seat '01'", plays=["01 draw"]),
    deal("seat of other digits", "play 1: '\u0661 draw': no seat", plays=["\u0661 draw"]),
    deal("a verb that is none", "play 1: '1 meld 7c 7d 7h': 'meld' is no play", plays=["1 meld 7c 7d 7h"]),
    deal("a verb in capitals", "play 1: '1 DRAW'", plays=["1 DRAW"]),
    deal("no card", "play 1: '1 play'", plays=["1 play"]),
    deal("two cards", "play 1: '1 play 2c 3c'", plays=["1 play 2c 3c"]),
    deal("a pass with a card", "play 1: '1 pass 2c'", plays=["1 pass 2c"]),
    deal("an unknown card played", "play 1: '1 play ??': '??' is not a card", plays=["1 play ??"]),
    deal("an unknown card drawn", "play 1: '1 draw ??'", plays=["1 draw ??"]),
    deal("two marks", "play 1: '1 draw!!'", plays=["1 draw!!"]),
    deal("a mark inside", "play 1: '1! draw'", plays=["1! draw"]),
    deal("a play with a control", "play 1: '1 draw\\x00'", plays=["1 draw\0"]),
    deal("a play on two lines", "play 1: '1 draw\\r'", plays=["1 draw\r"]),
    deal(
        "a play of a million characters",
        "play 1: '1 play 2c 2c 2c 2c 2c 2c 2c 2c 2c 2c 2c…' is longer than 500",
        plays=["1 play " + "2c " * 333_333],
    ),
    deal("points too few", "points: must have 2 entries, not 1", points=[1]),
    deal("points null", "points: must be a list, not null", points=None),
    deal("points as text", "points: entry 1: must be a whole number, not '0'", points=["0", "0"]),
    deal("points true", "points: entry 1: must be a whole number, not true", points=[True, 0]),
    deal("points of 64 bits", "points: entry 2: must be from", points=[0, 2**63]),
    deal("a time of no zone", "at: must be an RFC 3339 time", at="1931-06-04T20:30:00"),
    deal("a day alone", "at: must be an RFC 3339 time", at="1931-06-04"),
    deal("a day that is none", "at: must be an RFC 3339 time", at="1931-02-30T20:30:00Z"),
    deal("an hour that is none", "at: must be an RFC 3339 time", at="1931-06-04T24:30:00Z"),
    deal("a time and a line", "at: must be an RFC 3339 time", at="1931-06-04T20:30:00Z\n"),
    deal("a time of other digits", "at: must be an RFC 3339 time", at="١٩٣١-06-04T20:30:00Z"),
    deal("a time that is a number", "at: must be text", at=1931),
    deal("a note that is a number", "note: must be text", note=1),
    deal("a note with a control", "note: must not hold control characters", note="a\x1b[2Jb"),
    deal("a note with half a surrogate", "note: must not hold control characters", note="\udc00"),
    deal("a note without end", "note: must not be longer", note="x" * 10_001),
)

JSON: Final = (
    text("nothing", "", "not JSON"),
    text("half a record", _IN[: len(_IN) // 2], "not JSON"),
    text("two records", _IN + _IN, "not JSON"),
    text("NaN", _IN[:-1] + ', "totals": [NaN, 0]}', "NaN"),
    text("Infinity", _IN[:-1] + ', "totals": [-Infinity, 0]}', "Infinity"),
    text("a key twice", _IN[:-1] + ', "deals": []}', "the key 'deals' is there twice"),
    text(
        "a key of a deal twice", _IN.replace('"upcard"', '"upcard": "2s", "upcard"'), "the key 'upcard' is there twice"
    ),
    text("a key twice, once escaped", _IN[:-1] + ', "de\\u0061ls": []}', "the key 'deals' is there twice"),
    text("single quotes", _IN.replace('"', "'"), "not JSON"),
    text("a comment", _IN + "// all", "not JSON"),
    text("a byte order mark", b"\xef\xbb\xbf" + _IN.encode(), "not JSON"),
    text("UTF-16", _IN.encode("utf-16"), "not UTF-8"),
    text("Latin-1", _IN.replace("Ann", "André").encode("latin-1"), "not UTF-8"),
    text("a surrogate in UTF-8", _IN.encode().replace(b"Ann", b"\xed\xa0\x80"), "not UTF-8"),
    text("a control in a text", _IN.replace("Ann", "A\x01n"), "not JSON"),
    text("zero bytes", b"\0" * 100, "not JSON"),
    text("nested lists", "[" * SIZE, "nested too deeply"),
    text("nested tables", '{"a":' * (SIZE // 5), "nested too deeply"),
    text("a number without end", '{"record": ' + "9" * SIZE + "}", "digits"),
    text("many empty lists", "[" + "[]," * (SIZE // 3) + "[]]", "must be a table"),
    text("many keys", "{" + ",".join(f'"{n:x}": 0' for n in range(SIZE // 10)) + "}", "there is no key '0'"),
    changed("many players", "players:", players=["Ann"] * (SIZE // 7)),
    changed("many options", "options:", options={f"{n:x}": 0 for n in range(SIZE // 10)}),
    text("larger than a record may be", b" " * (4 * 1024 * 1024) + _IN.encode(), "larger than 4194304 bytes"),
)

_TOML = 'record = 1\ngame = "rockaway"\nplayers = ["Ann", "Ben"]\ndeals = []\n'

TOML: Final = (
    text("nothing", "", "the key 'record' is missing"),
    text("JSON", _IN, "not TOML"),
    text("a key twice", _TOML + "deals = []\n", "not TOML"),
    text("a table twice", _TOML + "[options]\n[options]\n", "not TOML"),
    text("zero bytes", b"\0" * 100, "not TOML"),
    text("UTF-16", _TOML.encode("utf-16"), "not UTF-8"),
    text("a control in a name", _TOML.replace("Ann", "A\x01n"), "not TOML"),
    text(
        "a name with an escaped control", _TOML.replace("Ann", "A\\u0001n"), "players: entry 1: must not hold control"
    ),
    text("half a surrogate", _TOML.replace("Ann", "\\ud800"), "not TOML"),
    text("a name that is a time", _TOML.replace('"Ann"', "1931-06-04"), "players: entry 1: must be text, not a date"),
    text("infinity", _TOML + "totals = [inf, 0]\n", "totals: entry 1: must be a whole number"),
    text("a number of 65 bits", _TOML + f"totals = [{2**64}, 0]\n", "totals: entry 1: must be from"),
    text("null where there is none", _TOML + '[options]\nblocked = "null"\n', "options: 'blocked' must be one of"),
    text("nested lists", "a = " + "[" * SIZE, "nested too deeply"),
    text("nested tables", "a = " + "{a=" * (SIZE // 3), "nested too deeply"),
    text("a number without end", "record = " + "9" * SIZE, "characters on end"),
    text("a number in hex without end", "record = 0x" + "f" * SIZE, "characters on end"),
    text("a key of many parts", "a" + ".a" * (SIZE // 2) + " = 1", "dots"),
    text("a key of many spaced parts", "a" + " . a" * (SIZE // 4) + " = 1", "dots"),
    text("a key of many quoted parts", "a.\"b\".'c'" + '."a"' * (SIZE // 4) + " = 1", "dots"),
    text("a table of many parts", "[a" + ".a" * (SIZE // 2) + "]", "dots"),
    text("a text without end", 'a = """' + '\\"""' * (SIZE // 4), "not TOML"),
    text("quotes", '"' * SIZE, "not TOML"),
    text("many tables", "".join(f"[a{n}]\n" for n in range(SIZE // 8)), "missing|there is no key"),
    text("many entries", "[[deals]]\nx = 1\n" * (SIZE // 16), "missing"),
    text("larger than a record may be", "#" * (4 * 1024 * 1024) + "\n" + _TOML, "larger than 4194304 bytes"),
)
