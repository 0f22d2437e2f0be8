"""Makes a virtual environment in the project's folder from a lock file, or leaves one alone that is as it should be.

    python3 ops/make_venv.py .venv ops/lock/runtime.txt

Run by the system's Python, on the standard library alone. Two at once wait for each other. The project is installed
so that its sources are used where they are. Left out: which Python to take (`find-python`), what the locks hold.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def wanted_stamp(lock: Path, version: str) -> str:
    """What the environment is made from: the project's place, and in one word the lock, the metadata, the Python."""
    parts = [lock.read_bytes(), (ROOT / "pyproject.toml").read_bytes(), version.encode()]
    return f"{ROOT}\n{hashlib.sha256(b''.join(hashlib.sha256(part).digest() for part in parts)).hexdigest()}\n"


def version_of(python: Path) -> str | None:
    """The version of the environment's Python; None if it does not run, is too old or has no pip."""
    # Any that will do is kept: a service may be running from it, whichever Python comes first on PATH today.
    question = "import pip, sys; print(sys.version if sys.version_info >= (3, 11) else '')"
    try:
        answer = subprocess.run([python, "-c", question], capture_output=True, text=True, check=True).stdout  # noqa: S603 - the environment's own Python
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.strip() or None


def make(folder: Path, lock: Path) -> None:
    """Bring the environment to what the lock says."""
    mark, python = folder / "upcard.stamp", folder / "bin" / "python"
    version, stamp = version_of(python), mark.read_text() if mark.exists() else ""
    if version is not None and stamp == wanted_stamp(lock, version):
        return
    print(f"Preparing {folder.name} from {lock.relative_to(ROOT)}.", flush=True)
    # Gone until all is done, so that an interrupted run is taken up again.
    mark.unlink(missing_ok=True)
    # The programs in an environment hold its path, so one that was moved is of no use.
    if version is None or (stamp and stamp.partition("\n")[0] != str(ROOT)):
        run(sys.executable, "-m", "venv", "--clear", str(folder))
    pip = (str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input")
    run(*pip, "--require-hashes", "--prefer-binary", "--requirement", str(lock))
    run(*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    mark.write_text(wanted_stamp(lock, version_of(python) or ""))


def run(*command: str) -> None:
    """Run a step; end with its status and a word about it when it fails."""
    status = subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode  # noqa: S603 - the steps above
    if status:
        print(f"This step failed: {' '.join(command)}", file=sys.stderr)
        sys.exit(1)


def main() -> None:
    """Make the named environment from the named lock, one process at a time."""
    folder, lock = (ROOT / argument for argument in sys.argv[1:])
    # The environments share the build metadata in the project folder, so all take turns, on the folder of the locks.
    turn = os.open(lock.parent, os.O_RDONLY)
    fcntl.flock(turn, fcntl.LOCK_EX)
    make(folder, lock)


if __name__ == "__main__":
    main()
