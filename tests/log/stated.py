"""What the stored samples say: for every kind and schema, the events that the lines of its sample file hold.

STORAGE: add, never change. A log written years ago looks like samples/, so no line there and none here may change or
go; a new field or meaning is a new schema number with a sample of its own. File `<kind>-<schema>` has a line for each
event: its digest in hexadecimal, a tab, its public bytes and, if anything is sealed, a tab and what opens the seals.
Each follows the log up to AFTER, but for openings, which follow nothing.
"""

from pathlib import Path
from typing import Any, Final

from replay.codec import encode
from replay.envelope import Envelope, Stamp, Tip, envelope
from replay.rules.canasta import events as canasta
from replay.rules.cards import Card, Cards
from replay.rules.poker_rum.events import HandShown
from replay.rules.rockaway.events import CardDrawn, CardPlayed, Passed
from replay.rules.rums import events as rum
from replay.rules.session_events import (
    DealEnded,
    DealStarted,
    DisputeOpened,
    DisputeWithdrawn,
    EntropyAdded,
    Event,
    Irregular,
    ResultConfirmed,
    Ruled,
    SessionClosed,
    SessionOpened,
)
from replay.rules.single_pack_rum import events as single_pack_rum
from tests.log.histories import salts

FOLDER: Final = Path(__file__).parent / "samples"
SESSION: Final = "019a5b2c-7d00-7abc-8def-0123456789ab"
STAMP: Final = Stamp("2026-11-05T19:30:00.250Z", "seat:2", "req-é")
AFTER: Final = Tip(6, bytes(range(32)))


def _cards(text: str) -> Cards:
    return tuple(map(Card, text.split()))


def _ruled(**fields: Any) -> Ruled:
    """A ruling with what not every kind says left out."""
    nothing: dict[str, Any] = {
        "deal": None,
        "disputes": (),
        "reason": "as 李 saw it",
        "clause": None,
        "rests_on": (),
        "despite": None,
        "overrules": None,
        "to": None,
        "changed": (),
        "delta": None,
        "points": None,
        "totals": (0, 41),
        "winners": None,
        "line": None,
        "seed": None,
    }
    return Ruled(**{**nothing, **fields})


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
_TERMS: Final[dict[str, str | int | bool]] = {
    "disputes": "provisional",
    "arithmetic_minutes": 30,
    "ruling_minutes": 30,
    "second_person": False,
}
_AGREED: Final[dict[str, str | int | bool]] = {
    "disputes": "frozen",
    "arithmetic_minutes": 0,
    "ruling_minutes": 525600,
    "second_person": True,
}
_SEED: Final = "c0ffee" * 10 + "0123"
_NEXT: Final = "5eed" * 16

STATED: Final[dict[tuple[str, int], tuple[Event, ...]]] = {
    ("session.opened", 1): (
        SessionOpened("rockaway", 1, _DEFAULTS, 2, "dealt", True, "club", 1, (0, 0), None, _TERMS, _SEED),
        SessionOpened(
            "rockaway",
            1,
            {**_DEFAULTS, "deals": 3, "target": 500, "draw_past_fitting": True, "blocked": "lowest_is_out"},
            3,
            "recorded",
            False,
            "",
            4,
            (120, 0, 37),
            (2,),
            _AGREED,
            None,
        ),
        SessionOpened(
            "rum", 1, {"preset": 'D"ee\\ 😀'}, 6, "dealt", True, "李", 2**31, (-1, 0, 3, 4, 5, 6), (), {}, None
        ),
    ),
    ("session.entropy_added", 1): (EntropyAdded(1, "Zoë's cat 🐈"), EntropyAdded(6, "")),
    ("session.deal_started", 1): (
        DealStarted(1, 2, _HANDS, Card("5d"), _cards("2c 2c Jk As"), None, None, "the club's own"),
        DealStarted(12, 1, _HANDS, Card("Ah"), (Card("Th"), None, None), "2026-11-05T14:00:00Z", _LATE, None),
        DealStarted(1, 1, ((), ()), Card("Ah"), (), None, None, ""),
    ),
    ("session.deal_ended", 1): (
        DealEnded(1, "out", (0, 41), None, _SEED, _NEXT),
        DealEnded(2, "blocked", (720, 13), None, None, None),
        DealEnded(3, "shown", (5, -5), (1,), _SEED, None),
        DealEnded(4, "stock_exhausted", (0, 0), (1, 2), None, None),
        DealEnded(5, "void", (0, 0), (), None, _NEXT),
    ),
    ("session.closed", 1): (SessionClosed((2,)), SessionClosed((1, 3)), SessionClosed(())),
    ("session.dispute_opened", 1): (
        DisputeOpened(1, 2, 1, 7, "ruling", "he “hid” a <b>card</b>\n\\ 😀"),
        DisputeOpened(2, None, 12, None, "arithmetic", ""),
        DisputeOpened(3, 8, 3, None, "ruling", None),
    ),
    ("session.dispute_withdrawn", 1): (DisputeWithdrawn(1, 2), DisputeWithdrawn(100, None)),
    ("session.ruled", 1): (
        _ruled(number=1, ruling="let_stand", deal=1, disputes=(1, 2), clause="R6", rests_on=(3, 5)),
        _ruled(number=2, ruling="retract", deal=1, to=4, despite="all “agreed”"),
        _ruled(
            number=3,
            ruling="amend",
            deal=2,
            changed=(5,),
            points=(0, 41),
            line=((5, "1 play 9c", False, None), (6, "2 play Td", True, "R6"), (7, "1 pass", True, None)),
        ),
        _ruled(number=4, ruling="adjust", deal=3, delta=(5, -3), points=(5, 38), overrules=3, winners=(1, 2)),
        _ruled(number=5, ruling="penalty", deal=3, delta=(0, -(10**9)), points=(0, -(10**9)), totals=(-1, 10**9)),
        _ruled(number=6, ruling="void", deal=4, points=(0, 0), seed=_NEXT),
        _ruled(number=7, ruling="redeal", deal=5),
        _ruled(number=8, ruling="award", winners=(2,)),
    ),
    ("session.result_confirmed", 1): (ResultConfirmed(1, 2), ResultConfirmed(12, None)),
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
    ("rum.card_drawn", 1): (
        rum.CardDrawn(1, Card("9c"), turned=False, stock_count=23),
        rum.CardDrawn(6, Card("Ah"), turned=True, stock_count=17),
        Irregular(rum.CardDrawn(2, Card("Kd"), turned=False, stock_count=0), "P7"),
    ),
    ("rum.card_taken", 1): (rum.CardTaken(2, Card("Ts")), Irregular(rum.CardTaken(1, Card("2d")), "SA-4")),
    ("rum.card_discarded", 1): (
        rum.CardDiscarded(1, Card("Ks"), 2),
        rum.CardDiscarded(3, Card("4h"), None),
        Irregular(rum.CardDiscarded(2, Card("4h"), 1), "P8"),
    ),
    ("rum.deal_voided", 1): (rum.DealVoided(1), rum.DealVoided(5)),
    ("poker_rum.hand_shown", 1): (
        HandShown(1, Card("Qd")),
        HandShown(4, Card("7c")),
        Irregular(HandShown(2, Card("7c")), "P10"),
    ),
    ("single_pack_rum.melded", 1): (
        single_pack_rum.Melded(1, 1, _cards("7d 8d 9d"), 1),
        single_pack_rum.Melded(2, 13, _cards("Ac Ad Ah As"), None),
        Irregular(single_pack_rum.Melded(2, 2, _cards("7d 7c"), 2), "S8"),
    ),
    ("single_pack_rum.laid_off", 1): (
        single_pack_rum.LaidOff(1, 2, Card("Td"), 1),
        single_pack_rum.LaidOff(3, 1, Card("Ac"), None),
        Irregular(single_pack_rum.LaidOff(2, 1, Card("Kc"), 2), "S9"),
    ),
    ("single_pack_rum.splashed", 1): (
        single_pack_rum.Splashed(1, (_cards("4c 5c 6c"), _cards("9h 9d 9s")), (), Card("Ks"), None),
        single_pack_rum.Splashed(2, (_cards("4c 5c 6c"),), ((1, _cards("Td Jd")), (3, _cards("2s"))), None, None),
        single_pack_rum.Splashed(2, (), ((1, _cards("Td")),), None, None),
        Irregular(single_pack_rum.Splashed(4, (_cards("4c 6c"),), (), None, 4), "S11"),
    ),
    ("canasta.cards_drawn", 1): (
        canasta.CardsDrawn(1, _cards("9c Jk"), (), 41, last_red=False),
        canasta.CardsDrawn(2, _cards("3h 9c 3d 2c"), _cards("3h 3d"), 17, last_red=False),
        canasta.CardsDrawn(4, _cards("Ks 3d"), _cards("3d"), 0, last_red=True),
        Irregular(canasta.CardsDrawn(3, _cards("Ks"), (), 12, last_red=False), "CA-19"),
    ),
    ("canasta.pile_taken", 1): (
        canasta.PileTaken(1, Card("Kd"), (("K", _cards("Kh Ks")), ("Q", _cards("Qh Qd Qc"))), _cards("3h"), 1),
        canasta.PileTaken(2, Card("4c"), (("4", ()),), (), None),
        Irregular(canasta.PileTaken(2, Card("4c"), (("4", _cards("4d Jk")),), (), 2), "CA-20"),
    ),
    ("canasta.melded", 1): (
        canasta.Melded(1, (("K", _cards("Kh Ks 2d")), ("A", _cards("Ac Ad Jk"))), 1),
        canasta.Melded(4, (("3", _cards("3c 3s 3c")),), None),
        Irregular(canasta.Melded(2, (("5", _cards("5c 2d 2h Jk")),), 2), "CA-9"),
    ),
    ("canasta.card_discarded", 1): (
        canasta.CardDiscarded(1, Card("9h"), 2),
        canasta.CardDiscarded(3, Card("Jk"), None),
        Irregular(canasta.CardDiscarded(1, Card("9h"), 2), "CA-30"),
    ),
    ("canasta.asked", 1): (canasta.Asked(1, 3), canasta.Asked(4, 2), Irregular(canasta.Asked(2, 4), "CA-33")),
    ("canasta.answered", 1): (
        canasta.Answered(3, yes=True, turn=1),
        canasta.Answered(2, yes=False, turn=4),
        Irregular(canasta.Answered(1, yes=True, turn=3), "CA-33"),
    ),
    ("canasta.passed", 1): (canasta.Passed(1), Irregular(canasta.Passed(2), None)),
}


def sample_file(kind: str, schema: int) -> Path:
    """Where the samples of a kind and schema lie."""
    return FOLDER / f"{kind}-{schema}"


def samples(path: Path) -> list[Envelope]:
    """The samples of a file as stored envelopes."""
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b"", f"{path.name} does not end with a line end"
    version = 1 if path.name.startswith("session.opened-") else AFTER.version + 1
    parts = (line.split(b"\t") for line in lines)
    return [
        envelope(version, public, b"".join(beside), bytes.fromhex(digest.decode())) for digest, public, *beside in parts
    ]


def written(kind: str, schema: int) -> bytes:
    """The file of this kind and schema as it would be written today."""
    salt = salts()
    lines = []
    for event in STATED[kind, schema]:
        (made,) = encode(SESSION, [event], after=AFTER, stamp=STAMP, salt=salt)
        lines.append(b"\t".join((made.digest.hex().encode(), made.raw, *filter(None, [made.sealed_bytes()]))) + b"\n")
    return b"".join(lines)
