"""Streams of events and long polls: `GET …/events` as the contract has it. Whole processes are left to tests/faults."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis

from replay.shards import events_key
from service.watching import RECENT, Limits
from tests.http.house import Fake, House, on_server
from tests.http.streaming import NDJSON, SSE, Stream
from tests.http.tables import SHORT, SHORT_PLAYS, Sitting, opened
from tests.seeds import rng, scaled
from tests.store_server import StoreServer

LIMIT = 60.0
"""Seconds before a test gives up on something that takes moments."""
FORMS = (SSE, NDJSON)
FOLLOW = {SSE: "/events?", NDJSON: "/events?follow=true&"}


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.002)


def streamed(table: Sitting, token: str | None = None, tail: str = "", form: str = SSE, **headers: str) -> Stream:
    """A stream of this session's events."""
    made = Stream(table.house, table.path + FOLLOW[form] + tail, token, form=form, headers=headers)
    assert made.status == 200
    return made


def versions(events: list[dict[str, object]]) -> list[object]:
    return [event["version"] for event in events]


def play_deals(table: Sitting, count: int) -> None:
    """So many deals of fifteen events."""
    for _ in range(count):
        table.deal({**SHORT, "dealer": 2}).ok(201)
        for seat, card in SHORT_PLAYS:
            table.play(seat, "play", card).ok(201)


@pytest.fixture
def live(http_server: StoreServer) -> Iterator[House]:
    """A house on the real server: it tells of news at once."""
    with Redis.from_url(http_server.url) as client:
        client.flushall()
    made = House(on_server(http_server)).settled()
    yield made
    made.leave()


@pytest.mark.store
class TestStreams:
    """Both forms that do not end."""

    @pytest.mark.parametrize("form", FORMS)
    def test_what_was_and_then_what_comes(self, live: House, form: str) -> None:
        table = opened(live)
        table.short(3)
        with streamed(table, table.owner, form=form) as stream:
            assert stream.headers["Content-Type"] == form
            assert stream.headers["Cache-Control"] == "no-store"
            assert stream.headers["X-Accel-Buffering"] == "no"
            found = stream.take(5)
            for seat, card in SHORT_PLAYS[3:]:
                table.play(seat, "play", card).ok(201)
                found += stream.take(1)
            found += stream.take(1)
        assert versions(found) == [*range(1, 17)]
        assert found == table.get("/events", table.owner)["events"]

    @pytest.mark.parametrize("form", FORMS)
    def test_it_goes_on_after_a_version(self, live: House, form: str) -> None:
        table = opened(live)
        table.short(5)
        with streamed(table, table.owner, "after=3", form) as stream:
            assert versions(stream.take(4)) == [4, 5, 6, 7]
        with streamed(table, table.owner, "after=8", form) as stream:
            table.play(*SHORT_PLAYS[5][:1], "play", SHORT_PLAYS[5][1]).ok(201)
            table.play(SHORT_PLAYS[6][0], "play", SHORT_PLAYS[6][1]).ok(201)
            assert versions(stream.take(1)) == [9]

    def test_the_last_id_wins_over_after(self, live: House) -> None:
        table = opened(live)
        table.short(5)
        for tail, header, first in (("after=1", "5", 6), ("", "2", 3), ("after=6", "0", 1), ("after=4", "", 5)):
            with streamed(table, table.owner, tail, **{"Last-Event-ID": header}) as stream:
                assert versions(stream.take(1)) == [first]

    @pytest.mark.parametrize("form", FORMS)
    def test_each_sees_what_his_pages_show(self, live: House, form: str) -> None:
        table = opened(live, public=True)
        tokens = (None, table.owner, live.stranger, *table.seats.values())
        streams = [streamed(table, token, form=form) for token in tokens]
        table.deal(SHORT).ok(201)
        table.note(2, "draw", irregular=True).ok(201)
        for stream, token in zip(streams, tokens, strict=True):
            assert stream.take(3) == table.get("/events", token)["events"]
            stream.close()
        for token in tokens:
            with streamed(table, token, form=form) as stream:
                assert stream.take(3) == table.get("/events", token)["events"]

    def test_what_is_over_is_shown_to_who_comes_then_and_not_sent_again(self, live: House) -> None:
        table = opened(live, public=True)
        before = streamed(table)
        table.deal(SHORT).ok(201)
        table.note(2, "draw", irregular=True).ok(201)
        hidden = before.take(3)
        assert [hidden[1]["data"]["hands"], hidden[2]["data"]["card"]] == [[None, None], None]
        for seat, card in SHORT_PLAYS:
            table.note(seat, "play", card, irregular=True).ok(201)
        assert versions(before.take(14)) == [*range(4, 18)]
        with streamed(table) as stream:
            seen = stream.take(17)
        assert seen == table.get("/events")["events"]
        assert seen[1]["data"]["hands"] == SHORT["hands"]
        assert seen[2]["data"]["card"] == "3c"
        before.close()

    @pytest.mark.parametrize("form", FORMS)
    def test_who_is_far_behind_reads_the_log(self, live: House, form: str) -> None:
        table = opened(live, options={"deals": None})
        with streamed(table, table.owner, form=form) as slow:
            slow.take(1)
            deals = RECENT // 15 + 2
            play_deals(table, deals)
            assert versions(slow.take(15 * deals)) == [*range(2, 15 * deals + 2)]
            table.post("/close", {}, table.owner).ok()
            assert versions(slow.take(1)) == [15 * deals + 2]

    def test_a_comment_when_nothing_happens_and_never_an_id(self, http_server: StoreServer) -> None:
        house = House(on_server(http_server), limits=Limits(comment_every=0.01)).settled()
        table = opened(house)
        for form, first, comment in ((SSE, "retry: 1000\n\n", ":\n\n"), (NDJSON, "\n", "\n")):
            with streamed(table, table.owner, "after=1", form) as stream:
                assert [stream.raw() for _ in range(3)] == [first, comment, comment]
        house.leave()

    @pytest.mark.parametrize("form", FORMS)
    def test_all_end_when_the_process_stops(self, live: House, form: str) -> None:
        table, other = opened(live), opened(live)
        streams = [streamed(each, each.owner, form=form) for each in (table, table, table, other)]
        for stream in streams:
            stream.take(1)
        with ThreadPoolExecutor(len(streams)) as pool:
            rests = [pool.submit(stream.rest) for stream in streams]
            live.context.watching.stop()
            assert [rest.result(LIMIT) for rest in rests] == [[], [], [], []]
        with streamed(table, table.owner, form=form) as late:
            assert late.rest() == []

    def test_a_log_that_cannot_be_believed_ends_it(self, live: House) -> None:
        table = opened(live)
        table.short(2)
        with streamed(table, table.owner) as stream:
            stream.take(4)
            live.events.xadd(events_key(table.id), {"p": b"[not an event"}, id="5-0")
            assert stream.rest() == []
        table.get("/events?after=4", table.owner).problem("diverged", version=5)
        asked = Stream(live, table.path + "/events", table.owner)
        assert asked.status == 409

    def test_one_thread_reads_for_all(self, live: House) -> None:
        tables = [opened(live) for _ in range(3)]
        before = {thread for thread in threading.enumerate() if thread.name == "watching"}
        streams = [streamed(table, table.owner) for table in tables for _ in range(3)]
        reading = {thread for thread in threading.enumerate() if thread.name == "watching"} - before
        assert len(reading) == 1
        for table in tables:
            table.short(1)
        for stream in streams:
            assert versions(stream.take(3)) == [1, 2, 3]
            stream.close()

    def test_everybody_hears_everything_whenever_he_comes(self, live: House) -> None:
        """Many come at any moment and from any place, while plays go on."""
        table = opened(live, options={"deals": None})
        chance = rng("streams/whenever")
        count, deals = scaled(400) + 8, scaled(100) + 2
        last = 1 + 15 * deals
        asked = [(chance.randrange(last), chance.choice(FORMS), chance.random() * 0.02 * n) for n in range(count)]
        begun = threading.Semaphore(0)

        def listen(after: int, form: str, delay: float) -> list[object]:
            threading.Event().wait(delay)
            begun.release()
            with streamed(table, table.owner, f"after={after}", form) as stream:
                return versions(stream.take(last - after))

        with ThreadPoolExecutor(count) as pool:
            heard = [pool.submit(listen, *each) for each in asked]
            begun.acquire()
            play_deals(table, deals)
            for (after, _, _), found in zip(asked, heard, strict=True):
                assert found.result(LIMIT) == [*range(after + 1, last + 1)]
        assert live.context.watching.open == 0


class TestForms:
    """What is asked for how, and what is refused."""

    @pytest.mark.parametrize("query", ["limit=5", "cursor=AA", "wait=1", "follow=true", "at=1", "after=-1", "after=x"])
    def test_a_stream_has_no_pages(self, table: Sitting, query: str) -> None:
        table.get(f"/events?{query}", table.owner, headers={"Accept": SSE}).problem("invalid")
        assert table.house.context.watching.open == 0

    @pytest.mark.parametrize("query", ["limit=5", "cursor=AA", "wait=1", "at=1", "after=x"])
    def test_lines_that_do_not_end_have_none_either(self, table: Sitting, query: str) -> None:
        table.get(f"/events?follow=true&{query}", table.owner, headers={"Accept": NDJSON}).problem("invalid")
        table.get(f"/events?follow=maybe&{query}", table.owner, headers={"Accept": NDJSON}).problem("invalid")

    @pytest.mark.parametrize("last", ["x", "-1", "1.0", "1 2", "9" * 19, "\u0661"])
    def test_an_id_that_no_stream_gave_is_422(self, table: Sitting, last: str) -> None:
        asked = {"Accept": SSE, "Last-Event-ID": last.encode().decode("latin-1")}
        answer = table.get("/events", table.owner, headers=asked).problem("invalid")
        assert list(answer["errors"]) == ["Last-Event-ID"]

    @pytest.mark.parametrize("form", FORMS)
    def test_a_stream_is_no_more_anybodys_than_a_page(self, table: Sitting, form: str) -> None:
        path = FOLLOW[form]
        table.get(path, None, headers={"Accept": form}).problem("not-found")
        table.get(path, table.house.stranger, headers={"Accept": form}).problem("not-found")
        table.get(path, "uorg.nobody", headers={"Accept": form}).problem("unauthenticated")

    @pytest.mark.parametrize("form", FORMS)
    def test_head_takes_no_place(self, table: Sitting, form: str) -> None:
        path = table.path + FOLLOW[form]
        answer = table.house.client.call("HEAD", path, token=table.owner, headers={"Accept": form})
        assert (answer.status, answer.headers["Content-Type"]) == (200, form)
        assert table.house.context.watching.open == 0

    def test_lines_by_the_page_are_the_page(self, table: Sitting) -> None:
        table.short()
        whole = table.get("/events", table.owner)["events"]
        seen, path = [], "/events?limit=5&after=1"
        while path:
            answer = table.get(path, table.owner, headers={"Accept": NDJSON}).ok()
            assert answer.headers["Content-Type"] == NDJSON
            seen += answer.text.splitlines(keepends=True)
            link = answer.headers.get("Link")
            path = link[link.index("/events") : link.index(">")] if link else ""
        assert all(line.endswith("}\n") for line in seen)
        with_page = table.get("/events", table.owner, headers={"Accept": NDJSON}).text.splitlines(keepends=True)
        assert seen == with_page[1:]
        assert len(with_page) == len(whole) == 16


class TestLimits:
    """There is place for so many, and no more."""

    @pytest.fixture
    def small(self, fake: Fake) -> Iterator[House]:
        made = House(fake, limits=Limits(streams=3, per_address=2)).settled()
        yield made
        made.leave()

    def test_the_one_too_many_is_told_to_come_again(self, small: House) -> None:
        table = opened(small)
        held = [Stream(small, table.path + "/events", table.owner, address=f"192.0.2.{n}") for n in range(3)]
        one_more = Stream(small, table.path + "/events", table.owner, address="192.0.2.9")
        assert (one_more.status, int(one_more.headers["Retry-After"]) > 0) == (503, True)
        asked = {"Accept": SSE}
        table.get("/events", table.owner, headers=asked).problem("too-many-streams")
        table.get("/events?after=1&wait=1", table.owner).problem("too-many-streams")
        table.short(1)
        held.pop().close()
        with Stream(small, table.path + "/events", table.owner, address="192.0.2.9") as again:
            assert versions(again.take(3)) == [1, 2, 3]
        for stream in held:
            stream.close()
        assert small.context.watching.open == 0

    def test_for_the_one_too_many_all_show_that_they_are_there(self, fake: Fake) -> None:
        """As they do by sending something, so that the web server finds who has left."""
        house = House(fake, limits=Limits(streams=3, comment_every=4 * LIMIT)).settled()
        table = opened(house)
        held = [streamed(table, table.owner, "after=1", form) for form in (*FORMS, SSE)]
        assert [stream.raw() for stream in held] == ["retry: 1000\n\n", "\n", "retry: 1000\n\n"]
        with ThreadPoolExecutor(3) as pool:
            shown = [pool.submit(stream.raw) for stream in held]

            def refused() -> bool:
                assert Stream(house, table.path + "/events", table.owner).status == 503
                return all(each.done() for each in shown)

            # The first may come before they have lain down.
            until(refused, "all have shown it")
            assert [each.result() for each in shown] == [":\n\n", "\n", ":\n\n"]
        for stream in held:
            stream.close()
        house.leave()

    def test_of_one_address_sooner(self, small: House) -> None:
        table = opened(small)
        held = [Stream(small, table.path + "/events", table.owner) for _ in range(2)]
        assert Stream(small, table.path + "/events", table.owner).status == 503
        with Stream(small, table.path + "/events", table.owner, address="192.0.2.2") as other:
            assert other.status == 200
        for stream in held:
            stream.close()
            stream.close()
        assert small.context.watching.open == 0


@pytest.mark.store
class TestLongPoll:
    """`?after=&wait=`."""

    def test_it_answers_when_something_happens(self, live: House) -> None:
        table = opened(live)
        with ThreadPoolExecutor(1) as pool:
            polled = pool.submit(table.get, f"/events?after=1&wait={LIMIT:.0f}", table.owner)
            until(lambda: live.context.watching.open == 1, "the poll waits")
            table.deal(SHORT).ok(201)
            answer = polled.result(LIMIT).ok()
        assert versions(answer["events"]) == [2]
        assert answer["next"] is None
        assert live.context.watching.open == 0

    def test_what_is_there_is_not_waited_for(self, live: House) -> None:
        table = opened(live)
        table.short(2)
        assert versions(table.get(f"/events?after=2&wait={LIMIT:.0f}", table.owner).ok()["events"]) == [3, 4]

    def test_nothing_is_an_empty_page(self, live: House) -> None:
        table = opened(live)
        for query in ("after=1&wait=1", "after=1&wait=0", "after=7&wait=1"):
            answer = table.get(f"/events?{query}", table.owner).ok()
            assert answer.body == {"events": [], "next": None}

    def test_it_ends_when_the_process_stops(self, live: House) -> None:
        table = opened(live)
        with ThreadPoolExecutor(1) as pool:
            polled = pool.submit(table.get, f"/events?after=1&wait={LIMIT:.0f}", table.owner)
            until(lambda: live.context.watching.open == 1, "the poll waits")
            live.context.watching.stop()
            assert polled.result(LIMIT / 2).ok().body == {"events": [], "next": None}

    @pytest.mark.parametrize("wait", ["61", "-1", "x", "", "1.5"])
    def test_a_wait_that_nobody_grants_is_422(self, live: House, wait: str) -> None:
        opened(live).get(f"/events?wait={wait}", live.owner).problem("invalid")
