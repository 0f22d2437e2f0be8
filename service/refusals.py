"""What the rules refuse, as a problem: the clause with its sentence, and what the seat may play instead."""

from collections.abc import Sequence
from typing import Any

from replay.rules.clauses import SHARED
from replay.rules.game import (
    FrozenError,
    IllegalPlayError,
    ImpossiblePlayError,
    ImpossibleRulingError,
    InformationShownError,
)
from service.commands import RefusedCommandError
from service.problems import ProblemError


def refusal_problem(refused: RefusedCommandError, legal: Sequence[dict[str, Any]] | None = None) -> ProblemError:
    """The 409 problem that a refusal is; `legal` lists the plays that its maker may make."""
    error, session = refused.error, refused.session
    clause = session.game.clauses.get(error.clause or "") or SHARED.get(error.clause or "")
    detail = error.detail[:1].upper() + error.detail[1:] + "."
    members: dict[str, Any] = {"version": session.version}
    if error.clause is not None:
        members["clause"] = error.clause
    if clause is not None:
        detail = f"{detail} {error.clause}: {clause.sentence}"
    match error:
        case IllegalPlayError():
            return ProblemError("illegal-play", detail, legal=list(legal or ()), **members)
        case ImpossiblePlayError():
            return ProblemError("impossible-play", detail, **members)
        case FrozenError():
            return ProblemError("frozen", detail, **members)
        case ImpossibleRulingError():
            return ProblemError("impossible-ruling", detail, **members)
        case InformationShownError():
            return ProblemError("information-shown", detail, shown_at=error.version, **members)
        case _:
            return ProblemError("not-now", detail, **members)
