"""The bench runs and says every figure. How fast anything is, no test asks."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINES = (
    r"plays, Upcard: [\d,]+/s",
    r"plays, Upcard, \d+ events: [\d,]+/s",
    r"plays, trivial: [\d,]+/s",
    r"Upcard : trivial = \d+\.\d\d",
    r"Upcard, \d+ events : Upcard = \d+\.\d\d",
    r"reads, Upcard : trivial = \d+\.\d\d",
    r"memory: \d+ bytes",
    r"fold: [\d,]+ events/s",
    r"rebuild: \d+\.\d\d times",
    r"check: [\d,]+ plays/s",
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
