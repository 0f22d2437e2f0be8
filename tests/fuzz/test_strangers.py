"""Schemathesis over the whole document against the real service: web server, worker, sweeper and store.

Every phase: examples, the edges of each schema, chance, and walks along links. Any answer that the document does not
have is a failure, and so is any 5xx. At scale 1 at least 2,000 cases.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.faults.running import service
from tests.seeds import SCALE, rng, scaled

CONFIG: Final = Path(__file__).with_name("schemathesis.toml")
ROOT: Final = Path(__file__).parents[2]
CASES: Final = 2_000
LIMIT: Final = 3600.0
"""Seconds before a hanging run is given up."""


@pytest.mark.service
def test_a_stranger_with_the_document_finds_no_fault(tmp_path: Path) -> None:
    whole = SCALE >= 1
    reaches = "open_session start_deal list_plays make_play read_session read_ledger" if whole else "open_session"
    phases = "examples,coverage,fuzzing,stateful" if whole else "examples,fuzzing,stateful"
    with service() as running:
        running.start_web()
        running.start_worker()
        running.start("sweeper")
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG)),
                *("run", f"http://127.0.0.1:{running.port}/openapi.json"),
                *("--phases", phases),
                *("--max-examples", str(max(2, scaled(16))), "--seed", str(rng("strangers").randrange(2**31))),
                "--no-color",
            ],
            cwd=tmp_path,
            env=os.environ
            | {
                "PYTHONPATH": str(ROOT),
                "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks",
                "UPCARD_FUZZ_REACHES": reaches,
                "UPCARD_FUZZ_TOKEN": running.token,
            },
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    generated = re.search(r"^ *(\d+) generated", done.stdout, re.MULTILINE)
    assert generated is not None, done.stdout[-2000:]
    assert int(generated[1]) >= scaled(CASES), f"only {generated[1]} cases"
