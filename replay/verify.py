"""The verifier of an export: an audit of what is in the file, off line, and of the file itself. Pure.

Left out: reading files and printing, which is the command line's.
"""

from collections.abc import Iterable, Mapping, Sequence

from replay.audit import CHECKED, CHECKPOINTS, FILE, Doubt, Line, Report, audited
from replay.checkpoints import Checkpoint, export_signed_by, key_id, read_checkpoint
from replay.exports import Export, Header, MalformedExportError, read_export

Keys = Mapping[str, bytes]
"""Public keys (32 bytes) by their names."""


def verify(raw: bytes, *, kept: Iterable[Checkpoint] = (), trusted: Keys | None = None) -> Report:
    """The report on a file; raises MalformedExportError if it does not even begin as an export. See verify_export."""
    return verify_export(read_export(raw), kept=kept, trusted=trusted)


def verify_export(export: Export, *, kept: Iterable[Checkpoint] = (), trusted: Keys | None = None) -> Report:
    """The report on an export. `kept`: checkpoints that were kept elsewhere; `trusted`: the keys that are believed.

    Without trusted keys those that the export names are taken, and the report says so.
    """
    keys = keys_of(export.header) if trusted is None else trusted
    beside = [_file_line(export, keys, told=trusted is not None)]
    signed: list[Checkpoint] = list(kept)
    for number, fields in enumerate(export.checkpoints, start=1):
        try:
            signed.append(read_checkpoint(fields))
        except ValueError as fault:
            beside.append(Line(CHECKPOINTS, "fails", f"checkpoint {number}: {fault}", None))
    return audited(
        export.header.session,
        export.events,
        signed,
        lambda checkpoint: checkpoint_fault(checkpoint, keys),
        export.unreadable,
        beside=beside,
    )


def checkpoint_fault(checkpoint: Checkpoint, keys: Keys) -> Doubt | None:
    """Why nobody whose key is here has signed this checkpoint; None if one has."""
    public = keys.get(checkpoint.key)
    if public is None:
        return Doubt(
            f"version {checkpoint.version} is signed with key {checkpoint.key[:64]}, which is not trusted here"
        )
    return (
        None if checkpoint.signed_by(public) else Doubt(f"the signature of version {checkpoint.version} does not fit")
    )


def keys_of(header: Header) -> Keys:
    """The public keys that an export names, those of them that are what they are named."""
    return named_keys(header.keys)


def named_keys(told: Sequence[object]) -> Keys:
    """Public keys by name, of objects with `id` and `public`; whatever is no key, or not the one it is named, is left
    out."""
    keys: dict[str, bytes] = {}
    for each in told:
        if isinstance(each, dict) and isinstance(each.get("public"), str):
            try:
                public = bytes.fromhex(each["public"])
            except ValueError:
                continue
            if each.get("id") == key_id(public):
                keys[key_id(public)] = public
    return keys


def _file_line(export: Export, keys: Keys, *, told: bool) -> Line:
    """Whether the file is the one that was written: its lines, what its header says, the signature under it."""
    if export.faults:
        fault = export.faults[0]
        return Line(FILE, "fails", str(fault), _version(fault, export))
    reason = _end_fault(export, keys) or _header_fault(export)
    if reason is not None:
        # Of an end that was cut off, or added, only the header tells.
        says, there = export.header.version, len(export.events)
        added_or_cut = export.unreadable is None and says != there
        return Line(FILE, "fails", reason, max(0, min(says, there)) + 1 if added_or_cut else None)
    whose = "" if told else "; by the key that it names itself, which was compared with no other"
    return Line(FILE, "holds", CHECKED[FILE] + whose, None)


def _version(fault: MalformedExportError, export: Export) -> int | None:
    """The version of the event that stands, or should, on the line at fault."""
    events = len(export.events) + (export.unreadable is not None)
    return fault.line - 1 if 2 <= fault.line <= events + 1 else None


def _header_fault(export: Export) -> str | None:
    """Why the header does not say what the events do; what they are is for other checks."""
    header, events = export.header, export.events
    if not events:
        return None
    data = events[0].data
    said = {"game": header.game, "revision": header.revision, "options": header.options}
    if said != {name: data.get(name) for name in said}:
        return "its header says another game than its opening"
    if len(header.players) != data.get("seats"):
        return "its header names another number of players than there are seats"
    if (header.version, header.head) != (len(events), events[-1].digest.hex()):
        return "its header names another head than the last event's"
    return None


def _end_fault(export: Export, keys: Keys) -> str | None:
    end = export.end
    if not end:
        return "its last line is missing"
    if end.get("sha256") != export.digest.hex():
        return "a line is not as it was exported"
    if end.get("lines") != 1 + len(export.events) + len(export.checkpoints):
        return "it has not as many lines as it says"
    public = keys.get(str(end.get("key")))
    if public is None:
        return f"it is signed with key {str(end.get('key'))[:64]}, which is not trusted here"
    if not export_signed_by(public, export.digest, str(end.get("signature"))):
        return "the signature under it does not fit"
    return None
