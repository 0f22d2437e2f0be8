"""An export: a session's log as one viewer may see it, in a file that can be checked off line.

NDJSON, every line canonical JSON: a header, the events, the checkpoints, and a last line with the SHA-256 of all lines
before it, signed. STORAGE: add, never change. Left out: whether what it says is true, which verify.py asks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson

from replay.checkpoints import Signer
from replay.codec import shown
from replay.envelope import Envelope, canonical, envelope
from replay.rules.game import Viewer
from replay.rules.session_state import BrokenLogError, Session

FORM: Final = 1


class Header(NamedTuple):
    """The first line."""

    session: str
    game: str
    revision: int
    options: Mapping[str, Any]
    players: Sequence[str | None]
    """Names by seat, which no digest binds."""
    viewer: str
    """`onlooker`, `seat:2`, or `everything`."""
    version: int
    head: str
    keys: Sequence[Mapping[str, Any]]
    """The public keys of who exported it: `id`, `public`, `retired_at`. Compare them with those that you trust."""


def viewer_name(viewer: Viewer) -> str:
    """How an export says whose view it is."""
    if viewer.everything:
        return "everything"
    return "onlooker" if viewer.seat is None else f"seat:{viewer.seat}"


def header_of(
    session_id: str,
    session: Session,
    names: Sequence[str | None],
    viewer: Viewer,
    head: str,
    keys: Sequence[Mapping[str, Any]],
) -> Header:
    """The first line of the export of a session as it stands, whose last event has the digest `head`."""
    return Header(
        session=session_id,
        game=session.game.name,
        revision=session.game.revision,
        options=session.options._asdict(),
        players=names,
        viewer=viewer_name(viewer),
        version=session.version,
        head=head,
        keys=keys,
    )


def lines(
    header: Header, events: Iterable[tuple[Envelope, Viewer]], checkpoints: Iterable[bytes], signer: Signer
) -> Iterator[bytes]:
    """The lines of an export, each with its end. Every event comes with the viewer that it is to be opened for."""
    digest = sha256()
    count = 0
    for line in _unsigned(header, events, checkpoints):
        digest.update(line)
        count += 1
        yield line
    end = {"key": signer.id, "lines": count, "sha256": digest.hexdigest(), "signature": signer.export(digest.digest())}
    yield canonical({"end": end}) + b"\n"


def _unsigned(
    header: Header, events: Iterable[tuple[Envelope, Viewer]], checkpoints: Iterable[bytes]
) -> Iterator[bytes]:
    yield canonical({"export": FORM, **header._asdict()}) + b"\n"
    for stored, viewer in events:
        opened = shown(stored, viewer).opened
        # The public part as it is stored, to the byte.
        yield b'{"digest":"%s","event":%s,"opened":%s}\n' % (
            stored.digest.hex().encode(),
            stored.raw,
            canonical(opened),
        )
    for checkpoint in checkpoints:
        yield b'{"checkpoint":%s}\n' % checkpoint


class MalformedExportError(Exception):
    """The file is no export, or not the one that was written: `line` (from 1) says where it is seen."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line: Final = line
        self.reason: Final = reason


class Export(NamedTuple):
    """An export as far as it can be read."""

    header: Header
    events: tuple[Envelope, ...]
    unreadable: BrokenLogError | None
    """Why the line after these events is none."""
    checkpoints: tuple[Mapping[str, Any], ...]
    digest: bytes
    """SHA-256 of all lines but the last, as they are."""
    end: Mapping[str, Any]
    """What the last line says."""
    faults: tuple[MalformedExportError, ...]
    """Lines that are not as an export writes them."""


LINE_BYTES: Final = 1024 * 1024
"""The longest line: some hundred times a deal's."""


def read_export(raw: bytes) -> Export:
    """The export in a file; raises MalformedExportError if it does not even begin as one."""
    rows = raw.split(b"\n")
    faults: list[MalformedExportError] = []
    if rows.pop() != b"":
        faults.append(MalformedExportError(len(rows) + 1, "the last line is cut off"))
    parsed = [_row(number, row, faults) for number, row in enumerate(rows, start=1)]
    if not parsed or "export" not in parsed[0]:
        raise MalformedExportError(1, "it does not begin with the header of an export")
    header = _header(parsed[0])
    events: list[Envelope] = []
    checkpoints: list[Mapping[str, Any]] = []
    unreadable: BrokenLogError | None = None
    end = _end(parsed)
    for number, fields in enumerate(parsed[1:], start=2):
        if "checkpoint" in fields and isinstance(fields["checkpoint"], dict):
            checkpoints.append(fields["checkpoint"])
        elif "event" not in fields and number > header.version + 1:
            if fields:
                faults.append(MalformedExportError(number, "it is no line of an export"))
        elif checkpoints:
            faults.append(MalformedExportError(number, "an event stands after the checkpoints"))
        elif unreadable is None:
            try:
                events.append(_event(fields))
            except BrokenLogError as fault:
                unreadable = BrokenLogError(len(events) + 1, fault.reason)
    digest = sha256(b"".join(row + b"\n" for row in rows[:-1])).digest()
    return Export(header, tuple(events), unreadable, tuple(checkpoints), digest, end, tuple(faults))


def _row(number: int, row: bytes, faults: list[MalformedExportError]) -> dict[str, Any]:
    """A line's fields; of a line that is not canonical JSON whatever can be read, and a fault."""
    try:
        if len(row) > LINE_BYTES:
            raise ValueError("it is longer than any line of an export")
        fields = orjson.loads(row)
        if not isinstance(fields, dict):
            raise TypeError("it is no object")
        if canonical(fields) != row:
            faults.append(MalformedExportError(number, "it is not canonical JSON"))
    except (ValueError, TypeError, RecursionError) as fault:
        faults.append(MalformedExportError(number, f"it cannot be read: {fault}"[:200]))
        return {}
    return fields


def _end(parsed: list[dict[str, Any]]) -> dict[str, Any]:
    """What the last line says, which is then none of the others; nothing if it is no last line."""
    fields: dict[str, Any] = {}
    if len(parsed) > 1 and isinstance(parsed[-1].get("end"), dict):
        fields = parsed.pop()["end"]
    return fields


def _header(fields: dict[str, Any]) -> Header:
    if fields.get("export") != FORM:
        raise MalformedExportError(1, f"this reads exports of form {FORM}")
    try:
        header = Header(**{name: value for name, value in fields.items() if name != "export"})
    except TypeError as fault:
        raise MalformedExportError(1, f"it is no header: {fault}"[:200]) from fault
    kinds = {"session": str, "game": str, "revision": int, "options": dict, "players": list, "viewer": str}
    kinds |= {"version": int, "head": str, "keys": list}
    for name, kind in kinds.items():
        if type(getattr(header, name)) is not kind:
            raise MalformedExportError(1, f"`{name}` of the header is of another type")
    if not all(name is None or isinstance(name, str) for name in header.players):
        raise MalformedExportError(1, "a player of the header is no name")
    return header


def _event(fields: Mapping[str, Any]) -> Envelope:
    """The envelope that a line holds; raises BrokenLogError."""
    try:
        public, head = canonical(fields["event"]), bytes.fromhex(fields["digest"])
        if fields["digest"] != head.hex():
            raise ValueError("its digest is not written as digests are")
        return envelope(fields["event"]["version"], public, canonical(fields["opened"]), head)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as fault:
        raise BrokenLogError(1, f"it is no event: {type(fault).__name__} {fault}"[:200]) from fault
