"""What is logged: a JSON line a request that can be found by its id; no token, no card, no player's name anywhere."""

import io
import json
import logging
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from service.logs import REQUESTS, formatter
from tests.http.client import Answer
from tests.http.house import House
from tests.http.looking import cards_in
from tests.http.tables import SHORT, Sitting, opened

PLAYERS: Final = ("Annabel", "Benedict")


class Lines:
    """All that the service says."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.output = io.StringIO()

    @property
    def text(self) -> str:
        """Everything, as it would be in the file."""
        return self.output.getvalue() + "\n".join(map(json.dumps, self.requests))

    @property
    def others(self) -> list[dict[str, Any]]:
        """Lines that are not a request's."""
        return [json.loads(line) for line in self.output.getvalue().splitlines()]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Speaks as a web process does, into memory."""
    found = Lines()
    handler = logging.StreamHandler(found.output)
    handler.setFormatter(formatter("web"))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    REQUESTS.sink = lambda line: found.requests.append(json.loads(line))
    yield found
    REQUESTS.sink = None
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture
def table(house: House) -> Sitting:
    body = {"game": "rockaway", "players": PLAYERS, "mode": "recorded", "options": {"deals": None}}
    return Sitting(house, house.client.post("/v1/sessions", body, house.owner).ok(201), house.owner)


def test_each_request_has_its_line(house: House, table: Sitting, lines: Lines) -> None:
    table.deal(SHORT, headers={"X-Request-Id": "deal-1"}).ok(201)
    [line] = lines.requests
    assert line.pop("at").startswith("20")
    assert line.pop("ms") > 0
    assert line == {
        "level": "info",
        "event": "request",
        "request": "deal-1",
        "method": "POST",
        "route": "/v1/sessions/<session_id>/deals",
        "status": 201,
        "caller": table.state().owner,
        "session": table.id,
    }
    answer = house.client.get("/v1/none/such").problem("not-found")
    assert lines.requests[-1]["request"] == answer.request
    assert (lines.requests[-1]["route"], lines.requests[-1]["caller"]) == ("none", "nobody")


def test_a_line_that_is_said_within_a_request_bears_its_id(table: Sitting, lines: Lines) -> None:
    house = table.house
    [stream] = house.events.keys(f"*events:{table.id}")
    house.events.rename(stream, "elsewhere")
    house.events.xadd(stream, {"p": b"no event"}, id="1-0")
    answer = house.again().client.get(table.path, table.owner).problem("diverged")
    [line] = [line for line in lines.others if line["event"].startswith("diverged")]
    assert line["request"] == answer.request
    assert (line["level"], line["process"]) == ("error", "web")
    assert table.id in line["event"]


def test_an_unexpected_error_is_told_without_its_message(
    house: House, table: Sitting, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall(*_: Any, **__: Any) -> None:
        raise ValueError("choked on Joker of Annabel")

    monkeypatch.setattr(house.context.folder, "now", fall)
    with pytest.raises(AssertionError):
        # The client of the tests takes no 500.
        table.get("", table.owner)
    [line] = [line for line in lines.others if line.get("error") == "ValueError"]
    assert line["level"] == "error"
    assert any("test_log_lines.py" in each for each in line["where"])
    assert "Joker" not in lines.text
    assert "Annabel" not in lines.text


def test_nothing_that_is_secret_is_said_whatever_is_sent(house: House, lines: Lines) -> None:
    body = {"game": "rockaway", "players": PLAYERS, "mode": "recorded", "options": {"deals": None}}
    table = Sitting(house, house.client.post("/v1/sessions", body, house.owner, key="9c").ok(201), house.owner)
    auditor = house.client.post("/v1/tokens", {"role": "auditor", "label": "Annabel"}, house.owner).ok(201)["token"]
    tokens = [house.first, house.owner, house.stranger, auditor, *table.seats.values()]
    _drive(table, tokens)
    assert len(lines.requests) > 50
    said = lines.text
    for token in tokens:
        assert token not in said
        assert token.rpartition(".")[2] not in said
    for name in PLAYERS:
        assert name not in said
    assert cards_in(Answer(200, {}, re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "", said), None)) == set()


def _drive(table: Sitting, tokens: list[str]) -> None:
    """A deal, with every refusal on the way, and secrets in every place where a client can put them."""
    house = table.house
    table.deal({**SHORT, "upcard": "2c"}).problem("impossible-play")
    table.short(4)
    for token in tokens:
        for tail in ("", "?at=2", "/events", "/plays?seat=1", "/deals/1/replay", "/record", "/privileged_reads"):
            table.get(tail, token)
        table.post("/plays", {"seat": 1, "type": "play", "card": "Ks"}, token)
        table.post("/plays", {"seat": 1, "type": "draw"}, token)
        for path in (f"/v1/sessions/{token}", f"/v1/{token}", f"/v1/sessions?player=Annabel&token={token}", "/9c"):
            house.client.get(path, token)
        house.client.get(table.path, headers={"Authorization": f"Basic {token}", "User-Agent": token})
        house.client.get(f"/v1/tokens/{token}", house.first)
    house.client.post("/v1/tokens", {"role": "watch", "label": "Benedict"}, house.owner).ok(201)
    record = table.get("/record", table.owner).body
    house.client.post("/v1/records", record, house.owner)
    house.client.post("/v1/records", {**record, "game": "Annabel"}, house.owner)
    table.post("/close", {"Annabel": "9c"}, table.owner).problem("invalid")


def test_a_library_speaks_in_the_same_form(lines: Lines) -> None:
    logging.getLogger("rq.worker").warning("job %s", "a-1")
    [line] = lines.others
    assert (line["event"], line["level"], line["logger"], line["process"]) == ("job a-1", "warning", "rq.worker", "web")


def test_a_trace_that_a_library_puts_into_its_words_is_cut_off(lines: Lines) -> None:
    words = "job failed\nTraceback (most recent call last):\n  …\nValueError: choked on 9c\n"
    logging.getLogger("rq.worker").error(words)
    assert [line["event"] for line in lines.others] == ["job failed"]


def test_opened_sessions_are_told_by_their_ids_alone(house: House, lines: Lines) -> None:
    table = opened(house)
    table.get("/ledger", table.owner).ok()
    assert lines.requests[-1]["session"] == table.id
    house.client.get("/v1/sessions/Annabel/ledger", table.owner).problem("not-found")
    assert "session" not in lines.requests[-1]
