"""The OpenAPI document: it is the one that is checked in, it has every resource, and its examples and links hold."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest
from click.testing import CliRunner

from replay.rules.registry import GAMES
from service.app import contract_document
from service.cli import main
from service.contract import printed
from service.problems import KINDS
from tests.http.client import Client
from tests.http.contract import Operation, check_answer, contract
from tests.http.house import House
from tests.http.resources import resources
from tests.http.tables import opened

CHECKED_IN: Final = Path(__file__).parents[2] / "ops/openapi.json"
OPERATIONS: Final = {operation.said["operationId"]: operation for operation in contract().operations()}


def examples() -> Iterator[tuple[str, Any, Any]]:
    """Every example of a body: where it is, its schema, itself."""
    for name, operation in OPERATIONS.items():
        contents = {"request": operation.said.get("requestBody", {}).get("content", {})}
        contents |= {status: said.get("content", {}) for status, said in operation.said["responses"].items()}
        for place, content in contents.items():
            for form, said in content.items():
                for example, each in said.get("examples", {}).items():
                    yield f"{name} {place} {form} {example}", said["schema"], each["value"]


EXAMPLES: Final = list(examples())


def test_the_document_is_the_one_that_is_checked_in() -> None:
    again = "ops/openapi.json is out of date; write it anew: python -m service.cli openapi > ops/openapi.json"
    assert CHECKED_IN.read_bytes() == printed(contract_document()), again


def test_the_command_prints_it_and_the_service_serves_it(client: Client) -> None:
    printed_by_command = CliRunner().invoke(main, ["openapi"])
    assert printed_by_command.exit_code == 0
    served = client.get("/openapi.json").ok()
    assert printed_by_command.stdout == served.text == CHECKED_IN.read_text()


def test_it_is_an_openapi_document_of_sound_schemas() -> None:
    document = contract_document()
    assert document["openapi"] == "3.1.0"
    for name, schema in document["components"]["schemas"].items():
        assert jsonschema_rs.meta.is_valid({**schema, "$schema": "https://json-schema.org/draft/2020-12/schema"}), name
    refs = re.findall(r'"\$ref": ?"#/([^"]+)"', CHECKED_IN.read_text())
    assert len(refs) > 100
    for ref in set(refs):
        part = document
        for step in ref.split("/"):
            part = part[step]


def test_it_has_every_resource(house: House) -> None:
    known = contract()
    for resource in resources(house):
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", resource.rule)
        operation = known.find(resource.method, path)
        assert operation is not None, f"{resource.name} is not documented: define it through service.document.Resource"
        assert operation.path == path


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_whole(name: str) -> None:
    said = OPERATIONS[name].said
    assert said["summary"].endswith("."), "say in the view's docstring what it does"
    assert said["tags"]
    assert "security" in said
    assert len(said["responses"]) > 1
    for parameter in said["parameters"]:
        assert "$ref" in parameter or parameter["description"], parameter


def test_operations_are_told_apart() -> None:
    assert len(OPERATIONS) == len(contract().operations())


@pytest.mark.parametrize(("schema", "value"), [each[1:] for each in EXAMPLES], ids=[each[0] for each in EXAMPLES])
def test_an_example_fits_its_schema(schema: Any, value: Any) -> None:
    assert contract().faults(schema, value) == []


def test_commands_with_a_body_have_examples() -> None:
    shown = {place.split()[0] for place, _, _ in EXAMPLES if " request " in place}
    assert {name for name, operation in OPERATIONS.items() if "requestBody" in operation.said} <= shown


def test_links_name_operations_and_parameters_that_there_are() -> None:
    links = 0
    for name, operation in OPERATIONS.items():
        for status, response in operation.said["responses"].items():
            for link in response.get("links", {}).values():
                target = OPERATIONS[link["operationId"]]
                assert link["parameters"].keys() <= _parameters(target), (name, status, link)
                assert "requestBody" not in link or "requestBody" in target.said
                links += 1
    assert links > 30


def _parameters(operation: Operation) -> set[str]:
    path = set(re.findall(r"\{(\w+)\}", operation.path))
    return path | {each["name"] for each in operation.said["parameters"] if "name" in each}


def test_answers_may_get_further_fields_and_bodies_may_not() -> None:
    schemas = contract_document()["components"]["schemas"]
    for answered in (
        "RockawaySession",
        "CanastaOpened",
        "Ledger",
        "Events",
        "RockawayCardPlayedEvent",
        "NotNowProblem",
    ):
        assert "additionalProperties" not in schemas[answered], answered
    for read in ("OpenRockaway", "RockawayPlay", "CanastaMeld", "RecordedDealBody", "CanastaRecord", "WebhookBody"):
        assert schemas[read]["additionalProperties"] is False, read


def test_every_kind_of_problem_has_a_schema_of_its_own() -> None:
    problem = contract().document["components"]["schemas"]["Problem"]
    assert problem["discriminator"]["mapping"].keys() == {f"/problems/{slug}" for slug in KINDS}


class TestPlays:
    """Plays of several games share their type, so that each game has a discriminator of its own."""

    SCHEMAS: Final = contract().document["components"]["schemas"]

    def test_a_play_is_one_of_its_games_plays(self) -> None:
        of_games = [each["$ref"].rpartition("/")[2] for each in self.SCHEMAS["Play"]["anyOf"]]
        assert len(of_games) == len(GAMES)
        for name in of_games:
            said = self.SCHEMAS[name]["discriminator"]
            assert said["propertyName"] == "type"
            for value, ref in said["mapping"].items():
                assert self.SCHEMAS[ref.rpartition("/")[2]]["properties"]["type"]["enum"] == [value]

    @pytest.mark.parametrize("name", ["Session", "Opened", "Open", "Record", "Event"])
    def test_a_discriminator_tells_one_from_another(self, name: str) -> None:
        said = self.SCHEMAS[name]["discriminator"]
        assert len(said["mapping"]) == len(self.SCHEMAS[name]["oneOf"])
        for value, ref in said["mapping"].items():
            assert self.SCHEMAS[ref.rpartition("/")[2]]["properties"][said["propertyName"]]["enum"] == [value]


class TestRequestExamples:
    """The examples of requests are taken as they are."""

    def test_of_sessions(self, house: House) -> None:
        for example in self._of("open_session"):
            house.client.post("/v1/sessions", example, house.owner).ok(201)

    def test_of_a_deal_a_play_and_a_close(self, house: House) -> None:
        shuffled, mixed, recorded = self._of("start_deal")
        opened(house, mode="dealt").deal(shuffled).ok(201)
        opened(house, mode="dealt").deal(mixed).ok(201)
        table = opened(house)
        table.deal(recorded).ok(201)
        table.post("/plays", self._of("make_play")[0], table.owner).ok(201)
        opened(house, options={"deals": None}).post("/close", self._of("close_session")[0], house.owner).ok()

    def test_of_entropy(self, house: House) -> None:
        table = opened(house, mode="dealt")
        for seat, example in enumerate(self._of("add_entropy"), start=1):
            table.post("/entropy", example, table.seats[seat]).ok(201)

    def test_of_plays_of_other_games_can_be_read(self, house: House) -> None:
        games = ("rockaway", "rockaway", "single_pack_rum", "poker_rum", "canasta")
        for game, example in zip(games, self._of("make_play"), strict=True):
            table = opened(house, game=game)
            assert table.post("/plays", example, table.owner).problem("not-now").status == 409

    def test_of_webhooks(self, house: House) -> None:
        for example in self._of("make_webhook"):
            path = house.client.post("/v1/webhooks", example, house.owner).ok(201).headers["Location"]
        house.client.post(path, self._of("change_webhook")[0], house.owner).ok()
        house.client.post(f"{path}/secret", self._of("rotate_secret")[0], house.owner).ok(201)
        # There is no such event here, but its id is one.
        answer = house.client.post(f"{path}/redeliver", self._of("redeliver")[0], house.owner).problem("invalid")
        assert answer["errors"] == {"id": ["This webhook has no such event."]}

    def test_of_records(self, house: House) -> None:
        for form in ("application/json", "application/toml"):
            for value in self._of("import_record", form):
                raw = value.encode() if isinstance(value, str) else json.dumps(value).encode()
                found = house.client.post("/v1/records", token=house.owner, raw=raw, media=form).ok(201)
                assert found["check"]["verdict"] == "unfinished"

    def _of(self, name: str, form: str = "application/json") -> list[Any]:
        content = OPERATIONS[name].said["requestBody"]["content"][form]
        return [each["value"] for each in content["examples"].values()]


class TestTheCheckItself:
    """What the document does not have is found."""

    HEADERS: Final = {
        "Content-Type": "application/json",
        "Cache-Control": "no-store",
        "Vary": "Authorization",
        "X-Content-Type-Options": "nosniff",
        "X-Request-Id": "1",
    }

    def check(
        self, path: str = "/health/live", status: int = 200, body: bytes = b'{"status":"alive"}', **more: str
    ) -> None:
        headers = self.HEADERS | {name.replace("_", "-"): value for name, value in more.items()}
        check_answer("GET", path, status, headers, body)

    def test_what_is_documented_passes(self) -> None:
        self.check()

    def test_faults_are_found(self) -> None:
        for fault in (
            {"status": 202},
            {"body": b'{"status":"well"}'},
            {"body": b'{"status":"alive","more":1}'},
            {"body": b"{}"},
            {"path": "/health/other"},
            {"Content_Type": "text/plain"},
            {"X_Other": "1"},
            {"Vary": "Cookie"},
        ):
            with pytest.raises(AssertionError):
                self.check(**fault)

    def test_a_missing_header_is_found(self) -> None:
        headers = {name: value for name, value in self.HEADERS.items() if name != "Vary"}
        with pytest.raises(AssertionError):
            check_answer("GET", "/health/live", 200, headers, b'{"status":"alive"}')

    def test_a_body_that_was_taken_and_is_not_allowed_is_found(self, house: House) -> None:
        answer = house.client.post("/v1/sessions", {"game": "rockaway", "players": ["Ann", "Ben"]}, house.owner).ok(201)
        headers = {**answer.headers, "X-Request-Id": "1"}
        content = answer.text.encode()
        check_answer("POST", "/v1/sessions", 201, headers, content, b'{"game": "rockaway", "players": ["Ann", "Ben"]}')
        for body in (b'{"game": "bridge", "players": ["Ann", "Ben"]}', b'{"game": "rockaway", "players": ["Ann", ""]}'):
            with pytest.raises(AssertionError):
                check_answer("POST", "/v1/sessions", 201, headers, content, body)
