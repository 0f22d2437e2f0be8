"""`upcard check`: reads deal records, plays each through the rules, scores it and compares.

Holds one record at a time, however long the file. Needs no store, no web framework, no queue.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final, NamedTuple

import click
import orjson

from replay.records.checking import WORST_LAST, Verdict, malformed
from replay.records.checking import check as check_record
from replay.records.limits import RECORD_BYTES
from replay.records.malformed import MalformedRecordError
from replay.records.reading import ndjson_lines, read_json, read_toml
from replay.records.record import Record
from service.rare_collections import rare_collections
from service.verdict_words import in_words

STDIN: Final = "-"
LINES: Final = ".ndjson"
ONE_RECORD: Final[Mapping[str, Callable[[bytes], Record]]] = {".toml": read_toml, ".json": read_json}
LONG_FILE: Final = 1024 * 1024
"""Bytes from which a file is worth a progress bar: about a second's work."""


class Written(NamedTuple):
    """One record as bytes: where it stands, for the reader of the answer, and how it is read."""

    place: str
    raw: bytes
    read: Callable[[bytes], Record]


def _files(context: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse, before anything is checked, a name that says no form or that cannot be read."""
    existing = click.Path(exists=True, dir_okay=False, readable=True)
    for name in names:
        if name == STDIN:
            continue
        existing.convert(name, parameter, context)
        if Path(name).suffix not in (*ONE_RECORD, LINES):
            raise click.BadParameter(f"{name!r} does not end in {', '.join((*ONE_RECORD, LINES))}")
    return names


@click.command("check")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, callback=_files)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a record, in the order given.")
@click.pass_context
def check(context: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Check deal records: .toml and .json files of one record, .ndjson files of one a line; - reads lines from stdin.

    Exits with 0 if every record is clean, 1 if not, 2 if it was not told what to do.
    """
    found: Counter[str] = Counter()
    out = sys.stdout.buffer
    for written in _with_rare_collections(_all_written(files)):
        record, verdict = _checked(written)
        found[verdict.verdict] += 1
        if as_json:
            out.write(orjson.dumps(verdict.plain(), option=orjson.OPT_APPEND_NEWLINE))
        else:
            out.write(in_words(written.place, record, verdict).encode())
        # A record at a time, so that whoever feeds lines through a pipe has each answer when it is known.
        out.flush()
    if not as_json and found.total() > 1:
        counts = ", ".join(f"{found[word]} {word}" for word in WORST_LAST if found[word])
        click.echo(f"{found.total()} records: {counts}")
    context.exit(0 if found.total() == found["clean"] else 1)


def _with_rare_collections(all_written: Iterator[Written]) -> Iterator[Written]:
    """The same, with Python's search for cycles run less often meanwhile."""
    with rare_collections():
        yield from all_written


def _checked(written: Written) -> tuple[Record | None, Verdict]:
    try:
        record = written.read(written.raw)
    except MalformedRecordError as fault:
        return None, malformed(fault.detail)
    return record, check_record(record)


def _all_written(names: tuple[str, ...]) -> Iterator[Written]:
    for name in names:
        path = Path(name)
        try:
            if name == STDIN:
                yield from _lines(name, sys.stdin.buffer)
                continue
            with path.open("rb") as stream:
                if path.suffix == LINES:
                    yield from _lines(name, stream)
                else:
                    yield Written(name, stream.read(RECORD_BYTES + 1), ONE_RECORD[path.suffix])
        except OSError as error:
            raise click.UsageError(f"cannot read {name}: {error.strerror}") from None


def _lines(name: str, stream: IO[bytes]) -> Iterator[Written]:
    lines = ndjson_lines(stream)
    if _worth_a_bar(stream):
        lines = _with_bar(name, stream, lines)
    for number, raw in lines:
        yield Written(f"{name}:{number}", raw, read_json)


def _worth_a_bar(stream: IO[bytes]) -> bool:
    """Whether somebody watches the terminal while the answers go elsewhere (on the screen they are progress enough)."""
    if sys.stdout.isatty() or not sys.stderr.isatty() or not stream.seekable():
        return False
    return os.fstat(stream.fileno()).st_size >= LONG_FILE


def _with_bar(name: str, stream: IO[bytes], lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    # Imported where it is shown: it takes longer to load than a short record to check.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(Path(name).name, total=os.fstat(stream.fileno()).st_size)
        for number, raw in lines:
            yield number, raw
            progress.update(bar, completed=stream.tell())
