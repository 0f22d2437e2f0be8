"""Who may do what, and who sees which cards: `Who` and `What a viewer sees`, for every caller on every resource.

A command that would be let through is sent without If-Match, so that 428 says "you may" and nothing is recorded.
"""

from typing import Final, Literal, NamedTuple

import pytest

from tests.http.client import Answer
from tests.http.house import Fake, House, nothing_recorded
from tests.http.tables import SHORT, Sitting, opened, stacked
from tests.rules.layout import cards

Kind = tuple[Literal["dealt", "recorded"], Literal["public", "private"]]

KINDS: Final[list[Kind]] = [
    ("dealt", "private"),
    ("dealt", "public"),
    ("recorded", "private"),
    ("recorded", "public"),
]
READS: Final = ("", "?at=2", "/events", "/deals/1", "/deals/1/replay", "/ledger", "/record", "/disputes", "/rulings")
CALLERS: Final = ("first", "owner", "stranger", "seat 1", "seat 2", "other's seat", "nobody", "bad token")


class Company(NamedTuple):
    """A session with a deal on, and everybody who might ask for it."""

    table: Sitting
    tokens: dict[str, str | None]

    def ask(self, caller: str, method: str, tail: str) -> Answer:
        """The answer to this caller; a command carries no If-Match."""
        body = SHORT if tail == "/deals" and self.table.state().mode == "recorded" else {}
        if tail == "/plays":
            body = {"seat": 1, "type": "draw"} if caller in ("first", "owner") else {"type": "draw"}
        sent = body if method == "POST" else None
        return self.table.house.client.call(method, self.table.path + tail, sent, token=self.tokens[caller])


@pytest.fixture(scope="module")
def companies() -> dict[Kind, Company]:
    """One for each kind of session, all in one house."""
    house = House(Fake()).settled()
    return {kind: _company(house, kind) for kind in KINDS}


def _company(house: House, kind: Kind) -> Company:
    mode, public = kind
    table = opened(house, mode=mode, public=public == "public")
    stacked(table, [cards(" ".join(hand)) for hand in SHORT["hands"]], cards("8c")[0], cards("3c 4c"))
    other = opened(house)
    return Company(
        table,
        {
            "first": house.first,
            "owner": house.owner,
            "stranger": house.stranger,
            "seat 1": table.seats[1],
            "seat 2": table.seats[2],
            "other's seat": other.seats[1],
            "nobody": None,
            "bad token": "uorg.not-a-token",
        },
    )


@pytest.fixture(params=KINDS, ids=" ".join)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Each kind of session in turn."""
    found: Kind = request.param
    return found


@pytest.fixture
def company(kind: Kind, companies: dict[Kind, Company]) -> Company:
    """The session of that kind, with everybody."""
    return companies[kind]


RULING: Final = ("first", "owner")
OWN: Final = ("seat 1", "seat 2")
UNKNOWN: Final = ("stranger", "other's seat")


def test_anyone_reads_a_public_session_and_only_its_own_a_private_one(company: Company, kind: Kind) -> None:
    for tail in READS:
        for caller in CALLERS:
            answer = company.ask(caller, "GET", tail)
            if caller == "bad token":
                answer.problem("unauthenticated")
            elif kind[1] == "public" or caller in RULING + OWN:
                answer.ok()
            else:
                answer.problem("not-found")


def test_what_a_seat_may_play_is_for_who_may_play_it(company: Company, kind: Kind) -> None:
    for caller in CALLERS:
        answer = company.ask(caller, "GET", "/plays")
        if caller in OWN or (caller in RULING and kind[0] == "recorded"):
            answer.ok()
        else:
            answer.problem(_kept_out(caller, kind))


def test_plays_are_the_seats_and_at_a_recorded_table_the_organisers(company: Company, kind: Kind) -> None:
    with nothing_recorded(company.table.house):
        for caller in CALLERS:
            answer = company.ask(caller, "POST", "/plays")
            if caller in OWN or (caller in RULING and kind[0] == "recorded"):
                answer.problem("version-required")
            else:
                answer.problem(_kept_out(caller, kind))


@pytest.mark.parametrize("tail", ["/deals", "/close"])
def test_deals_and_close_are_the_organisers(company: Company, kind: Kind, tail: str) -> None:
    with nothing_recorded(company.table.house):
        for caller in CALLERS:
            answer = company.ask(caller, "POST", tail)
            if caller in RULING:
                answer.problem("version-required")
            else:
                answer.problem(_kept_out(caller, kind))


@pytest.mark.parametrize("tail", ["/disputes", "/rulings", "/rulings?dry_run=true", "/deals/1/confirm"])
def test_disputes_are_the_tables_rulings_its_organisers_and_confirming_the_seats(
    company: Company, kind: Kind, tail: str
) -> None:
    """A dispute and a ruling must say something, so that here 422 says "you may"; agreeing need not."""
    may = {"/disputes": RULING + OWN, "/deals/1/confirm": OWN}.get(tail, RULING)
    with nothing_recorded(company.table.house):
        for caller in CALLERS:
            answer = company.ask(caller, "POST", tail)
            if caller in may:
                answer.problem("version-required" if tail == "/deals/1/confirm" else "invalid")
            else:
                answer.problem(_kept_out(caller, kind))


def test_entropy_is_the_seats(company: Company, kind: Kind) -> None:
    """It needs no If-Match, so that here 422 says "you may"."""
    with nothing_recorded(company.table.house):
        for caller in CALLERS:
            answer = company.ask(caller, "POST", "/entropy")
            answer.problem("invalid" if caller in OWN else _kept_out(caller, kind))


def _kept_out(caller: str, kind: Kind) -> str:
    if caller in ("nobody", "bad token"):
        return "unauthenticated"
    return "not-found" if caller in UNKNOWN and kind[1] == "private" else "forbidden"


@pytest.mark.parametrize("path", ["/v1/sessions", "/v1/records"])
def test_only_organisers_open_sessions_and_bring_records(companies: dict[Kind, Company], path: str) -> None:
    company = companies["dealt", "public"]
    house = company.table.house
    with nothing_recorded(house):
        for caller, token in company.tokens.items():
            answer = house.client.post(path, {}, token)
            if caller in ("first", "owner", "stranger"):
                answer.problem("invalid")
            else:
                answer.problem("forbidden" if "seat" in caller else "unauthenticated")


def test_everybody_may_list_and_look_at_the_contract_and_the_health(companies: dict[Kind, Company]) -> None:
    company = companies["dealt", "public"]
    for caller, token in company.tokens.items():
        listed = company.table.house.client.get("/v1/sessions", token)
        listed.problem("unauthenticated") if caller == "bad token" else listed.ok()
        for path in ("/openapi.json", "/health/live"):
            company.table.house.client.get(path, token).ok()


def test_a_seat_of_another_session_is_an_onlooker(companies: dict[Kind, Company]) -> None:
    for kind in KINDS:
        if kind[1] == "public":
            company = companies[kind]
            for tail in READS:
                theirs, nobodys = (company.ask(caller, "GET", tail) for caller in ("other's seat", "nobody"))
                assert theirs == nobodys


def test_whose_cards_each_sees(company: Company, kind: Kind) -> None:
    hands = [list(hand) for hand in SHORT["hands"]]
    for caller in CALLERS[:-1]:
        if kind[1] == "private" and caller not in RULING + OWN:
            continue
        sees: list[list[str] | None] = [None, None]
        if caller in OWN:
            at = OWN.index(caller)
            sees[at] = hands[at]
        elif caller in RULING and kind[0] == "recorded":
            sees = [*hands]
        whole = None not in sees
        for state in (
            company.ask(caller, "GET", "").body,
            company.ask(caller, "GET", "?at=2").body,
            company.ask(caller, "GET", "/deals/1/replay")["steps"][-1]["state"],
        ):
            assert [hand["cards"] for hand in state["deal"]["hands"]] == sees, caller
        for event in (
            company.ask(caller, "GET", "/events")["events"][-1],
            company.ask(caller, "GET", "/deals/1/replay")["steps"][-1]["event"],
        ):
            assert event["data"]["hands"] == sees, caller
            assert (event["data"]["stock"] is not None) == whole, caller
        assert len(company.ask(caller, "GET", "/record")["deals"]) == whole, caller


def test_an_organiser_plays_for_any_seat_and_must_say_for_which(house: House) -> None:
    table = opened(house)
    table.deal(SHORT).ok(201)
    for token in (house.first, table.owner):
        answer = table.post("/plays", {"type": "play", "card": "8h"}, token).problem("invalid")
        assert list(answer["errors"]) == ["seat"]
    for seat in (0, 3, 9, -1, 2**53 + 1, 1.0, "1", None, True):
        answer = table.post("/plays", {"seat": seat, "type": "play", "card": "8h"}, table.owner).problem("invalid")
        assert list(answer["errors"]) == ["seat"]
    table.post("/plays", {"seat": 1, "type": "play", "card": "8h"}, table.owner).ok(201)
    table.post("/plays", {"seat": 2, "type": "play", "card": "9h"}, house.first).ok(201)


def test_a_seat_plays_for_itself_alone(table: Sitting) -> None:
    table.deal(SHORT).ok(201)
    for more in ({}, {"match": None}, {"match": 1}, {"key": "k"}):
        with nothing_recorded(table.house):
            body = {"seat": 1, "type": "play", "card": "8h"}
            table.post("/plays", body, table.seats[2], **more).problem("forbidden")
            table.post("/plays", {**body, "card": "8x", "odd": 1}, table.seats[2], **more).problem("forbidden")
    for seat in (0, 3, 9, 1.0, "2", None, True):
        table.post("/plays", {"seat": seat, "type": "draw"}, table.seats[2]).problem("invalid")
    table.post("/plays", {"seat": 1, "type": "play", "card": "8h"}, table.seats[1]).ok(201)
    table.post("/plays", {"type": "play", "card": "9h"}, table.seats[2]).ok(201)


class TestTokens:
    """A token is what it is, wherever it comes from."""

    @pytest.mark.parametrize("header", ["{}", "Basic {}", "Bearer", "Bearer ", "Token {}", "Bearer {} {}", "{}Bearer "])
    def test_a_token_comes_as_bearer_or_not_at_all(self, table: Sitting, header: str) -> None:
        sent = {"Authorization": header.format(table.owner, table.owner)}
        table.get("", headers=sent).problem("unauthenticated")

    def test_the_scheme_may_be_written_in_any_case(self, table: Sitting) -> None:
        for scheme in ("bearer", "BEARER", "Bearer"):
            table.get("", headers={"Authorization": f"{scheme} {table.owner}"}).ok()

    def test_a_token_in_a_url_is_never_read(self, table: Sitting) -> None:
        for name in ("token", "access_token", "authorization", "seat_token"):
            path = f"?{name}={table.owner}"
            assert table.get(path).status in (404, 422)
            table.post(f"/deals{path}", SHORT).problem("unauthenticated")
        assert table.version == 1

    def test_a_revoked_token_is_nobodys(self, house: House) -> None:
        table = opened(house)
        assert house.tokens.revoke(house.owner)
        house.again().client.get(table.path, house.owner).problem("unauthenticated")

    def test_tokens_are_stored_hashed(self, house: House) -> None:
        table = opened(house)
        stored = repr(house.everything())
        for token in (house.first, house.owner, house.stranger, *table.seats.values()):
            assert token not in stored
            assert token.split(".")[-1] not in stored

    def test_a_seats_token_that_was_tampered_with_is_nobodys(self, house: House) -> None:
        table, other = opened(house), opened(house)
        kind, session, seat, mac = table.seats[1].split(".")
        for made in (
            f"{kind}.{session}.2.{mac}",
            f"{kind}.{other.id}.1.{mac}",
            f"{kind}.{session}.01.{mac}",
            f"{kind}.{session}.٣.{mac}",
            f"{kind}.{session}.{seat}.",
            f"{kind}.{session}.{seat}.{mac}x",
            f"{kind}.{session}.{seat}.{mac[:-1]}",
            f"{kind}.{session}.{seat}.{mac}.{mac}",
            f"{kind}.{session}.{seat}",
            f"{kind}.",
            "uorg.",
            "x" * 10_000,
        ):
            for path in (table.path, other.path):
                house.client.get(path, headers={"Authorization": f"Bearer {made}"}).problem("unauthenticated")
