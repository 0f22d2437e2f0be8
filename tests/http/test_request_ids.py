"""The request id: a client's own comes back, any other answer has one of ours."""

from typing import Final

import pytest

from service.request_ids import request_id
from tests.http.client import Client
from tests.http.tables import Sitting

NO_IDS: Final = ["", " ", "a b", 'a"b', "a\tb", "é", "x" * 65, "<script>", "a,b", "{}", "9c;"]


@pytest.mark.parametrize("sent", ["a", "9", "x" * 64, "018f-aa.B_c:d", "0" * 32])
def test_a_clients_own_id_comes_back(client: Client, table: Sitting, sent: str) -> None:
    headers = {"X-Request-Id": sent}
    assert client.get("/health/live", headers=headers).request == sent
    assert client.get("/v1/nothing", headers=headers).request == sent
    assert table.get("", headers=headers).request == sent
    assert table.deal(headers=headers, match=9).request == sent


@pytest.mark.parametrize("sent", NO_IDS)
def test_what_is_no_id_is_not_taken_over(client: Client, sent: str) -> None:
    assert client.get("/health/live", headers={"X-Request-Id": sent}).request not in (sent, sent.strip())


def test_no_two_requests_get_the_same(client: Client) -> None:
    given = [client.get("/health/live").request for _ in range(50)]
    assert len(set(given)) == 50


def test_outside_a_request_there_is_none() -> None:
    assert request_id() == ""


def test_a_line_break_is_no_part_of_an_id(client: Client) -> None:
    answer = client.get("/health/live", environ={"HTTP_X_REQUEST_ID": "a\n"})
    assert "\n" not in answer.request
