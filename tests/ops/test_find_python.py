"""ops/find-python among stand-in Pythons: which it takes, and what it says when none will do."""

import os
import subprocess
from pathlib import Path

OPS = Path(__file__).parents[2] / "ops"

TOO_OLD = 'case "$2" in *version_info*) exit 1;; esac'
WITHOUT_VENV = 'case "$2" in *ensurepip*) exit 1;; *print*) echo python3.12-venv;; esac'
GOOD = "exit 0"


def find(folder: Path, **pythons: str) -> "subprocess.CompletedProcess[str]":
    """Run it with only these programs and the shell on PATH."""
    for name in ("bash", "env"):
        (folder / name).symlink_to(f"/usr/bin/{name}")
    for name, body in pythons.items():
        program = folder / name.replace("_", ".")
        program.write_text(f"#!/bin/bash\n{body}\n")
        program.chmod(0o755)
    env = os.environ | {"PATH": str(folder)}
    return subprocess.run([OPS / "find-python"], env=env, capture_output=True, text=True, check=False)


def test_the_first_that_will_do_is_taken(tmp_path: Path) -> None:
    found = find(tmp_path, python3=TOO_OLD, python3_11=WITHOUT_VENV, python3_12=GOOD, python3_13=GOOD)
    assert (found.returncode, found.stdout, found.stderr) == (0, f"{tmp_path}/python3.12\n", "")


def test_one_without_venv_is_told_of(tmp_path: Path) -> None:
    found = find(tmp_path, python3=WITHOUT_VENV)
    assert (found.returncode, found.stdout) == (2, "")
    assert f"{tmp_path}/python3 cannot make virtual environments" in found.stderr
    assert "apt-get install python3.12-venv" in found.stderr


def test_none_at_all_is_told_of(tmp_path: Path) -> None:
    found = find(tmp_path, python3=TOO_OLD)
    assert (found.returncode, found.stdout) == (1, "")
    assert "needs Python 3.11 or newer" in found.stderr
