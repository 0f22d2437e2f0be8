"""Plays: making one, and asking which ones a seat may make."""

from typing import Any

from flask import Response

from replay.rules import session_decide
from replay.rules.session_state import Session
from service.answers import answer, done
from service.auth import Access, access, authenticated
from service.commands import Command, RefusedCommandError, carry_out
from service.context import context
from service.document import IF_MATCH, Resource, query
from service.problems import ProblemError, invalid
from service.refusals import refusal_problem
from service.requests import canonical, command_key, condition, known_arguments, read_object, whole
from service.schemas.answers import LegalSchema
from service.schemas.games import READERS, PlaySchema, write_play
from service.schemas.shown import SessionSchema

resource = Resource("plays", "/v1/sessions/<session_id>/plays", "Plays of a deal")

_SEAT = query("seat", "integer", "Whose plays; an organiser may ask for any seat.", minimum=1)
_AT = query("at", "integer", "An earlier version.", minimum=1)


@resource.post("", 201, SessionSchema, PlaySchema, IF_MATCH, problems=("impossible-play", "illegal-play"))
def make_play(session_id: str) -> Response:
    """Make one play."""
    someone = authenticated()
    granted = _player(access(session_id, someone, fresh=False))
    body = read_object()
    reader = READERS[granted.session.game.name]
    _allowed(granted, body)
    written = canonical(body)
    fields = reader.read(written)
    play = reader.command(_seat(granted, fields.get("seat")), fields)
    irregular = fields.get("irregular", False)
    seen, key = condition(), command_key(someone, written, 201)
    try:
        carried = carry_out(
            context(),
            Command(session_id, someone.name, seen, key, 201),
            lambda session: session_decide.play(session, play, irregular=irregular, seed=_seed_for(session)),
        )
    except RefusedCommandError as refused:
        raise refusal_problem(refused, legal_plays(refused.session, play.seat)) from None
    return done(someone, carried)


@resource.get("", LegalSchema, _SEAT, _AT, who="token", problems=("forbidden",))
def list_plays(session_id: str) -> Response:
    """What a seat may play, now or at an earlier version; for the seat itself, and for who sees everything."""
    granted = access(session_id, authenticated())
    if granted.auditor is None:
        _player(granted)
    known_arguments("seat", "at")
    session = granted.session
    version = whole("at", least=1, most=session.version)
    if version is not None:
        session = context().folder.at(session_id, granted.folded, version).session
    turn = session.game.view(session.deal.state, granted.viewer).turn if session.deal else None
    asked = whole("seat", least=1)
    seat = turn if asked is None and granted.seat is None else _seat(granted, asked)
    plays = legal_plays(session, seat) if seat is not None else []
    body: dict[str, Any] = {"version": session.version, "seat": seat, "turn": turn, "plays": plays}
    if plays and seat is not None and session.deal is not None:
        # Only a game that cannot list every play has anything more to say.
        hints = session.game.hints(session.deal.state, seat)
        body |= {"hints": hints} if hints else {}
    return answer(body)


def _seed_for(session: Session) -> session_decide.Seed:
    """Where the seed of the next deal comes from, should the play end this one."""
    return context().seed if session.mode == "dealt" else session_decide.no_seed


def legal_plays(session: Session, seat: int) -> list[dict[str, Any]]:
    """Bodies that this seat may send now."""
    if session.deal is None or session.deal.last is not None:
        return []
    return [write_play(session.game.name, command, seat) for command in session.game.legal(session.deal.state, seat)]


def _player(granted: Access) -> Access:
    """Plays are the seats' own; at a recorded table its organiser writes them down."""
    if granted.seat is not None or (granted.organiser and granted.session.mode == "recorded"):
        return granted
    if granted.organiser:
        raise ProblemError("forbidden", "In a dealt session the seats play by their own tokens.")
    raise ProblemError("forbidden", "Only a seat of this session may play.")


def _allowed(granted: Access, body: dict[str, Any]) -> None:
    """What a seat may not say is refused before the rest of the body is read: 403 comes before 422.

    `irregular`, and `cards` of a draw, are for who writes a real table down; in a dealt session there is nobody.
    """
    asked, seats = body.get("seat"), range(1, granted.session.seats + 1)
    if granted.seat is not None and type(asked) is int and asked in seats:
        _seat(granted, asked)
    named = [name for name in ("irregular", "cards") if name in body]
    # In later games `cards` is also what a meld is made of; a draw alone is for the scribe to name.
    if "cards" in named and body.get("type") != "draw":
        named.remove("cards")
    if not named:
        return
    if granted.seat is not None:
        raise ProblemError("forbidden", f"Only the organiser of a recorded session may send `{named[0]}`.")
    if granted.session.mode == "dealt":
        raise invalid("The body does not fit.", {name: ["Only in a recorded session."] for name in named})


def _seat(granted: Access, asked: int | None) -> int:
    """The seat that a play is for: a seat's own, or the one that the organiser names."""
    if asked is None and granted.seat is not None:
        return granted.seat
    if asked is None:
        raise invalid("The play cannot be read.", {"seat": ["Missing: an organiser says whose play it is."]})
    if asked > granted.session.seats:
        raise invalid("The play cannot be read.", {"seat": ["There is no such seat."]})
    if granted.seat not in (None, asked):
        raise ProblemError("forbidden", "A seat plays for itself alone.")
    return asked
