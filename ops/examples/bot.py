#!/usr/bin/env python3
"""Plays one seat of a session of any game until the session is over, whatever becomes of the service meanwhile.

    UPCARD_TOKEN=<the seat's token> python3 bot.py http://127.0.0.1:8000 <session>

Copy it and put a better player into `choose`; nothing but Python's standard library is needed. It prints a line for
each play that was recorded, and ends with 0 when the session is over, with 1 when it cannot go on.
Left out: dealing, which is the organiser's, and playing well.
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

WAIT = 25
"""Seconds that the service may keep a question open until something happens at the table."""
TIMEOUT = WAIT + 15
PATIENCE = 600
"""Seconds for which a service that is away is asked again, before the bot gives up."""
LONGEST_PAUSE = 10
ORDER = ("show", "splash", "answer", "play", "take", "meld", "lay_off", "draw", "discard", "ask", "pass")
"""Types of plays of all games: which is chosen before which."""


class GiveUpError(Exception):
    """The bot cannot go on; the message says why."""


class Service:
    """The service as one token has it. Whatever is asked is asked again until there is an answer that counts."""

    def __init__(self, address: str, token: str) -> None:
        self._address = address.rstrip("/")
        self._token = token

    def get(self, path: str) -> dict:
        """What there is at this path."""
        status, body = self._ask("GET", path, {})
        if status != 200:
            raise GiveUpError(_problem(status, body))
        return body

    def play(self, path: str, version: int, play: dict) -> tuple[int, dict]:
        """Send a play that was decided on this version; the status and the answer.

        Version and key stay the same from try to try. So a play whose answer was lost is answered and not made again,
        and one that was not recorded is refused if the table has moved on.
        """
        return self._ask("POST", path, {"If-Match": f'"{version}"', "Idempotency-Key": str(uuid.uuid4())}, play)

    def _ask(self, method: str, path: str, headers: dict, body: dict | None = None) -> tuple[int, dict]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json", **headers}
        pause, deadline = 0.25, time.monotonic() + PATIENCE
        while True:
            request = urllib.request.Request(self._address + path, data, headers, method=method)  # noqa: S310 - his own address
            asked_to_wait = None
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310 - as above
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as error:
                # 429 and 503 say when to come again. After any 5xx the play may have been recorded or not:
                # `outcome-unknown` says so, and a proxy before the service does not know either.
                with error:
                    content = error.read()
                if error.code < 500 and error.code != 429:
                    return error.code, _read(content)
                trouble = _problem(error.code, _read(content))
                asked_to_wait = error.headers.get("Retry-After", "")
            except (OSError, http.client.HTTPException, ValueError) as error:
                # Nobody there, cut off in the middle, too slow: it may have been recorded or not.
                trouble = f"no answer: {error or type(error).__name__}"
            if time.monotonic() > deadline:
                raise GiveUpError(trouble)
            seconds = float(asked_to_wait) if asked_to_wait and asked_to_wait.isdecimal() else pause
            # Not all clients of a service that comes back should come at the same moment.
            time.sleep(seconds + random.uniform(0, pause))  # noqa: S311 - no secret
            pause = min(pause * 2, LONGEST_PAUSE)


def _read(content: bytes) -> dict:
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    return body if isinstance(body, dict) else {"detail": content.decode(errors="replace")[:200]}


def _problem(status: int, body: dict) -> str:
    return f"{status} {body.get('type', '')} {body.get('detail') or body.get('title', '')}".strip()


def choose(session: dict, seat: int, plays: list) -> dict:
    """One of these plays. The session is as the seat sees it; its own hand is among `session["deal"]["hands"]`."""
    hands = {hand["seat"]: hand["cards"] or [] for hand in session["deal"]["hands"]}
    ranks = [card[0] for card in hands[seat]]

    def merit(play: dict) -> tuple:
        # An upcard that is taken for nothing in particular is no better than a card that is drawn.
        kind = "discard" if play["type"] == "take" and "melds" not in play else play["type"]
        # Unknown types may come in later games: last.
        order = ORDER.index(kind) if kind in ORDER else len(ORDER)
        card = play.get("card", "")
        # Of cards that are given away, those that have no company; aces, jokers and twos are kept.
        keep = card == "Jk" or card[:1] in ("A", "2")
        return order, keep, ranks.count(card[:1]), card

    return min(plays, key=merit)


def main() -> None:
    """Ask what may be played; play it, or wait until something happens."""
    if len(sys.argv) != 3 or not os.environ.get("UPCARD_TOKEN"):
        raise GiveUpError(f"usage: UPCARD_TOKEN=<token> {sys.argv[0]} <address> <session>")
    service, path = Service(sys.argv[1], os.environ["UPCARD_TOKEN"]), f"/v1/sessions/{sys.argv[2]}"
    while True:
        now = service.get(f"{path}/plays")
        session = service.get(path)
        if session["status"] == "over":
            print("over:", json.dumps({"totals": session["totals"], "winners": session["winners"]}), flush=True)
            return
        if not now["plays"]:
            # Answered as soon as there is an event after the version that was seen, or empty after so many seconds.
            service.get(f"{path}/events?after={now['version']}&wait={WAIT}&limit=1")
            continue
        if session["version"] != now["version"]:
            continue
        play = choose(session, now["seat"], now["plays"])
        status, answer = service.play(f"{path}/plays", now["version"], play)
        if status == 201:
            print(f"after {now['version']}:", json.dumps(play), flush=True)
        elif status != 412:
            # 412: something happened at the table first, so look again. Anything else would happen again.
            raise GiveUpError(_problem(status, answer))


if __name__ == "__main__":
    try:
        main()
    except GiveUpError as reason:
        sys.exit(f"bot: {reason}")
