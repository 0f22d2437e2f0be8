"""Everything that one caller can get to see of a session, and the cards that are named in it.

For the tests that nothing leaks: every resource that is read, and every refusal that a hostile command can provoke.
"""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from replay.rules.cards import PACK
from tests.http.client import Answer
from tests.http.tables import Sitting

_CARD: Final = re.compile(r"(?<![\w-])(?:[AKQJT2-9][cdhs]|Jk)(?![\w-])")
_NAME: Final = re.compile(r"\b(ace|king|queen|jack|10|[2-9]) of (clubs|diamonds|hearts|spades)\b")
_RANKS: Final = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "10": "T"}


class Seen(NamedTuple):
    """An answer, what it answers, and which cards the caller has named himself."""

    about: str
    answer: Answer
    named: frozenset[str] = frozenset()


def cards_in(answer: Answer) -> set[str]:
    """Every card that is named anywhere in an answer, its headers included, in letters or in words."""
    text = answer.everything
    words = {_RANKS.get(rank, rank) + suit[0] for rank, suit in _NAME.findall(text)}
    return set(_CARD.findall(text)) | words


def read(table: Sitting, token: str | None, chance: Random, *, since: int = 1) -> Iterator[Seen]:
    """Every resource that this caller can read. With `since`, only what tells of versions from there on."""
    deal = table.state().deal
    assert deal is not None
    earlier = {chance.randint(since, table.version) for _ in range(3)}
    tails = [
        "",
        f"/events?after={since - 1}&limit=500",
        f"/deals/{deal.number}",
        f"/deals/{deal.number}/replay?limit=200",
    ]
    tails += [f"?at={at}" for at in sorted({since, table.version} | earlier)]
    tails += ["/plays", f"/plays?at={max(earlier)}", f"/plays?seat={chance.randint(1, table.state().seats)}"]
    if since == 1:
        tails += ["/ledger", "/record", "/export", "/checkpoints", f"/deals/{deal.number}/audit"]
        yield Seen("the record as TOML", table.get("/record", token, headers={"Accept": "application/toml"}))
        for form in ("text/plain", "text/html"):
            tail = f"/deals/{deal.number}/audit"
            yield Seen(f"the report as {form}", table.get(tail, token, headers={"Accept": form}))
        yield Seen("the list", table.house.client.get("/v1/sessions?status=playing", token))
    for tail in tails:
        yield Seen(f"GET {tail}", table.get(tail, token))


def provoke(table: Sitting, token: str | None, chance: Random) -> Iterator[Seen]:
    """Refusals: commands that are not this caller's, or not legal now. None of them is carried out."""
    seen = table.get("/plays", token)
    legal = seen["plays"] if seen.status == 200 else []
    seat = seen["seat"] if seen.status == 200 else 1
    seats = table.state().seats
    guesses = chance.sample(PACK, 4)
    one_card = ("play",) if table.state().game.name == "rockaway" else ("discard", "show")
    bodies: list[dict[str, Any]] = [{"seat": seat, "type": kind, "card": card} for kind in one_card for card in guesses]
    bodies += [{"seat": seat, "type": "meld", "cards": [card]} for card in guesses[:2]]
    bodies += [{"seat": seat, "type": "meld", "melds": {card[0]: [card]}} for card in guesses[:2]]
    bodies += [{"seat": seat, "type": "draw"}, {"seat": seat, "type": "pass"}]
    bodies += [{"seat": seat, "type": "draw", "cards": [card]} for card in guesses[:2]]
    bodies += [{"seat": seat, "type": "play", "card": guesses[0], "irregular": True}]
    bodies += [{"seat": seat % seats + 1, "type": "draw"}, {"type": "play"}, {"type": "play", "card": "Zz"}]
    for body in bodies:
        if body not in legal:
            answer = table.post("/plays", body, token)
            assert answer.status >= 400, f"{body} was taken"
            yield Seen(f"POST {body}", answer, frozenset(_CARD.findall(str(body))))
    for tail, more in (("/plays", {"match": 1}), ("/plays", {"match": None}), ("/deals", {}), ("/close", {})):
        answer = table.post(tail, {"type": "draw"} if tail == "/plays" else {}, token, **more)
        assert answer.status >= 400
        yield Seen(f"POST {tail}", answer)
