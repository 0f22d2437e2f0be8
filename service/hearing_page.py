"""The report for a hearing as text, and as one page to print: no script, its own style, nothing from elsewhere.

Whatever anybody wrote is data here: markup is escaped, and characters that turn the direction of text or that are not
seen are written out, so that no words can pretend to be the report's own. Left out: the facts (hearing.py).
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

Fields = Mapping[str, Any]

SHOWN: Final = 5
"""Other plays printed beside one: as many as leave a deal of Canasta on two sheets. The JSON form has more."""

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_CARD: Final = re.compile(r"\b(?:[AKQJT2-9][cdhs]|Jk)\b")
# Marks and overrides of direction, characters of no width, line separators, controls but the new line, private use.
_UNSEEN: Final = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_ENDINGS: Final = {
    "out": "a player went out",
    "blocked": "blocked",
    "shown": "a player showed",
    "stock_exhausted": "the stock was exhausted",
    "void": "void",
}


def page_of(report: Fields, audit: Fields) -> str:
    """The page."""
    return _shown("hearing.html", report, audit)


def text_of(report: Fields, audit: Fields) -> str:
    """The same as text."""
    return _shown("hearing.txt", report, audit)


def policy() -> str:
    """Content-Security-Policy of the page: its own style, and nothing else at all."""
    digest = b64encode(sha256(_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def visible(text: object) -> str:
    """A text with what would not be seen in it written out: `{U+202E}`."""
    return _UNSEEN.sub(lambda found: f"{{U+{ord(found[0]):04X}}}", str(text))


def _shown(name: str, report: Fields, audit: Fields) -> str:
    style = Markup(_style())  # noqa: S704 - a file of ours
    ending = _ENDINGS.get(report["ending"])
    about = {"report": report, "audit": audit, "stages": stages_of(report), "ending": ending, "shown": SHOWN}
    return _environment().get_template(name).render(**about, style=style)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(_source),
        autoescape=select_autoescape(("html",), default=True, disabled_extensions=("txt",)),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "visible": visible,
        "cards": cards_marked,
        "grouped": grouped,
        "quoted": _quoted,
        "signed": lambda points: f"{points:+d}" if points else "0",
        "row": lambda values: " ".join(str(value) for value in values),
    }
    return made


def _source(name: str) -> str:
    return files("service").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    return _source("hearing.css")


def cards_marked(text: object) -> Markup:
    """Text with its cards as markup, each in the colour of its suit."""
    text = visible(text)
    made, known = Markup(), 0
    for found in _CARD.finditer(text):
        made += escape(text[known : found.start()]) + _card(found[0])
        known = found.end()
    return made + escape(text[known:])


def _card(card: str) -> Markup:
    if card == "Jk":
        return Markup('<b class="j">Jk</b>')
    rank = "10" if card[0] == "T" else card[0]
    return Markup('<b class="{}">{}{}</b>').format(card[1], rank, _SUITS[card[1]])


def grouped(plays: Iterable[str], seat: int) -> str:
    """Plays on one line: `discard 4c 5d; meld K=Kh,Ks`. Whose they are is said if they are another seat's."""
    verbs: dict[str, list[str]] = {}
    shown = list(plays)[:SHOWN]
    other = ""
    for play in shown:
        by, verb, *rest = play.split(" ")
        other = f"seat {by}: " if by != str(seat) else ""
        verbs.setdefault(verb, []).append(" ".join(rest))
    joined = "; ".join(f"{verb} {_several(verb, each)}".rstrip() for verb, each in verbs.items())
    return other + joined


def _several(verb: str, each: list[str]) -> str:
    return (" " if verb in ("discard", "play", "show") else " or ").join(each)


def _quoted(text: object, margin: str = "    > ") -> str:
    """Words of somebody's, every line of them marked, so that none passes for a line of the report."""
    return "\n".join(margin + visible(line) for line in str(text).split("\n"))


def stages_of(report: Fields) -> Fields:
    """Score sheets side by side: as the deal ended, then after each ruling that changed what it counts.

    `titles` names the columns. `units` has, by seat or side, the lines of its sheets as rows, with their points in each
    column (None where a line is not there), and what the deal counted and the session's total.
    """
    columns: list[tuple[str, Fields]] = []
    for ruling in report["rulings"]:
        for title, side in (("before", ruling["before"]), (f"after ruling {ruling['number']}", ruling["after"])):
            if side["points"] is not None and (not columns or not _same(columns[-1][1], side)):
                columns.append(("as it ended" if title == "before" and not columns else title, side))
    if not columns:
        columns = [("as it ended", {key: report[key] for key in ("points", "lines", "totals", "winners")})]
    sides = [side for _, side in columns]
    units = [_unit(unit, sides) for unit in range(1, len(report["points"]) + 1)]
    return {"titles": [title for title, _ in columns], "units": units}


def _unit(unit: int, sides: Sequence[Fields]) -> Fields:
    """One seat, or side, in each of the columns."""
    rows: dict[tuple[Any, ...], list[int | None]] = {}
    for number, side in enumerate(sides):
        for line in side["lines"]:
            if line.get("seat", line.get("side")) == unit:
                cells = rows.setdefault((line["text"], line["clause"], " ".join(line["cards"])), [None] * len(sides))
                cells[number] = (cells[number] or 0) + line["points"]
    return {
        "unit": unit,
        "rows": [
            {"text": text, "clause": clause, "cards": cards, "points": cells}
            for (text, clause, cards), cells in rows.items()
        ],
        "points": [side["points"][unit - 1] for side in sides],
        "totals": [side["totals"][unit - 1] for side in sides],
    }


def _same(one: Fields, other: Fields) -> bool:
    return bool(one["points"] == other["points"] and list(one["lines"]) == list(other["lines"]))
