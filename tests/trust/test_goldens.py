"""A stored session of each game and revision, exported once, replayed for ever: the same heads, sheets and ledger.

A change that makes one of these fail changes what logs in the world mean. It needs a new revision of the rules, or a
new schema of the event with a way up from the old one, and a golden of its own beside these; these never change. To
make the goldens of a new revision: `python -m tests.trust.test_goldens GAME`. Leaves out the pages that people read,
which are in tests/rules/goldens.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from replay import check_export
from replay.codec import decode
from replay.exports import read_export
from replay.judging import judged
from replay.rules.game import AnyGame
from replay.rules.registry import REVISIONS, find_game
from replay.rules.session import fold
from replay.rules.session_events import DealEnded
from replay.verify import verify
from tests.trust.sessions import TRUSTED, export, kept
from workers.entries import entries

FOLDER: Final = Path(__file__).parent / "goldens"
FACTS: Final = FOLDER / "facts.json"
"""By file: its SHA-256, its head, and the SHA-256 of its ledger."""


def facts_of(raw: bytes) -> dict[str, Any]:
    """What must stay."""
    read = read_export(raw)
    session = fold(None, decode(read.events))
    ledger = b"\n".join(entry.to_bytes() for entry in entries(read.header.session, read.events))
    return {
        "file": sha256(raw).hexdigest(),
        "head": read.events[-1].digest.hex(),
        "ledger": sha256(ledger).hexdigest(),
        "totals": list(session.totals),
        "version": session.version,
    }


def known() -> dict[str, dict[str, Any]]:
    """What was written down when the goldens were made."""
    facts: dict[str, dict[str, Any]] = json.loads(FACTS.read_text())
    return facts


def names_of(game: AnyGame) -> tuple[str, str]:
    """The goldens of a game: one that was shuffled here, one of a real table."""
    return f"{game.name}-{game.revision}-dealt.ndjson", f"{game.name}-{game.revision}-recorded.ndjson"


def test_every_game_and_revision_has_its_goldens() -> None:
    wanted = {name for game in REVISIONS for name in names_of(game)}
    assert wanted == set(known()) == {path.name for path in FOLDER.glob("*.ndjson")}


@pytest.mark.parametrize("name", known())
def test_a_golden_means_what_it_meant(name: str) -> None:
    raw = (FOLDER / name).read_bytes()
    assert facts_of(raw) == known()[name]


@pytest.mark.parametrize("name", known())
def test_a_golden_is_verified_today(name: str) -> None:
    raw = (FOLDER / name).read_bytes()
    report = verify(raw, trusted=TRUSTED)
    assert report.verdict == "verified", report
    assert check_export.check(raw)


@pytest.mark.parametrize("name", known())
def test_every_play_of_a_golden_is_judged_as_it_was(name: str) -> None:
    events = decode(read_export((FOLDER / name).read_bytes()).events)
    judgement = judged(events)
    assert (judgement.held, judgement.fault) == (len(events), None)


def _golden(game: AnyGame, mode: str) -> bytes:
    """A session whose last deal is over, so that everything in it is open."""
    for number in range(1000):
        made = kept(game, Random(f"golden {game.name} {game.revision} {mode} {number}"), deals=2, mode=mode)
        if isinstance(made.events[-1], DealEnded) and len(made.ends) == 2 and made.version < 700:
            return export(made)
    raise LookupError(f"no session of {game.name} came to its end")


def _make(name: str) -> None:
    game = find_game(name)
    facts = known() if FACTS.exists() else {}
    for mode, file in zip(("dealt", "recorded"), names_of(game), strict=True):
        assert not (FOLDER / file).exists(), f"{file} is there, and never changes"
        raw = _golden(game, mode)
        (FOLDER / file).write_bytes(raw)
        facts[file] = facts_of(raw)
    FACTS.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    _make(sys.argv[1])
