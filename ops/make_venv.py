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


def wanted_stamp(lock: Path) -> str:
    """What the environment was made from, in one word: the lock, the project's metadata, its place, the Python."""
    parts = [lock.read_bytes(), (ROOT / "pyproject.toml").read_bytes(), os.fsencode(ROOT), sys.version.encode()]
    return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def works(python: Path) -> bool:
    """Whether the environment's Python runs, is of our version, and has pip."""
    question = "import pip, sys; print(sys.version)"
    try:
        answer = subprocess.run([python, "-c", question], capture_output=True, text=True, check=True).stdout  # noqa: S603 - the environment's own Python
    except (OSError, subprocess.CalledProcessError):
        return False
    return answer.strip() == sys.version.strip()


def make(folder: Path, lock: Path) -> None:
    """Bring the environment to what the lock says."""
    stamp, python = folder / "upcard.stamp", folder / "bin" / "python"
    wanted = wanted_stamp(lock)
    usable = works(python)
    if usable and stamp.exists() and stamp.read_text() == wanted:
        return
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"Preparing {folder.name} (Python {version}, packages from {lock.relative_to(ROOT)}).", flush=True)
    # Gone until all is done, so that an interrupted run is taken up again.
    stamp.unlink(missing_ok=True)
    if not usable:
        run(sys.executable, "-m", "venv", "--clear", str(folder))
    pip = (str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input")
    run(*pip, "--require-hashes", "--prefer-binary", "--requirement", str(lock))
    run(*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    stamp.write_text(wanted)


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
