"""What must hold of a session whatever was ruled: its log, ledger, export and audit, and what an import makes of it."""

from pathlib import Path
from typing import Any

from replay import check_export
from replay.rules.session import fold
from replay.verify import verify
from service.importing import import_export
from tests.http.house import START, Fake, House
from tests.http.tables import Sitting
from tests.rulings.playing import events_of
from workers.auditing import audit_session


def stored_bytes(table: Sitting) -> list[bytes]:
    """Every event of the log to the byte, sealed parts and digests included."""
    return [each.raw + each.sealed_bytes() + each.digest for each in table.house.log.read(table.id)]


def check_sound(table: Sitting, folder: Path) -> None:
    """All of it. `folder`: for the export, which another program reads."""
    house = table.house
    house.score(table.id)
    assert house.ledger.check(table.id) is None
    posted = house.ledger.stored(table.id)
    house.ledger.rebuild(table.id)
    assert house.ledger.stored(table.id) == posted
    _check_balances(table)
    report = audit_session(house.log, house.ledger, table.id, house.context.keys.public)
    assert report is not None
    assert report.verdict == "verified", report
    _check_folds(table)
    raw = table.get("/export", table.owner).ok().text.encode()
    offline = verify(raw)
    assert [line for line in offline.lines if line.outcome == "fails"] == []
    file = folder / "export.ndjson"
    file.write_bytes(raw)
    assert check_export.main([str(file)]) == 0
    session = table.state()
    if session.mode == "recorded" or not session.playing:
        assert offline.verdict == "verified", offline
        _check_import(table, raw)


def _check_balances(table: Sitting) -> None:
    """The ledger comes to the session's totals, and a reversal and a new entry are linked both ways."""
    ledger = table.get("/ledger?limit=200", table.owner).ok()
    assert ledger["balances"] == list(table.state().totals)
    by_number: dict[int, dict[str, Any]] = {each["number"]: each for each in ledger["entries"]}
    for entry in by_number.values():
        if entry["kind"] in ("reversal", "ruling"):
            answered = by_number[entry["answers"]]
            if entry["kind"] == "reversal":
                assert answered["answered_by"] == entry["number"]
                assert entry["points"] == [-points for points in answered["points"]]
            else:
                assert (answered["kind"], answered["ruling"]) == ("reversal", entry["ruling"])
        for seat, points in enumerate(entry["points"], start=1):
            lines = [line["points"] for line in entry["lines"] if line.get("seat", line.get("side")) == seat]
            assert not entry["lines"] or sum(lines) == points, entry


def _check_folds(table: Sitting) -> None:
    """A prefix and then the rest come to the same as all at once, wherever the log is cut near a ruling."""
    events = events_of(table)
    whole = fold(None, events)
    cuts = {each.version + near for each in whole.rulings for near in (-2, -1, 0, 1)} | {len(events) // 2}
    for cut in cuts & set(range(1, len(events))):
        assert fold(fold(None, events[:cut]), events[cut:]) == whole
    before = fold(None, events[:1])
    for event in events[1:]:
        before = fold(before, [event])
    assert before == whole


def _check_import(table: Sitting, raw: bytes) -> None:
    """Another house that the export is brought into holds the same log and posts the same ledger."""
    other = House(Fake())
    assert import_export(other.log, raw, START) == (table.id, table.version)
    assert other.folded(table.id).now.head == table.house.folded(table.id).now.head
    other.score(table.id)
    assert other.ledger.stored(table.id) == table.house.ledger.stored(table.id)
    other.leave()
