"""Whole sessions that a person can read, played again from their pages and printed to the letter."""

from pathlib import Path

import pytest

from replay.rules.game import IllegalPlayError
from tests.rules.written_session import printed

PAGE = Path(__file__).parent / "goldens" / "rockaway_session.txt"


def test_rockaway_session_is_what_its_page_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert printed(page) == page


def test_rockaway_session_shows_what_it_should() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for shown in (
        "ends out\n",
        "ends out, the pack exhausted",
        "ends blocked",
        " R16",
        " R17",
        " RA-1 ",
        " pass",
        "Won by",
    ):
        assert shown in page, shown


def test_a_page_with_a_false_play_is_noticed() -> None:
    page = PAGE.read_text(encoding="utf-8")
    first = page.index("plays  1 ") + len("plays  1 ")
    with pytest.raises(IllegalPlayError):
        printed(page[:first] + "pass, 1 " + page[first:])
