"""Webhooks over HTTP: who may make and see them, what is refused, secrets that are shown once, redelivery by hand.

What is delivered, and how: tests/webhooks.
"""

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest

from service.tokens import token_digest
from tests.http.client import Answer
from tests.http.house import KEY, Fake, House, nothing_recorded, on_server
from tests.http.tables import Sitting, opened
from tests.store_server import StoreServer
from tests.webhooks.test_addresses import WRITTEN
from workers.webhooks.register import Attempt, Dead, Note
from workers.webhooks.signing import secret

URL: Final = "https://hooks.example.com/upcard"
PATH: Final = "/v1/webhooks"
FIELDS: Final = [
    *("created_at", "dead_letters", "disabled_because", "enabled", "events", "id", "session", "url", "waiting"),
]


def made(house: House, body: Any = None, token: str | None = None, **more: Any) -> Answer:
    """The answer to making one, as the house's owner."""
    return house.client.post(PATH, {"url": URL, **(body or {})}, token or house.owner, **more)


@pytest.fixture
def webhook(house: House) -> str:
    """The path of a webhook for all of the owner's sessions."""
    return f"{PATH}/{made(house).ok(201)['id']}"


@pytest.fixture(scope="module")
def shared() -> House:
    """One house for a whole table of refusals."""
    return House(Fake()).settled()


def test_one_is_made_and_read(house: House) -> None:
    answer = made(house, {"events": ["session.opened", "session.deal_ended", "session.opened"]}).ok(201)
    path = answer.headers["Location"]
    assert sorted(answer.body) == sorted([*FIELDS, "secret"])
    assert answer["events"] == ["session.deal_ended", "session.opened"]
    read = house.client.get(path, house.owner).ok()
    assert read.body == {name: value for name, value in answer.body.items() if name != "secret"}
    assert (read["enabled"], read["disabled_because"], read["session"]) == (True, None, None)
    assert house.client.get(PATH, house.owner).ok().body == {"webhooks": [read.body], "next": None}


def test_the_secret_is_shown_once_and_kept_nowhere(house: House) -> None:
    answer = made(house).ok(201)
    path, shown = f"{PATH}/{answer['id']}", answer["secret"]
    assert len(base64.b64decode(shown.removeprefix("whsec_"), validate=True)) == 32
    everything = repr(house.everything())
    assert shown not in everything
    assert shown.removeprefix("whsec_") not in everything
    for tail in ("", "/deliveries", "/dead_letters"):
        assert shown not in house.client.get(path + tail, house.owner).everything
    assert shown not in house.client.get(PATH, house.owner).everything
    assert shown not in house.client.post(path, {"enabled": False}, house.owner).ok().everything


def test_two_have_secrets_of_their_own(house: House) -> None:
    assert made(house).ok(201)["secret"] != made(house).ok(201)["secret"]


class TestWho:
    """Organisers have their own; to others they do not exist."""

    CALLS: Final[list[tuple[str, str, Any]]] = [
        ("GET", "", None),
        ("POST", "", {"enabled": False}),
        ("DELETE", "", None),
        ("POST", "/secret", {"overlap": 1}),
        ("GET", "/deliveries", None),
        ("GET", "/dead_letters", None),
        ("POST", "/redeliver", {"id": "evt_x"}),
    ]

    @pytest.mark.parametrize(("method", "tail", "body"), CALLS, ids=str)
    def test_each_resource(self, house: House, webhook: str, method: str, tail: str, body: Any) -> None:
        table = opened(house, public=True)
        with nothing_recorded(house):
            for token, slug in (
                (None, "unauthenticated"),
                ("uorg.unknown", "unauthenticated"),
                (table.seats[1], "forbidden"),
                (house.stranger, "not-found"),
            ):
                house.client.call(method, webhook + tail, body, token=token).problem(slug)
            for token in (house.owner, house.first):
                house.client.call(method, f"{PATH}/wh_unknown{tail}", body, token=token).problem("not-found")
        assert house.client.call(method, webhook + tail, body, token=house.first).status in (200, 201, 204, 422)

    def test_the_list_and_making(self, house: House, webhook: str) -> None:
        table = opened(house, public=True)
        for token, slug in ((None, "unauthenticated"), (table.seats[1], "forbidden")):
            house.client.get(PATH, token).problem(slug)
            house.client.post(PATH, {"url": URL}, token).problem(slug)
        assert house.client.get(PATH, house.stranger).ok()["webhooks"] == []
        for token in (house.owner, house.first):
            assert [f"{PATH}/{each['id']}" for each in house.client.get(PATH, token)["webhooks"]] == [webhook]

    def test_the_session_must_be_one_that_he_rules(self, house: House) -> None:
        public, private = opened(house, public=True), opened(house)
        for session in (public.id, private.id, "0" * 36, "x"):
            answer = made(house, {"session": session}, house.stranger).problem("invalid")
            assert answer["errors"] == {"session": ["You rule no such session."]}
        for token in (house.owner, house.first):
            assert made(house, {"session": private.id}, token).ok(201)["session"] == private.id

    def test_of_one_organiser_there_are_so_many(self, house: House) -> None:
        for _ in range(20):
            made(house).ok(201)
        made(house).problem("not-now")
        made(house, token=house.stranger).ok(201)
        first = house.client.get(f"{PATH}?limit=1", house.owner)["webhooks"][0]["id"]
        assert house.client.call("DELETE", f"{PATH}/{first}", token=house.owner).ok(204).text == ""
        made(house).ok(201)

    def test_the_list_is_in_pages(self, house: House) -> None:
        ids = [made(house).ok(201)["id"] for _ in range(5)]
        found, following = [], "limit=2"
        while following:
            page = house.client.get(f"{PATH}?{following}", house.owner).ok()
            found += [each["id"] for each in page["webhooks"]]
            following = f"limit=2&cursor={page['next']}" if page["next"] else ""
        assert found == ids


class TestRefusedUrls:
    """A URL that leads inside is refused when it is registered, and when it is changed."""

    @pytest.mark.parametrize("url", WRITTEN.values(), ids=WRITTEN)
    def test_as_it_is_written(self, shared: House, url: str) -> None:
        with nothing_recorded(shared):
            answer = shared.client.post(PATH, {"url": url}, shared.owner).problem("invalid")
            assert list(answer["errors"]) == ["url"]

    @pytest.mark.parametrize("host", ["inside.example.com", "nowhere.example.com"])
    def test_by_what_its_name_leads_to(self, house: House, webhook: str, host: str) -> None:
        with nothing_recorded(house):
            made(house, {"url": f"https://{host}/"}).problem("invalid")
            house.client.post(webhook, {"url": f"https://{host}/"}, house.owner).problem("invalid")
        assert house.client.get(webhook, house.owner)["url"] == URL


class TestChanges:
    """By POST on the webhook itself."""

    def test_events(self, house: House, webhook: str) -> None:
        for events in (["session.opened"], None, ["rockaway.card_played", "session.closed"]):
            assert house.client.post(webhook, {"events": events}, house.owner).ok()["events"] == events
            assert house.client.get(webhook, house.owner)["events"] == events

    def test_disabled_and_enabled(self, house: House, webhook: str) -> None:
        for enabled, because in ((False, "asked"), (False, "asked"), (True, None)):
            answer = house.client.post(webhook, {"enabled": enabled}, house.owner).ok()
            assert (answer["enabled"], answer["disabled_because"]) == (enabled, because)

    def test_enabled_it_sends_for_the_token_that_said_so(self, house: House, webhook: str) -> None:
        name = webhook.rpartition("/")[2]
        for token, body in ((house.owner, {"enabled": False}), (house.first, {"enabled": True})):
            row = house.webhooks.register.row(name)
            assert row is not None
            assert row.webhook.token == token_digest(house.owner)
            house.client.post(webhook, body, token).ok()
        row = house.webhooks.register.row(name)
        assert row is not None
        assert row.webhook.token == token_digest(house.first)

    def test_url(self, house: House, webhook: str) -> None:
        other = "https://hooks.example.com:443/other?a=b"
        assert house.client.post(webhook, {"url": other}, house.owner).ok()["url"] == other

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"events": []},
            {"events": ["no.such_kind"]},
            {"events": "session.opened"},
            {"enabled": None},
            {"enabled": 1},
            {"url": None},
            {"session": "x"},
            {"secret": "whsec_x"},
            {"owner": "organiser:first"},
        ],
        ids=str,
    )
    def test_what_cannot_be(self, house: House, webhook: str, body: Any) -> None:
        with nothing_recorded(house):
            house.client.post(webhook, body, house.owner).problem("invalid")

    def test_dropped_it_is_gone(self, house: House, webhook: str) -> None:
        house.client.call("DELETE", webhook, {"odd": 1}, token=house.owner).problem("invalid")
        house.client.call("DELETE", f"{webhook}?odd=1", token=house.owner).problem("invalid")
        house.client.call("DELETE", webhook, token=house.owner).ok(204)
        for method, tail, body in TestWho.CALLS:
            house.client.call(method, webhook + tail, body, token=house.owner).problem("not-found")
        assert house.events.keys("{upcard}:webhook*") == []


class TestRotation:
    """A new secret, and the old one for a while."""

    def test_each_is_new_and_shown_once(self, house: House, webhook: str) -> None:
        shown = {
            house.client.post(f"{webhook}/secret", {"overlap": 60}, house.owner).ok(201)["secret"] for _ in range(3)
        }
        name = webhook.rpartition("/")[2]
        assert shown == {secret(KEY, name, serial) for serial in (2, 3, 4)}

    def test_the_overlap(self, house: House, webhook: str) -> None:
        house.client.post(f"{webhook}/secret", {"overlap": 60}, house.owner).ok(201)
        row = house.webhooks.register.row(webhook.rpartition("/")[2])
        assert row is not None
        (old,) = row.webhook.retired
        assert row.webhook.serials(old.until - 1) == [2, 1]
        assert row.webhook.serials(old.until) == [2]
        house.client.post(f"{webhook}/secret", {"overlap": 0}, house.owner).ok(201)
        row = house.webhooks.register.row(webhook.rpartition("/")[2])
        assert row is not None
        assert 2 not in row.webhook.serials(0)

    @pytest.mark.parametrize(
        "body", [{}, {"overlap": -1}, {"overlap": 604_801}, {"overlap": None}, {"overlap": 1.5}], ids=str
    )
    def test_what_cannot_be(self, house: House, webhook: str, body: Any) -> None:
        house.client.post(f"{webhook}/secret", body, house.owner).problem("invalid")


class TestRetries:
    """Every POST takes an Idempotency-Key: one effect, one answer."""

    def calls(self, house: House, table: Sitting) -> list[tuple[str, Any, int]]:
        """A path, a body and a status for each."""
        path = f"{PATH}/{made(house).ok(201)['id']}"
        return [
            (PATH, {"url": URL}, 201),
            (path, {"enabled": True}, 200),
            (f"{path}/secret", {"overlap": 60}, 201),
            (f"{path}/redeliver", {"id": f"evt_{table.id}_1"}, 202),
        ]

    def test_a_repeated_request_is_answered_as_the_first(self, house: House, table: Sitting) -> None:
        for path, body, status in self.calls(house, table):
            first = house.client.post(path, body, house.owner, key="k").ok(status)
            with nothing_recorded(house):
                again = house.again().client.post(path, body, house.owner, key="k").ok(status)
                assert again.body == first.body | _counts(again)
                assert again.headers["Idempotency-Replayed"] == "true"
                assert again.headers.get("Location") == first.headers.get("Location")
                other = {**body, "odd": 1}
                house.client.post(path, other, house.owner, key="k").problem("invalid")

    def test_with_another_body_it_is_refused(self, house: House, table: Sitting) -> None:
        others: list[Any] = [{"url": f"{URL}/other"}, {"enabled": False}, {"overlap": 61}, {"id": f"evt_{table.id}_2"}]
        table.short(1)
        for (path, body, status), other in zip(self.calls(house, table), others, strict=True):
            house.client.post(path, body, house.owner, key="k").ok(status)
            with nothing_recorded(house):
                house.client.post(path, other, house.owner, key="k").problem("key-reused")

    def test_the_secret_of_the_first_answer_comes_again_after_a_rotation(self, house: House) -> None:
        first = made(house, key="k").ok(201)
        house.client.post(f"{PATH}/{first['id']}/secret", {"overlap": 0}, house.owner).ok(201)
        assert made(house, key="k").ok(201)["secret"] == first["secret"]

    @pytest.mark.store
    def test_twenty_at_once(self, http_server: StoreServer) -> None:
        house = House(on_server(http_server)).settled()
        houses = [house.again() for _ in range(20)]
        table = opened(house)
        for path, body, status in self.calls(house, table):

            def send(each: House, path: str = path, body: Any = body) -> Answer:
                return each.client.post(path, body, house.owner, key="twenty")

            with ThreadPoolExecutor(20) as pool:
                answers = list(pool.map(send, houses))
            assert {answer.status for answer in answers} == {status}
            assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1
            assert len({str(sorted((answer.body | _counts(answer)).items())) for answer in answers}) == 1
        house.leave()


def _counts(answer: Answer) -> dict[str, Any]:
    """How much waits says how it is now, not then."""
    return {"waiting": 0} if "waiting" in answer.body else {}


class TestDeliveries:
    """What became of deliveries, and deliveries once more by hand."""

    @pytest.fixture
    def noted(self, house: House, table: Sitting, webhook: str) -> list[Attempt]:
        """Five attempts for the events of a session, and two dead letters."""
        name = webhook.rpartition("/")[2]
        assert house.webhooks.register.hold("a process", 1_000)
        attempts = []
        for n in range(1, 6):
            message = f"evt_{table.id}_{n}"
            told = (message, table.id, n, "session.opened", f"2026-09-21T14:00:0{n}.000Z", 12)
            attempt = Attempt(*told, "dead", 500, "it answered 500", 7, None)
            dead = Dead(*told, 500, "it answered 500", '{"as": "sent"}') if n < 3 else None
            note = Note(table.id, table.id, message, version=n, attempt=attempt, dead=dead)
            assert house.webhooks.register.note(name, "a process", note) == "noted"
            attempts.append(attempt)
        return attempts

    def test_are_listed_the_newest_first(self, house: House, webhook: str, noted: list[Attempt]) -> None:
        expected = [{"number": n, **attempt._asdict()} for n, attempt in enumerate(noted, start=1)][::-1]
        whole = house.client.get(f"{webhook}/deliveries", house.owner).ok()
        assert whole.body == {"deliveries": expected, "next": None}
        first = house.client.get(f"{webhook}/deliveries?limit=2", house.owner).ok()
        assert house.webhooks.register.hold("a process", 1_000)
        more = Note("t", "t", "", attempt=noted[0])
        assert house.webhooks.register.note(webhook.rpartition("/")[2], "a process", more) == "noted"
        # Another attempt meanwhile moves nothing from one page to the next.
        rest = house.client.get(f"{webhook}/deliveries?cursor={first['next']}", house.owner).ok()
        assert first["deliveries"] + rest["deliveries"] == expected

    def test_dead_letters_are_listed_the_oldest_first(self, house: House, webhook: str, noted: list[Attempt]) -> None:
        first = house.client.get(f"{webhook}/dead_letters?limit=1", house.owner).ok()
        rest = house.client.get(f"{webhook}/dead_letters?cursor={first['next']}", house.owner).ok()
        letters = first["dead_letters"] + rest["dead_letters"]
        assert [each["id"] for each in letters] == [each.id for each in noted[:2]]
        assert sorted(letters[0]) == ["at", "attempts", "error", "id", "session", "status", "type", "version"]
        assert (rest["next"], house.client.get(webhook, house.owner)["dead_letters"]) == (None, 2)

    def test_a_redelivery_waits_with_the_bytes_that_were_sent(
        self, house: House, webhook: str, noted: list[Attempt]
    ) -> None:
        answer = house.client.post(f"{webhook}/redeliver", {"id": noted[0].id}, house.owner).ok(202)
        assert answer.body == {"id": noted[0].id, "session": noted[0].session, "version": 1}
        (pending,) = house.webhooks.register.desk(webhook.rpartition("/")[2]).waiting.values()
        assert (pending.session, pending.version, pending.body) == (noted[0].session, 1, '{"as": "sent"}')

    def test_only_events_of_its_own_sessions(self, house: House, webhook: str, table: Sitting) -> None:
        stranger = opened(house, owner=house.stranger, public=True)
        for message in (
            f"evt_{stranger.id}_1",
            f"evt_{table.id}_2",
            f"evt_{table.id}_0",
            f"evt_{'0' * 36}_1",
            "evt",
            "",
        ):
            answer = house.client.post(f"{webhook}/redeliver", {"id": message}, house.owner).problem("invalid")
            assert list(answer["errors"]) == ["id"]
        narrow = f"{PATH}/{made(house, {'session': opened(house).id}).ok(201)['id']}"
        house.client.post(f"{narrow}/redeliver", {"id": f"evt_{table.id}_1"}, house.owner).problem("invalid")

    def test_not_while_it_is_disabled(self, house: House, webhook: str, table: Sitting) -> None:
        house.client.post(webhook, {"enabled": False}, house.owner).ok()
        house.client.post(f"{webhook}/redeliver", {"id": f"evt_{table.id}_1"}, house.owner).problem("not-now")


def test_the_contract_names_every_resource(house: House) -> None:
    paths = house.client.get("/openapi.json").ok()["paths"]
    assert {path for path in paths if path.startswith(PATH)} == {
        PATH,
        f"{PATH}/{{webhook_id}}",
        *(f"{PATH}/{{webhook_id}}/{tail}" for tail in ("secret", "deliveries", "dead_letters", "redeliver")),
    }
    assert {"get", "post", "delete"} <= paths[f"{PATH}/{{webhook_id}}"].keys()
