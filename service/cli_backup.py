"""`upcard backup`: a copy of the data folder, taken while the service runs or while it does not.

Left out: a Redis of one's own, which is backed up by its own means; and restoring, which is copying (ops/runbooks).
"""

import os
import shutil
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import IO, Final

import click

from service.signing import KEY_FILE, RETIRED_FILE
from workers.settings import SettingsError, read_settings

_AOF: Final = "store/aof"
_MANIFEST: Final = "appendonly.aof.manifest"
_BESIDE: Final = ("server.key", KEY_FILE, RETIRED_FILE, "organiser.token")
"""Taken after the store: whatever its log was signed with is among these then."""
_TRIES: Final = 100
"""The manifest changes twice a rewrite, and there is a rewrite at most every few seconds."""


class CannotBackUpError(Exception):
    """There is nothing to be backed up, or it could not be."""


@click.command("backup")
@click.argument("folder", type=click.Path(path_type=Path))
def backup(folder: Path) -> None:
    """Copy all that counts of the data folder into a new FOLDER, while the service runs or while it does not.

    What has been acknowledged when this begins is in the copy. It holds every key: keep it as you keep those.
    """
    try:
        size = back_up(read_settings().data, folder)
    except (SettingsError, CannotBackUpError, OSError) as fault:
        raise click.ClickException(str(fault)) from None
    click.echo(f"{size} bytes backed up")


def back_up(data: Path, folder: Path) -> int:
    """Copy the data folder into one that does not exist yet; how many bytes. Raises CannotBackUpError, OSError."""
    if folder.exists():
        raise CannotBackUpError(f"{folder} exists already")
    # It has its name only once it is whole.
    draft = folder.with_name(f".{folder.name}.{os.getpid()}")
    draft.mkdir(mode=0o700, parents=True)
    try:
        size = _copy_store(data / _AOF, draft / _AOF)
        for name in _BESIDE:
            if (data / name).exists():
                with (data / name).open("rb") as source:
                    size += _copy(source, draft / name)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft)
        raise
    return size


def _copy_store(aof: Path, target: Path) -> int:
    """Copy the append-only files that the manifest names.

    The server only appends to these, or lets go of them whole, and renames a new manifest over the old. So they are all
    opened first: if the manifest is still the same then, they belong together, whatever becomes of their names. What is
    appended meanwhile may be cut off in the middle of a command, which the server drops when it loads the copy.
    """
    manifest = aof / _MANIFEST
    for _ in range(_TRIES):
        with ExitStack() as files:
            try:
                said = manifest.read_bytes()
                opened = [(name, files.enter_context((aof / name).open("rb"))) for name in _named(said)]
            except FileNotFoundError:
                if not manifest.exists():
                    raise CannotBackUpError(f"no store is kept in {aof.parent}") from None
                continue
            if manifest.read_bytes() != said:
                continue
            for folder in (target.parent, target):
                folder.mkdir(mode=0o700)
            size = sum(_copy(source, target / name) for name, source in opened)
            return size + _copy(BytesIO(said), target / _MANIFEST)
    raise CannotBackUpError(f"the store in {aof.parent} changes its files all the time")


def _named(manifest: bytes) -> list[str]:
    """The files that a manifest names: `file <name> seq <number> type <letter>` a line. Raises CannotBackUpError."""
    lines = [line.split(" ") for line in manifest.decode(errors="replace").splitlines()]
    names = [words[1] for words in lines if len(words) > 1 and words[0] == "file"]
    if not names or any(Path(name).name != name or not name for name in names):
        raise CannotBackUpError("the store's manifest cannot be read")
    return names


def _copy(source: IO[bytes], target: Path) -> int:
    """Copy a file, for our eyes only and on the disk; how many bytes."""
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        shutil.copyfileobj(source, file)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()
