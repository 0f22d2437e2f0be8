"""A whole session played through the HTTP API by bots, and everything that the service says of it afterwards.

Each bot sees what its seat's token shows. Left out: whether what the service says agrees, which is `findings`.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.demo.bots import Party
from service.demo.client import Client, DemoError

Fields = Mapping[str, Any]

POSTING_PATIENCE: Final = 60.0
"""Seconds that the ledger may take; a lost job is made good within ten."""
LOOK_EVERY: Final = 0.1


class Told(NamedTuple):
    """What the service says of a session that is over."""

    session: Fields
    sheets: tuple[Fields, ...]
    """The score sheet of each deal."""
    ledger: Fields
    record: Path
    """Where the exported record was put."""
    check: Fields
    """What `upcard check` says of it."""


def play_session(client: Client, token: str, game: str, party: Party, say: Callable[[Fields, int], None]) -> Fields:
    """Open a session and play it to its end; the session. `say` is told it after each play, with the plays so far.

    Raises DemoError.
    """
    opening = {"game": game, "players": party.players, "options": party.options, "mode": "dealt", "public": True}
    session: Fields = client.post("/v1/sessions", opening, token)
    path, tokens = f"/v1/sessions/{session['id']}", session["seat_tokens"]
    while session["status"] != "over":
        session = client.post(f"{path}/deals", {}, token, session["version"])
        plays = 0
        while session["status"] == "playing":
            seat = tokens[str(session["deal"]["turn"])]
            view, choice = client.get(path, seat), client.get(f"{path}/plays", seat)
            if not choice["plays"]:
                raise DemoError(f"Seat {choice['seat']} must act at version {choice['version']}, and may play nothing.")
            session = client.post(f"{path}/plays", party.bot(view, choice["plays"]), seat, choice["version"])
            plays += 1
            say(session, plays)
    return session


def ask_about(client: Client, session: Fields, export_to: Path) -> Told:
    """Everything that the service says of this session, which is over. Raises DemoError."""
    path = f"/v1/sessions/{session['id']}"
    deals = int(session["deal"]["number"])
    ledger = _posted(client, f"{path}/ledger", deals)
    sheets = tuple(client.get(f"{path}/deals/{number}") for number in range(1, deals + 1))
    record = export_to / f"{session['id']}.toml"
    try:
        export_to.mkdir(parents=True, exist_ok=True)
        record.write_bytes(client.read(f"{path}/record", form="application/toml"))
    except OSError as fault:
        raise DemoError(f"The record cannot be written to {record}: {fault.strerror}.") from None
    return Told(client.get(path), sheets, ledger, record, _check(record))


def _posted(client: Client, path: str, deals: int) -> Fields:
    """The ledger, once a worker has posted all deals."""
    deadline = time.monotonic() + POSTING_PATIENCE
    while len((ledger := client.get(path))["entries"]) < deals:
        if time.monotonic() >= deadline:
            count = len(ledger["entries"])
            raise DemoError(f"After {POSTING_PATIENCE:.0f} s the ledger has {count} of {deals} deals: is a worker up?")
        time.sleep(LOOK_EVERY)
    found: Fields = ledger
    return found


def _check(record: Path) -> Fields:
    """What the command says, asked as anybody would; -P keeps the folder we are in from being taken for the product."""
    line = [sys.executable, "-P", "-m", "service.cli", "check", "--json", str(record)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)  # noqa: S603 - our own command, no shell
    try:
        verdict: Fields = json.loads(done.stdout)
    except ValueError:
        raise DemoError(f"`upcard check` gives no verdict on {record}: {done.stderr.strip()}") from None
    return verdict
