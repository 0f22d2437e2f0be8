"""Tokens over HTTP: made, listed, ended, revoked. What each role may then do is the table of test_who_may.py."""

from typing import Any

import pytest

from service.contract_examples import REQUESTS
from service.grants import seat_id
from tests.http.client import Answer
from tests.http.house import START, House, nothing_recorded
from tests.http.tables import SHORT, Sitting, opened

TOKENS = "/v1/tokens"


def made(house: House, token: str | None = None, **body: Any) -> Answer:
    """A token, made by the owner of the house's sessions unless another is named."""
    return house.client.post(TOKENS, body, token or house.owner).ok(201)


def revoked(house: House, token_id: str, token: str | None = None, **more: Any) -> Answer:
    return house.client.post(f"{TOKENS}/{token_id}/revoke", {}, token or house.owner, **more)


def described(answer: Answer) -> dict[str, Any]:
    """What may be shown of a token afterwards: all but the token."""
    return {name: value for name, value in answer.body.items() if name != "token"}


def test_a_made_token_is_described_and_shown_this_once(table: Sitting) -> None:
    house = table.house
    answer = made(house, role="auditor", sessions=[table.id], label="the referee", expires_in=3600)
    assert answer["token"].startswith("uaud.")
    assert answer.headers["Location"] == f"{TOKENS}/{answer['id']}"
    assert described(answer) == {
        "id": answer["id"],
        "role": "auditor",
        "name": answer["name"],
        "label": "the referee",
        "sessions": [table.id],
        "seat": None,
        "made_by": table.state().owner,
        "made_at": f"{START:%Y-%m-%dT%H:%M:%SZ}",
        "expires_at": "2026-09-21T14:46:40Z",
        "revoked_at": None,
        "last_used_on": None,
    }
    assert house.client.get(answer.headers["Location"], house.owner).ok().body == described(answer)
    listed = house.client.get(TOKENS, house.owner)
    assert listed["tokens"] == [described(answer)]
    assert answer["token"] not in listed.text
    stored = repr(house.everything())
    assert answer["token"] not in stored
    assert answer["token"].split(".")[1] not in stored


def test_the_first_use_of_a_day_is_noted(table: Sitting) -> None:
    house = table.house
    answer = made(house, role="watch", sessions=[table.id])
    for seconds, day in ((0, "2026-09-21"), (3 * 86_400, "2026-09-24")):
        house.seconds = seconds
        table.get("", answer["token"]).ok()
        assert house.client.get(f"{TOKENS}/{answer['id']}", house.owner)["last_used_on"] == day


class TestEnding:
    """A token works until it is over, and then nowhere."""

    def test_one_that_has_expired_is_nobodys(self, table: Sitting) -> None:
        house = table.house
        token = made(house, role="watch", sessions=[table.id], expires_in=60)["token"]
        house.seconds = 59.9
        table.get("", token).ok()
        house.seconds = 60
        table.get("", token).problem("unauthenticated")
        house.again().client.get(table.path, house.owner).ok()

    @pytest.mark.parametrize("role", ["organiser", "auditor", "watch", "seat"])
    def test_a_revoked_one_opens_nothing_in_any_process_a_second_later(self, house: House, role: str) -> None:
        table, other = opened(house), house.again()
        body: dict[str, Any] = {"role": role, **({} if role == "organiser" else {"sessions": [table.id]})}
        answer = made(house, house.first, **body, **({"seat": 2} if role == "seat" else {}))
        for process in (house, other):
            process.client.get("/v1/sessions", answer["token"]).ok()
        assert revoked(house, answer["id"], house.first).ok()["revoked_at"] is not None
        for process in (house, other):
            process.seconds = 1.0
            process.client.get("/v1/sessions", answer["token"]).problem("unauthenticated")
            process.client.get(table.path, answer["token"]).problem("unauthenticated")

    def test_a_seats_first_one_can_be_revoked_and_replaced(self, table: Sitting) -> None:
        house = table.house
        table.deal(SHORT).ok(201)
        listed = house.client.get(f"{TOKENS}?session={table.id}", house.owner)
        assert [(each["id"], each["seat"]) for each in listed["seats"]] == [
            (seat_id(table.id, 1), 1),
            (seat_id(table.id, 2), 2),
        ]
        revoked(house, listed["seats"][0]["id"]).ok()
        another = made(house, role="seat", sessions=[table.id], seat=1)
        house.seconds = 1.0
        table.play(1, "play", "8h").problem("unauthenticated")
        answer = table.post("/plays", {"type": "play", "card": "8h"}, another["token"]).ok(201)
        assert [hand["cards"] is None for hand in answer["deal"]["hands"]] == [False, True]
        table.play(2, "play", "9h").ok(201)
        revoked(house, another["id"]).ok()
        house.seconds = 2.0
        table.get("", another["token"]).problem("unauthenticated")

    def test_a_repeated_opening_shows_the_seats_first_tokens_again(self, house: House) -> None:
        body = {"game": "rockaway", "players": ["Ann", "Ben"]}
        first = house.client.post("/v1/sessions", body, house.owner, key="k").ok(201)
        revoked(house, seat_id(first["id"], 1)).ok()
        again = house.client.post("/v1/sessions", body, house.owner, key="k").ok(201)
        assert again["seat_tokens"] == first["seat_tokens"]

    def test_once_is_enough(self, table: Sitting) -> None:
        house = table.house
        answer = made(house, role="watch")
        done = revoked(house, answer["id"], key="k").ok()
        with nothing_recorded(house):
            again = revoked(house, answer["id"], key="k").ok()
            assert (again.body, again.headers["Idempotency-Replayed"]) == (done.body, "true")
            revoked(house, answer["id"]).problem("not-now")
            house.client.post(f"{TOKENS}/{answer['id']}/revoke", {"odd": 1}, house.owner, key="k").problem("invalid")

    def test_the_first_organisers_is_not_revoked_over_http(self, house: House) -> None:
        [first] = house.client.get(f"{TOKENS}?limit=1", house.first)["tokens"]
        assert first["name"] == "organiser:first"
        with nothing_recorded(house):
            revoked(house, first["id"], house.first).problem("not-now")
            revoked(house, first["id"], house.owner).problem("not-found")


class TestAsking:
    """What a request for a token must say, and who may make it."""

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "role"),
            ({"role": "king"}, "role"),
            ({"role": "seat"}, "sessions"),
            ({"role": "seat", "sessions": ["SESSION"]}, "seat"),
            ({"role": "seat", "sessions": ["SESSION", "SESSION"], "seat": 1}, "sessions"),
            ({"role": "seat", "sessions": ["SESSION"], "seat": 3}, "seat"),
            ({"role": "seat", "sessions": ["SESSION"], "seat": 0}, "seat"),
            ({"role": "auditor", "seat": 1}, "seat"),
            ({"role": "auditor", "sessions": []}, "sessions"),
            ({"role": "watch", "sessions": ["x"]}, "sessions"),
            ({"role": "watch", "sessions": ["0" * 36]}, "sessions"),
            ({"role": "watch", "sessions": ["THEIRS"]}, "sessions"),
            ({"role": "watch", "label": ""}, "label"),
            ({"role": "watch", "label": "x" * 1000}, "label"),
            ({"role": "watch", "expires_in": 0}, "expires_in"),
            ({"role": "watch", "expires_in": 1.5}, "expires_in"),
            ({"role": "watch", "expires_in": 10**12}, "expires_in"),
            ({"role": "watch", "rules_all": True}, "rules_all"),
        ],
    )
    def test_what_cannot_be_is_422(self, table: Sitting, body: dict[str, Any], field: str) -> None:
        house = table.house
        theirs = opened(house, owner=house.stranger)
        if "sessions" in body:
            known = {"SESSION": table.id, "THEIRS": theirs.id}
            body = {**body, "sessions": [known.get(each, each) for each in body["sessions"]]}
        with nothing_recorded(house):
            assert field in house.client.post(TOKENS, body, house.owner).problem("invalid")["errors"]

    def test_only_the_first_organiser_makes_organisers(self, house: House) -> None:
        with nothing_recorded(house):
            house.client.post(TOKENS, {"role": "organiser"}, house.owner).problem("forbidden")
        another = made(house, house.first, role="organiser")
        table = opened(house, owner=another["token"])
        assert table.state().owner == another["name"]
        house.client.get(table.path, house.owner).problem("not-found")
        house.client.post(TOKENS, {"role": "organiser", "sessions": [table.id]}, house.first).problem("invalid")

    def test_only_who_rules_a_session_makes_tokens_for_it(self, house: House) -> None:
        public, private = opened(house, public=True), opened(house)
        for role, more in (("auditor", {}), ("watch", {}), ("seat", {"seat": 1})):
            with nothing_recorded(house):
                body = {"role": role, "sessions": [public.id], **more}
                house.client.post(TOKENS, body, house.stranger).problem("forbidden")
                house.client.post(TOKENS, {**body, "sessions": [private.id]}, house.stranger).problem("invalid")
            for token in (house.owner, house.first):
                made(house, token, role=role, sessions=[private.id], **more)

    def test_each_sees_and_revokes_what_is_his(self, house: House) -> None:
        mine, theirs = opened(house), opened(house, owner=house.stranger)
        his = made(house, role="watch", sessions=[mine.id])
        by_first = made(house, house.first, role="auditor", sessions=[mine.id])
        for_both = made(house, house.first, role="auditor", sessions=[mine.id, theirs.id])
        listed = [each["id"] for each in house.client.get(TOKENS, house.owner)["tokens"]]
        assert listed == [his["id"]]
        of_session = house.client.get(f"{TOKENS}?session={mine.id}", house.owner)
        assert [each["id"] for each in of_session["tokens"]] == [for_both["id"], by_first["id"], his["id"]]
        for token_id in (his["id"], by_first["id"], for_both["id"], seat_id(mine.id, 1)):
            house.client.get(f"{TOKENS}/{token_id}", house.stranger).problem("not-found")
            revoked(house, token_id, house.stranger).problem("not-found")
        # One that is for somebody else's session too is not his alone to take away.
        revoked(house, for_both["id"]).problem("not-found")
        revoked(house, by_first["id"]).ok()
        revoked(house, his["id"], house.first).ok()
        for unknown in ("x", "0" * 36, f"seat.{mine.id}.9", f"seat.{mine.id}.0", f"seat.{'0' * 36}.1", "seat..1"):
            house.client.get(f"{TOKENS}/{unknown}", house.first).problem("not-found")

    def test_a_list_goes_on_page_by_page(self, house: House) -> None:
        ids = [made(house, role="watch")["id"] for _ in range(5)]
        found: list[str] = []
        path: str | None = f"{TOKENS}?limit=2"
        while path is not None:
            page = house.client.get(path, house.owner).ok()
            found += [each["id"] for each in page["tokens"]]
            path = page.headers["Link"].split(">")[0][1:] if page["next"] else None
        assert found == ids[::-1]


def test_the_examples_of_the_document_are_taken(house: House) -> None:
    for example in REQUESTS["make_token"]["application/json"].values():
        answer = made(house, **example["value"])
        [body] = REQUESTS["revoke_token"]["application/json"].values()
        house.client.post(f"{TOKENS}/{answer['id']}/revoke", body["value"], house.owner).ok()


class TestRetries:
    """A token that was made is shown again to the command that made it, and to no other."""

    def test_the_same_command_has_the_same_token(self, house: House) -> None:
        body = {"role": "watch", "label": "wall"}
        first = house.client.post(TOKENS, body, house.owner, key="k").ok(201)
        with nothing_recorded(house):
            again = house.again().client.post(TOKENS, body, house.owner, key="k").ok(201)
            assert (again.body, again.headers["Idempotency-Replayed"]) == (first.body, "true")
            house.client.post(TOKENS, {**body, "label": "door"}, house.owner, key="k").problem("key-reused")
        other = house.client.post(TOKENS, body, house.stranger, key="k").ok(201)
        assert other["token"] != first["token"]
        assert made(house, **body)["token"] != made(house, **body)["token"]
        opened(house)
        house.client.get("/v1/sessions", first["token"]).ok()
