"""Which events a webhook is sent, by which process, and that no receiver waits for another."""

from threading import Event

from replay.shards import events_key
from tests.http.tables import Sitting, opened
from tests.webhooks.post import HOUR, KEY, WHOLE, Post, verified
from tests.webhooks.receiver import LIMIT, Got, Receiver, receiver, signed_by
from workers.webhooks.signing import fingerprint, secret


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
