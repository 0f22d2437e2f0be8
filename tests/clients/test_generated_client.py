"""A client that openapi-python-client makes from the contract opens a session, plays it and reads its ledger.

The generator comes from a lock of its own into an environment that is thrown away. Where it cannot be fetched the test
is skipped and says why; but never in CI.
"""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from ops.benchmarks.environment import made
from tests.docs.markdown import ROOT
from tests.faults.running import Service

pytestmark = [pytest.mark.store, pytest.mark.service]

LOCK: Final = ROOT / "ops/lock/generator.txt"
CONTRACT: Final = ROOT / "ops/openapi.json"
LIMIT: Final = 300.0
# All that it cannot do, in its own words. Whatever else it leaves out, it has not understood.
KNOWN: Final = ("parsing GET /v1/sessions/{session_id}/export", "parsing POST /v1/records")


def run(*command: str | Path, env: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """The programs of an environment that has the generator, and what its clients need."""
    missing = made(tmp_path / "generator", [LOCK])
    if missing is not None:
        assert "CI" not in os.environ, f"openapi-python-client cannot be installed: {missing}"
        pytest.skip(f"openapi-python-client cannot be installed: {missing}")
    return tmp_path / "generator" / "bin"


def test_it_opens_plays_and_reads_the_ledger(upcard: Service, environment: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"post_hooks": []}))
    said = run(
        *(environment / "openapi-python-client", "generate", "--path", CONTRACT, "--config", config),
        *("--meta", "none", "--output-path", tmp_path / "upcard_client"),
    )
    warnings = [line.partition("WARNING ")[2] for line in said.splitlines() if "WARNING " in line]
    assert all(warning.startswith(KNOWN) for warning in warnings), said
    assert "Unable to" not in said, said

    upcard.start_web()
    upcard.start_worker()
    address = f"http://127.0.0.1:{upcard.port}"
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    found = json.loads(
        run(environment / "python", Path(__file__).with_name("generated.py"), address, upcard.token, env=env)
    )
    session = upcard.client().call("GET", f"/v1/sessions/{found['id']}").body
    assert session["status"] == "over"
    assert session["version"] == found["versions"][-1]
    assert session["totals"] == found["balances"] == found["points"]
    # The version that the refusal named, then one event for each play, and the end of the deal with the last.
    assert found["versions"] == [*range(2, session["version"] - 1), session["version"]]
