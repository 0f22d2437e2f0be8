"""Rulings upon rulings by chance, between plays and deals: whatever is taken does what its preview said, and the log
stays sound; whatever is refused is refused in words, by the preview as by the ruling.
"""

from pathlib import Path
from random import Random
from typing import Any, Final, get_args

import pytest

from replay.rules.game import EVERYTHING
from replay.rules.registry import GAMES
from replay.rules.session_events import Irregular, RulingKind
from replay.rules.session_state import Session, plays_of
from tests.http.house import House
from tests.http.tables import Sitting
from tests.rulings.playing import deal, play_out, played_by_chance, preview, record, rule, seated
from tests.rulings.sound import check_sound
from tests.rulings.test_each_kind import applied
from tests.seeds import rng, scaled

STEPS: Final = 8
KINDS: Final = get_args(RulingKind)
REFUSED: Final = frozenset({"not-now", "impossible-ruling", "information-shown", "illegal-play"})


@pytest.mark.parametrize("mode", ["recorded", "dealt"])
@pytest.mark.parametrize("game", GAMES)
def test_rulings_upon_rulings(house: House, tmp_path: Path, game: str, mode: str) -> None:
    for number in range(scaled(20)):
        chance = rng(f"ruling sequences {game} {mode} {number}")
        table = seated(house, game, mode, options={**_options(game), "deals": 4})
        taken = 0
        for _ in range(STEPS):
            _go_on(table, chance)
            for _ in range(3):
                taken += _ruled(table, chance)
        assert taken > 3
        check_sound(table, tmp_path)
        _resume(table)
        play_out(table, chance)
        check_sound(table, tmp_path)


def _options(game: str) -> dict[str, Any]:
    options: dict[str, Any] = {"max_turnovers": 1} if "rum" in game else {}
    return {**options, "target": None} if game == "canasta" else options


def _go_on(table: Sitting, chance: Random) -> None:
    """Some plays of the deal that is on, or the next deal."""
    session = table.state()
    if session.winners is not None:
        return
    few = chance.choice((2, 8, None))
    if not session.playing:
        deal(table, chance, few)
        return
    record(table, lambda now: played_by_chance(now, chance, few, table.house.context.seed))


def _resume(table: Sitting) -> None:
    """An award ends a session; overruled it goes on, unless its deals are all played."""
    for each in table.state().rulings:
        if each.event.ruling == "award" and not each.overruled:
            rule(table, {"ruling": "let_stand", "overrules": each.event.number}).ok(201)


def _ruled(table: Sitting, chance: Random) -> bool:
    """Some ruling; whether it was taken."""
    body = _body(table.state(), chance)
    said = preview(table, body)
    if said.status == 200 and said["possible"]:
        applied(table, {"reason": "by chance", **body})
        return True
    refused = rule(table, body)
    slug = refused["type"].removeprefix("/problems/")
    assert slug in REFUSED, refused.text
    assert said.status == 200 or said["type"] == refused["type"], (said.text, refused.text)
    return False


def _body(session: Session, chance: Random) -> dict[str, Any]:
    kind = chance.choice(KINDS)
    numbers = [span.number for span in session.finished] + [session.deal.number if session.deal else 1]
    number = chance.choice(numbers)
    body: dict[str, Any] = {"ruling": kind}
    if kind != "award":
        body["deal"] = number
    if session.rulings and chance.random() < 0.4:
        earlier = chance.choice(session.rulings).event
        body["overrules"] = earlier.number
        if earlier.deal is not None and kind != "award":
            body["deal"] = earlier.deal
        if earlier.deal is None and kind == "let_stand":
            del body["deal"]
    match kind:
        case "retract":
            body |= {"to": max(2, session.version - chance.randrange(1, 6))}
            body |= {"despite_information": "all agreed"} if chance.random() < 0.7 else {}
        case "amend":
            body |= {"changes": _changes(session, chance)}
        case "adjust" | "penalty":
            body |= {"points": [chance.randrange(-9, 10) for _ in session.totals]}
        case "award":
            body |= {"winners": [chance.randrange(session.seats) + 1]}
        case _:
            pass
    return body


def _changes(session: Session, chance: Random) -> list[dict[str, Any]]:
    """One play of the deal at hand as another, or only marked."""
    line = plays_of(session.deal.line) if session.deal else []
    if not line:
        return []
    version, event = chance.choice(line[-6:])
    played: Any = event.play if isinstance(event, Irregular) else event
    text = f"{played.seat} {session.game.write_play(played)}"
    assert session.deal is not None
    state = session.deal.state
    turn = session.game.view(state, EVERYTHING).turn
    if session.playing and turn is not None and chance.random() < 0.5:
        command = chance.choice(session.game.legal(state, turn))
        text = f"{turn} {session.game.write_play(session.game.outcome(state, command))}"
    return [{"version": version, "play": text + chance.choice(("", "!"))}]
