"""Where the embedded store of a data folder listens, which follows from the folder alone, running or not.

Left out: the store itself (`service.embedded_store`).
"""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import quote

EVENTS_DB: Final = 0
JOBS_DB: Final = 1

SOCKET_PATH_BYTES: Final = 103
"""sockaddr_un holds 108 bytes with the closing zero on Linux and 104 on macOS; the smaller serves both."""


def socket_path(data: Path) -> Path:
    """In the data folder, or, when that is too deep, in a short folder named after it among the temporary files."""
    folder = data.resolve()
    inside = folder / "store.sock"
    if len(os.fsencode(inside)) <= SOCKET_PATH_BYTES:
        return inside
    name = f"upcard-{os.getuid()}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"
    short = Path(tempfile.gettempdir()).resolve() / name / "store.sock"
    if len(os.fsencode(short)) <= SOCKET_PATH_BYTES:
        return short
    return Path("/tmp").resolve() / name / "store.sock"  # noqa: S108 - whoever makes it sees to it that it is ours alone


def store_url(data: Path, db: int) -> str:
    """The address of a database of this folder's store, as redis-py takes it."""
    return f"unix://{quote(str(socket_path(data)))}?db={db}"
