"""Amendments: which later plays no longer hold, against a second check of the edited record (F4).

The second check knows nothing of rulings: it walks the record, and where a play is illegal marks it and walks again.
"""

from random import Random
from typing import Any, Final, NamedTuple

import pytest

from replay.records.checking import check
from replay.records.export import record_of
from replay.records.notation import play_reader
from replay.records.record import Record, WrittenPlay
from replay.rules.game import AnyGame, BrokenLineError, IllegalPlayError, RefusedError
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_amend import RulingCommand, plain
from replay.rules.session_decide import open_session, start_deal
from replay.rules.session_events import DealEnded, Event
from replay.rules.session_rule import rule
from replay.rules.session_state import Deal, Session, Span, plays_of
from service.previews import no_longer_hold
from tests.rules.tables import support_of
from tests.rulings.playing import OPTIONS, SEATS, dealt_by_chance, played_by_chance
from tests.seeds import rng, scaled

EDITED: Final = scaled(200)
NAMES: Final = ("Ann", "Ben", "Cy", "Dee")


class Told(NamedTuple):
    """A recorded session of two finished deals."""

    events: list[Event]
    session: Session
    ends: dict[int, Deal]

    def history(self, span: Span) -> Deal:
        """A finished deal as it stood at its end."""
        return self.ends[span.first]


def recorded(game: AnyGame, chance: Random) -> Told:
    """Played by chance. No deal is the last, so that another result ends nothing."""
    options = {**OPTIONS[game.name], "deals": 10}
    opened = open_session(game, seats=SEATS[game.name], options=options, mode="recorded", public=False, owner="club")
    events: list[Event] = [opened]
    session = fold(None, events)
    ends: dict[int, Deal] = {}
    for _ in range(2):
        started: list[Event] = [start_deal(session, dealt_by_chance(session, chance))]
        started += played_by_chance(fold(session, started), chance)
        assert isinstance(started[-1], DealEnded)
        events += started
        session = fold(session, started)
        assert session.deal is not None
        ends[session.deal.first] = session.deal
    return Told(events, session, ends)


def another_play(told: Told, chance: Random) -> tuple[int, int, str]:
    """A play of the first deal, by its version and its place, and another one that some table could have made there,
    marked if the rules forbid it."""
    first = told.ends[told.session.finished[0].first]
    line = plays_of(first.line)
    game = told.session.game
    while True:
        at = chance.randrange(len(line))
        version, event = line[at]
        before = fold(None, told.events[: version - 1]).deal
        assert before is not None
        own: Any = plain(event)
        seat: int = own.seat if chance.random() < 0.8 else chance.randrange(told.session.seats) + 1
        said = list(support_of(game).sayable(before.state, seat))
        chance.shuffle(said)
        for command in said[:20]:
            if game.impossible(before.state, command) is not None:
                continue
            text = f"{seat} {game.write_play(game.outcome(before.state, command))}"
            if text != f"{own.seat} {game.write_play(own)}":
                forbidden = game.forbidden(before.state, command) is not None
                return version, at + 1, text + "!" * forbidden


def checked_again(record: Record, changed: tuple[int, str]) -> tuple[list[tuple[int, int, str | None]], str]:
    """The later plays of the edited record that do not hold: deal, play, clause. And how it ends: `over`, `impossible`,
    or `open`, if the first deal is no longer over."""
    place, text = changed
    record = _with_play(record, 0, place, text)
    failing: list[tuple[int, int, str | None]] = []
    while True:
        verdict = check(record)
        stop = next((deal.stopped_at for deal in verdict.deals if deal.stopped_at is not None), None)
        number = len(verdict.deals)
        if stop is None:
            return failing, "over" if number == 2 and verdict.deals[-1].ending is not None else "open"
        failing.append((number, stop.play, stop.clause))
        if verdict.deals[-1].verdict == "impossible" or stop.clause == "XA-15":
            return failing, "impossible"
        record = _with_play(record, number - 1, stop.play, f"{stop.text}!")


def _with_play(record: Record, deal: int, place: int, text: str) -> Record:
    reader = play_reader(record.game.name, record.game.revision, len(record.players))
    written = record.deals[deal]
    plays: list[WrittenPlay] = [*written.plays]
    plays[place - 1] = reader[text]
    deals = [*record.deals]
    deals[deal] = written._replace(plays=tuple(plays))
    return record._replace(deals=tuple(deals))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_plays_that_no_longer_hold_are_those_that_a_second_check_names(game: AnyGame) -> None:
    chance = rng(f"amendments {game.name}")
    ends = set()
    for _ in range(max(EDITED // len(GAMES), 6)):
        table = recorded(game, chance)
        version, place, text = another_play(table, chance)
        record = record_of(table.events, NAMES[: table.session.seats], include_unfinished=False)
        wanted, end = checked_again(record, (place, text))
        ends.add(end)
        command = RulingCommand("amend", "the scribe nodded", deal=1, changes=((version, text),))
        after: Session | None = None
        try:
            ruled = rule(table.session, command, table.history)
            after = fold(table.session, ruled)
        except BrokenLineError:
            assert end != "over"
        named = no_longer_hold(table.session, command, after, table.history)
        where = [(_deal_of(table, each.version), each.play, each.clause) for each in named]
        if end == "open":
            # The check has no play to name: the deal only goes on.
            assert where.pop()[0::2] == (1, None)
        assert where == wanted, (text, place)
        assert (after is not None) == (end == "over")
        if after is not None:
            _counts_as_checked(record, wanted, (place, text), after)
    assert ends, "nothing was amended"


def _deal_of(table: Told, version: int) -> int:
    return next(span.number for span in table.session.finished if span.first < version <= span.last)


def _counts_as_checked(
    record: Record, failing: list[tuple[int, int, str | None]], changed: tuple[int, str], after: Session
) -> None:
    """The amended deal counts what the check says of the edited record with its failing plays marked."""
    record = _with_play(record, 0, *changed)
    for number, play, _ in failing:
        text = record.deals[number - 1].plays[play - 1].text
        record = _with_play(record, number - 1, play, f"{text}!")
    verdict = check(record)
    assert verdict.deals[-1].totals == after.totals
    assert tuple(deal.points for deal in verdict.deals) == tuple(span.points for span in after.finished)


@pytest.fixture(scope="module")
def table() -> Told:
    """A table of Rockaway."""
    return recorded(GAMES["rockaway"], rng("amend refusals"))


class TestRefusals:
    """What cannot be amended, and what must be marked."""

    def test_a_play_that_the_rules_forbid_must_be_marked(self, table: Told) -> None:
        chance = rng("amend unmarked")
        marked = "", 0
        while not marked[0].endswith("!"):
            version, _, text = another_play(table, chance)
            marked = text, version
        changes = ((marked[1], marked[0].removesuffix("!")),)
        with pytest.raises(IllegalPlayError):
            rule(table.session, RulingCommand("amend", "", deal=1, changes=changes), table.history)

    @pytest.mark.parametrize(
        "text", ["", "1", "x draw", "0 draw", "9 draw", "1 jump", "1 play", "1 play Zz", "1 draw draw draw", "!", " !"]
    )
    def test_what_is_no_play(self, table: Told, text: str) -> None:
        self._refused(table, ((table.session.finished[0].first + 1, text),))

    @pytest.mark.parametrize("version", [0, 1, 2, 10**6])
    def test_a_version_that_is_no_play(self, table: Told, version: int) -> None:
        self._refused(table, ((version, "1 draw"),))

    def test_nothing_at_all(self, table: Told) -> None:
        self._refused(table, ())

    def test_a_deal_that_there_is_not(self, table: Told) -> None:
        self._refused(table, ((3, "1 draw"),), deal=3)
        self._refused(table, ((3, "1 draw"),), deal=None)

    def _refused(self, table: Told, changes: Any, deal: int | None = 1) -> None:
        with pytest.raises(RefusedError):
            rule(table.session, RulingCommand("amend", "", deal=deal, changes=changes), table.history)
