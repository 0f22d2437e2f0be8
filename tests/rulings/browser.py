"""Debian's Chromium, without a window: prints a page that is served from here, and takes a picture of it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Final

from werkzeug.serving import make_server

from tests.http.house import House
from tests.ops.running import LIMIT

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_ROOT: Final = 0


def browser() -> str | None:
    """Its path; None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def served(house: House) -> Iterator[str]:
    """The house on a port of this machine, for as long as this lasts; its address."""
    server = make_server("127.0.0.1", 0, house.app, threaded=True)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def shown(program: str, folder: Path, *task: str) -> str:
    """Have the browser do a task in a folder of its own; what it says of the page's faults."""
    done = subprocess.run(
        [
            *(program, "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions"),
            *("--disable-background-networking", "--disable-dev-shm-usage", "--enable-logging=stderr", "--v=0"),
            # Chromium's own cage needs a user who is not root, and what is shown here is our own.
            *(("--no-sandbox",) if os.geteuid() == _ROOT else ()),
            *(f"--user-data-dir={folder / 'profile'}", *task),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    return "\n".join(re.findall(r".*CONSOLE.*", done.stderr))


def pages(pdf: bytes) -> int:
    """How many pages a PDF of Chromium's has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def size(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
