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
from service import figures
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
    slug = "not-now"
    match error:
        case IllegalPlayError():
            slug, members = "illegal-play", {"legal": list(legal or ()), **members}
        case ImpossiblePlayError():
            slug = "impossible-play"
        case FrozenError():
            slug = "frozen"
        case ImpossibleRulingError():
            slug = "impossible-ruling"
        case InformationShownError():
            slug, members = "information-shown", {"shown_at": error.version, **members}
        case _:
            pass
    figures.refused(session.game.name, slug, error.clause)
    return ProblemError(slug, detail, **members)
