"""A whole session as a page that a person can follow with cards in hand; read, played and printed.

A page is made once from a seed (`python -m tests.rules.written_pages NAME SEED`) and then stands for itself: the test
plays what is written on it and prints that again. Leaves out records, which are the product's own written form, and
which pages there are; those are in written_pages.py.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from replay.rules.cards import Cards, parse_card
from replay.rules.game import EVERYTHING, AnyGame
from replay.rules.poker_rum.deadwood import arrangement
from replay.rules.scores import Line, Sheet
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, dealt, open_session, play, start_deal
from replay.rules.session_state import Deal, Session
from tests.rules.layout import cards
from tests.rules.tables import Style
from tests.seeds import rng

FOLDER: Final = Path(__file__).parent / "goldens"
JOINT: Final = "~"
"""Stands for a blank at which no line may be broken."""


class Page(NamedTuple):
    """What is written down, and how it comes about."""

    name: str
    heading: str
    game: AnyGame
    players: tuple[str, ...]
    options: Mapping[str, object]
    style: Callable[[int, int], Style]
    """How a seat plays in a deal of that number; only for making the page."""
    shows: tuple[str, ...]
    """What is to be found on it."""
    run_on: bool = False
    """Whether plays run on over the lines, each with its seat first; otherwise each turn has a line."""
    totals: tuple[int, ...] | None = None
    """Brought forward."""

    @property
    def path(self) -> Path:
        """Where it lies."""
        return FOLDER / f"{self.name}.txt"

    @property
    def units(self) -> list[str]:
        """Who scores: players, or sides."""
        return [" and ".join(self.players[seat - 1] for seat in side) for side in self.game.sides(len(self.players))]


def opened(page: Page) -> Session:
    """The session before its first deal."""
    event = open_session(
        page.game,
        seats=len(page.players),
        options=page.options,
        mode="recorded",
        public=True,
        owner="organiser",
        totals=page.totals,
    )
    return fold(None, [event])


def printed(page: Page, text: str) -> str:
    """The page again, from nothing but its cards and plays; raises if a play on it is refused."""
    now = opened(page)
    blocks = [page.heading]
    for hands, upcard, stock, plays in _deals(page, text):
        now = fold(now, [start_deal(now, DealCommand(hands, parse_card(upcard), stock))])
        for seat, said in plays:
            verb, *arguments = said.split()
            now = fold(now, play(now, page.game.read_play(seat, verb, arguments)))
        blocks.append(_deal(page, now, hands, upcard, stock, plays))
    winners = ", ".join(page.players[seat - 1] for seat in now.winners or ())
    return "\n\n".join((*blocks, f"Won by {winners or 'nobody yet'}.")) + "\n"


_Plays = list[tuple[int, str]]


def _deals(page: Page, text: str) -> Iterator[tuple[tuple[Cards, ...], str, Cards, _Plays]]:
    for block in text.split("\n\n"):
        if not block.startswith("Deal"):
            continue
        lying, _, played = block.partition("\nplays")
        fields: dict[str, str] = {}
        name = ""
        for line in lying.splitlines()[1:]:
            name = line[:7].strip() or name
            fields[name] = f"{fields.get(name, '')} {line[7:].strip()}".strip()
        hands = tuple(cards(fields[player]) for player in page.players)
        yield hands, fields["upcard"], cards(fields["stock"]), list(_plays(page, played.partition("\nends")[0]))


def _plays(page: Page, played: str) -> Iterator[tuple[int, str]]:
    if page.run_on:
        for said in re.split(r",\s", played):
            seat, text = said.strip().split(" ", 1)
            yield int(seat), text
        return
    for line in re.sub(r"\n {7}", " ", played).splitlines()[1:]:
        player, text = line.split(None, 1)
        for said in text.split("; "):
            yield page.players.index(player) + 1, said


def _deal(page: Page, now: Session, hands: tuple[Cards, ...], upcard: str, stock: Cards, plays: _Plays) -> str:
    deal = now.deal
    assert deal is not None
    lines = [f"Deal {deal.number}, dealt by {page.players[deal.dealer - 1]}"]
    for player, hand in zip(page.players, hands, strict=True):
        lines += _field(player, " ".join(hand))
    lines += _field("upcard", upcard)
    lines += _field("stock", " ".join(stock))
    if page.run_on:
        lines += _field("plays", ", ".join(f"{seat} {text}".replace(" ", JOINT) for seat, text in plays))
    else:
        lines.append("plays")
        for seat, turn in groupby(plays, lambda it: it[0]):
            lines += _wrapped(f"  {page.players[seat - 1]:4} ", "; ".join(text for _, text in turn))
    if deal.points is None:
        return "\n".join((*lines, "not over"))
    exhausted = getattr(deal.state.table, "exhausted", False)
    lines.append(f"ends {deal.ending}{', the pack exhausted' if exhausted else ''}")
    lines += _score(page, deal)
    lines.append("totals " + " ".join(map(str, now.totals)))
    return "\n".join(lines)


def _score(page: Page, deal: Deal) -> Iterator[str]:
    sheet = page.game.score(deal.state)
    if page.game.name == "poker_rum" and deal.ending == "shown":
        table = deal.state.table
        for player, hand in zip(page.players, table.layout.hands, strict=True):
            laid, left = arrangement(hand, table.options.ace_value)
            yield from _field(
                "", f"{player} {' | '.join(map(' '.join, laid)) or 'nothing'}, left {' '.join(left) or 'nothing'}"
            )
    for number, unit in enumerate(page.units, start=1):
        own = [line for line in sheet.lines if line.unit == number]
        if page.run_on:
            parts = [f"{it.points} {it.clause} {' '.join(it.cards)}".strip() for it in own]
            sums = f" = {' + '.join(part.replace(' ', JOINT) for part in parts)}" if parts else ""
            yield from _field("", f"{unit} {sheet.points[number - 1]}{sums}")
            continue
        yield from _field("", f"{unit} {sheet.points[number - 1]}")
        for line in own:
            yield from _wrapped(" " * 9, _line(page, line))
    yield from _items(page, sheet)


def _line(page: Page, line: Line) -> str:
    who = ""
    if line.other is not None:
        who = f", {'from' if line.points > 0 else 'to'} {page.units[line.other - 1]}"
    item = "" if line.item is None else f"item {line.item}, "
    lying = f": {' '.join(line.cards)}" if line.cards else ""
    return f"{line.points} {line.clause} {item}{line.text}{who}{lying}"


def _items(page: Page, sheet: Sheet) -> Iterator[str]:
    if sheet.sheets is None:
        return
    yield f"{'item':>20}" + "".join(f"{item:7}" for item in range(1, 10))
    for unit, items in zip(page.units, sheet.sheets, strict=True):
        yield f"{unit:>20}" + "".join(f"{points:7}" for points in items)


def _field(name: str, text: str) -> list[str]:
    return _wrapped(f"{name:6} ", text)


def _wrapped(start: str, text: str) -> list[str]:
    lines = textwrap.wrap(text, 117 - len(start)) or [""]
    return [f"{start if n == 0 else ' ' * len(start)}{line}".replace(JOINT, " ") for n, line in enumerate(lines)]


def make(page: Page, seed: str) -> str:
    """A page from a seed."""
    chance, now, blocks = rng(f"written session {seed}"), opened(page), []
    while now.winners is None:
        pack = list(page.game.make(len(page.players), now.options).copies.elements())
        chance.shuffle(pack)
        lie = dealt(now, tuple(pack))
        now = fold(now, [start_deal(now, DealCommand(*lie))])
        plays: _Plays = []
        while now.playing:
            assert now.deal is not None
            state: Any = now.deal.state
            turn = page.game.view(state, EVERYTHING).turn
            assert turn is not None
            command = page.style(now.deal.number, turn)(chance, state, page.game.legal(state, turn))
            event: Any = play(now, command)[0]
            plays.append((turn, page.game.write_play(event)))
            now = fold(now, play(now, command))
        stock = tuple(card for card in lie.stock if card is not None)
        blocks.append(_deal(page, now, lie.hands, lie.upcard, stock, plays))
    return printed(page, "\n\n".join(blocks))
