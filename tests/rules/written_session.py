"""A whole session of Rockaway as a page that a person can follow with cards in hand; read, played and printed.

The page is made once from a seed (`python -m tests.rules.written_session SEED`) and then stands for itself: the test
plays what is written on it and prints that again. Leaves out records, which are the product's own written form.
"""

import sys
import textwrap
from collections.abc import Iterator
from typing import Final

from replay.rules.cards import Cards, parse_card
from replay.rules.registry import GAMES
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.session import Session, fold
from replay.rules.session_decide import DealCommand, dealt, open_session, play, start_deal
from tests.rules.layout import cards, read
from tests.rules.players.rockaway import careful, hoarder, spoiler
from tests.seeds import rng

PLAYERS: Final = ("Ann", "Ben", "Cy")
OPTIONS: Final[dict[str, object]] = {"deals": 4, "blocked": "lowest_is_out"}
JOINT: Final = "~"
"""Stands for a blank at which no line may be broken."""
HEADING: Final = """\
A session of Rockaway in four deals, of which the last three are trebled; when a deal is blocked the lowest is out.
Each play has its seat first: Ann 1, Ben 2, Cy 3."""


def opened() -> Session:
    """The session before its first deal."""
    event = open_session(ROCKAWAY, seats=len(PLAYERS), options=OPTIONS, mode="recorded", public=True, owner="organiser")
    return fold(None, [event])


def printed(page: str) -> str:
    """The page again, from nothing but its cards and plays; raises if a play on it is refused."""
    now = opened()
    blocks = [HEADING]
    for hands, upcard, stock, plays in _deals(page):
        now = fold(now, [start_deal(now, DealCommand(hands, parse_card(upcard), stock))])
        for seat, text in plays:
            now = fold(now, play(now, read(seat, text)))
        blocks.append(_deal(now, hands, upcard, stock, plays))
    winners = ", ".join(PLAYERS[seat - 1] for seat in now.winners or ())
    return "\n\n".join((*blocks, f"Won by {winners or 'nobody yet'}.")) + "\n"


_Plays = list[tuple[int, str]]


def _deals(page: str) -> Iterator[tuple[tuple[Cards, ...], str, Cards, _Plays]]:
    for block in page.split("\n\n"):
        if not block.startswith("Deal"):
            continue
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines()[1:]:
            name = line[:7].strip() or name
            fields[name] = f"{fields.get(name, '')} {line[7:].strip()}".strip()
        plays = [(int(seat), text) for seat, text in (it.strip().split(" ", 1) for it in fields["plays"].split(","))]
        hands = tuple(cards(fields[player]) for player in PLAYERS)
        yield hands, fields["upcard"], cards(fields["stock"]), plays


def _deal(now: Session, hands: tuple[Cards, ...], upcard: str, stock: Cards, plays: _Plays) -> str:
    deal = now.deal
    assert deal is not None
    lines = [f"Deal {deal.number}, dealt by {PLAYERS[deal.dealer - 1]}"]
    for player, hand in zip(PLAYERS, hands, strict=True):
        lines += _field(player, " ".join(hand))
    lines += _field("upcard", upcard)
    lines += _field("stock", " ".join(stock))
    lines += _field("plays", ", ".join(f"{seat} {text}".replace(" ", JOINT) for seat, text in plays))
    if deal.points is None:
        return "\n".join((*lines, "not over"))
    gone = ", the pack exhausted" if deal.state.table.exhausted else ""
    lines.append(f"ends {deal.ending}{gone}")
    sheet = ROCKAWAY.score(deal.state)
    for seat, player in enumerate(PLAYERS, start=1):
        parts = [f"{it.points} {it.clause} {' '.join(it.cards)}".strip() for it in sheet.lines if it.unit == seat]
        sums = f" = {' + '.join(part.replace(' ', JOINT) for part in parts)}" if parts else ""
        lines += _field("", f"{player} {deal.points[seat - 1]}{sums}")
    lines.append("totals " + " ".join(map(str, now.totals)))
    return "\n".join(lines)


def _field(name: str, text: str) -> list[str]:
    lines = textwrap.wrap(text, 110) or [""]
    return [f"{name if n == 0 else '':6} {line}".replace(JOINT, " ") for n, line in enumerate(lines)]


def make(seed: str) -> str:
    """A page from a seed: a careful player, a hoarder and one who peeks, so that deals end in every way."""
    chance, now, blocks = rng(f"written session {seed}"), opened(), []
    while now.winners is None:
        pack = list(GAMES["rockaway"].make(3, now.options).copies.elements())
        chance.shuffle(pack)
        lie = dealt(now, tuple(pack))
        now = fold(now, [start_deal(now, DealCommand(*lie))])
        plays: _Plays = []
        while now.playing:
            assert now.deal is not None
            state = now.deal.state
            style = (careful, hoarder, spoiler)[state.turn - 1] if now.deal.number % 2 else careful
            event = play(now, style(chance, state, ROCKAWAY.legal(state, state.turn)))
            plays.append((state.turn, ROCKAWAY.write_play(event[0])))  # type: ignore[arg-type]  # the first is the play
            now = fold(now, event)
        stock = tuple(card for card in lie.stock if card is not None)
        blocks.append(_deal(now, lie.hands, lie.upcard, stock, plays))
    return printed("\n\n".join(blocks))


if __name__ == "__main__":
    sys.stdout.write(make(sys.argv[1]))
