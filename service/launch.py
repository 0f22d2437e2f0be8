"""Brings the whole product up on one machine, in order, and keeps it up until asked to stop.

Store, organiser's token, then web, worker, sweeper and webhooks; ready when the service itself says so. Left out: the
command line (`launcher`), how children are kept alive (`supervisor`), and what the children do.
"""

import errno
import http.client
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from service.embedded_store import STOP_PATIENCE, EmbeddedStore
from service.launch_lock import LaunchLock, find_running
from service.launch_settings import LaunchSettings
from service.supervisor import ChildSpec, StartFailedError, StopAskedError, Supervisor, Wakeups, command

# A big log takes a while to load; as long as the server lives, waiting is right, but not for ever and not in silence.
STORE_PATIENCE = 900.0
TOKEN_PATIENCE = 60.0
READY_PATIENCE = 120.0
# What a killed predecessor leaves open, the kernel closes within moments.
PORT_PATIENCE = 3.0
# The store must be able to write at least this much to be worth another start.
DISK_PROBE = 64 * 1024


class AlreadyRunningError(Exception):
    """Another launcher works on the data folder."""


def upcard(*arguments: str) -> list[str]:
    """The product's own command line; -P keeps the folder we happen to be in from being taken for the product."""
    return [sys.executable, "-P", "-m", "service.cli", *arguments]


def check_port(host: str, port: int, patience: float = PORT_PATIENCE) -> None:
    """Raise StartFailedError when the web port cannot be ours."""
    deadline = time.monotonic() + patience
    while (fault := _port_fault(host, port)) is not None:
        if fault[0] != errno.EADDRINUSE or time.monotonic() >= deadline:
            raise StartFailedError(fault[1])
        time.sleep(0.1)


def _port_fault(host: str, port: int) -> tuple[int, str] | None:
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        return errno.EINVAL, f"UPCARD_HOST={host} is no address: {error.strerror}."
    for family, kind, protocol, _, address in addresses:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    words = f"Port {port} on {host} is taken by another process. Set UPCARD_PORT to a free port."
                else:
                    words = (
                        f"Port {port} on {host} cannot be opened: {error.strerror}. See UPCARD_HOST and UPCARD_PORT."
                    )
                return error.errno or errno.EINVAL, words
    return None


class Readiness:
    """Asks the service whether it is ready, and remembers what it said."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        # An address that means "all of them" cannot be connected to everywhere.
        self.host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - replaced, not bound
        self.port = parts.port
        self.said = "it does not answer"

    def __call__(self) -> bool:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=2)
        try:
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            body = answer.read(4096).decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            self.said = f"it does not answer ({error})"
            return False
        finally:
            connection.close()
        self.said = f"{answer.status} {_words(body)}"
        return answer.status == http.client.OK


def _words(body: str) -> str:
    try:
        answer = json.loads(body)
    except ValueError:
        return body.strip()
    return str(answer.get("detail", body)) if isinstance(answer, dict) else body.strip()


def explain_store(data: Path) -> Callable[[str], str | None]:
    """What the launcher says when the store ended: about the disk, if that is the reason."""

    def explain(tail: str) -> str | None:
        if "No space left" in tail or "quota exceeded" in tail or disk_is_full(data):
            return (
                f"The disk that holds {data} is full. The store has stopped because it acknowledges nothing it cannot "
                "keep; nothing acknowledged is lost. Free some space: the store is started again until it stays up."
            )
        return None

    return explain


def disk_is_full(data: Path) -> bool:
    """Whether the data folder's disk (or our share of it) takes no more."""
    probe = data / "disk.probe"
    try:
        with probe.open("wb") as file:
            file.write(bytes(DISK_PROBE))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    finally:
        probe.unlink(missing_ok=True)
    return False


def start_store(supervisor: Supervisor, store: EmbeddedStore) -> None:
    """Start the embedded store and wait until it has loaded its data."""
    store.claim()
    supervisor.say(f"Starting the store ({store.server.title}).")
    spec = ChildSpec("store", store.start, rank=0, patience=STOP_PATIENCE, explain=explain_store(store.data))
    supervisor.add(spec)
    waited = 0.0
    while not supervisor.run_until(store.answers, look_every=0.02, patience=10):
        waited += 10
        if waited >= STORE_PATIENCE:
            raise StartFailedError(f"The store did not answer within {waited:.0f} s.")
        supervisor.say("The store is still loading its data.")


def start_services(supervisor: Supervisor, settings: LaunchSettings, env: Mapping[str, str]) -> None:
    """Make the organiser's token, start all processes, and wait until the service says that it is ready."""
    supervisor.once(ChildSpec("token", command(upcard("token", "first"), env)), TOKEN_PATIENCE)
    supervisor.say("Starting web, worker, sweeper and webhooks.")
    for name in ("web", "worker", "sweeper", "webhooks"):
        supervisor.add(ChildSpec(name, command(upcard(name), env)))
    ready = Readiness(settings.url)
    if not supervisor.run_until(ready, patience=READY_PATIENCE):
        raise StartFailedError(
            f"The service is not ready after {READY_PATIENCE:.0f} s: {ready.said}. Its logs are in {supervisor.logs}."
        )


def launch(
    settings: LaunchSettings,
    say: Callable[[str], None],
    when_ready: Callable[[Supervisor], int | None],
) -> int:
    """Bring everything up, call `when_ready`, and go on until asked to stop, or stop at once when it gave a status.

    Whatever happens, nothing is left running. Raises AlreadyRunningError, StartFailedError, StoreError.
    """
    logs = settings.make_folders()
    lock = LaunchLock(settings.data)
    if not lock.take(settings.url):
        running = find_running(settings.data)
        raise AlreadyRunningError(
            f"Upcard already runs on {settings.data}{f' (process {running.pid})' if running else ''}."
        )
    store: EmbeddedStore | None = None
    with Wakeups() as wakeups:
        supervisor = Supervisor(logs, say, wakeups)
        try:
            check_port(settings.host, settings.port)
            if settings.embedded:
                store = EmbeddedStore(settings.data, durability=settings.durability)
                start_store(supervisor, store)
            start_services(supervisor, settings, settings.environment())
            supervisor.starting = False
            status = when_ready(supervisor)
            if status is None:
                supervisor.run()
        except StopAskedError:
            status = None
        finally:
            if supervisor.children:
                say("Stopping.")
            supervisor.stop()
            if store is not None:
                store.release()
            lock.release()
    return status or 0
