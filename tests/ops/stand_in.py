"""Stands in for the product's commands under the real launcher: `python stand_in.py up …` is `ops/up` with children
that only note when they start and stop, and whether the store was still there. Left out: anything they would do.

What they note goes to $UPCARD_DATA/trace. STAND_IN_FAILS names the child that ends at once, STAND_IN_DEMO is the
status of the demonstration.
"""

import http.server
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

HERE = [sys.executable, __file__]
GRANDCHILD = """
import signal, sys
from workers.lifeline import die_with_parent
die_with_parent(int(sys.argv[1]))
signal.pause()
"""


def note(text: str) -> None:
    with Path(os.environ["UPCARD_DATA"], "trace").open("a") as trace:
        trace.write(f"{text}\n")


def store_answers() -> bool:
    """Asked by hand: a client library would be most of what a stand-in costs to start."""
    with socket.socket(socket.AF_UNIX) as store:
        try:
            store.connect(unquote(urlsplit(os.environ["UPCARD_EVENTS_URL"]).path))
            store.sendall(b"PING\r\n")
            return store.recv(16) == b"+PONG\r\n"
        except OSError:
            return False


class Ready(http.server.BaseHTTPRequestHandler):
    """Ready once all the others have been seen, whatever the address."""

    def do_GET(self) -> None:
        seen = Path(os.environ["UPCARD_DATA"], "trace").read_text()
        missing = [name for name in ("worker", "sweeper", "webhooks") if f"started {name}" not in seen]
        self.send_response(503 if missing else 200)
        self.end_headers()
        self.wfile.write(f"missing: {missing}".encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names them
        """Keep the log for what the tests look for."""


def child(name: str) -> None:
    if os.environ.get("STAND_IN_FAILS") == name:
        sys.exit(f"{name} has its reasons")
    stopping: list[int] = []
    signal.signal(signal.SIGTERM, lambda signum, _: stopping.append(signum))
    signal.signal(signal.SIGINT, lambda *_: note(f"interrupted {name}"))
    # A process of its own session, as a work horse is: only the death signal reaches it when its parent is killed.
    line = [sys.executable, "-c", GRANDCHILD, str(os.getpid())]
    with subprocess.Popen(line, start_new_session=True) as grandchild:
        note(f"started {name} {os.getpid()} {grandchild.pid}")
        if name == "web":
            address = (os.environ["UPCARD_HOST"], int(os.environ["UPCARD_PORT"]))
            Thread(target=http.server.HTTPServer(address, Ready).serve_forever, daemon=True).start()
        while not stopping:
            time.sleep(0.05)
        grandchild.kill()
    note(f"stopped {name} store={'up' if store_answers() else 'down'}")


def run(arguments: list[str]) -> None:
    match arguments:
        case ["token", "first"]:
            Path(os.environ["UPCARD_DATA"], "organiser.token").write_text("secret\n")
            note(f"token store={'up' if store_answers() else 'down'}")
        case ["demo", *_]:
            print("the demonstration", flush=True)
            sys.exit(int(os.environ.get("STAND_IN_DEMO", "0")))
        case ["web" | "worker" | "sweeper" | "webhooks" as name]:
            child(name)
        case _:
            from service import launch, launcher  # noqa: PLC0415 - the children have no need of them

            launch.upcard = lambda *arguments: [*HERE, *arguments]
            launcher.LAUNCHER = HERE
            launcher.main(arguments)


if __name__ == "__main__":
    run(sys.argv[1:])
