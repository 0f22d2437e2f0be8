"""`POST …/entropy` and the organiser's `{"entropy": …}`: who, when, how often, which texts; and what a session says.

That a deal follows from what was mixed into it is in test_strangers.py.
"""

from typing import Any, Final

import pytest

from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, Sitting, opened, play_out

TEXTS: Final = {
    "one character": "x",
    "a blank": " ",
    "200 characters": "x" * 200,
    "800 bytes": "\N{GRINNING FACE}" * 200,
    "composed": "\N{LATIN SMALL LETTER E WITH ACUTE}",
    "decomposed": "e\N{COMBINING ACUTE ACCENT}",
    "another direction": "\N{RIGHT-TO-LEFT OVERRIDE}9c",
    "markup": "<script>alert(1)</script>",
    "quotes": "\"'\\ {0} %s",
}
NO_TEXTS: Final[dict[str, Any]] = {
    "empty": "",
    "201 characters": "x" * 201,
    "NUL": "a\x00b",
    "a line break": "a\nb",
    "a tab": "\t",
    "DEL": "\x7f",
    "a control of the second kind": "\x85",
    "a line separator": "\N{LINE SEPARATOR}",
    "a paragraph separator": "\N{PARAGRAPH SEPARATOR}",
    "null": None,
    "a number": 7,
    "a truth": True,
    "a list": ["x"],
    "an object": {"entropy": "x"},
}


@pytest.fixture
def shuffling(house: House) -> Sitting:
    """A session of three in which the service shuffles."""
    return opened(house, 3, mode="dealt", public=True)


def give(table: Sitting, seat: int, text: Any, **more: Any) -> Any:
    """A seat's text, without If-Match unless a test says so."""
    return table.post("/entropy", {"entropy": text}, table.seats[seat], **{"match": None, **more})


def test_each_seats_text_is_an_event_and_everybody_reads_it(shuffling: Sitting) -> None:
    for version, (seat, text) in enumerate([(2, "two"), (1, "one"), (3, "three")], start=2):
        answer = give(shuffling, seat, text).ok(201)
        assert answer["version"] == version
        [event] = shuffling.get(f"/events?after={version - 1}").ok()["events"]
        assert (event["kind"], event["seat"], event["who"]) == ("session.entropy_added", seat, f"seat:{seat}")
        assert (event["data"], event["seals"], event["salts"]) == ({"text": text}, {}, {})
        assert (event["digest"], event["request"]) == (answer["head"], answer.request)
    for token in (None, shuffling.owner, *shuffling.seats.values()):
        assert shuffling.get("", token)["entropy"] == ["one", "two", "three"]
    assert shuffling.get("?at=2")["entropy"] == [None, "two", None]


def test_one_a_seat_and_deal_and_only_between_deals(shuffling: Sitting) -> None:
    give(shuffling, 1, "one").ok(201)
    with nothing_recorded(shuffling.house):
        for text in ("one", "another"):
            give(shuffling, 1, text).problem("not-now", version=2)
    answer = shuffling.deal().ok(201)
    assert answer["entropy"] == ["one", None, None]
    with nothing_recorded(shuffling.house):
        for seat in (1, 2):
            give(shuffling, seat, "late").problem("not-now", version=3)
    assert play_out(shuffling)["entropy"] == [None, None, None]
    give(shuffling, 1, "one").ok(201)
    give(shuffling, 2, "two").ok(201)


def test_after_the_last_deal_there_is_nothing_to_mix_it_into(house: House) -> None:
    table = opened(house, mode="dealt", options={"deals": 1})
    table.deal().ok(201)
    play_out(table)
    with nothing_recorded(house):
        give(table, 1, "late").problem("not-now", clause="XA-15")


def test_at_a_recorded_table_nothing_is_shuffled(table: Sitting) -> None:
    with nothing_recorded(table.house):
        give(table, 1, "x").problem("not-now", version=1)
        answer = table.deal({**SHORT, "entropy": "x"}).problem("invalid")
        assert list(answer["errors"]) == ["entropy"]
    assert table.get("", table.owner)["entropy"] == [None, None]


def test_if_match_may_be_left_out_and_counts_if_it_is_there(shuffling: Sitting) -> None:
    with nothing_recorded(shuffling.house):
        give(shuffling, 1, "one", match=2).problem("stale-version", version=1)
        give(shuffling, 1, "one", match="x").problem("invalid")
    give(shuffling, 1, "one", match=1).ok(201)
    give(shuffling, 2, "two", match="*").ok(201)
    give(shuffling, 3, "three").ok(201)


def test_it_goes_through_although_another_process_has_gone_on(shuffling: Sitting) -> None:
    shuffling.get("").ok()
    other = shuffling.house.again().client
    other.post(f"{shuffling.path}/entropy", {"entropy": "two"}, shuffling.seats[2]).ok(201)
    answer = give(shuffling, 1, "one").ok(201)
    assert (answer["version"], answer["entropy"]) == (3, ["one", "two", None])


def test_a_key_makes_it_one_text(shuffling: Sitting) -> None:
    first = give(shuffling, 1, "one", key="k").ok(201)
    give(shuffling, 2, "two", key="k").ok(201)
    with nothing_recorded(shuffling.house):
        again = give(shuffling, 1, "one", key="k").ok(201)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.body == first.body
        give(shuffling, 1, "other", key="k").problem("key-reused")
        give(shuffling, 1, "one").problem("not-now")


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_line_of_text_is_kept_as_it_was_sent(house: House, text: str) -> None:
    table = opened(house, mode="dealt")
    assert give(table, 1, text).ok(201)["entropy"] == [text, None]
    table.deal({"entropy": text}).ok(201)
    added, started = table.get("/events?after=1", table.seats[2])["events"]
    assert added["data"]["text"] == started["data"]["entropy"] == text


@pytest.mark.parametrize("text", NO_TEXTS.values(), ids=NO_TEXTS)
def test_what_is_no_line_of_text_is_422_from_a_seat_and_from_the_organiser(house: House, text: Any) -> None:
    table = opened(house, mode="dealt")
    with nothing_recorded(house):
        for answer in (give(table, 1, text), table.deal({"entropy": text})):
            assert list(answer.problem("invalid")["errors"]) == ["entropy"]


def test_half_a_character_is_no_json(house: House) -> None:
    table = opened(house, mode="dealt")
    with nothing_recorded(house):
        for tail, token in (("/entropy", table.seats[1]), ("/deals", table.owner)):
            table.post(tail, raw=b'{"entropy": "\\ud83d"}', token=token).problem("malformed")


def test_a_text_there_must_be_and_nothing_else(shuffling: Sitting) -> None:
    with nothing_recorded(shuffling.house):
        for body, at_fault in (({}, "entropy"), ({"entropy": "x", "seat": 1}, "seat"), ({"entropy": "x", "a": 1}, "a")):
            answer = shuffling.post("/entropy", body, shuffling.seats[1]).problem("invalid")
            assert list(answer["errors"]) == [at_fault]
        shuffling.post("/entropy", None, shuffling.seats[1]).problem("unsupported-media-type")


def test_the_organisers_text_comes_with_the_deal_or_not_at_all(house: House) -> None:
    table = opened(house, mode="dealt")
    for sent, kept in (({"entropy": "from above"}, "from above"), ({}, "")):
        answer = table.deal(sent).ok(201)
        events = table.get(f"/events?after={answer['version'] - 1}", table.seats[1])["events"]
        assert (events[0]["kind"], events[0]["data"]["entropy"]) == ("session.deal_started", kept)
        play_out(table)


class TestCommitment:
    """`commitment` in a session: the seal of the seed of the deal that is on, or of the next."""

    def test_it_changes_at_the_opening_and_at_a_deals_end_alone(self, house: House) -> None:
        table = opened(house, mode="dealt", public=True, options={"deals": 2})
        while table.get("")["status"] != "over":
            give(table, 1, "x").ok(201)
            table.deal().ok(201)
            play_out(table)
        events = table.get("/events?limit=500")["events"]
        committed: str | None = None
        for event in events:
            if event["kind"] in ("session.opened", "session.deal_ended"):
                committed = event["seals"].get("seed")
            else:
                assert "seed" not in event["seals"]
            assert table.get(f"?at={event['version']}")["commitment"] == committed
        found = [event["seals"]["seed"] for event in events if "seed" in event["seals"]]
        assert len(found) == len(set(found)) == 2
        assert committed is None, "after the last deal nothing is committed to"

    def test_it_is_there_as_soon_as_the_session_is_and_no_two_are_alike(self, house: House) -> None:
        found = [house.client.get(opened(house, mode="dealt").path, house.owner)["commitment"] for _ in range(4)]
        assert len(set(found)) == 4
        assert {len(each) for each in found} == {64}

    def test_at_a_recorded_table_there_is_none(self, table: Sitting) -> None:
        table.short()
        for version in range(1, table.version + 1):
            assert table.get(f"?at={version}", table.owner)["commitment"] is None
        assert all("seed" not in event["seals"] for event in table.get("/events", table.owner)["events"])
