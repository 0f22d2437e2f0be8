"""Deliveries come from the log: each event at least once, in its session's order, whatever happens to the receiver.

Time passes because a clock says so; nothing sleeps. Processes that are killed: tests/faults/test_webhook_kills.py.
"""

from collections.abc import Iterator
from itertools import pairwise
from threading import Event
from typing import Final

import pytest

from replay.shards import events_key
from service.tokens import token_digest
from tests.http.tables import SHORT, Sitting, opened
from tests.ops.running import free_port
from tests.webhooks.post import HOUR, KEY, Post, post
from tests.webhooks.receiver import LIMIT, Got, Receiver, receiver, signed_by
from workers.webhooks.register import Pending
from workers.webhooks.schedule import ATTEMPTS
from workers.webhooks.signing import fingerprint, secret
from workers.webhooks.webhook import DEAD_LETTERS, Webhook

WHOLE: Final = list(range(1, 17))
"""Versions of a session whose one short deal is over: opened, dealt, thirteen plays, ended."""


@pytest.fixture
def office() -> Iterator[Post]:
    """A post with a house on fakeredis."""
    with post() as made:
        yield made


@pytest.fixture
def there() -> Iterator[Receiver]:
    """A receiver that takes everything."""
    with receiver() as made:
        yield made


@pytest.fixture
def table(office: Post) -> Sitting:
    """A session of which one deal has been played."""
    made = opened(office.house)
    made.short()
    return made


def verified(gots: list[Got], webhook: Webhook, session: str) -> None:
    """Each is signed, and has its event's id and always the same bytes."""
    bodies: dict[str, bytes] = {}
    for got in gots:
        assert signed_by(got, secret(KEY, webhook.id, 1))
        assert got.id == f"evt_{session}_{got.version}"
        assert bodies.setdefault(got.id, got.body) == got.body


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


class TestGivingUp:
    """After more than a day an event is set aside, and the session goes on."""

    @pytest.fixture
    def poisoned(self, office: Post, there: Receiver, table: Sitting) -> Webhook:
        """A webhook whose receiver takes everything but one event, whose attempts have all been used up."""
        assert table.version == 16
        webhook = office.webhook(there.url)
        there.answer = lambda got: 500 if got.version == 4 else 200
        office.later(office.rounds(), 40 * HOUR, step=HOUR // 4)
        return webhook

    def test_the_event_is_a_dead_letter_and_the_others_come(
        self, office: Post, there: Receiver, table: Sitting, poisoned: Webhook
    ) -> None:
        tried = [got for got in there.got if got.version == 4]
        assert len(tried) == ATTEMPTS
        seconds = [int(got.headers["webhook-timestamp"]) for got in tried]
        assert seconds[-1] - seconds[0] >= 86_400
        assert [version for version in there.versions() if version != 4] == [each for each in WHOLE if each != 4]
        (dead,) = office.register.dead(poisoned.id)
        assert (dead["id"], dead["status"], dead["attempts"]) == (f"evt_{table.id}_4", 500, ATTEMPTS)
        assert dead["body"].encode() == tried[0].body
        verified(there.got, poisoned, table.id)
        assert office.row(poisoned).webhook.enabled

    def test_it_can_be_delivered_again_by_hand(
        self, office: Post, there: Receiver, table: Sitting, poisoned: Webhook
    ) -> None:
        there.answer = lambda _: 200
        (dead,) = office.register.dead(poisoned.id)
        before = len(there.got)
        row = office.row(poisoned)
        asked = row.webhook._replace(asked=row.webhook.asked + 1)
        again = Pending(table.id, 4, 0, 0, 0, dead["body"])
        assert office.register.put(row, asked, again=again) == "done"
        office.rounds().settle()
        (got,) = there.got[before:]
        assert (got.id, got.body) == (dead["id"], dead["body"].encode())
        assert office.register.dead(poisoned.id) == []
        assert office.register.desk(poisoned.id).waiting == {}
        assert office.register.desk(poisoned.id).cursors == {table.id: 16}

    def test_with_too_many_dead_letters_it_is_disabled_and_goes_on_later(self, office: Post, there: Receiver) -> None:
        webhook = office.webhook(there.url)
        office.house.events.hset(
            f"{{upcard}}:webhook:{webhook.id}:dead", mapping={f"evt_{n}": "{}" for n in range(DEAD_LETTERS - 1)}
        )
        table = opened(office.house)
        table.short(2)
        there.answer = lambda _: 500
        rounds = office.rounds()
        office.later(rounds, 40 * HOUR, step=HOUR // 4)
        assert {got.version for got in there.got} == {1}
        assert office.row(webhook).webhook.because == "dead_letters"
        there.answer = lambda _: 200
        office.change(webhook, enabled=True, because=None)
        rounds.settle()
        assert there.versions()[ATTEMPTS:] == [2, 3, 4]


class TestDisabled:
    """410 disables a webhook; so does its organiser."""

    def test_gone(self, office: Post, there: Receiver, table: Sitting) -> None:
        webhook = office.webhook(there.url)
        there.answer = lambda got: 410 if got.version == 3 else 200
        rounds = office.rounds()
        office.later(rounds, 2 * HOUR)
        assert there.versions() == [1, 2, 3]
        assert (office.row(webhook).webhook.enabled, office.row(webhook).webhook.because) == (False, "gone")
        there.answer = lambda _: 200
        office.change(webhook, enabled=True, because=None)
        rounds.settle()
        assert there.versions() == [1, 2, 3, *WHOLE[2:]]
        verified(there.got, webhook, table.id)

    def test_by_hand_and_enabled_again_nothing_is_missing(self, office: Post, there: Receiver) -> None:
        webhook = office.webhook(there.url)
        rounds = office.rounds()
        table = opened(office.house)
        rounds.settle()
        office.change(webhook, enabled=False, because="asked")
        table.short()
        rounds.settle()
        assert there.versions() == [1]
        office.change(webhook, enabled=True, because=None)
        rounds.settle()
        assert there.versions() == WHOLE

    def test_when_its_token_is_revoked_and_enabled_again_by_one_that_is_not(
        self, office: Post, there: Receiver
    ) -> None:
        webhook = office.webhook(there.url, token=token_digest(office.house.owner))
        rounds = office.rounds()
        table = opened(office.house)
        rounds.settle()
        assert office.house.tokens.revoke(office.house.owner)
        table.play(1, "play", "8h").problem("not-now")
        table.post("/deals", SHORT, office.house.first).ok(201)
        rounds.settle()
        assert there.versions() == [1]
        assert office.row(webhook).webhook.because == "revoked"
        office.change(webhook, enabled=True, because=None)
        rounds.settle()
        assert there.versions() == [1]
        office.change(webhook, enabled=True, because=None, token=token_digest(office.house.first))
        rounds.settle()
        assert there.versions() == [1, 2]

    def test_dropped_while_a_delivery_is_under_way(self, office: Post, there: Receiver, table: Sitting) -> None:
        assert table.version == 16
        webhook = office.webhook(there.url)

        def drop(got: Got) -> int:
            if got.version == 2:
                assert office.register.drop(webhook.id)
            return 200

        there.answer = drop
        office.rounds().settle()
        assert there.versions() == [1, 2]
        assert office.house.events.keys(f"*{webhook.id}*") == []


class TestWhich:
    """Which events a webhook is sent."""

    def test_only_the_kinds_that_it_wants(self, office: Post, there: Receiver, table: Sitting) -> None:
        assert table.version == 16
        webhook = office.webhook(there.url, kinds=("session.deal_started", "session.deal_ended"))
        rounds = office.rounds()
        rounds.settle()
        assert there.versions() == [2, 16]
        # What it did not want then, it is not sent now.
        office.change(webhook, kinds=None)
        rounds.settle()
        office.rounds().settle()
        assert there.versions() == [2, 16]

    def test_only_the_session_that_it_names(self, office: Post, there: Receiver, table: Sitting) -> None:
        other = opened(office.house, owner=office.house.stranger)
        office.webhook(there.url, session=other.id)
        office.rounds().settle()
        assert [got.id for got in there.got] == [f"evt_{other.id}_1"]
        assert table.id != other.id

    def test_only_the_sessions_of_its_organiser(self, office: Post, there: Receiver, table: Sitting) -> None:
        opened(office.house, owner=office.house.stranger, public=True)
        opened(office.house, owner=office.house.first)
        office.webhook(there.url)
        office.rounds().settle()
        assert {got.id.split("_")[1] for got in there.got} == {table.id}

    def test_only_what_was_recorded_since_it_was_made(self, office: Post, there: Receiver) -> None:
        table, idle = opened(office.house), opened(office.house)
        table.short(4)
        last = office.house.log.read(table.id)[-1].stamp.at
        table.play(1, "play", "3h").ok(201)
        office.webhook(there.url, created_at=last.replace("000Z", "001Z"))
        rounds = office.rounds()
        rounds.settle()
        assert [(got.id.split("_")[1], got.version) for got in there.got] == [(table.id, 7)]
        idle.short(1)
        rounds.settle()
        assert there.versions() == [7, 2, 3]

    def test_both_of_two_webhooks(self, office: Post, there: Receiver, table: Sitting) -> None:
        one, two = office.webhook(there.url), office.webhook(there.url)
        office.rounds().settle()
        for webhook in (one, two):
            got = [each for each in there.got if signed_by(each, secret(KEY, webhook.id, 1))]
            assert [each.version for each in got] == WHOLE
            verified(got, webhook, table.id)


class TestOneAnother:
    """Nobody waits for somebody else's trouble."""

    def test_a_silent_receiver_delays_no_other(self, office: Post, there: Receiver, table: Sitting) -> None:
        with receiver() as silent:
            silent.hold = Event()
            for _ in range(3):
                office.webhook(silent.url)
            office.webhook(there.url)
            under_way = office.rounds().turn()
            for version in WHOLE:
                assert there.arrived.get(timeout=LIMIT).version == version
            assert silent.versions() in ([], [1], [1, 1], [1, 1, 1])
            silent.hold.set()
            for each in under_way:
                each.result(LIMIT)
        assert table.version == 16

    def test_a_session_that_fails_holds_back_only_itself(self, office: Post, there: Receiver) -> None:
        tables = [opened(office.house) for _ in range(6)]
        bad = tables[0]
        for table in tables:
            table.short(2)
        office.webhook(there.url)
        there.answer = lambda got: 500 if bad.id in got.id else 200
        office.later(office.rounds(), HOUR)
        for table in tables:
            got = [each.version for each in there.got if table.id in each.id]
            assert (set(got) == {1}) if table is bad else (got == [1, 2, 3, 4])

    def test_a_log_that_is_broken_holds_back_only_itself(self, office: Post, there: Receiver, table: Sitting) -> None:
        broken = opened(office.house)
        office.house.events.xadd(events_key(broken.id), {"p": b"not an event"}, id="2-0")
        office.webhook(there.url)
        rounds = office.rounds()
        rounds.settle()
        office.later(rounds, HOUR)
        assert [got.version for got in there.got if table.id in got.id] == WHOLE

    def test_a_receiver_that_is_down_is_not_asked_for_each_session(self, office: Post, there: Receiver) -> None:
        for _ in range(30):
            opened(office.house)
        office.webhook(there.url)
        there.answer = lambda _: 500
        rounds = office.rounds()
        office.later(rounds, 30_000, step=500)
        assert 4 <= len(there.got) <= 30
        there.answer = lambda _: 200
        office.later(rounds, HOUR)
        assert len({got.id for got in there.got}) == 30


class TestProcesses:
    """One process sends at a time, and only with the right key."""

    def test_a_second_one_stands_by_and_takes_over(self, office: Post, there: Receiver, table: Sitting) -> None:
        assert table.version == 16
        office.webhook(there.url)
        first, second = office.beside(), office.beside()
        first.settle()
        assert there.versions() == WHOLE
        more = opened(office.house)
        second.settle()
        assert there.versions() == WHOLE
        first.close()
        second.settle()
        assert there.versions() == [*WHOLE, 1]
        assert there.got[-1].id == f"evt_{more.id}_1"

    def test_one_that_has_lost_its_lease_notes_nothing(self, office: Post, there: Receiver, table: Sitting) -> None:
        webhook = office.webhook(there.url)

        def lose(got: Got) -> int:
            if got.version == 2:
                office.house.events.set("{upcard}:webhooks:lease", "another")
            return 200

        there.answer = lose
        first = office.beside()
        for each in first.turn():
            each.result(LIMIT)
        assert there.versions() == [1, 2]
        assert office.register.desk(webhook.id).cursors == {table.id: 1}

    def test_with_another_key_nothing_is_sent(self, office: Post, there: Receiver, table: Sitting) -> None:
        assert table.version == 16
        office.webhook(there.url)
        office.rounds(key=b"another key").settle()
        assert there.got == []
        office.rounds().settle()
        assert there.versions() == WHOLE

    def test_without_webhooks_nothing_is_written(self, office: Post, table: Sitting) -> None:
        before = office.house.everything()
        office.rounds().settle()
        assert office.house.everything() == before
        assert table.version == 16

    def test_during_an_overlap_both_secrets_sign(self, office: Post, there: Receiver, table: Sitting) -> None:
        webhook = office.webhook(there.url)
        fresh = secret(KEY, webhook.id, 2)
        row = office.row(webhook)
        rotated = row.webhook.rotated(fingerprint(fresh), office.clock.now, HOUR)
        assert office.register.put(row, rotated) == "done"
        rounds = office.rounds()
        rounds.settle()
        assert there.versions() == WHOLE
        assert all(signed_by(got, secret(KEY, webhook.id, serial)) for got in there.got for serial in (1, 2))
        office.clock.now += HOUR
        more = opened(office.house)
        rounds.settle()
        (got,) = [each for each in there.got if more.id in each.id]
        assert signed_by(got, fresh)
        assert not signed_by(got, secret(KEY, webhook.id, 1))
        assert table.version == 16
