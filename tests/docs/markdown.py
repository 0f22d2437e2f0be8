"""Reads what the project's Markdown promises: its blocks of commands, what they print, its links, its tables.

A block of `sh` is run by the tests, unless a comment on the line before it, `<!-- not run: reason -->`, says why not. A
block of `text` on the line after one is what it prints; `…` stands for anything.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
DOCUMENTS: Final = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "ops").rglob("*.md")))

_BLOCK: Final = re.compile(
    r"(?:^<!-- not run: (?P<excuse>.+?) -->\n)?"
    r"^```sh\n(?P<commands>.*?)^```$"
    r"(?:\n```text\n(?P<prints>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
_LINK: Final = re.compile(r"\[[^]\n]+\]\((?P<target>[^)\s]+)\)")
_HEADING: Final = re.compile(r"^#+ (?P<words>.+)$", re.MULTILINE)


class Block(NamedTuple):
    """Commands of a document. `prints` is None if it does not say; `excuse` is None if they are to be run."""

    line: int
    commands: str
    prints: str | None
    excuse: str | None


def blocks(document: Path) -> list[Block]:
    """All blocks of commands, in order."""
    text = document.read_text()
    return [
        Block(text.count("\n", 0, match.start("commands")), match["commands"], match["prints"], match["excuse"])
        for match in _BLOCK.finditer(text)
    ]


def as_promised(prints: str, printed: str) -> bool:
    """Whether this was printed, `…` standing for anything."""
    pattern = ".*".join(re.escape(part) for part in prints.strip().split("…"))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


def links(document: Path) -> Iterator[tuple[Path, str]]:
    """The files that it links to, each with the heading in it or nothing."""
    for match in _LINK.finditer(document.read_text()):
        target, _, heading = match["target"].partition("#")
        if "://" not in target:
            yield (document.parent / target if target else document), heading


def anchors(document: Path) -> set[str]:
    """Its headings as links name them."""
    words = (match["words"].lower() for match in _HEADING.finditer(document.read_text()))
    return {re.sub(r"[^\w\- ]", "", each).replace(" ", "-") for each in words}


def first_column(document: Path, heading: str) -> list[str]:
    """The code words in the first column of the table whose first heading cell this is."""
    table = document.read_text().partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)
