"""The process that sends, killed in the middle of a delivery: every event comes, with the same id and the same bytes.

Its own program, on a store of its own, against a receiver here; signatures are verified by the specification's library.
"""

import signal
from threading import Event

import pytest
from standardwebhooks import Webhook as Verifier

from tests.faults.client import ShortTable
from tests.faults.running import LIMIT, Service, until
from tests.webhooks.receiver import Got, receiver

pytestmark = [pytest.mark.store, pytest.mark.service]

WHOLE = list(range(1, 17))
"""Versions of a short table's session."""


def test_every_event_comes_though_the_process_is_killed(upcard: Service) -> None:
    upcard.env["UPCARD_WEBHOOK_LOOPBACK"] = "true"
    upcard.start_web()
    organiser = upcard.client()
    with receiver() as there:
        made = organiser.call("POST", "/v1/webhooks", {"url": there.url})
        assert made.status == 201
        verifier = Verifier(made.body["secret"])
        table = ShortTable(organiser)
        table.end()

        # Killed while the receiver makes up its mind about the first.
        there.hold = Event()
        process = upcard.start("webhooks")
        first = there.arrived.get(timeout=LIMIT)
        upcard.kill(process)
        there.hold.set()

        # Killed when the receiver has the seventh, and before that can have been noted.
        def kill_at_the_seventh(got: Got) -> int:
            if got.version == 7:
                there.answer = lambda _: 204
                upcard.kill(process)
            return 204

        there.answer = kill_at_the_seventh
        process = upcard.start("webhooks")
        until(lambda: process.poll() is not None, "it has been killed")

        process = upcard.start("webhooks")
        until(lambda: 16 in there.versions(), "the last event has come")
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0
        assert first.version == 1
        assert there.versions() == [1, *WHOLE[:7], *WHOLE[6:]]
        bodies: dict[str, bytes] = {}
        for got in there.got:
            assert verifier.verify(got.body, got.headers)["session"] == table.id
            assert got.id == f"evt_{table.id}_{got.version}"
            assert bodies.setdefault(got.id, got.body) == got.body
        deliveries = organiser.call("GET", f"/v1/webhooks/{made.body['id']}/deliveries").body["deliveries"]
        assert [each["version"] for each in deliveries[::-1]] == WHOLE

        # Nothing is left to do for the next one, which need not wait for a lease that was given up.
        again = upcard.start("webhooks")
        another = ShortTable(organiser)
        until(lambda: f"evt_{another.id}_14" in {got.id for got in there.got}, "the next session's events have come")
        assert [got.version for got in there.got if table.id in got.id] == [1, *WHOLE[:7], *WHOLE[6:]]
        again.send_signal(signal.SIGTERM)
        assert again.wait(LIMIT) == 0


def test_what_it_says_holds_no_secret(upcard: Service) -> None:
    upcard.env["UPCARD_WEBHOOK_LOOPBACK"] = "true"
    upcard.start_web()
    organiser = upcard.client()
    with receiver() as there:
        there.answer = lambda _: 410
        made = organiser.call("POST", "/v1/webhooks", {"url": f"{there.url}?key=hidden"}).body
        ShortTable(organiser)
        upcard.start("webhooks")
        until(lambda: "is disabled: gone" in upcard.said("webhooks"), "it says that the receiver is gone")
        for name in ("webhooks", "web"):
            assert made["secret"] not in upcard.said(name)
            assert "hidden" not in upcard.said(name)
