"""When deliveries end: an event that is given up, a webhook that is disabled or gone, and what comes of both later."""

import pytest

from service.tokens import token_digest
from tests.http.tables import SHORT, Sitting, opened
from tests.webhooks.post import HOUR, WHOLE, Post, verified
from tests.webhooks.receiver import Got, Receiver
from workers.webhooks.register import Pending
from workers.webhooks.schedule import ATTEMPTS
from workers.webhooks.webhook import DEAD_LETTERS, Webhook


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
