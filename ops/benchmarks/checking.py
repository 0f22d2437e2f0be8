"""`upcard check` as anybody runs it: a process of its own over records as NDJSON."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from ops.benchmarks.seeded import PLAYERS, whole_session
from replay.records.export import record_of
from replay.records.printing import to_json


class Checked(NamedTuple):
    """What checking took."""

    records: int
    plays: int
    seconds: float
    processor: float
    """Seconds, user's and system's."""
    peak: int
    """Bytes."""


def write_records(path: Path, records: int, deals: int) -> int:
    """Write records of so many deals, one a line; the number of plays in them."""
    plays = 0
    with path.open("wb") as file:
        for seed in range(records):
            record = record_of(whole_session(seed, deals, mode="recorded"), PLAYERS, include_unfinished=False)
            plays += sum(len(deal.plays) for deal in record.deals)
            file.write(to_json(record) + b"\n")
    return plays


def checked(path: Path, records: int, plays: int) -> Checked:
    """Check the file; raises RuntimeError unless all of it is clean."""
    measure = [sys.executable, str(Path(__file__).with_name("measured.py"))]
    command = [sys.executable, "-m", "service.cli", "check", "--json", str(path)]
    run = subprocess.run([*measure, *command], capture_output=True, text=True, check=True)
    took = json.loads(run.stdout)
    if took["status"] != 0:
        raise RuntimeError(f"the records should be clean: {run.stderr}")
    return Checked(records, plays, took["seconds"], took["user"] + took["system"], took["peak"])
