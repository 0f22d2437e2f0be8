"""Files that only their owner may read, written whole or not at all. Leaves out what is in them."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def kept(path: Path, make: Callable[[], str]) -> str:
    """What the file holds, made once however many processes ask at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = _draft(path, (make() + "\n").encode())
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def replaced(path: Path, content: bytes) -> None:
    """Have the file hold this from one moment to the next."""
    _draft(path, content).replace(path)


def _draft(path: Path, content: bytes) -> Path:
    # Written whole before it gets its name, so that nobody ever reads half of it.
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return draft
