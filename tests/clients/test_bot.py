"""The bot of the examples plays every game to the end, and what is recorded of a seat is what its bot says it played.

Web servers are killed under it right after a play was recorded, before it is answered; the store is stopped, too.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from tests.docs.markdown import ROOT
from tests.faults.client import Client
from tests.faults.running import LIMIT, Service, until

pytestmark = [pytest.mark.store, pytest.mark.service]

# Isolated, and without site-packages: there is nothing but the standard library.
BOT: Final = (sys.executable, "-I", "-S", str(ROOT / "ops/examples/bot.py"))
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "rockaway": {"deals": 2},
    "poker_rum": {"deals": 2, "max_turnovers": 1},
    "single_pack_rum": {"deals": 2, "max_turnovers": 1},
    "canasta": {"deals": 2},
}
Bots = dict[int, "subprocess.Popen[str]"]


class Table:
    """A session that bots play."""

    def __init__(self, upcard: Service, game: str, *, seats: int = 2) -> None:
        self.upcard: Final = upcard
        self.organiser: Final[Client] = upcard.client()
        body = {"game": game, "players": ["Ann", "Ben", "Cy", "Di"][:seats], "options": OPTIONS[game]}
        opened = self.organiser.call("POST", "/v1/sessions", body)
        assert opened.status == 201, opened
        self.id: Final[str] = opened.body["id"]
        self.path: Final = f"/v1/sessions/{self.id}"
        self.tokens: Final[dict[str, str]] = opened.body["seat_tokens"]

    @contextmanager
    def bots(self) -> Iterator[Bots]:
        """A bot at each seat, killed when the block ends."""
        bots = {int(seat): self._bot(token) for seat, token in self.tokens.items()}
        try:
            yield bots
        finally:
            for bot in bots.values():
                bot.kill()
                bot.communicate()

    def _bot(self, token: str) -> "subprocess.Popen[str]":
        address = f"http://127.0.0.1:{self.upcard.port}"
        return subprocess.Popen(
            [*BOT, address, self.id],
            env={"UPCARD_TOKEN": token},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def version(self) -> int:
        """How far the session is, by the log itself."""
        return len(self.upcard.log.read(self.id))

    def deal(self) -> None:
        """Start the next deal, if none is on and the session is not over."""
        session = self.organiser.call("GET", self.path)
        if session.status == 200 and session.body["status"] == "waiting":
            answer = self.organiser.call("POST", f"{self.path}/deals", {}, match=session.version)
            assert answer.status == 201, answer

    def play_out(self, bots: Bots) -> None:
        """Deal whenever it is time, until every bot says that the session is over."""

        def over() -> bool:
            self.deal()
            return all(bot.poll() is not None for bot in bots.values())

        until(over, "the session is over")

    def _events(self) -> Iterator[Any]:
        after = 0
        while events := self.organiser.call("GET", f"{self.path}/events?after={after}").body["events"]:
            yield from events
            after = events[-1]["version"]

    def check(self, bots: Bots) -> None:
        """Every play in the log is one that its seat's bot has said once, and no bot has said more."""
        assert self.organiser.call("GET", self.path).body["status"] == "over"
        recorded = {seat: list[int]() for seat in bots}
        for event in self._events():
            if event["seat"] is not None and not event["kind"].startswith("session."):
                recorded[event["seat"]].append(event["version"] - 1)
        for seat, bot in bots.items():
            said, trouble = bot.communicate(timeout=LIMIT)
            assert (bot.returncode, trouble) == (0, "")
            *plays, last = said.splitlines()
            assert [int(line.removeprefix("after ").partition(":")[0]) for line in plays] == recorded[seat]
            assert json.loads(last.removeprefix("over:"))["winners"] is not None


@pytest.mark.parametrize("game", OPTIONS)
def test_it_plays_every_game(upcard: Service, game: str) -> None:
    upcard.start_web()
    table = Table(upcard, game)
    with table.bots() as bots:
        table.play_out(bots)
        table.check(bots)


def test_it_goes_on_when_the_service_is_killed(upcard: Service) -> None:
    # Struck right after a play that ends a deal is recorded: its answer is lost.
    web = upcard.start_web("kicked")
    table = Table(upcard, "rockaway")
    with table.bots() as bots:
        table.deal()
        until(lambda: upcard.struck("kicked"), "a deal has ended")
        web.wait()
        web = upcard.start_web()
        table.organiser.close()
        table.deal()
        here = table.version()
        until(lambda: table.version() >= here + 2, "they play on")
        upcard.kill(web)
        upcard.start_web()
        table.organiser.close()
        table.play_out(bots)
        table.check(bots)


def test_it_goes_on_when_the_store_was_away(upcard: Service) -> None:
    upcard.start_web()
    table = Table(upcard, "rockaway")
    with table.bots() as bots:
        table.deal()
        until(lambda: table.version() >= 4, "they play")
        upcard.store.kill()
        upcard.store.restart()
        table.play_out(bots)
        table.check(bots)


def test_it_says_what_is_wrong(upcard: Service) -> None:
    upcard.start_web()
    address = f"http://127.0.0.1:{upcard.port}"
    for arguments, token, word in (((), "x", "usage"), ((address, "none"), "x", "401")):
        done = subprocess.run(
            [*BOT, *arguments], env={"UPCARD_TOKEN": token}, capture_output=True, text=True, timeout=LIMIT, check=False
        )
        assert done.returncode == 1
        assert word in done.stderr
