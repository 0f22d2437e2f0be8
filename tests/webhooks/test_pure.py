"""Signatures, the schedule, messages and rows: what follows from arguments alone."""

import base64
import hashlib
import hmac
import time
from typing import Any, Final

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from tests.log.histories import history, stored
from tests.seeds import rng, scaled
from tests.webhooks.receiver import Got, signed_by
from workers.webhooks.messages import KINDS, message_body, message_id, read_message_id
from workers.webhooks.schedule import ATTEMPTS, DELAYS, JITTER, delay
from workers.webhooks.signing import fingerprint, secret, signed_headers
from workers.webhooks.webhook import RETIRED, Webhook, webhook_of

KEY: Final = b"a key of the server"
SESSION: Final = "01890a5d-ac96-774b-bcce-b302099a8057"
DAY: Final = 86_400_000
SECOND: Final = 1_780_000_000


def webhook(**fields: Any) -> Webhook:
    """A webhook of the first organiser."""
    plain = Webhook(
        id="wh_1",
        owner="organiser:first",
        url="https://hooks.example.com/",
        kinds=None,
        session=None,
        enabled=True,
        because=None,
        created_at="2026-09-21T13:46:40.000Z",
        serial=1,
        fingerprint="0" * 16,
    )
    return plain._replace(**fields)


class TestSigning:
    """Standard Webhooks, version 1."""

    def test_a_secret_follows_from_key_webhook_and_serial_alone(self) -> None:
        made = {secret(key, name, serial) for key in (KEY, b"k") for name in ("wh_1", "wh_2") for serial in (1, 2)}
        assert len(made) == 8
        assert secret(KEY, "wh_1", 1) in made

    def test_a_secret_has_the_form_that_the_specification_wants(self) -> None:
        prefix, _, rest = secret(KEY, "wh_1", 1).partition("_")
        assert prefix == "whsec"
        assert 24 <= len(base64.b64decode(rest, validate=True)) <= 64

    def test_a_signature_is_the_one_that_the_specification_describes(self) -> None:
        """Worked out here once more, from the text of the specification."""
        text = secret(KEY, "wh_1", 1)
        headers = signed_headers([text], "evt_1", SECOND, b'{"a": 1}')
        mac = hmac.new(base64.b64decode(text[6:]), f'evt_1.{SECOND}.{{"a": 1}}'.encode(), hashlib.sha256).digest()
        assert headers == {
            "webhook-id": "evt_1",
            "webhook-timestamp": str(SECOND),
            "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
        }

    def test_with_two_secrets_either_verifies(self) -> None:
        old, new = secret(KEY, "wh_1", 1), secret(KEY, "wh_1", 2)
        got = Got("/", signed_headers([new, old], "evt_1", SECOND, b"{}"), b"{}")
        assert signed_by(got, old)
        assert signed_by(got, new)
        assert not signed_by(got, secret(KEY, "wh_1", 3))

    def test_what_was_tampered_with_does_not_verify(self) -> None:
        text = secret(KEY, "wh_1", 1)
        for told in (
            {"webhook-id": "evt_2"},
            {"webhook-signature": "v1,AAAA"},
            {"webhook-timestamp": str(SECOND)},
        ):
            headers = signed_headers([text], "evt_1", int(time.time()), b"{}")
            assert Verifier(text).verify(b"{}", headers) == {}
            with pytest.raises(WebhookVerificationError):
                Verifier(text).verify(b"{}", headers | told)

    def test_a_fingerprint_tells_nothing_that_signs(self) -> None:
        text = secret(KEY, "wh_1", 1)
        assert fingerprint(text) not in text
        assert fingerprint(text) != fingerprint(secret(b"other", "wh_1", 1))


class TestSchedule:
    """Backoff with jitter, over at least a day."""

    def test_without_any_jitter_it_lasts_more_than_a_day(self) -> None:
        waits = [delay(failed, 0.0) for failed in range(1, ATTEMPTS)]
        assert None not in waits
        assert sum(wait for wait in waits if wait is not None) > DAY
        assert delay(ATTEMPTS, 0.0) is None

    def test_it_never_gets_shorter(self) -> None:
        assert list(DELAYS) == sorted(DELAYS)

    @given(st.integers(1, len(DELAYS)), st.floats(0, 1, exclude_max=True))
    def test_jitter_makes_a_wait_longer_and_by_a_share_only(self, failed: int, chance: float) -> None:
        wait, least = delay(failed, chance), DELAYS[failed - 1] * 1_000
        assert wait is not None
        assert least <= wait <= least * (1 + JITTER)


class TestMessages:
    """What is sent of an event."""

    @given(st.uuids(), st.integers(1, 10**18 - 1))
    def test_an_id_leads_back_to_its_event(self, session: Any, version: int) -> None:
        made = message_id(str(session), version)
        assert read_message_id(made) == (str(session), version)
        # The dot separates what is signed.
        assert "." not in made

    @pytest.mark.parametrize(
        "text", ["", "evt_", "evt_x_1", f"evt_{SESSION}_0", f"evt_{SESSION}_01", f"evt_{SESSION}_1\n"]
    )
    def test_what_is_no_id(self, text: str) -> None:
        assert read_message_id(text) is None

    def test_no_message_shows_what_is_hidden(self) -> None:
        """Every sealed field is null, or null for every seat; also of deals that are over."""
        hidden = 0
        for number in range(scaled(200)):
            for each in stored(history(rng(f"webhooks {number}"), finished=True)):
                body = orjson.loads(message_body(SESSION, each))
                assert body["type"] in KINDS
                for name in each.seals:
                    hidden += 1
                    told = body["data"]["data"][name]
                    assert told is None or set(told) == {None}
        assert hidden > 0

    def test_the_form_of_a_message(self) -> None:
        each = stored(history(rng("webhooks form")))[-1]
        body = message_body(SESSION, each)
        told = orjson.loads(body)
        assert sorted(told) == ["api", "data", "session", "timestamp", "type"]
        assert sorted(told["data"]) == ["at", "data", "digest", "kind", "schema", "seat", "version"]
        assert (told["api"], told["session"], told["type"]) == ("v1", SESSION, each.kind)
        assert told["timestamp"] == told["data"]["at"] == each.stamp.at
        assert body == message_body(SESSION, each)


class TestRows:
    """A webhook as it is stored."""

    def test_comes_back_from_its_bytes(self) -> None:
        for each in (webhook(), webhook(kinds=("a", "b"), session=SESSION).rotated("1" * 16, 5, 10)):
            assert webhook_of(each.to_bytes()) == each

    def test_rows_stored_before_there_were_the_later_fields_are_read(self) -> None:
        fields = orjson.loads(webhook().to_bytes())
        for later in ("retired", "changed", "asked"):
            del fields[later]
        assert webhook_of(orjson.dumps(fields)) == webhook()

    def test_a_rotated_secret_is_good_until_its_overlap_ends(self) -> None:
        rotated = webhook().rotated("1" * 16, now=1_000, overlap=500)
        assert rotated.serials(1_499) == [2, 1]
        assert rotated.serials(1_500) == [2]

    def test_without_overlap_the_old_one_is_worthless_at_once(self) -> None:
        assert webhook().rotated("1" * 16, now=1_000, overlap=0).serials(1_000) == [2]

    def test_however_often_it_is_rotated_few_are_good(self) -> None:
        made = webhook()
        for now in range(50):
            made = made.rotated("1" * 16, now, DAY)
        assert len(made.serials(50)) == RETIRED + 1
        assert made.serials(50)[0] == 51
