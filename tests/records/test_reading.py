"""What is no record is refused and says where; what is one is read as it was meant, in every form."""

import io
import json

import pytest

from replay.records.limits import RECORD_BYTES
from replay.records.malformed import DETAIL_LENGTH, MalformedRecordError
from replay.records.notation import PlayReader
from replay.records.reading import ndjson_lines, read_json, read_toml
from replay.rules.registry import find_game
from tests.records import hostile
from tests.records.hostile import DEAL, RECORD, Hostile


@pytest.mark.parametrize("case", hostile.STRUCTURE + hostile.DEALS + hostile.JSON, ids=lambda case: case.name)
def test_no_record_in_json(case: Hostile) -> None:
    with pytest.raises(MalformedRecordError) as caught:
        read_json(case.raw)
    assert case.detail in caught.value.detail
    assert caught.value.detail.isprintable()
    assert len(caught.value.detail) <= DETAIL_LENGTH


@pytest.mark.parametrize("case", hostile.TOML, ids=lambda case: case.name)
def test_no_record_in_toml(case: Hostile) -> None:
    with pytest.raises(MalformedRecordError) as caught:
        read_toml(case.raw)
    assert any(part in caught.value.detail for part in case.detail.split("|"))
    assert caught.value.detail.isprintable()
    assert len(caught.value.detail) <= DETAIL_LENGTH


def test_a_record_typed_by_hand() -> None:
    typed = """
# From the club's book, page 12.
record = 1
game = 'rockaway'
players = ["Ann", "Łukasz"]
options.deals = "null"      # as long as we like
options.blocked = "lowest_is_out"

[[deals]]
at = 1931-06-04 20:30:00+12:00
note = \"""
two lines,
one	tab\"""
hands = [
  "2c 3c 4c  5c 6c 7c 8c",
  "2d 3d 4d 5d 6d 7d 8d",
]
upcard = " 9h "
stock = \"""
9c Td Jd
?? ?? Ad\"""
plays = ["1  draw 9c", "1 play 9c !", "2 draw"]
"""
    meant = RECORD | {
        "players": ["Ann", "Łukasz"],
        "options": {"blocked": "lowest_is_out", "deals": None},
        "deals": [
            DEAL
            | {
                "at": "1931-06-04T20:30:00+12:00",
                "note": "two lines,\none\ttab",
                "stock": "9c Td Jd ?? ?? Ad",
                "plays": ["1 draw 9c", "1 play 9c!", "2 draw"],
            }
        ],
    }
    assert read_toml(typed.encode()) == read_json(json.dumps(meant).encode())


def test_what_is_left_out_takes_its_default() -> None:
    record = read_json(b'{"record": 1, "game": "rockaway", "players": ["Ann", "Ben"], "deals": []}')
    assert (record.game.revision, record.first_deal, record.totals, record.closed) == (1, 1, (0, 0), False)
    assert record.options["deals"] == 10
    bare = read_json(json.dumps(RECORD | {"deals": [{key: DEAL[key] for key in ("hands", "upcard")}]}).encode()).deals[
        0
    ]
    assert (bare.plays, bare.stock, bare.dealer, bare.points, bare.at, bare.note) == ((), (), None, None, None, None)


@pytest.mark.parametrize("at", ["1931-06-04T20:30:00Z", "1931-06-04t20:30:00.125z", "2016-12-31T23:59:60-00:00"])
def test_times(at: str) -> None:
    assert read_json(json.dumps(RECORD | {"deals": [DEAL | {"at": at}]}).encode()).deals[0].at == at


def test_many_brackets_and_dots_in_text_are_only_text() -> None:
    note = 'a.b.c.d.e.f [[[[ ]]]] # \'""" 1.2.3.4.5'
    deal = f"hands = [{', '.join(map(json.dumps, DEAL['hands']))}]\nupcard = '9h'\nnote = {json.dumps(note)}\n"
    record = read_toml(f"record=1\ngame='rockaway'\nplayers=['a.b.c.d.e.f','b']\n[[deals]]\n{deal}".encode())
    assert record.deals[0].note == note
    assert record.players[0] == "a.b.c.d.e.f"


def test_lines_that_are_blank_are_skipped_and_numbered() -> None:
    stream = io.BytesIO(b"\n{1}\r\n \t\r\n\n{2}")
    assert [(number, line.strip()) for number, line in ndjson_lines(stream)] == [(2, b"{1}"), (5, b"{2}")]


def test_of_a_line_too_long_only_the_beginning_is_read() -> None:
    stream = io.BytesIO(
        b" " * (3 * RECORD_BYTES) + b"{}\n{2}\n" + b"x" * RECORD_BYTES + b"\n" + b"y" * (RECORD_BYTES + 1)
    )
    lines = list(ndjson_lines(stream))
    assert [number for number, _ in lines] == [1, 2, 3, 4]
    assert len(lines[0][1]) == RECORD_BYTES + 2
    assert lines[1][1] == b"{2}\n"
    for _, line in (lines[0], lines[3]):
        with pytest.raises(MalformedRecordError, match="larger than"):
            read_json(line)


def test_plays_remembered_are_bounded() -> None:
    reader = PlayReader(find_game("rockaway"), 2)
    texts = [f"1{' ' * blanks}draw" for blanks in range(1, 490)]
    for mark in ("", "!"):
        for seat in "12":
            for card in ("", *(f" {rank}{suit}" for rank in "AKQJT9" for suit in "cdhs")):
                for text in texts[:100]:
                    play = reader[f"{text.replace('1', seat)}{card}{mark}"]
                    assert play.text == f"{seat} draw{card}{mark}"
                    assert len(reader) <= 5_000
