"""The demonstration's bot of Canasta: what it chooses, whole deals of four of it, and how sides are judged and shown.

It sees what a seat's client sees: the service's own rendering, through JSON. Leaves out the service around it.
"""

import io
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from rich.console import Console

from replay.rules.game import Viewer
from replay.rules.registry import find_game
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, dealt, open_session, play, start_deal
from replay.rules.session_state import Session
from service.demo.bots import PARTIES
from service.demo.canasta import choose
from service.demo.findings import findings
from service.demo.showing import show
from service.demo.sitting import Told
from service.render import deal_fields
from service.schemas.games import READERS, write_play
from tests.rules.players.canasta_rare import rare
from tests.seeds import rng, scaled

CANASTA = find_game("canasta")
QUEENS = "Qc Qc Qd Qd Qh Qh Qs"


def seen(
    hand: str,
    *,
    on_table: dict[str, str] | None = None,
    theirs: dict[str, str] | None = None,
    stock: int = 40,
    pile: int = 3,
    phase: str = "melding",
    answer: str | None = None,
) -> dict[str, Any]:
    """A session as seat 1 sees it when it must act."""
    sides = [
        {
            "seats": seats,
            "melds": [{"rank": rank, "cards": cards.split(), "canasta": None} for rank, cards in (melds or {}).items()],
            "red_threes": [],
            "minimum": 50,
            "frozen": False,
        }
        for seats, melds in (([1, 3], on_table), ([2, 4], theirs))
    ]
    hands: list[dict[str, Any]] = [{"seat": 1, "count": len(hand.split()), "cards": hand.split()}]
    hands += [{"seat": seat, "count": 9, "cards": None} for seat in (2, 3, 4)]
    deal = {"turn": 1, "hands": hands, "stock_count": stock, "discard_count": pile, "phase": phase, "answer": answer}
    return {"deal": {**deal, "sides": sides}}


def may(*plays: str) -> list[dict[str, Any]]:
    """Plays as the service lists them: `draw`, `discard 4c`, `meld K=Kc,Kd,Kh`, `yes`."""
    bodies = []
    for text in plays:
        verb, *words = text.split()
        command = CANASTA.read_play(1, verb, words)
        bodies.append(orjson.loads(orjson.dumps(write_play("canasta", command, 1))))
    return bodies


@pytest.mark.parametrize(
    ("view", "plays", "choice"),
    [
        pytest.param(seen("9c 9d 4h"), ("draw", "take 9=9c,9d"), 1, id="a pile that a pair takes"),
        pytest.param(
            seen("9c 2d 4h", on_table={"K": "Kc Kd Kh"}), ("draw", "take 9=9c,2d"), 0, id="not for a wild card"
        ),
        pytest.param(
            seen("9c 2d 4h", on_table={"K": "Kc Kd Kh"}, pile=9), ("draw", "take 9=9c,2d"), 1, id="unless it is fat"
        ),
        pytest.param(seen("9c 2d 4h 6c 6d 6h"), ("draw", "take 9=9c,2d 6=6c,6d,6h"), 1, id="or opens the side"),
        pytest.param(
            seen("9c 9d 9h 9s 4h", on_table={"Q": QUEENS}),
            ("meld 9=9c,9d,9h", "meld 9=9c,9d,9h,9s", "ask", "discard 4h"),
            2,
            id="the partner is asked first",
        ),
        pytest.param(
            seen("9c 9d 9h 9s 4h", on_table={"Q": QUEENS}, answer="yes"),
            ("meld 9=9c,9d,9h", "meld 9=9c,9d,9h,9s", "discard 4h"),
            1,
            id="after yes all is laid at once",
        ),
        pytest.param(
            seen("9c 9d 9h Qs", on_table={"Q": QUEENS}),
            ("meld 9=9c,9d,9h Q=Qs", "meld 9=9c,9d,9h", "discard Qs"),
            1,
            id="a concealed hand joins no meld that lies there",
        ),
        pytest.param(
            seen("Qs 2c 4h 5h 6h", on_table={"Q": QUEENS[:-3]}),
            ("meld Q=Qs", "meld Q=2c", "discard 4h"),
            0,
            id="a canasta is made without a wild card",
        ),
        pytest.param(
            seen("2c 4h 5h 6h 7h", on_table={"Q": QUEENS}),
            ("meld Q=2c", "discard 4h"),
            1,
            id="a natural one is not spoilt",
        ),
        pytest.param(
            seen("9c 9d 9h 2c 4h 5h 6h"),
            ("meld 9=9c,9d,9h,2c", "meld 9=9c,9d,2c", "discard 4h"),
            1,
            id="the side is opened",
        ),
        pytest.param(
            seen("4h 4d Kh 2c", on_table={"A": "Ac Ad Ah"}, theirs={"K": "Kc Kd Ks"}),
            ("discard 4h", "discard Kh", "discard 2c"),
            0,
            id="nothing for the others",
        ),
        pytest.param(
            seen("2c 2d 9h 5h", theirs={"K": "Kc Kd Ks"}, pile=8),
            ("discard 2c", "discard 9h", "discard 5h"),
            0,
            id="a fat pile is frozen",
        ),
        pytest.param(
            seen("3c 2d 4h 5h", theirs={"K": "Kc Kd Ks"}, pile=8),
            ("discard 3c", "discard 2d", "discard 4h"),
            0,
            id="or stopped",
        ),
        pytest.param(seen("4h 5h", phase="asked"), ("yes", "no"), 0, id="yes with a light hand"),
        pytest.param(seen("Jk Ah 2c", phase="asked"), ("yes", "no"), 1, id="no with a heavy one"),
        pytest.param(seen("Jk Ah 2c", phase="asked", stock=3), ("yes", "no"), 0, id="yes when the stock is low"),
        pytest.param(seen("4h 5h", stock=0), ("pass",), 0, id="the only play: pass"),
    ],
)
def test_the_bot_of_canasta(view: dict[str, Any], plays: tuple[str, ...], choice: int) -> None:
    bodies = may(*plays)
    assert choose(view, bodies) == bodies[choice]


def test_four_bots_really_play() -> None:
    shown: Counter[str] = Counter()
    for number in range(max(4, scaled(40))):
        chance = rng(f"bots of canasta {number}")
        chosen = {"preset": ("goren_1949", "official_1949")[number % 2]}
        opened = open_session(
            CANASTA,
            seats=4,
            options=chosen,
            mode="dealt",
            public=True,
            owner="organiser",
            totals=(2000, 2500),
        )
        now = fold(None, [opened])
        while now.winners is None:
            cards = list(CANASTA.make(4, now.options).copies.elements())
            chance.shuffle(cards)
            now = fold(now, [start_deal(now, DealCommand(*dealt(now, tuple(cards))))])
            while now.playing:
                before, now, command = _played(now)
                assert now.deal is not None
                shown.update(rare(before, command, now.deal.state))
        assert now.deal is not None
        assert now.deal.number <= 20
    wanted = {
        "taken by a pair",
        "taken by adding",
        "canasta grown",
        "asked yes",
        "asked no",
        "stop card",
        "first meld at 90",
    }
    assert wanted <= set(shown), shown


def _played(now: Session) -> tuple[Any, Session, Any]:
    """The state before, the session after, and the play of the bot whose turn it is."""
    assert now.deal is not None
    state = now.deal.state
    seat = state.to_act
    listed = [write_play("canasta", command, seat) for command in CANASTA.legal(state, seat)]
    view, bodies = orjson.loads(orjson.dumps([{"deal": deal_fields(now, Viewer(seat))}, listed]))
    reader = READERS["canasta"]
    command = reader.command(seat, reader.read(orjson.dumps(choose(view, bodies))))
    return state, fold(now, play(now, command)), command


def told(**changed: Any) -> Told:
    """What a service might say of a session of one deal between two sides."""
    lines = [{"side": 1, "item": 6, "points": 5200}, {"side": 2, "item": 8, "points": -40}]
    said: dict[str, Any] = {"points": [5200, -40], "winners": [1, 3]} | changed
    players = [{"seat": seat, "name": name} for seat, name in enumerate(PARTIES["canasta"].players, start=1)]
    totals = [5200, -40]
    session = {"id": "x", "game": "canasta", "players": players, "totals": totals, "winners": said["winners"]}
    sheets = ({"number": 1, "status": "posted", "ending": "out", "points": said["points"], "lines": lines},)
    ledger = {"entries": [{"deal": 1, "points": [5200, -40]}], "balances": totals}
    check = {"verdict": "clean", "winners": said["winners"], "deals": [{"points": said["points"]}]}
    return Told(session, sheets, ledger, Path("x.toml"), check)


def test_sides_are_judged_and_shown_as_sides() -> None:
    assert findings(told(), lowest_wins=False) == []
    assert any("winners" in fault for fault in findings(told(winners=[1]), lowest_wins=False))
    assert any("lines" in fault for fault in findings(told(points=[5200, -45]), lowest_wins=False))
    page = io.StringIO()
    show(Console(file=page, width=120), told(), "http://localhost", lowest_wins=False)
    for text in ("Ann and Cy", "Ben and Dot", "Won by Ann (seat 1) and Cy (seat 3) with the highest total, 5200."):
        assert text in page.getvalue()
