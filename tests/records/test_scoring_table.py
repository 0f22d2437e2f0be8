"""The scoring table of the Rockaway book (RE-1 to RE-23, RE-33, RE-34), each row a whole deal that is legal to the last
card, written as a record and put to `upcard check`. That each row is also scored right by itself is tested with the
rules."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from replay.records.printing import to_json
from replay.records.structure import record_from
from service.cli import main
from tests.records.deals_to_order import deal_to_order


class Row(NamedTuple):
    """One example: the hand left, the deal that it was left in, and what it scores with `multi_ace` either way."""

    id: str
    left: str
    deal: int
    exhausted: bool
    points: int
    once: int
    deals: int | None = 10


TABLE = (
    Row("RE-1", "Ks Qh Jd Kc Ah", 9, True, 720, 720),
    Row("RE-2", "Ks Qh Jd Kc Ah", 9, False, 240, 240),
    Row("RE-4", "Ks Qh Jd Kc Ah", 3, True, 160, 160),
    Row("RE-5", "Ac", 1, False, 20, 20),
    Row("RE-6", "Ac", 1, True, 40, 40),
    Row("RE-7", "Ac", 10, True, 180, 180),
    Row("RE-9", "Td Tc As", 2, False, 40, 40),
    Row("RE-10", "Td Tc 2h As", 2, False, 44, 44),
    Row("RE-12", "Ah Ad", 1, False, 40, 40),
    Row("RE-13", "Ah Ad As", 1, False, 80, 60),
    Row("RE-15", "Kh Qc As Ad", 7, False, 80, 60),
    Row("RE-17", "Ks Qh Jd Kc Ah Ac", 8, False, 480, 240),
    Row("RE-19", "2c 3d", 7, True, 10, 10),
    Row("RE-34-open", "Ks Ah", 40, True, 60, 60, deals=None),
    Row("RE-34-two", "Qc", 1, False, 30, 30, deals=2),
)

Left = tuple[str, ...]
BLOCKED: Left = ("5s 6d", "Ah", "9c")

SESSION: tuple[tuple[bool, Left, int | None, tuple[int, int, int]], ...] = (
    (False, ("", "4h 3c As", "Kh 4c"), 1, (0, 27, 14)),
    (False, ("Td Tc 2h As", "", "Ac"), 2, (44, 27, 34)),
    (True, ("2c 3d", "Ks Qh Jd Kc Ah", ""), 3, (54, 187, 34)),
    (True, BLOCKED, None, (76, 227, 52)),
    (False, ("Ts 9h Ac", "", "Qc"), 2, (115, 227, 62)),
    (False, ("", "2d 3h Ah Ad", "8d"), 1, (115, 277, 70)),
    (False, ("Kh Qc As Ad", "3s", ""), 3, (195, 280, 70)),
    (False, ("4d", "", "Ks Qh Jd Kc Ah Ac"), 2, (207, 280, 550)),
    (True, ("Ks Qh Jd Kc Ah", "2c", ""), 3, (927, 298, 550)),
    (True, ("", "Ac", "5c"), 1, (927, 478, 595)),
)
"""RE-23: whether the pack is exhausted, the hands left, who is out, the totals after the deal."""


def checked(tmp_path: Path, players: int, deals: list[dict[str, object]], **further: object) -> dict[str, Any]:
    """What `upcard check --json` prints of a record of these deals."""
    names = ["Ann", "Ben", "Cy"][:players]
    record = record_from({"record": 1, "game": "rockaway", "players": names, "deals": deals, **further})
    file = tmp_path / "record.json"
    file.write_bytes(to_json(record))
    done = CliRunner().invoke(main, ["check", "--json", str(file)])
    verdict: dict[str, Any] = json.loads(done.output)
    assert done.exit_code == (0 if verdict["verdict"] == "clean" else 1)
    return verdict


@pytest.mark.parametrize("multi_ace", ["per_ace", "once"])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_row_of_the_scoring_table(row: Row, multi_ace: str, tmp_path: Path) -> None:
    points = row.points if multi_ace == "per_ace" else row.once
    deal = deal_to_order((row.left, ""), out=2, exhausted=row.exhausted, seed=row.id) | {"points": [points, 0]}
    options = {"multi_ace": multi_ace, "deals": row.deals}
    verdict = checked(tmp_path, 2, [deal], first_deal=row.deal, options=options)
    assert verdict["verdict"] == "clean"
    assert verdict["deals"][0]["ending"] == "out"
    # RE-21: who is out scores nothing, whatever the multiplier.
    assert verdict["deals"][0]["points"] == [points, 0]


@pytest.mark.parametrize(
    ("example", "option", "points"), [("RE-22", "score_all", [22, 40, 18]), ("RE-33", "lowest_is_out", [22, 40, 0])]
)
def test_blocked_deal(example: str, option: str, points: list[int], tmp_path: Path) -> None:
    deal = deal_to_order(BLOCKED, out=None, exhausted=True, seed=example) | {"points": points}
    verdict = checked(tmp_path, 3, [deal], first_deal=4, options={"blocked": option})
    assert (verdict["verdict"], verdict["deals"][0]["ending"]) == ("clean", "blocked")
    assert verdict["deals"][0]["points"] == points


def test_a_full_session_re_23(tmp_path: Path) -> None:
    deals = [deal_to_order(left, out=out, exhausted=exhausted, seed="RE-23") for exhausted, left, out, _ in SESSION]
    verdict = checked(tmp_path, 3, deals)
    assert verdict["verdict"] == "clean"
    assert [tuple(deal["totals"]) for deal in verdict["deals"]] == [totals for *_, totals in SESSION]
    assert verdict["winners"] == [2]
    # One point claimed more in the last deal is found, and the right one said.
    deals[-1]["points"] = [0, 180, 46]
    verdict = checked(tmp_path, 3, deals)
    assert (verdict["verdict"], verdict["deals"][-1]["points"]) == ("mismatch", [0, 180, 45])
