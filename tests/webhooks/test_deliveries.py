"""Deliveries come from the log: each event at least once, in its session's order, whatever happens to the receiver.

Time passes because a clock says so; nothing sleeps. Processes that are killed: tests/faults/test_webhook_kills.py.
"""

from itertools import pairwise
from threading import Event

import pytest

from tests.http.tables import Sitting, opened
from tests.ops.running import free_port
from tests.webhooks.post import HOUR, WHOLE, Post, post, verified
from tests.webhooks.receiver import LIMIT, Got, Receiver, receiver
from workers.webhooks.schedule import ATTEMPTS
from workers.webhooks.webhook import Webhook


def test_every_event_is_delivered_once_and_in_order(office: Post, there: Receiver, table: Sitting) -> None:
    webhook = office.webhook(there.url)
    office.rounds().settle()
    assert there.versions() == WHOLE
    verified(there.got, webhook, table.id)
    # Nor again, by this process or the next.
    office.rounds().settle()
    assert there.versions() == WHOLE


def test_what_comes_later_is_delivered_too(office: Post, there: Receiver) -> None:
    office.webhook(there.url)
    rounds = office.rounds()
    table = opened(office.house)
    rounds.settle()
    table.short(3)
    rounds.settle()
    another = opened(office.house)
    rounds.settle()
    assert [(got.id.split("_")[1], got.version) for got in there.got] == [
        *((table.id, version) for version in range(1, 6)),
        (another.id, 1),
    ]


def test_the_receiver_is_shown_what_an_onlooker_is_shown(office: Post, there: Receiver) -> None:
    """Of a deal in progress of a public session; the contract's own list of events says what that is."""
    public = opened(office.house, public=True)
    public.short(5)
    office.webhook(there.url)
    office.rounds().settle()
    listed = public.get("/events")["events"]
    assert len(listed) == 7
    for got, event in zip(there.got, listed, strict=True):
        for name in ("version", "kind", "seat", "at", "data"):
            assert got.event[name] == event[name]
    assert there.got[1].event["data"]["hands"] == [None, None]


class TestReceiverInTrouble:
    """Down, failing, silent: for an hour, then well again."""

    def after_an_hour(self, office: Post, webhook: Webhook, session: str, there: Receiver) -> None:
        """All of it has come by now, in order, and the first event was tried again and again."""
        first = [got for got in there.got if got.version == 1]
        verified(there.got, webhook, session)
        in_order = [version for at, version in enumerate(there.versions()) if version not in there.versions()[:at]]
        assert in_order == WHOLE
        outcomes = office.outcomes(webhook)
        failures = outcomes.count((1, "failed"))
        assert 5 <= failures < ATTEMPTS
        assert outcomes[failures:] == [(version, "delivered") for version in WHOLE]
        assert len({got.headers["webhook-timestamp"] for got in first}) == len(first)
        assert office.register.desk(webhook.id).waiting == {}

    def test_down_for_an_hour(self, office: Post, table: Sitting) -> None:
        port = free_port()
        webhook = office.webhook(f"http://127.0.0.1:{port}/hook")
        rounds = office.rounds()
        office.later(rounds, HOUR)
        assert {outcome for _, outcome in office.outcomes(webhook)} == {"failed"}
        with receiver(port=port) as there:
            office.later(rounds, HOUR)
            self.after_an_hour(office, webhook, table.id, there)
            assert there.versions() == WHOLE

    @pytest.mark.parametrize("status", [500, 302])
    def test_answers_that_are_no_success(self, office: Post, there: Receiver, table: Sitting, status: int) -> None:
        webhook = office.webhook(there.url)
        there.answer = lambda _: status
        rounds = office.rounds()
        office.later(rounds, HOUR)
        assert {got.version for got in there.got} == {1}
        there.answer = lambda _: 200
        office.later(rounds, HOUR)
        self.after_an_hour(office, webhook, table.id, there)

    def test_silent_for_an_hour(self, there: Receiver) -> None:
        with post(limit=0.05) as office:
            table = opened(office.house)
            table.short()
            webhook = office.webhook(there.url)
            there.hold = Event()
            rounds = office.rounds()
            office.later(rounds, HOUR)
            assert {each["error"] for each in office.register.attempts(webhook.id, 99)} == {"no answer within 0.05 s"}
            there.hold.set()
            there.hold = None
            # From now on it answers, and has time for it.
            office.limit = 30.0
            office.later(office.rounds(), HOUR)
            self.after_an_hour(office, webhook, table.id, there)

    def test_a_process_that_starts_anew_keeps_to_the_schedule(
        self, office: Post, there: Receiver, table: Sitting
    ) -> None:
        webhook = office.webhook(there.url)
        there.answer = lambda _: 500
        rounds = office.rounds()
        office.later(rounds, HOUR)
        tried = len(there.got)
        rounds = office.rounds()
        rounds.settle()
        assert len(there.got) == tried
        there.answer = lambda _: 200
        office.later(rounds, HOUR)
        self.after_an_hour(office, webhook, table.id, there)

    def test_no_attempt_comes_before_its_time(self, office: Post, there: Receiver) -> None:
        opened(office.house)
        webhook = office.webhook(there.url)
        there.answer = lambda _: 500
        office.later(office.rounds(), HOUR // 2, step=5_000)
        attempts = office.register.attempts(webhook.id, 99)[::-1]
        assert len(attempts) >= 5
        for before, after in pairwise(attempts):
            assert after["at"] >= before["next_at"]

    def test_the_store_goes_away_between_sending_and_noting(
        self, office: Post, there: Receiver, table: Sitting
    ) -> None:
        """The event is sent once more, the same to the byte; nothing is lost."""
        webhook = office.webhook(there.url)

        def away_at_the_third(got: Got) -> int:
            if got.version == 3:
                there.answer = lambda _: 200
                office.fake.server.connected = False
            return 200

        there.answer = away_at_the_third
        rounds = office.rounds()
        for future in rounds.turn():
            future.result(LIMIT)
        assert there.versions() == [1, 2, 3]
        office.fake.server.connected = True
        rounds.settle()
        assert there.versions() == [1, 2, 3, *WHOLE[2:]]
        verified(there.got, webhook, table.id)
