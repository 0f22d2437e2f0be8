"""An environment with what others have written, from locks of their own; to be thrown away with its folder.

Left out: the project's own environments, which ops/make_venv.py keeps.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
LOCKS: Final = (ROOT / "ops" / "lock" / "bench.txt", ROOT / "ops" / "lock" / "bench-source.txt")
"""What comes built, and then what has to be built with it."""


def made(folder: Path, locks: Sequence[Path]) -> str | None:
    """Make the environment from a lock of what comes built, and perhaps others of what has to be built with it.

    None when all is there, otherwise what was in the way, in a line.
    """
    built, *sources = locks
    alone = ("--require-hashes", "--no-deps", "--no-build-isolation")
    pip = (str(folder / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-input")
    steps = (
        (sys.executable, "-m", "venv", str(folder)),
        (*pip, "--require-hashes", "--only-binary", ":all:", "--requirement", str(built)),
        *((*pip, *alone, "--requirement", str(each)) for each in sources),
    )
    for step in steps:
        run = subprocess.run(step, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if run.returncode:
            said = [line for line in run.stderr.splitlines() if line.startswith("ERROR")] or run.stderr.splitlines()
            return said[-1] if said else f"{step[2]} ended with {run.returncode}"
    return None
