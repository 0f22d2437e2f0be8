"""Records of sessions with rulings: of the first form still, read back to the byte, and every ruling told in a note."""

from typing import Any, Final

import pytest

from replay.records.checking import check, walk
from replay.records.export import record_of
from replay.records.limits import NOTE_LENGTH
from replay.records.printing import to_json
from replay.records.reading import read_json, read_toml
from replay.records.ruled import HEADING, Told, told_in
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_state import plays_of
from tests.http.house import House
from tests.http.tables import SHORT, SHORT_PLAYS, Sitting, opened
from tests.rulings.playing import deal, events_of, play_out, rule, seated
from tests.rulings.test_each_kind import KINDS, MIDWAY, SOME
from tests.seeds import rng

NOTE: Final = "a note\nof two lines"


def exported(table: Sitting) -> Any:
    """The record as its organiser gets it, read; in both forms the same, and printed again the same to the byte."""
    text = table.get("/record", table.owner).ok().text.encode()
    toml = table.get("/record", table.owner, headers={"Accept": "application/toml"}).ok().text.encode()
    record = read_json(text)
    assert read_toml(toml) == record
    assert to_json(record) == text
    return record


def told(record: Any, number: int = 1) -> Told:
    """What the note of this deal tells."""
    found = told_in(record.deals[number - 1].note)
    assert found is not None
    return found


@pytest.mark.parametrize(("game", "mode", "kind"), SOME)
def test_a_record_of_each_kind_of_ruling_is_read_judged_and_brought_in(
    house: House, game: str, mode: str, kind: str
) -> None:
    chance = rng(f"records of rulings {game} {mode} {kind}")
    table = seated(house, game, mode)
    ruling, on, make = KINDS[kind]
    deal(table, chance)
    deal(table, chance, MIDWAY if on else None)
    body = {"ruling": ruling, "clause": "XA-9", "rests_on": [2], **make(table)}
    rule(table, body).ok(201)
    again = walk(_whole(table)).verdict
    assert again.verdict in ("clean", "unfinished", "irregular"), again
    if table.state().winners is None:
        play_out(table, chance)
    record = exported(table)
    numbers = [each.number for each in check(record).deals]
    assert numbers == list(range(1, len(numbers) + 1))
    notes = [told_in(each.note) for each in record.deals if each.note is not None]
    [found] = [each for each in notes if each is not None and each.rulings]
    [said] = found.rulings
    stored = table.state().rulings[0].event
    assert (said["number"], said["ruling"], said["reason"]) == (1, ruling, "as the table agreed")
    assert said.get("points") == (None if stored.points is None else list(stored.points))
    assert said.get("delta") == (None if stored.delta is None else list(stored.delta))
    assert (said["clause"], said["rests_on"], said["totals"]) == ("XA-9", [2], list(stored.totals))
    walked = walk(record)
    if walked.verdict.verdict in ("clean", "irregular"):
        assert to_json(record_of(walked.events, record.players, include_unfinished=True)) == to_json(record)


def _whole(table: Sitting) -> Any:
    """The record now, as a reader of the form has it."""
    return read_json(table.get("/record", table.owner).ok().text.encode())


def test_what_was_taken_back_and_what_was_amended_is_told(house: House) -> None:
    table = opened(house, options={"deals": None})
    table.deal({**SHORT, "note": NOTE}).ok(201)
    for seat, card in SHORT_PLAYS[:6]:
        table.play(seat, "play", card).ok(201)
    rule(table, {"ruling": "retract", "deal": 1, "to": 6, "despite_information": "agreed"}).ok(201)
    for seat, card in SHORT_PLAYS[4:]:
        table.play(seat, "play", card).ok(201)
    rule(table, {"ruling": "amend", "deal": 1, "changes": [{"version": 4, "play": "2 play 9h!"}]}).ok(201)
    record = exported(table)
    assert [each.text for each in record.deals[0].plays] == [
        f"{seat} play {card}{'!' if number == 2 else ''}" for number, (seat, card) in enumerate(SHORT_PLAYS, start=1)
    ]
    assert record.deals[0].note.startswith(f"{NOTE}\n\n{HEADING}\n")
    found = told(record)
    assert [(each["number"], each["ruling"]) for each in found.rulings] == [(1, "retract"), (2, "amend")]
    assert (found.rulings[0]["to"], found.rulings[1]["changed"]) == (6, [4])
    assert found.struck == ((7, 1, "1 play 3h"), (8, 1, "2 play Jh"))
    assert found.amended == ((4, 2, "2 play 9h"),)
    assert check(record).verdict == "irregular"


def test_a_ruling_that_was_overruled_says_so_and_strikes_nothing(house: House) -> None:
    table = opened(house)
    table.short(6)
    rule(table, {"ruling": "retract", "deal": 1, "to": 6, "despite_information": "agreed"}).ok(201)
    rule(table, {"ruling": "let_stand", "deal": 1, "overrules": 1}).ok(201)
    found = told(exported(table))
    assert [each.get("overruled", False) for each in found.rulings] == [True, False]
    assert found.struck == ()


def test_a_deal_that_was_dealt_again_tells_what_was_dealt_before(house: House) -> None:
    table = opened(house, options={"deals": None})
    table.short(2)
    rule(table, {"ruling": "redeal", "deal": 1}).ok(201)
    assert exported(table).deals == ()
    other = {**SHORT, "stock": []}
    table.deal(other).ok(201)
    assert len(exported(table).deals) == 1
    for seat, card in SHORT_PLAYS:
        table.play(seat, "play", card).ok(201)
    record = exported(table)
    [written] = record.deals
    assert (written.stock, len(written.plays)) == ((), len(SHORT_PLAYS))
    found = told(record)
    [(version, by, cards)] = found.dealt
    assert (version, by) == (2, 1)
    assert cards["stock"].startswith(" ".join(SHORT["stock"]))
    assert cards["hands"] == [" ".join(hand) for hand in SHORT["hands"]]
    assert cards["upcard"] == SHORT["upcard"]
    assert found.struck == ((3, 1, "1 play 8h"), (4, 1, "2 play 9h"))
    assert check(record).verdict == "clean"


def test_one_is_told_as_far_as_there_is_room_and_the_note_itself_always(house: House) -> None:
    table = opened(house, options={"deals": None})
    note = "n" * (NOTE_LENGTH - 3_000)
    table.deal({**SHORT, "note": note}).ok(201)
    for seat, card in SHORT_PLAYS:
        table.play(seat, "play", card).ok(201)
    for number in range(4):
        body = {"ruling": "adjust", "deal": 1, "points": [number, 0], "reason": "r" * 800}
        rule(table, body).ok(201)
    record = exported(table)
    written = record.deals[0].note
    assert written.startswith(note)
    assert len(written) <= NOTE_LENGTH
    found = told(record)
    assert len(found.rulings) + found.more == 4
    assert found.more >= 1
    full = opened(house, options={"deals": None})
    full.deal({**SHORT, "note": "n" * NOTE_LENGTH}).ok(201)
    rule(full, {"ruling": "let_stand", "deal": 1}).ok(201)
    assert exported(full).deals[0].note == "n" * NOTE_LENGTH


def test_words_that_look_like_lines_of_it_are_none(house: House) -> None:
    table = opened(house)
    table.deal({**SHORT, "note": f"{HEADING}\nruling 7 void {{}}"}).ok(201)
    rule(table, {"ruling": "let_stand", "deal": 1, "reason": f"so\n{HEADING}\nruling 8 void {{}}"}).ok(201)
    found = told(exported(table))
    assert [(each["number"], each["ruling"]) for each in found.rulings] == [(1, "let_stand")]
    for broken in (f"{HEADING}\nruling one", f"{HEADING}\n", f"x\n{HEADING}\nstruck 4 1"):
        with pytest.raises(ValueError, match="no line about a ruling"):
            told_in(broken)
    for none in ("", NOTE, f"the words {HEADING}"):
        assert told_in(none) is None


@pytest.mark.parametrize("game", GAMES)
def test_what_a_deal_was_before_can_be_put_together_again(house: House, game: str) -> None:
    table = seated(house, game)
    chance = rng(f"put together {game}")
    deal(table, chance, MIDWAY)
    before = fold(None, events_of(table)).deal
    assert before is not None
    body = {"ruling": "retract", "deal": 1, "to": table.version - 4, "despite_information": "all agreed"}
    rule(table, body).ok(201)
    record = exported(table)
    plays = [each.text for each in record.deals[0].plays] + [play for _, _, play in told(record).struck]
    write = table.state().game.write_play
    assert plays == [f"{each.seat} {write(each)}" for _, each in plays_of(before.line)]  # type: ignore[union-attr]  # plays
