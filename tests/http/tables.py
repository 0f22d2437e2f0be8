"""Sessions over HTTP with everybody's tokens, and tables whose cards are known.

`SHORT` is a legal deal of thirteen plays that seat 1 wins by two points; every test that needs a whole deal plays it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from replay.codec import encode
from replay.envelope import Stamp
from replay.log import Appended, Batch
from replay.rules import session_decide
from replay.rules.cards import PACK, Card, Cards
from replay.rules.game import ONLOOKER
from replay.rules.session_state import Session
from service.commands import summary_of
from tests.http.client import Answer
from tests.http.house import House

NAMES: Final = ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")

SHORT: Final[dict[str, Any]] = {
    "hands": [["8h", "2h", "3h", "4h", "5h", "6h", "7h"], ["9h", "Th", "Jh", "Qh", "Kh", "Ah", "2c"]],
    "upcard": "8c",
    "stock": ["3c", "4c", "5c", "6c", "7c", "9c", "Tc"],
}
SHORT_PLAYS: Final[Sequence[tuple[int, str]]] = (
    *((1, "8h"), (2, "9h"), (1, "2h"), (2, "Th"), (1, "3h"), (2, "Jh"), (1, "4h")),
    *((2, "Qh"), (1, "5h"), (2, "Kh"), (1, "6h"), (2, "Ah"), (1, "7h")),
)
SHORT_POINTS: Final = [0, 2]


class Sitting:
    """A session of a house. Commands are given with the version that it stands at, unless a test says otherwise."""

    def __init__(self, house: House, opened: Answer, owner: str, seats: Mapping[int, str] | None = None) -> None:
        self.house: Final = house
        self.id: Final[str] = opened["id"]
        self.path: Final = f"/v1/sessions/{self.id}"
        self.owner: Final = owner
        self.seats: Final = seats or {int(seat): str(token) for seat, token in opened["seat_tokens"].items()}

    @property
    def version(self) -> int:
        """How many events it has."""
        return self.house.log.version(self.id)

    def get(self, tail: str = "", token: str | None = None, **more: Any) -> Answer:
        """Read one of its resources."""
        return self.house.client.get(self.path + tail, token, **more)

    def post(self, tail: str, body: Any = None, token: str | None = None, **more: Any) -> Answer:
        """Give a command; `If-Match` is its version now unless `match` says otherwise (None leaves it out)."""
        more.setdefault("match", self.version)
        return self.house.client.post(self.path + tail, body, token, **more)

    def deal(self, body: Any = None, **more: Any) -> Answer:
        """Start a deal, as its organiser."""
        return self.post("/deals", {} if body is None else body, self.owner, **more)

    def play(self, seat: int, kind: str, card: str | None = None, **more: Any) -> Answer:
        """Play with the token of the seat."""
        body = {"type": kind} if card is None else {"type": kind, "card": card}
        return self.post("/plays", body, self.seats[seat], **more)

    def note(self, seat: int, kind: str, card: str | None = None, **fields: Any) -> Answer:
        """Write down a play of a real table, as its organiser."""
        body = {"seat": seat, "type": kind, **fields}
        return self.post("/plays", body if card is None else {**body, "card": card}, self.owner)

    def short(self, plays: int = len(SHORT_PLAYS)) -> Answer:
        """Deal `SHORT` at a recorded table of two, and play so much of it."""
        answer = self.deal(SHORT).ok(201)
        for seat, card in SHORT_PLAYS[:plays]:
            answer = self.play(seat, "play", card).ok(201)
        return answer

    def state(self) -> Session:
        """Nothing hidden."""
        return self.house.state(self.id)


def opened(
    house: House,
    seats: int = 2,
    *,
    mode: str = "recorded",
    public: bool = False,
    owner: str | None = None,
    options: Mapping[str, Any] | None = None,
    game: str = "rockaway",
) -> Sitting:
    """A session that has just been opened."""
    by = owner or house.owner
    body = {"game": game, "players": NAMES[:seats], "mode": mode, "public": public, "options": options or {}}
    return Sitting(house, house.client.post("/v1/sessions", body, by).ok(201), by)


def stacked(sitting: Sitting, hands: Sequence[Cards], upcard: Card, stock: Cards) -> None:
    """Start a deal with these cards in a `dealt` session, where over HTTP nobody can choose them."""
    session = sitting.state()
    command = session_decide.DealCommand(tuple(hands), upcard, stock)
    append(sitting, lambda now: [session_decide.start_deal(now, command)], session)


def filled(hands: Sequence[Cards], upcard: Card, *first: Card) -> Cards:
    """A whole stock of one pack that begins with these cards."""
    known = {card for hand in hands for card in hand} | {upcard, *first}
    return (*first, *(card for card in PACK if card not in known))


def append(sitting: Sitting, decide: Callable[[Session], Iterable[Any]], session: Session) -> None:
    """Have the log hold these events, as another process would have appended them."""
    house = sitting.house
    tip = house.folded(sitting.id).now.tip
    assert tip.version == session.version
    stamp = Stamp("2026-09-21T20:00:00.000Z", "test")
    envelopes = encode(sitting.id, decide(session), after=tip, stamp=stamp)
    summary = summary_of(session)._replace(status="playing")
    outcome = house.log.append(Batch(sitting.id, tip, envelopes, 0, summary))
    assert isinstance(outcome, Appended)


def legal(sitting: Sitting) -> list[dict[str, Any]]:
    """What the seat to move may play, as bodies, asked over HTTP as that seat would."""
    session = sitting.state()
    assert session.deal is not None
    turn = session.game.view(session.deal.state, ONLOOKER).turn
    assert turn is not None
    plays: list[dict[str, Any]] = sitting.get("/plays", sitting.seats[turn])["plays"]
    return plays


def play_out(sitting: Sitting) -> Answer:
    """Play the deal that is on to its end, always by the first legal play."""
    while True:
        body = legal(sitting)[0]
        answer = sitting.post("/plays", body, sitting.seats[body["seat"]]).ok(201)
        if answer["status"] != "playing":
            return answer


_DERIVED: Final = frozenset({"head", "digest", "commitment", "seals", "salts", "request", "signature", "sha256"})
"""Fields of answers and exports that are chance, or made from what is hidden by a hash that nobody can undo."""
_OPENED: Final = "opened"
"""The field of an export in which a salt stands before each value."""


def alike(answer: Answer, sitting: Sitting) -> str:
    """An answer of one session made comparable with that of another, whose id and organiser are others: of what is
    derived or chance only its length is left, and of its headers and its order of fields everything."""
    owner = sitting.state().owner
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    if isinstance(answer.body, dict):
        text = json.dumps(_by_length(answer.body))
    elif answer.headers.get("Content-Type") == "application/x-ndjson":
        text = "\n".join(json.dumps(_by_length(json.loads(line))) for line in answer.text.splitlines())
    else:
        text = answer.text
    text = f"{headers}\n{len(answer.request)}\n{len(answer.text)}\n{text}"
    return text.replace(sitting.id, "SESSION").replace(owner, "OWNER")


def _by_length(value: Any, name: str = "") -> Any:
    """The same with every derived text as its length, however deep it lies in its field."""
    if isinstance(value, dict):
        within = name if name in _DERIVED | {_OPENED} else ""
        return {each: _by_length(part, within or each) for each, part in value.items()}
    if isinstance(value, list) and name == _OPENED and value and isinstance(value[0], str):
        salt, opened = value
        return [len(salt), opened]
    if isinstance(value, list):
        return [_by_length(part, name) for part in value]
    return len(value) if name in _DERIVED and isinstance(value, str) else value


def dumped(body: Any) -> bytes:
    """JSON as it is sent."""
    return json.dumps(body).encode()
