"""Versions, ETag and If-Match: `Versions` of the contract, on every command that names the version it has seen."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.http.client import Answer
from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, Sitting, opened


class Command(NamedTuple):
    """A command that would be carried out now, on a session that stands ready for it."""

    sitting: Sitting
    tail: str
    body: Any
    token: str
    status: int

    def send(self, **more: Any) -> Answer:
        """Send it, with the If-Match that is given or none."""
        return self.sitting.post(self.tail, self.body, self.token, **{"match": None, **more})


def _deal(house: House) -> Command:
    sitting = opened(house)
    return Command(sitting, "/deals", SHORT, sitting.owner, 201)


def _play(house: House) -> Command:
    sitting = opened(house)
    sitting.short(4)
    return Command(sitting, "/plays", {"type": "play", "card": "3h"}, sitting.seats[1], 201)


def _close(house: House) -> Command:
    sitting = opened(house, options={"deals": None})
    sitting.short()
    return Command(sitting, "/close", {}, sitting.owner, 200)


@pytest.fixture(params=[_deal, _play, _close], ids=["deals", "plays", "close"])
def command(house: House, request: pytest.FixtureRequest) -> Command:
    """Each of the commands in turn."""
    make: Callable[[House], Command] = request.param
    return make(house)


def test_the_version_seen_is_enough_and_the_etag_is_the_new_one(command: Command) -> None:
    seen = command.sitting.version
    etag = command.sitting.get("", command.token).headers["ETag"]
    assert etag == f'"{seen}"'
    answer = command.send(match=etag).ok(command.status)
    assert answer["version"] == command.sitting.version == seen + 1
    assert answer.body == command.sitting.get("", command.token).body


def test_whatever_it_is_is_enough_too(command: Command) -> None:
    command.send(match="*").ok(command.status)


def test_none_is_428_with_the_version(command: Command) -> None:
    with nothing_recorded(command.sitting.house):
        command.send().problem("version-required", version=command.sitting.version)


@pytest.mark.parametrize("by", [-1, 1, 1000, 10**18])
def test_another_one_is_412_with_the_version(command: Command, by: int) -> None:
    seen = command.sitting.version
    with nothing_recorded(command.sitting.house):
        command.send(match=seen + by).problem("stale-version", version=seen)


@pytest.mark.parametrize("by", [-1, 1])
def test_another_one_is_412_in_a_process_that_has_just_started_too(command: Command, by: int) -> None:
    house, sitting = command.sitting.house.again(), command.sitting
    answer = house.client.post(sitting.path + command.tail, command.body, command.token, match=sitting.version + by)
    answer.problem("stale-version", version=sitting.version)


@pytest.mark.parametrize(
    "form",
    [
        *('W/"{}"', "{}", '"{}', '{}"', '"{}","{}"', '"{}", "1"', '"{}" "{}"', "'{}'", '"{}.0"', '" {}"', '"+{}"'),
        *('""', "", '*,"{}"', "**", '"*"', '"0x{}"', '"-{}"', '"{}e0"', '"' + "9" * 40 + '"', '"٣"', "x" * 5000),
    ],
)
def test_anything_but_one_version_in_quotes_is_422(command: Command, form: str) -> None:
    with nothing_recorded(command.sitting.house):
        command.send(match=form.format(*[command.sitting.version] * 2)).problem("invalid")


def test_a_refused_command_leaves_the_version(table: Sitting) -> None:
    table.short(1)
    seen = table.version
    with nothing_recorded(table.house):
        table.play(2, "draw").problem("illegal-play", version=seen)
        table.play(2, "play", "3h").problem("impossible-play", version=seen)
        table.deal(SHORT).problem("not-now", version=seen)
    assert table.version == seen


def test_a_play_is_one_event_and_the_end_of_a_deal_follows_in_the_same_append(table: Sitting) -> None:
    table.deal(SHORT).ok(201)
    versions = []
    for seat, card in [(1, "8h"), (2, "9h"), (1, "2h")]:
        versions.append(table.play(seat, "play", card).ok(201)["version"])
    assert versions == [3, 4, 5]
    table = opened(table.house)
    before = table.short(12)["version"]
    last = table.play(1, "play", "7h").ok(201)
    assert last.headers["ETag"] == f'"{before + 2}"'
    events = table.get(f"/events?after={before}", table.owner)["events"]
    assert [event["kind"] for event in events] == ["rockaway.card_played", "session.deal_ended"]
    assert events[0]["at"] == events[1]["at"]


def test_reads_postings_and_tokens_are_never_events(table: Sitting) -> None:
    table.short()
    seen = table.version
    assert table.house.score(table.id) == 1
    table.house.tokens.organiser(rules_all=False)
    for tail in ("", "?at=3", "/events", "/ledger", "/record", "/deals/1", "/deals/1/replay", "/plays"):
        table.get(tail, table.seats[1]).ok()
    assert table.version == seen


def test_a_star_is_judged_against_what_it_is_appended_to(table: Sitting) -> None:
    """Another process has gone on in between: the command is judged against that, not against what was seen here."""
    table.deal(SHORT).ok(201)
    other = table.house.again()
    play = {"type": "play", "card": "8h"}
    other.client.post(table.path + "/plays", play, table.seats[1], match="*").ok(201)
    answer = table.post("/plays", {"type": "play", "card": "9h"}, table.seats[2], match="*").ok(201)
    assert answer["version"] == 4
    table.post("/plays", {"type": "play", "card": "9h"}, table.seats[2], match="*").problem(
        "impossible-play", version=4
    )


def test_a_refusal_is_judged_against_the_log_as_it_is(table: Sitting) -> None:
    """What this process holds is old, and the version seen is the new one: the play is legal."""
    table.deal(SHORT).ok(201)
    table.house.again().client.post(table.path + "/plays", {"type": "play", "card": "8h"}, table.seats[1], match=2).ok(
        201
    )
    table.post("/plays", {"type": "play", "card": "9h"}, table.seats[2], match=3).ok(201)


def test_a_refusal_is_never_for_what_only_this_process_still_holds(table: Sitting) -> None:
    """What it holds is as old as what the caller has seen: the play is stale before it is illegal."""
    table.deal(SHORT).ok(201)
    table.house.again().client.post(table.path + "/plays", {"type": "play", "card": "8h"}, table.seats[1], match=2).ok(
        201
    )
    with nothing_recorded(table.house):
        table.play(2, "draw", match=2).problem("stale-version", version=3)
        table.play(2, "draw", match=3).problem("illegal-play", version=3)


def test_a_stale_draw_is_refused_although_it_would_be_legal(house: House) -> None:
    table = opened(house, 3)
    hands = [["2c", "3c", "4c", "5c", "6c", "7c", "8c"], ["2s", "3s", "4s", "5s", "6s", "7s", "8s"]]
    table.deal({"hands": [*hands, ["9s", "Ts", "Js", "Qs", "Ks", "9c", "Tc"]], "upcard": "Kh", "stock": ["Jc", "Qc"]})
    table.play(1, "draw", match=2).ok(201)
    table.play(1, "draw", match=2).problem("stale-version", version=3)
    assert table.get("", table.seats[1])["deal"]["stock_count"] == 29
