"""Each kind of ruling on each game, previewed, applied and overruled: nothing stored changes, and all goes on (F1)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from replay.rules import session_amend, session_rule
from replay.rules.game import RefusedError
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_amend import RulingCommand, plain
from replay.rules.session_state import Session, plays_of
from service.results import history_of
from tests.http.house import House, nothing_recorded
from tests.http.tables import Sitting
from tests.rulings.playing import deal, events_of, play_out, preview, rule, seated
from tests.rulings.sound import check_sound, stored_bytes
from tests.seeds import SCALE, rng

Body = dict[str, Any]
MIDWAY: Final = 9


def _amended(table: Sitting, number: int) -> Body:
    """Some play of the deal as another one that leaves all later ones possible, if there is one; else only marked."""
    session = table.state()
    history = history_of(table.house.context, table.id)
    line = plays_of(session_amend.deal_as_ruled(session, number, history).line)
    for version, event in reversed(line):
        before = fold(None, events_of(table)[: version - 1]).deal
        assert before is not None
        own: Any = plain(event)
        seat: int = own.seat
        for command in session.game.legal(before.state, seat):
            text = f"{seat} {session.game.write_play(session.game.outcome(before.state, command))}"
            if text == f"{seat} {session.game.write_play(own)}":
                continue
            body = {"deal": number, "changes": [{"version": version, "play": text}]}
            if _possible(session, number, version, text, history):
                return body
    version, event = line[len(line) // 2]
    text = f"{plain(event).seat} {session.game.write_play(plain(event))}!"
    return {"deal": number, "changes": [{"version": version, "play": text}]}


def _possible(session: Session, number: int, version: int, text: str, history: session_amend.History) -> bool:
    command = RulingCommand("amend", "", deal=number, changes=((version, text),))
    try:
        session_rule.rule(session, command, history)
    except RefusedError:
        return False
    return True


def _points(table: Sitting, *first: int) -> list[int]:
    return [*first, *(0 for _ in table.state().totals)][: len(table.state().totals)]


KINDS: Final[Mapping[str, tuple[str, bool, Callable[[Sitting], Body]]]] = {
    "let_stand": ("let_stand", False, lambda _: {"deal": 1}),
    "let_stand while on": ("let_stand", True, lambda _: {"deal": 2}),
    "retract": (
        "retract",
        True,
        lambda table: {"deal": 2, "to": table.version - 4, "despite_information": "all agreed"},
    ),
    "amend": ("amend", False, lambda table: _amended(table, 1)),
    "amend while on": ("amend", True, lambda table: _amended(table, 2)),
    "adjust": ("adjust", True, lambda table: {"deal": 1, "points": _points(table, 5, -3)}),
    "penalty": ("penalty", False, lambda table: {"deal": 2, "points": _points(table, 0, -50)}),
    "void": ("void", False, lambda _: {"deal": 1}),
    "void while on": ("void", True, lambda _: {"deal": 2}),
    "redeal": ("redeal", False, lambda _: {"deal": 2}),
    "redeal while on": ("redeal", True, lambda _: {"deal": 2}),
    "award": ("award", False, lambda _: {"winners": [2]}),
}
"""By name: the ruling, whether deal 2 is on (else it is over), and what is ruled."""


def modes_of(game: str, kind: str) -> tuple[str, ...]:
    """Where a kind of ruling is tried on a game; plays are amended at recorded tables alone."""
    if "amend" in kind:
        return ("recorded",)
    both = ("recorded", "dealt")
    return both if SCALE >= 1 else (rng(f"mode of {kind} on {game}").choice(both),)


CASES: Final = [
    pytest.param(game, mode, kind, id=f"{game} {mode} {kind}")
    for game in GAMES
    for kind in KINDS
    for mode in modes_of(game, kind)
]
"""Every kind on every game: in a full run dealt and recorded, else in one of the two, another with another seed."""
SOME: Final = CASES if SCALE >= 1 else rng("some kinds of rulings").sample(CASES, len(CASES) // 4)
"""For what is asked of rulings beside what they do."""


@pytest.mark.parametrize(("game", "mode", "kind"), CASES)
def test_a_ruling_does_what_its_preview_said_and_can_be_overruled(
    house: House, tmp_path: Path, game: str, mode: str, kind: str
) -> None:
    chance = rng(f"rulings {game} {mode} {kind}")
    table = seated(house, game, mode)
    ruling, on, make = KINDS[kind]
    deal(table, chance)
    deal(table, chance, MIDWAY if on else None)
    assert table.state().playing == on
    made = make(table)
    # A dispute is over one deal; an award ends those that its session has.
    table.post("/disputes", {"deal": made.get("deal", 1), "words": "so not"}, table.seats[1]).ok(201)
    if ruling == "retract":
        made["to"] = table.version - 5
    before = table.state()
    body = {"ruling": ruling, "disputes": [1], "clause": "XA-9", "rests_on": [2], **made}
    applied(table, body)
    assert table.state().disputes[0].status == "ruled"
    check_sound(table, tmp_path)

    back = {"ruling": "let_stand", "overrules": 1, **({"deal": made["deal"]} if "deal" in made else {})}
    if kind in ("void while on", "redeal while on"):
        # Its cards have been shown to all.
        with nothing_recorded(house):
            rule(table, back).problem("impossible-ruling")
            preview(table, back).problem("impossible-ruling")
    else:
        applied(table, back)
        now = table.state()
        assert (now.totals, now.winners, now.playing) == (before.totals, before.winners, before.playing)
        assert now.deal == before.deal
        assert [span._replace(confirmed=False) for span in now.finished] == list(before.finished)
        assert [each.overruled for each in now.rulings] == [True, False]
        with nothing_recorded(house):
            rule(table, back).problem("not-now")
        check_sound(table, tmp_path)
    play_out(table, chance)
    assert table.state().status == "over"
    assert table.state().deal is not None
    check_sound(table, tmp_path)


def applied(table: Sitting, body: Body) -> None:
    """Rule, and find what the preview had said, and every byte of before where it was."""
    stored = stored_bytes(table)
    ledger = table.house.ledger.stored(table.id)
    with nothing_recorded(table.house):
        said = preview(table, body).ok()
    assert said["possible"]
    assert said["before"]["session"] == _open(table)
    answer = rule(table, body, match=said["version"]).ok(201)
    after = said["after"]
    shown = _open(table)
    assert _but_for_chance(after["session"]) == _but_for_chance(shown)
    assert (after["totals"], after["winners"]) == (shown["totals"], shown["winners"])
    assert (answer["version"], answer["totals"], answer["winners"]) == (
        shown["version"],
        shown["totals"],
        shown["winners"],
    )
    if "deal" in body:
        sheet = table.get(f"/deals/{body['deal']}", table.owner).ok()
        assert (after["points"], after["lines"]) == (sheet["points"], sheet["lines"])
    assert stored_bytes(table)[: len(stored)] == stored
    table.house.score(table.id)
    assert table.house.ledger.stored(table.id)[: len(ledger)] == ledger


def _open(table: Sitting) -> Body:
    """The session as its organiser sees it now."""
    body: Body = table.get("", table.owner).ok().body
    return body


def _but_for_chance(session: Body) -> Body:
    """Without what only an appended event has: its digest, and the seal of a fresh seed."""
    return {name: value for name, value in session.items() if name not in ("head", "commitment")}
