"""What the stored samples say: for every kind and schema, the events that the lines of its sample file hold.

STORAGE: add, never change. A log written years ago looks like samples/, so no line there and none here may change or
go; a new field or meaning is a new schema number with a sample of its own. File `<kind>-<schema>` has a line for each
event: its public bytes and, if anything is sealed, a tab and its sealed bytes.
"""

from pathlib import Path
from typing import Final

from replay.envelope import Envelope, envelope
from replay.rules.cards import Card, Cards
from replay.rules.rockaway.events import CardDrawn, CardPlayed, Passed
from replay.rules.session_events import DealEnded, DealStarted, Event, Irregular, SessionClosed, SessionOpened

FOLDER: Final = Path(__file__).parent / "samples"
AT: Final = "2026-11-05T19:30:00.250Z"
WHO: Final = "seat:2"


def _cards(text: str) -> Cards:
    return tuple(map(Card, text.split()))


_DEFAULTS: Final = {
    "deals": 10,
    "target": None,
    "multi_ace": "per_ace",
    "draw_past_fitting": False,
    "ace_forced_when_exhausted": False,
    "blocked": "score_all",
    "exhausted_multiplier": 2,
}
_HANDS: Final = (_cards("Ac Kd 7h 2s Td 9c 3h"), _cards("Qs Qd 4c 5c 6c Jh 8s"))
_LATE: Final = "table 4, “late”"

STATED: Final[dict[tuple[str, int], tuple[Event, ...]]] = {
    ("session.opened", 1): (
        SessionOpened("rockaway", 1, _DEFAULTS, ("Ann", "Ben"), "dealt", True, "club", 1, (0, 0), None),
        SessionOpened(
            "rockaway",
            1,
            {**_DEFAULTS, "deals": 3, "target": 500, "draw_past_fitting": True, "blocked": "lowest_is_out"},
            ("Zoë", "李", 'D"ee\\ 😀'),
            "recorded",
            False,
            "",
            4,
            (120, 0, 37),
            (2,),
        ),
    ),
    ("session.deal_started", 1): (
        DealStarted(1, 2, _HANDS, Card("5d"), _cards("2c 2c Jk As"), None, None),
        DealStarted(12, 1, _HANDS, Card("Ah"), (Card("Th"), None, None), "2026-11-05T14:00:00Z", _LATE),
        DealStarted(1, 1, ((), ()), Card("Ah"), (), None, None),
    ),
    ("session.deal_ended", 1): (
        DealEnded(1, "out", (0, 41), None),
        DealEnded(2, "blocked", (720, 13), None),
        DealEnded(3, "shown", (5, -5), (1,)),
        DealEnded(4, "stock_exhausted", (0, 0), (1, 2)),
        DealEnded(5, "void", (0, 0), ()),
    ),
    ("session.closed", 1): (SessionClosed((2,)), SessionClosed((1, 3)), SessionClosed(())),
    ("rockaway.card_played", 1): (
        CardPlayed(1, Card("9c"), 2),
        CardPlayed(2, Card("Ah"), None),
        Irregular(CardPlayed(2, Card("Td"), 1), "R6"),
        Irregular(CardPlayed(8, Card("Td"), 1), None),
    ),
    ("rockaway.card_drawn", 1): (
        CardDrawn(1, Card("Jk"), 31),
        CardDrawn(2, Card("As"), 0),
        Irregular(CardDrawn(2, Card("2c"), 5), "R11"),
    ),
    ("rockaway.passed", 1): (Passed(1, 2), Passed(2, None), Irregular(Passed(2, 3), "RA-12")),
}


def sample_file(kind: str, schema: int) -> Path:
    """Where the samples of a kind and schema lie."""
    return FOLDER / f"{kind}-{schema}"


def samples(path: Path) -> list[Envelope]:
    """The samples of a file as stored envelopes, the first at version 1."""
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b"", f"{path.name} does not end with a line end"
    parts = (line.partition(b"\t") for line in lines)
    return [envelope(version, public, sealed) for version, (public, _, sealed) in enumerate(parts, start=1)]
