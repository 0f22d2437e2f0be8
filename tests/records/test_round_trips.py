"""Records go round: read and printed, in either form; stored as events and exported; whatever session they tell of."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.records.checking import check, walk
from replay.records.export import NotASessionError, record_of
from replay.records.printing import to_json, to_toml
from replay.records.reading import read_json, read_toml
from replay.records.structure import record_from
from replay.rules.cards import JOKER, PACK
from replay.rules.registry import GAMES
from replay.rules.session_events import DealEnded, Irregular
from tests.rules.seeded import session
from tests.seeds import rng, scaled

NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=100).filter(str.strip)
NOTES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]) | st.sampled_from("\n\t"), max_size=200)
CARDS = st.sampled_from([*PACK, JOKER])
TIMES = (
    st.datetimes(timezones=st.timezones())
    .map(lambda at: at.replace(microsecond=0).isoformat())
    .filter(lambda text: len(text) == len("1931-06-04T20:30:00+00:00"))
)
NUMBERS = st.integers(-(10**15), 10**15)


def lists(cards: st.SearchStrategy[str], most: int) -> st.SearchStrategy[str]:
    return st.lists(cards, max_size=most).map(" ".join)


@st.composite
def plain_records(draw: st.DrawFn) -> dict[str, Any]:
    """Any record of Rockaway by its form; what it tells of is for the rules to judge."""
    seats = draw(st.integers(2, 8))
    points = st.lists(NUMBERS, min_size=seats, max_size=seats)
    written = st.sampled_from(["play Ah", "play 2c", "draw", "draw Jk", "pass"])
    play = st.builds("{} {}{}".format, st.integers(1, seats), written, st.sampled_from(["", "!"]))
    deal = st.fixed_dictionaries(
        {"hands": st.lists(lists(CARDS, 9), min_size=seats, max_size=seats), "upcard": CARDS},
        optional={
            "dealer": st.integers(1, seats),
            "stock": lists(CARDS | st.just("??"), 20),
            "plays": st.lists(play, max_size=20),
            "points": points,
            "at": TIMES,
            "note": NOTES,
        },
    )
    options = st.fixed_dictionaries(
        {},
        optional={
            "deals": st.none() | st.integers(1, 10**9),
            "target": st.none() | st.integers(1, 10**9),
            "multi_ace": st.sampled_from(["per_ace", "once"]),
            "draw_past_fitting": st.booleans(),
            "exhausted_multiplier": st.integers(1, 1_000_000),
        },
    )
    return draw(
        st.fixed_dictionaries(
            {
                "record": st.just(1),
                "game": st.just("rockaway"),
                "players": st.lists(NAMES, min_size=seats, max_size=seats),
                "deals": st.lists(deal, max_size=3),
            },
            optional={
                "revision": st.just(1),
                "options": options,
                "first_deal": st.integers(1, 10**9),
                "totals": points,
                "closed": st.booleans(),
            },
        )
    )


@given(plain_records())
@settings(max_examples=scaled(1_000), deadline=None)
def test_reading_undoes_printing_in_either_form(plain: dict[str, Any]) -> None:
    record = record_from(plain)
    for read, to_text in ((read_json, to_json), (read_toml, to_toml)):
        printed = to_text(record)
        assert read(printed) == record
        assert to_text(read(printed)) == printed
    assert b"\n" not in to_json(record)


@given(plain_records())
@settings(max_examples=scaled(1_000), deadline=None)
def test_any_record_gets_a_verdict_and_always_the_same(plain: dict[str, Any]) -> None:
    verdict = check(record_from(plain))
    assert verdict == check(record_from(plain))
    assert [deal.ending is None for deal in verdict.deals[:-1]] == [False] * (len(verdict.deals) - 1)
    for deal in verdict.deals:
        assert (deal.stopped_at is None) == (deal.verdict not in ("illegal", "impossible"))


@pytest.mark.parametrize("irregular", [False, True], ids=["legal", "irregular"])
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_session_exported_is_clean_and_imported_is_itself(game: Any, irregular: bool) -> None:
    for number in range(scaled(400)):
        steps = list(session(game, rng(f"records {game.name} {number} {irregular}"), irregular=irregular))
        events = tuple(event for step in steps for event in step.events)
        opened = steps[0].after
        names = tuple(f"player {seat}" for seat in range(1, opened.seats + 1))
        record = record_of(events, names, include_unfinished=True)
        assert record.players == names
        verdict, again = walk(record, public=opened.public, owner=opened.owner)
        marked = any(isinstance(event, Irregular) for event in events)
        # A deal of a rum can go on without end (XA-3), so its players may leave it.
        whole = "unfinished" if steps[-1].after.playing else "clean"
        assert verdict.verdict == ("irregular" if marked else whole)
        assert verdict.winners == steps[-1].after.winners
        assert again == events
        assert to_json(record_of(again, names, include_unfinished=True)) == to_json(record)
        assert read_toml(to_toml(record)) == read_json(to_json(record)) == record


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_deal_in_progress_is_exported_only_if_asked_for(game: Any) -> None:
    steps = list(session(game, rng(f"in progress {game.name}"), irregular=False))
    events = [event for step in steps for event in step.events]
    ends = next(n for n, event in enumerate(events) if isinstance(event, DealEnded))
    before = events[: ends - 1]
    names = ("somebody",) * steps[0].after.seats
    assert record_of(before, names, include_unfinished=False).deals == ()
    record = record_of(before, names, include_unfinished=True)
    assert check(record).verdict == "unfinished"
    assert record.deals[0].points is None
    assert len(record.deals[0].plays) == len(before) - 2


def test_what_is_no_session_has_no_record() -> None:
    game = next(iter(GAMES.values()))
    events = [event for step in session(game, rng("no session"), irregular=False) for event in step.events]
    for broken in ([], events[1:], [events[0], *events[2:]]):
        with pytest.raises(NotASessionError):
            record_of(broken, ("Ann", "Ben"), include_unfinished=True)


def test_who_has_been_forgotten_is_written_as_his_seat() -> None:
    game = next(iter(GAMES.values()))
    steps = list(session(game, rng("forgotten"), irregular=False))
    names = ["somebody"] * steps[0].after.seats
    record = record_of((event for step in steps for event in step.events), [*names[:-1], None], include_unfinished=True)
    assert record.players == (*names[:-1], f"Seat {len(names)}")
    assert read_json(to_json(record)).players == record.players
