"""The audit of a stored session: its whole log, its checkpoints and its ledger. Reads; changes nothing."""

from collections.abc import Callable, Sequence

from replay.audit import CHECKED, CHECKPOINTS, LEDGER, Doubt, Line, Report, audited
from replay.checkpoints import Checkpoint, read_checkpoint
from replay.envelope import Envelope
from replay.log import Log
from replay.rules.session_state import BrokenLogError
from replay.verify import checkpoint_fault
from workers.entries import ScoreDivergedError, entries
from workers.ledger import Ledger

KeyOf = Callable[[str], bytes | None]
"""The public key of a name."""


def audit_session(log: Log, ledger: Ledger, session: str, key_of: KeyOf, until: int | None = None) -> Report | None:
    """The report on a session's log, up to a version if one is given; None if there is no such session."""
    stored, unreadable = _stored(log, session)
    if not stored and unreadable is None:
        return None
    if until is not None and until <= len(stored):
        stored, unreadable = stored[:until], None
    signed, beside = _checkpoints(log, session, len(stored) if until is not None else None)

    def believed(checkpoint: Checkpoint) -> Doubt | None:
        public = key_of(checkpoint.key)
        if public is None:
            # As of a session that was brought from another store: nothing is wrong with it, and nothing proved.
            whose = f"key {checkpoint.key[:64]}, which is none of this store's"
            return Doubt(f"version {checkpoint.version} is signed with {whose}", "missing")
        return checkpoint_fault(checkpoint, {checkpoint.key: public})

    beside.append(_ledger_line(ledger, session, stored, whole=until is None))
    return audited(session, stored, signed, believed, unreadable, whole=True, beside=beside)


def _stored(log: Log, session: str) -> tuple[Sequence[Envelope], BrokenLogError | None]:
    """The events that can be read, and why the next one cannot."""
    try:
        return log.read(session), None
    except BrokenLogError as fault:
        return log.read(session, 0, fault.version - 1), fault


def _checkpoints(log: Log, session: str, until: int | None) -> tuple[list[Checkpoint], list[Line]]:
    signed: list[Checkpoint] = []
    faults: list[Line] = []
    for number, fields in enumerate(log.checkpoints(session), start=1):
        try:
            signed.append(read_checkpoint(fields))
        except ValueError as fault:
            faults.append(Line(CHECKPOINTS, "fails", f"checkpoint {number}: {fault}", None))
    return [each for each in signed if until is None or each.version <= until], faults


def _ledger_line(ledger: Ledger, session: str, stored: Sequence[Envelope], *, whole: bool) -> Line:
    """Whether the ledger holds what these events call for; and nothing else, if they are the `whole` log."""
    try:
        wanted = list(entries(session, stored))
    except (BrokenLogError, ScoreDivergedError) as fault:
        at = fault.version if isinstance(fault, BrokenLogError) else None
        return Line(LEDGER, "missing", "it cannot be compared with a log that diverges", at)
    posted = ledger.stored(session)
    for entry, found in zip(wanted, posted, strict=False):
        if entry.to_bytes() != found:
            return Line(LEDGER, "fails", f"entry {entry.number} is not what the log says", None)
    if whole and len(posted) > len(wanted):
        return Line(LEDGER, "fails", f"entry {len(wanted) + 1} has nothing in the log", None)
    if len(posted) < len(wanted):
        late = wanted[len(posted)]
        return Line(LEDGER, "missing", f"entry {late.number} is not posted yet", late.versions[1])
    return Line(LEDGER, "holds", CHECKED[LEDGER], None)
