"""The audit of a log: whether it can be believed, check by check, and from which version on it cannot. Pure.

Takes the log as its keeper has it, or as one viewer does, who cannot open every seal: what cannot be checked without
them is said to be missing, never taken for granted. Left out: where the log comes from, and the ledger, which lies
above this.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple

from replay.chain import beginning, check_links, check_seals
from replay.checkpoints import Checkpoint
from replay.codec import SEEDS, WORDS, decode
from replay.envelope import Envelope, by_seat
from replay.judging import CARDS, DEALS, PLAYS, SCORES, judged
from replay.rules.session_events import DealEnded, Event, Ruled, SessionOpened
from replay.rules.session_state import BrokenLogError

Outcome = Literal["holds", "fails", "missing"]
"""`missing`: what it takes to check this is not here."""
Verdict = Literal["verified", "unverified", "diverged"]

FILE: Final = "file"
CHAIN: Final = "chain"
SEALS: Final = "seals"
COMMITMENTS: Final = "commitments"
CHECKPOINTS: Final = "checkpoints"
LEDGER: Final = "ledger"

CHECKED: Final[dict[str, str]] = {
    FILE: "every line is as it was exported, and the signature under them fits",
    CHAIN: "no event is missing, and every digest follows from the events before it",
    SEALS: "every seal that can be opened here opens",
    CARDS: "every deal is the next one, and its cards are a pack's",
    COMMITMENTS: "every seed was committed to before its deal",
    DEALS: "every shuffled deal follows from its seed and what was mixed into it",
    PLAYS: "every play is what the rules make of it, irregular ones with their clause",
    SCORES: "every deal's points and winners are those of its cards",
    CHECKPOINTS: "every signed head is the log's",
    LEDGER: "the ledger holds what the log calls for",
}
"""What each check says when it holds, in the order of a report."""


class Line(NamedTuple):
    """One check."""

    check: str
    outcome: Outcome
    detail: str
    version: int | None
    """Where it fails, or from where on it is missing; None if that is no version of the log."""


class Report(NamedTuple):
    """An audit's result."""

    verdict: Verdict
    diverged_at: int | None
    """The first version that cannot be believed; what was before it still holds. None if nothing diverges, or only
    what is written beside the log."""
    version: int
    """How far the log goes."""
    head: str | None
    """Hexadecimal, as far as the log holds; None of an empty one."""
    lines: tuple[Line, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON prints it."""
        return {**self._asdict(), "lines": [line._asdict() for line in self.lines]}


class Doubt(NamedTuple):
    """Why a checkpoint is not to be believed, its head aside."""

    reason: str
    outcome: Outcome = "fails"
    """`missing` if only the key is not known."""


Signed = Callable[[Checkpoint], Doubt | None]
"""What there is against a checkpoint, its head aside; None if it is to be believed."""


def report(lines: Iterable[Line], version: int, head: str | None) -> Report:
    """The report that these checks make."""
    ordered = tuple(sorted(lines, key=lambda line: list(CHECKED).index(line.check)))
    outcomes = {line.outcome for line in ordered}
    failed = [line.version for line in ordered if line.outcome == "fails" and line.version is not None]
    verdict: Verdict = "diverged" if "fails" in outcomes else "unverified" if "missing" in outcomes else "verified"
    return Report(verdict, min(failed, default=None), version, head, ordered)


def audited(
    session: str,
    stored: Sequence[Envelope],
    checkpoints: Sequence[Checkpoint],
    signed: Signed,
    unreadable: BrokenLogError | None = None,
    *,
    whole: bool = False,
    beside: Iterable[Line] = (),
) -> Report:
    """The report on a log. `unreadable`: why what stands after these events is none. `whole`: its keeper has it, who
    can open every seal but those of seeds that were kept elsewhere. `beside`: what else was checked."""
    lines: list[Line] = []
    sound, fault = _linked(session, stored)
    fault = fault or unreadable
    lines.append(_line(CHAIN, fault))
    seals = _seals(stored, sound, whole=whole)
    lines.append(seals)
    # What does not open, or is another card than was sealed, is no play that could be judged.
    opens = sound if seals.version is None else sound[: seals.version - 1]
    lines += _judged(opens, complete=fault is None and len(opens) == len(stored))
    lines.append(_checkpoints(session, stored, sound, checkpoints, signed))
    head = sound[-1].digest.hex() if sound else None
    return report((*lines, *beside), len(stored), head)


def _line(check: str, fault: BrokenLogError | None) -> Line:
    if fault is None:
        return Line(check, "holds", CHECKED[check], None)
    return Line(check, "fails", fault.reason, fault.version)


def _linked(session: str, stored: Sequence[Envelope]) -> tuple[Sequence[Envelope], BrokenLogError | None]:
    """The events whose digests follow from one another, and why the next one's does not."""
    if not stored:
        return stored, BrokenLogError(1, "there is no event")
    try:
        check_links(beginning(session, stored[0]), stored)
    except BrokenLogError as fault:
        return stored[: fault.version - 1], fault
    return stored, None


def _seals(stored: Sequence[Envelope], sound: Sequence[Envelope], *, whole: bool) -> Line:
    """Whether the seals that are opened fit, and none is closed that everybody may open: of a deal that is over, as far
    as the log is sound."""
    ended = max((each.version for each in sound if each.kind == "session.deal_ended"), default=0)
    started = max((each.version for each in sound[:ended] if each.kind == _STARTED), default=0)
    # By their places: what an unsound event says of its own version is not to be believed.
    for at, each in enumerate(stored, start=1):
        try:
            check_seals(each, partly=not whole)
        except BrokenLogError as fault:
            return Line(SEALS, "fails", fault.reason, at)
        for name in closed(each):
            if (each.kind, name) in WORDS:
                continue
            if at < started if (each.kind, name) in SEEDS else at <= ended:
                return Line(SEALS, "fails", f"the seal of its field `{name}` is not opened", at)
    return _line(SEALS, None)


def closed(stored: Envelope) -> list[str]:
    """The fields of an event whose seals cannot all be opened here."""
    found = []
    for name in stored.seals:
        opening = stored.opened.get(name)
        if opening is None or (by_seat(opening) and None in opening):
            found.append(name)
    return found


def hidden_from(stored: Sequence[Envelope]) -> int | None:
    """The first version with cards that cannot be seen here; None if there is none."""
    return next(
        (each.version for each in stored if any((each.kind, name) not in SEEDS | WORDS for name in closed(each))),
        None,
    )


def _judged(sound: Sequence[Envelope], *, complete: bool) -> list[Line]:
    """Every event that can be read here, judged again; what comes after the first closed seal is missing. `complete`:
    nothing unsound comes after these."""
    hidden = hidden_from(sound)
    readable = sound if hidden is None else sound[: hidden - 1]
    failed: dict[str, Line] = {}
    try:
        events = decode(readable)
        held, fault = judged(events)
        # The end of a deal may be missing because nothing after its last play can be read.
        if fault is not None and (held < len(readable) or (complete and hidden is None)):
            failed[fault.check] = Line(fault.check, "fails", fault.detail, held + 1)
        uncommitted = _uncommitted(readable[:held], events)
        if uncommitted is not None:
            detail = "it must carry the seal of the next deal's seed, if there is to be a deal, and else none"
            failed[COMMITMENTS] = Line(COMMITMENTS, "fails", detail, uncommitted)
    except BrokenLogError as broken:
        failed[PLAYS] = _line(PLAYS, broken)
    stopped = next(iter(failed.values()), None)
    lines = []
    for check in (CARDS, COMMITMENTS, DEALS, PLAYS, SCORES):
        if check in failed:
            lines.append(failed[check])
        elif stopped is not None:
            lines.append(Line(check, "missing", f"holds before version {stopped.version}", stopped.version))
        elif hidden is not None and check != COMMITMENTS:
            detail = f"holds before version {hidden}; from there on cards are hidden from this viewer"
            lines.append(Line(check, "missing", detail, hidden))
        else:
            lines.append(_line(check, None))
    return lines


def _uncommitted(stored: Sequence[Envelope], events: Sequence[Event]) -> int | None:
    """The first version that must commit to a seed and does not, or must not and does."""
    dealt = any(isinstance(event, SessionOpened) and event.mode == "dealt" for event in events[:1])
    for each, event in zip(stored, events, strict=False):
        commits = isinstance(event, SessionOpened | DealEnded) and dealt and event.winners is None
        # A ruling commits to a seed only if none is left from before; deciding it again finds that out.
        if ("seed" in each.seals) != commits and not isinstance(event, Ruled):
            return each.version
    return None


_STARTED: Final = "session.deal_started"


def _checkpoints(
    session: str,
    stored: Sequence[Envelope],
    sound: Sequence[Envelope],
    checkpoints: Sequence[Checkpoint],
    believed: Signed,
) -> Line:
    """Whether every signed head is the log's, and every end of a deal has one."""
    signed = set()
    doubted: Line | None = None
    for each in checkpoints:
        if each.session != session:
            return Line(CHECKPOINTS, "fails", f"the checkpoint of version {each.version} is of another session", None)
        if not 1 <= each.version <= len(stored):
            return Line(CHECKPOINTS, "fails", f"version {each.version} was signed, and is not here", len(stored) + 1)
        if each.version <= len(sound) and sound[each.version - 1].digest.hex() != each.head:
            return Line(CHECKPOINTS, "fails", "another head was signed at this version", each.version)
        doubt = believed(each)
        if doubt is not None:
            line = Line(CHECKPOINTS, doubt.outcome, doubt.reason, None)
            if doubt.outcome == "fails":
                return line
            doubted = doubted or line
        signed.add(each.version)
    for event in sound:
        if event.kind in _SIGNED and event.version not in signed:
            return Line(CHECKPOINTS, "missing", f"no checkpoint of version {event.version} is here", event.version)
    return doubted or _line(CHECKPOINTS, None)


_SIGNED: Final = frozenset({"session.deal_ended", "session.closed"})
