"""Bringing an export with all its cards into a store: same versions, same heads, and so the same ledger.

Left out: the seed of a deal that was never dealt, which no export holds; such a session can be read here, not dealt on.
"""

import re
from datetime import datetime
from typing import Final

from replay.audit import hidden_from
from replay.codec import START, decode
from replay.envelope import canonical
from replay.exports import read_export
from replay.folder import advanced
from replay.log import Appended, Batch, Log, Summary
from replay.verify import Keys, verify_export
from workers.entries import due

_SESSION: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class CannotImportError(Exception):
    """The export cannot be brought in; nothing was."""


def import_export(log: Log, raw: bytes, now: datetime, trusted: Keys | None = None) -> tuple[str, int]:
    """Bring an export in; its session and version. To bring the same one again changes nothing.

    Raises CannotImportError, MalformedExportError, StoreUnavailableError, OutcomeUnknownError.
    """
    export = read_export(raw)
    report = verify_export(export, trusted=trusted)
    wrong = [line for line in report.lines if line.outcome == "fails"]
    if wrong:
        raise CannotImportError(f"it does not hold: {wrong[0].check}: {wrong[0].detail}")
    hidden = hidden_from(export.events)
    if hidden is not None:
        raise CannotImportError(f"cards are hidden in it from version {hidden} on")
    session = export.header.session
    if not _SESSION.fullmatch(session):
        raise CannotImportError("it is of a session whose id is none of ours")
    events = decode(export.events)
    state = advanced(None, events, export.events).session
    batch = Batch(
        session=session,
        after=START,
        envelopes=export.events,
        now=int(now.timestamp() * 1000),
        summary=Summary(state.game.name, state.status, state.public, state.owner),
        due=[each.version for each, event in zip(export.events, events, strict=True) if due(event)],
        names=tuple(export.header.players),
        checkpoints=[canonical(each) for each in export.checkpoints],
    )
    if not isinstance(log.append(batch), Appended) and not _is_here(log, session, export.events[-1].digest):
        raise CannotImportError("another log lies here under this session's id")
    return session, state.version


def _is_here(log: Log, session: str, head: bytes) -> bool:
    last = log.read(session, max(log.version(session) - 1, 0), 1)
    return bool(last) and last[-1].digest == head
