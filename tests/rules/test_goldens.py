"""Whole sessions that a person can read, played again from their pages and printed to the letter."""

import re

import pytest

from replay.rules.game import IllegalPlayError, ImpossiblePlayError
from replay.rules.registry import GAMES
from tests.rules.written_pages import PAGES
from tests.rules.written_session import Page, printed

EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def test_every_game_has_a_page_and_canasta_one_of_each_preset() -> None:
    assert {page.game.name for page in PAGES} == set(GAMES)
    presets = {page.options["preset"] for page in PAGES if page.game.presets}
    assert presets == set(GAMES["canasta"].presets)


@EVERY_PAGE
def test_the_session_is_what_its_page_says(page: Page) -> None:
    text = page.path.read_text(encoding="utf-8")
    assert printed(page, text) == text


@EVERY_PAGE
def test_the_page_shows_what_it_should(page: Page) -> None:
    text = page.path.read_text(encoding="utf-8")
    assert not [shown for shown in (*page.shows, "\n\nWon by ") if shown not in text]


@EVERY_PAGE
def test_a_page_with_a_false_play_is_noticed(page: Page) -> None:
    text = page.path.read_text(encoding="utf-8")
    # What the first deal begins with is done twice.
    begun = re.search(r"plays *(?:1 |\n  \S+ +)([^,;]+)([,;] )", text)
    assert begun is not None
    again = f"1 {begun[1]}" if page.run_on else begun[1]
    false = f"{text[: begun.end()]}{again}{begun[2]}{text[begun.end() :]}"
    with pytest.raises((IllegalPlayError, ImpossiblePlayError)):
        printed(page, false)
