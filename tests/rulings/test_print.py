"""The report page in a browser: a deal of Canasta with rulings fits on two sheets, and its picture is in the docs (F6).

`UPCARD_TEST_PICTURE=1` puts the picture that is taken here in the place of the one in the docs.
"""

import os
from pathlib import Path
from typing import Final

import pytest

from tests.docs.markdown import ROOT
from tests.http.house import House
from tests.rulings.browser import browser, pages, served, shown, size
from tests.rulings.hearing import contested
from tests.seeds import rng, scaled

PICTURE: Final = ROOT / "ops/runbooks/hearing.png"
WINDOW: Final = (1000, 1300)
SHEETS: Final = 2
DEALS: Final = 40
"""Deals that are printed in a full run."""


@pytest.fixture(scope="module")
def program() -> str:
    """The browser."""
    found = browser()
    if found is None:
        pytest.skip("no Chromium here: `apt-get install chromium`, as .ci/run does where it is root on Debian")
    return found


@pytest.mark.parametrize("number", range(scaled(DEALS)))
def test_a_deal_of_canasta_with_rulings_prints_on_two_sheets(
    house: House, tmp_path: Path, program: str, number: int
) -> None:
    table = contested(house, rng(f"printed {number}"))
    printed = tmp_path / "report.pdf"
    with served(house) as address:
        url = f"{address}{table.path}/deals/1/audit"
        said = shown(program, tmp_path, "--no-pdf-header-footer", f"--print-to-pdf={printed}", url)
    assert said == "", "the page's own policy let it have its style, and it asked for nothing else"
    assert 1 <= pages(printed.read_bytes()) <= SHEETS


def test_the_picture_in_the_docs_is_of_this_page(house: House, tmp_path: Path, program: str) -> None:
    table = contested(house, rng("pictured"))
    taken = tmp_path / "report.png"
    # The table's own view has the words of the dispute; a browser sends no token, so the page comes from a file.
    page = tmp_path / "report.html"
    page.write_text(table.get("/deals/1/audit", table.owner, headers={"Accept": "text/html"}).ok().text)
    width, height = WINDOW
    said = shown(program, tmp_path, f"--window-size={width},{height}", f"--screenshot={taken}", page.as_uri())
    assert said == ""
    if os.environ.get("UPCARD_TEST_PICTURE") == "1":
        PICTURE.write_bytes(taken.read_bytes())
    assert size(taken.read_bytes()) == size(PICTURE.read_bytes()) == WINDOW
    assert "(hearing.png)" in (ROOT / "ops/runbooks/disputes.md").read_text()
