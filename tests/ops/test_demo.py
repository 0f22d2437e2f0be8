"""The demonstration: its bot, its client when the service fails under it, its judgement, and a whole session of it."""

import io
import json
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from rich.console import Console

from service import demo
from service.demo.bots import PARTIES
from service.demo.client import Client, DemoError
from service.demo.findings import findings
from service.demo.rockaway import choose
from service.demo.sitting import Told
from tests.ops.running import Launcher, settings

LAUNCHER = (sys.executable, "-m", "service.launcher")


# The bot


def seen(own: str, *, others: tuple[int, ...] = (7, 7, 7), stock: int = 20) -> dict[str, Any]:
    """A session as seat 1 sees it on its turn."""
    hands: list[dict[str, Any]] = [{"seat": 1, "count": len(own.split()), "cards": own.split()}]
    hands += [{"seat": seat, "count": count, "cards": None} for seat, count in enumerate(others, start=2)]
    return {"deal": {"turn": 1, "hands": hands, "stock_count": stock}}


def may(*plays: str) -> list[dict[str, Any]]:
    """Plays as the service lists them: cards, `draw`, `pass`."""
    plain = {"draw", "pass"}
    return [{"seat": 1, "type": p} if p in plain else {"seat": 1, "type": "play", "card": p} for p in plays]


@pytest.mark.parametrize(
    ("view", "plays", "choice"),
    [
        pytest.param(seen("3c 9c Kc Ad 2h"), may("3c", "9c", "Kc", "Ad"), "Kc", id="high cards go first"),
        pytest.param(seen("Kc Kd 4d 5d Ah"), may("Kc", "Kd"), "Kd", id="of equal cards the one with company"),
        pytest.param(seen("3c 9d Ad 2h"), may("Ad", "draw"), "draw", id="an ace is kept while the deal is young"),
        pytest.param(
            seen("3c 9d Ad 2h", others=(7, 2, 7)), may("Ad", "draw"), "Ad", id="not when somebody is nearly out"
        ),
        pytest.param(seen("3c 9d Ad 2h", others=(1, 7, 7)), may("3c", "Ad"), "Ad", id="then it goes before all others"),
        pytest.param(seen("3c 9d Ad 2h", stock=3), may("Ad", "draw"), "Ad", id="not when the stock is low"),
        pytest.param(seen("Ad Ah 2h", stock=0), may("Ad", "Ah", "pass"), "Ah", id="an ace rather than a pass"),
        pytest.param(seen("3c 9d 2h"), may("draw"), "draw", id="the only play: draw"),
        pytest.param(seen("3c 9d 2h", stock=0), may("pass"), "pass", id="the only play: pass"),
    ],
)
def test_the_bot_of_rockaway(view: dict[str, Any], plays: list[dict[str, Any]], choice: str) -> None:
    chosen = choose(view, plays)
    assert chosen in plays
    assert chosen.get("card", chosen["type"]) == choice


# The client


class Heard(NamedTuple):
    method: str
    path: str
    key: str | None
    version: str | None


@contextmanager
def failing(*answers: int | None) -> Iterator[tuple[str, list[Heard]]]:
    """A service that gives these answers in turn (None: it hangs up), then 201; its address and what it heard."""
    heard: list[Heard] = []
    left = list(answers)

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            heard.append(Heard("POST", self.path, self.headers["Idempotency-Key"], self.headers["If-Match"]))
            status = left.pop(0) if left else 201
            if status is None:
                self.close_connection = True
                return
            body = json.dumps({"status": status, "detail": "it is so"}).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status == 503:
                self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names them
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", heard
        finally:
            server.shutdown()
            thread.join()


def test_a_command_is_sent_again_with_the_same_key() -> None:
    with failing(503, None, 503) as (url, heard), Client(url) as client:
        assert client.post("/v1/x", {}, "token", 17)["status"] == 201
    assert len(heard) == 4
    assert len(set(heard)) == 1
    assert heard[0].key
    assert heard[0].version == '"17"'


def test_another_command_has_another_key() -> None:
    with failing() as (url, heard), Client(url) as client:
        client.post("/v1/x", {}, "token", 17)
        client.post("/v1/x", {}, "token", 18)
    assert heard[0].key != heard[1].key


def test_a_refusal_is_told_and_not_repeated() -> None:
    with failing(409) as (url, heard), Client(url) as client:
        with pytest.raises(DemoError, match=r"POST /v1/x was answered with 409: it is so"):
            client.post("/v1/x", {}, "token", 17)
        assert len(heard) == 1


def test_a_service_that_stays_away_is_given_up() -> None:
    with failing(*[503] * 3) as (url, _), Client(url, patience=0) as client, pytest.raises(DemoError, match="503"):
        client.post("/v1/x", {}, "token")


# The judgement


PLAYERS = [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Ben"}]


def told(**changes: Any) -> Told:
    """What a sound service says of two deals, but for these changes."""
    sheets = tuple(
        {"number": number, "status": "posted", "points": points, "lines": lines}
        for number, points, lines in (
            (1, [0, 27], [{"seat": 2, "points": 7}, {"seat": 2, "points": 20}]),
            (2, [5, 0], [{"seat": 1, "points": 5}]),
        )
    )
    entries = [{"deal": 1, "points": [0, 27]}, {"deal": 2, "points": [5, 0]}]
    sound = Told(
        session={"totals": [5, 27], "winners": [1], "players": PLAYERS},
        sheets=sheets,
        ledger={"entries": entries, "balances": [5, 27]},
        record=Path("a.toml"),
        check={"verdict": "clean", "winners": [1], "deals": [{"points": [0, 27]}, {"points": [5, 0]}]},
    )
    return sound._replace(**changes)


def test_nothing_is_found_where_all_agrees() -> None:
    assert findings(told(), lowest_wins=True) == []


SHEET = told().sheets[0]
ENTRY = told().ledger["entries"][0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"session": {**told().session, "totals": [5, 28]}}, "add up to 5 27, the totals are 5 28"),
        ({"session": {**told().session, "winners": [2]}}, "the lowest total is 5"),
        ({"sheets": ({**SHEET, "status": "pending"}, told().sheets[1])}, "Deal 1 is pending"),
        ({"sheets": ({**SHEET, "lines": []}, told().sheets[1])}, "lines of deal 1"),
        ({"ledger": {"entries": told().ledger["entries"], "balances": [5, 20]}}, "balances are 5 20"),
        ({"ledger": {"entries": [ENTRY], "balances": [5, 27]}}, "entries are not the points"),
        ({"ledger": {"entries": [ENTRY, *told().ledger["entries"]], "balances": [5, 27]}}, "twice"),
        ({"check": {"verdict": "mismatch"}}, "says mismatch of a.toml"),
        ({"check": {**told().check, "winners": [1, 2]}}, "finds the winners"),
        ({"check": {**told().check, "deals": []}}, "other points"),
    ],
)
def test_whatever_disagrees_is_found(changes: dict[str, Any], words: str) -> None:
    assert any(words in finding for finding in findings(told(**changes), lowest_wins=True))


# The whole


def test_a_game_without_bots_is_refused_in_words(tmp_path: Path) -> None:
    screen = Console(file=io.StringIO())
    assert not demo.run("http://127.0.0.1:9", "token", "whist", tmp_path, screen)
    words = f"There are no bots for 'whist'. The demonstration plays: {', '.join(PARTIES)}."
    assert words in " ".join(said(screen).split())


def said(screen: Console) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


class Service(NamedTuple):
    url: str
    token: str


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    env = settings(tmp_path_factory.mktemp("demo"))
    with Launcher(env, "up", program=LAUNCHER) as launcher:
        launcher.wait_for("Upcard is ready")
        yield Service(f"http://127.0.0.1:{env['UPCARD_PORT']}", (launcher.data / "organiser.token").read_text().strip())
        launcher.process.terminate()
        assert launcher.wait()[0] == 0


@pytest.mark.service
@pytest.mark.parametrize(
    ("game", "best"),
    [("rockaway", "lowest"), ("poker_rum", "highest"), ("single_pack_rum", "highest"), ("canasta", "highest")],
)
def test_a_whole_session_agrees(service: Service, tmp_path: Path, game: str, best: str) -> None:
    screen = Console(file=io.StringIO(), width=200)
    assert demo.run(service.url, service.token, game, tmp_path / "demo", screen), said(screen)
    assert f"{game.replace('_', ' ').capitalize()}, session" in said(screen)
    (record,) = (tmp_path / "demo").iterdir()
    written = tomllib.loads(record.read_text())
    deals = len(written["deals"])
    # Canasta is played to a target.
    assert game == "canasta" or deals == 10
    for words in (
        f"Deal {deals}" if game == "canasta" else "Deal 10 of 10",
        "balances",
        f"with the {best} total",
        f"{record}: clean",
        f"{service.url}/v1/sessions",
    ):
        assert words in said(screen)
    assert service.token not in said(screen)


@pytest.mark.service
def test_a_wrong_token_is_told(service: Service, tmp_path: Path) -> None:
    screen = Console(file=io.StringIO(), width=200)
    assert not demo.run(service.url, "wrong", "rockaway", tmp_path, screen)
    assert "401" in said(screen)
