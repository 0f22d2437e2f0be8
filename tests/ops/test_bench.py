"""The bench runs and says every figure. How fast anything is, no test asks."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ops.benchmarks.__main__ import GAMES
from ops.benchmarks.environment import made

ROOT = Path(__file__).resolve().parents[2]
LINES = (
    r"plays, Upcard: [\d,]+/s",
    r"plays, Upcard, \d+ events: [\d,]+/s",
    r"plays, trivial: [\d,]+/s",
    r"Upcard : trivial = \d+\.\d\d",
    r"Upcard, \d+ events : Upcard = \d+\.\d\d",
    r"reads, Upcard : trivial = \d+\.\d\d",
    r"streams, plays with \d+ idle streams : no stream = \d+\.\d\d",
    r"streams: 99 in 100 of \d+ watchers have a play -?\d+\.\d ms",
    r"memory: \d+ bytes",
    *(rf"games: \d+ bytes of Redis for an event of {game} " for game in GAMES),
    *(rf"verify, {game}: [\d,]+ events/s" for game in GAMES),
    r"fold: [\d,]+ events/s",
    r"rebuild: \d+\.\d\d times",
    r"check: [\d,]+ plays/s",
    r"solver: imported with its tables in [\d.]+ ms",
    r"solver: RLCard and OpenSpiel are not compared: a quick run",
    r"solver, random hands of one pack: [\d.]+ µs",
    r"solver, near-finished hands of two packs: [\d.]+ µs",
)


@pytest.mark.service
def test_the_bench_says_every_figure() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "ops.benchmarks", "--quick"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    said = run.stdout.splitlines()
    missing = [line for line in LINES if not any(re.match(line, each) for each in said)]
    assert missing == [], run.stdout


def test_what_cannot_be_installed_is_said_in_a_line(tmp_path: Path) -> None:
    missing = made(tmp_path / "rivals", (tmp_path / "no.txt", tmp_path / "lock.txt"))
    assert missing is not None
    assert "no.txt" in missing
