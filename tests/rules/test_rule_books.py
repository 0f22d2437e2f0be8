"""The rule books beside the code: complete, in agreement with the code, cited by tests, and right in their figures."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import replay.rules
from replay.rules.clauses import SHARED, Clause
from replay.rules.game import AnyGame
from replay.rules.registry import GAMES
from replay.rules.rockaway.rockaway import ROCKAWAY
from tests.rules.book import rockaway, shared
from tests.rules.citations import cited_clauses, cited_examples
from tests.rules.layout import cards
from tests.rules.oracles.rockaway import FORBIDDEN, count, most_plays

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


BOOKS: Final = {
    "shared": Book(RULES / "RULES.md", SHARED, shared.CLAUSES, ()),
    "rockaway": Book(RULES / "rockaway" / "RULES.md", ROCKAWAY.clauses, rockaway.CLAUSES, rockaway.ADVICE),
}
EVERY_BOOK: Final = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)


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


def test_every_example_of_the_book_is_a_test() -> None:
    assert cited_examples() == rockaway.EXAMPLES


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_options_cite_clauses_that_are_there(game: AnyGame) -> None:
    for option in game.options:
        assert option.clause in {**game.clauses, **SHARED}, option.name


def test_rockaway_page_has_the_table_of_forbidden_plays() -> None:
    assert tuple(cells[1] for cells in rows(page("rockaway"), "forbidden")) == rockaway.FORBIDDING
    assert tuple(clause for clause, _ in FORBIDDEN) == rockaway.FORBIDDING


def test_rockaway_page_has_the_options() -> None:
    written = {None: "null", True: "true", False: "false"}
    for option, (name, default, others, clauses, _) in zip(
        ROCKAWAY.options, rows(page("rockaway"), "name"), strict=True
    ):
        assert name == f"`{option.name}`"
        texts = [f'"{it}"' if isinstance(it, str) else str(it) for it in option.choices if it is not option.default]
        value = option.default
        assert default == (written[value] if value is None or isinstance(value, bool) else _quoted(value)), name
        assert others == (", ".join(text.lower() for text in texts) or _numbers(option.nullable and value is not None))
        assert clauses == ", ".join(rockaway.OPTIONS[option.name][1])
        assert option.clause in clauses.split(", ")


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _numbers(nullable: bool) -> str:
    return "1 and up" + (", or null" if nullable else "")


def test_rockaway_page_counts_its_hands_right() -> None:
    found = rows(page("rockaway"), "hand left")
    assert found
    for hand, times, per_ace, once in found:
        held = cards(hand)
        assert count(held, "per_ace") * int(times) == int(per_ace), hand
        assert count(held, "once") * int(times) == int(once), hand


def test_rockaway_page_bounds_the_length_of_a_deal() -> None:
    found = rows(page("rockaway"), "players")
    assert [[int(cell) for cell in cells] for cells in found] == [
        [seats, stock, most_plays(seats)] for seats, stock in rockaway.STOCK.items()
    ]
