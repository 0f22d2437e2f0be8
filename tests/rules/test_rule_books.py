"""The rule books beside the code: complete, in agreement with the code, cited by tests, and right in their figures."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import replay.rules
from replay.rules.clauses import SHARED, Clause
from replay.rules.game import AnyGame
from replay.rules.options import Option
from replay.rules.poker_rum.deadwood import arrangement
from replay.rules.registry import GAMES
from tests.rules import layout_canasta
from tests.rules.book import canasta, poker_rum, rockaway, shared, single_pack_rum
from tests.rules.canasta_sheets import Printed, finished
from tests.rules.citations import cited_clauses, cited_examples
from tests.rules.layout import cards
from tests.rules.oracles import canasta as canasta_oracle
from tests.rules.oracles import poker_rum as poker_rum_oracle
from tests.rules.oracles import rockaway as rockaway_oracle
from tests.rules.oracles import single_pack_rum as single_pack_rum_oracle
from tests.rules.oracles.canasta_table import position, sheets

RULES: Final = Path(replay.rules.__file__).parent
LONGEST: Final = 110
_CLAUSE: Final = re.compile(r"^- \*\*(?P<id>[A-Z]{1,2}-?\d+)\*\* \[(?P<ground>\w+)\] (?P<sentence>.+)$", re.MULTILINE)
_ID: Final = re.compile(r"\b(?:[RCPS]\d+|[RCPSX]A-\d+)\b")


class Book(NamedTuple):
    """A rule book: its page, the clauses in code, and the list that both must have."""

    page: Path
    clauses: Mapping[str, Clause]
    listed: tuple[tuple[str, str], ...]
    advice: tuple[str, ...]


LISTS: Final[Mapping[str, Any]] = {
    "rockaway": rockaway,
    "poker_rum": poker_rum,
    "single_pack_rum": single_pack_rum,
    "canasta": canasta,
}
"""The books' own lists by game."""
BOOKS: Final = {
    "shared": Book(RULES / "RULES.md", SHARED, shared.CLAUSES, ()),
    **{
        name: Book(RULES / name / "RULES.md", GAMES[name].clauses, book.CLAUSES, book.ADVICE)
        for name, book in LISTS.items()
    },
}
EVERY_BOOK: Final = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
EVERY_LIST: Final = pytest.mark.parametrize("name", LISTS)
FORBIDDING: Final[Mapping[str, Iterable[str]]] = {
    "rockaway": [clause for clause, _ in rockaway_oracle.FORBIDDEN],
    "poker_rum": [row.clause for row in poker_rum_oracle.FORBIDDEN],
    "single_pack_rum": [row.clause for row in single_pack_rum_oracle.FORBIDDEN],
    "canasta": ["; ".join(clauses) for clauses, _ in canasta_oracle.FORBIDDEN],
}
"""The rows of the oracles' tables of forbidden plays."""


def page(name: str) -> str:
    """The text of a book's page."""
    return BOOKS[name].page.read_text(encoding="utf-8")


def rows(text: str, heading: str) -> list[list[str]]:
    """The table under the row that begins with this heading, each row as its cells."""
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    found = []
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def test_every_game_has_a_book() -> None:
    assert set(BOOKS) == {"shared", *GAMES}


@EVERY_BOOK
def test_clauses_are_those_of_the_book_in_its_order(book: Book) -> None:
    assert [(name, it.ground) for name, it in book.clauses.items()] == list(book.listed)
    assert tuple(name for name, it in book.clauses.items() if it.advice) == book.advice


@EVERY_BOOK
def test_page_and_code_say_the_same(book: Book) -> None:
    found = _CLAUSE.findall(book.page.read_text(encoding="utf-8"))
    assert found == [(name, it.ground, it.sentence) for name, it in book.clauses.items()]


@EVERY_BOOK
def test_sentences_can_be_shown_as_reasons(book: Book) -> None:
    for name, it in book.clauses.items():
        assert len(it.sentence) <= LONGEST, name
        assert it.sentence[0].isupper(), name
        assert it.sentence.endswith("."), name
    sentences = [it.sentence for it in book.clauses.values()]
    assert len(sentences) == len(set(sentences))


@EVERY_BOOK
def test_a_page_names_no_clause_that_is_not_there(book: Book) -> None:
    named = set(_ID.findall(book.page.read_text(encoding="utf-8")))
    assert named <= set(book.clauses) | set(SHARED)


@EVERY_BOOK
def test_every_clause_that_binds_is_cited_by_a_test(book: Book) -> None:
    cited = cited_clauses()
    missing = [name for name, it in book.clauses.items() if not it.advice and name not in cited]
    assert not missing, f"no test cites {missing}"


def test_no_test_cites_a_clause_that_is_not_there() -> None:
    known = set(SHARED).union(*(game.clauses for game in GAMES.values()))
    assert not set(cited_clauses()) - known


def test_every_example_of_the_books_is_a_test() -> None:
    examples = frozenset[str]().union(*(book.EXAMPLES for book in LISTS.values()))
    prefixes = {example.split("-")[0] for example in examples}
    assert {cited for cited in cited_examples() if cited.split("-")[0] in prefixes} == examples


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_options_cite_clauses_that_are_there(game: AnyGame) -> None:
    for option in game.options:
        assert option.clause in {**game.clauses, **SHARED}, option.name


@EVERY_LIST
def test_the_page_has_the_table_of_forbidden_plays(name: str) -> None:
    assert tuple(cells[1] for cells in rows(page(name), "forbidden")) == LISTS[name].FORBIDDING
    assert tuple(FORBIDDING[name]) == LISTS[name].FORBIDDING


@EVERY_LIST
def test_the_page_has_the_options(name: str) -> None:
    game, listed = GAMES[name], LISTS[name].OPTIONS
    assert {option.name: option.default for option in game.options} == {it: listed[it][0] for it in listed}
    for option, (named, default, others, clauses, _) in zip(game.options, rows(page(name), "name"), strict=True):
        assert named == f"`{option.name}`"
        assert default == _written(option.default), named
        assert others == _others(option), named
        assert clauses == ", ".join(listed[option.name][1]), named
        assert option.clause in clauses.split(", "), named


def _written(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f'"{value}"' if isinstance(value, str) else str(value)


def _others(option: Option) -> str:
    if option.least is None:
        return ", ".join(_written(it) for it in option.choices if it != option.default)
    return f"{option.least} and up" + (", or null" if option.nullable and option.default is not None else "")


def test_rockaway_page_counts_its_hands_right() -> None:
    found = rows(page("rockaway"), "hand left")
    assert found
    for hand, times, per_ace, once in found:
        held = cards(hand)
        assert rockaway_oracle.count(held, "per_ace") * int(times) == int(per_ace), hand
        assert rockaway_oracle.count(held, "once") * int(times) == int(once), hand


def test_rockaway_page_bounds_the_length_of_a_deal() -> None:
    found = rows(page("rockaway"), "players")
    assert [[int(cell) for cell in cells] for cells in found] == [
        [seats, stock, rockaway_oracle.most_plays(seats)] for seats, stock in rockaway.STOCK.items()
    ]


def test_poker_rum_page_counts_its_hands_right() -> None:
    found = rows(page("poker_rum"), "hand")
    assert found
    for hand, laid, left in found:
        held = cards(hand)
        assert poker_rum_oracle.deadwood(held, 11) == int(left), hand
        combinations = sorted(tuple(sorted(cards(some))) for some in laid.split(", "))
        assert combinations == sorted(tuple(sorted(some)) for some in arrangement(held, 11)[0]), hand


def test_poker_rum_page_has_the_sizes_of_the_stock() -> None:
    found = [[int(cell) for cell in cells] for cells in rows(page("poker_rum"), "players")]
    assert found == [[seats, 1 if seats <= 3 else 2, stock] for seats, stock in poker_rum.STOCK.items()]


def test_single_pack_rum_page_counts_its_hands_right() -> None:
    found = rows(page("single_pack_rum"), "hand left")
    assert found
    for hand, left, doubled in found:
        count = single_pack_rum_oracle.count(cards(hand))
        assert (count, 2 * count) == (int(left), int(doubled)), hand


def test_single_pack_rum_page_has_the_sizes_of_the_stock() -> None:
    found = [[int(cell) for cell in cells] for cells in rows(page("single_pack_rum"), "players")]
    usual = {2: 10, 3: 7, 4: 6, 5: 6, 6: 6}
    assert found == [
        *([seats, usual[seats], stock] for seats, stock in single_pack_rum.STOCK.items()),
        *([seats, 5, stock] for seats, stock in single_pack_rum.STOCK_OF_FIVES.items()),
    ]


def test_canasta_page_tells_the_presets_apart() -> None:
    defaults = {name: default for name, (default, _) in canasta.OPTIONS.items()}
    assert GAMES["canasta"].presets == {"goren_1949": {}, "official_1949": canasta.OFFICIAL}
    assert rows(page("canasta"), "preset option") == [
        [f"`{name}`", _written(defaults[name]), _written(value)] for name, value in canasta.OFFICIAL.items()
    ]


def test_canasta_page_has_the_minimum_of_a_first_meld() -> None:
    found = rows(page("canasta"), "a side's total before the deal")
    assert found
    for total, *needed in found:
        at = [layout_canasta.table("", totals=(int(total), 0), rules=rules) for rules in layout_canasta.BY_PRESET]
        assert [canasta_oracle.minimum(position(state), 1) for state in at] == [int(it) for it in needed], total


def test_canasta_page_bounds_the_length_of_a_deal() -> None:
    found = rows(page("canasta"), "players")
    assert [[int(cell) for cell in cells] for cells in found] == [
        [seats, stock, canasta_oracle.most_plays(seats)] for seats, stock in canasta.STOCK.items()
    ]


def test_canasta_page_adds_its_sheets_up_right() -> None:
    found = rows(page("canasta"), "melds")
    assert found
    for melds, reds, left, out, *items in found:
        side = Printed(tuple(filter(None, melds.split("; "))), reds, ("", left), out=out == "yes", items=())
        assert sheets(position(finished(side)), 1)[0][6:] == tuple(map(int, items)), melds
