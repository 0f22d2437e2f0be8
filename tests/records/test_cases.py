"""The checker agrees with an independent reading of the rule book, verdict by verdict. Left out: what `detail` says."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from replay.records.checking import check, walk
from replay.records.export import record_of
from replay.records.printing import to_json, to_toml
from replay.records.reading import read_json, read_toml
from replay.rules.session import fold

CASES = Path(__file__).parent / "cases"
HOLDS = ("clean", "unfinished", "irregular", "mismatch")


def cases(*verdicts: str) -> list[Any]:
    """Every case, or those with one of these verdicts."""
    made = []
    for expected in sorted(CASES.glob("*.expected.ndjson")):
        records = expected.with_name(expected.name.replace(".expected", ""))
        lines = zip(records.read_bytes().splitlines(), expected.read_bytes().splitlines(), strict=True)
        for number, (line, answer) in enumerate(lines, start=1):
            verdict = json.loads(answer)
            if not verdicts or verdict["verdict"] in verdicts:
                made.append(pytest.param(line, verdict, id=f"{records.stem}-{number}"))
    return made


def compared(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a printed verdict that must agree."""
    deals = []
    for deal in verdict["deals"]:
        stop = deal["stopped_at"]
        held = {key: deal[key] for key in ("number", "verdict", "finished", "ending", "points", "totals")}
        held["stopped_at"] = stop and (stop["play"], stop["text"], stop["clause"])
        held["irregularities"] = deal.get("irregularities", [])
        deals.append(held)
    made = {"verdict": verdict["verdict"], "deals": deals}
    return made | {"winners": verdict["winners"]} if verdict["verdict"] in HOLDS else made


@pytest.mark.parametrize(("line", "expected"), cases())
def test_verdict(line: bytes, expected: dict[str, Any]) -> None:
    verdict = json.loads(json.dumps(check(read_json(line)).plain()))
    assert compared(verdict) == compared(expected)


@pytest.mark.parametrize(("line", "expected"), cases())
def test_every_form_of_a_record_is_the_same_record(line: bytes, expected: dict[str, Any]) -> None:
    record = read_json(line)
    assert read_json(to_json(record)) == record
    assert read_toml(to_toml(record)) == record
    assert to_json(read_toml(to_toml(record))) == to_json(record)
    assert check(read_toml(to_toml(record))).verdict == expected["verdict"]


@pytest.mark.parametrize(("line", "expected"), cases(*HOLDS))
def test_what_is_imported_is_exported_again(line: bytes, expected: dict[str, Any]) -> None:
    record = read_json(line)
    verdict, events = walk(record, public=True, owner="organiser")
    session = fold(None, events)
    assert (session.mode, session.public, session.owner) == ("recorded", True, "organiser")
    exported = record_of(events, record.players, include_unfinished=True)
    assert exported.players == record.players
    again = check(exported)
    # What the record claimed is gone, and with it what was wrong.
    claimless = "irregular" if any(deal.irregularities for deal in verdict.deals) else "clean"
    assert again.verdict == (claimless if expected["verdict"] == "mismatch" else expected["verdict"])
    assert again.winners == verdict.winners == session.winners
    assert [deal.totals for deal in again.deals] == [deal.totals for deal in verdict.deals]
    assert walk(exported, public=True, owner="organiser").events == events
