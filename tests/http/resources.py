"""Every resource that the application has, taken from the application itself: a new one cannot be forgotten.

A resource with a part in its path that nobody here knows fails the tests that go through them all.
"""

from typing import Any, Final, NamedTuple

from service.grants import FIRST, seat_id
from tests.http.client import Answer
from tests.http.house import House
from tests.http.tables import SHORT, Sitting, opened
from workers.webhooks.webhook import Webhook

GOOD: Final[dict[str, Any]] = {
    "/v1/sessions": {"game": "rockaway", "players": ["Ann", "Ben"]},
    "/v1/sessions/<session_id>/deals": SHORT,
    "/v1/sessions/<session_id>/entropy": {"entropy": "seven dice"},
    "/v1/sessions/<session_id>/plays": {"seat": 1, "type": "play", "card": "2h"},
    "/v1/sessions/<session_id>/close": {},
    "/v1/sessions/<session_id>/disputes": {"deal": 1, "version": 3, "about": "ruling", "words": "he passed"},
    "/v1/sessions/<session_id>/disputes/<int:number>/withdraw": {},
    "/v1/sessions/<session_id>/deals/<int:number>/confirm": {},
    "/v1/sessions/<session_id>/rulings": {
        "ruling": "adjust",
        "reason": "the scribe nodded",
        "deal": 1,
        "clause": "R6",
        "rests_on": [2, 3],
        "disputes": [2],
        "points": [0, 1],
    },
    "/v1/sessions/<session_id>/what_if": {"at": 2, "plays": [{"seat": 1, "type": "play", "card": "8h"}]},
    "/v1/tokens": {"role": "auditor"},
    "/v1/tokens/<token_id>/revoke": {},
    "/v1/webhooks": {"url": "https://hooks.example.com/", "events": ["session.opened"]},
    "/v1/webhooks/<webhook_id>": {"url": "https://hooks.example.com/"},
    "/v1/webhooks/<webhook_id>/secret": {"overlap": 3600},
    "/v1/webhooks/<webhook_id>/redeliver": {"id": f"evt_{'0' * 36}_1"},
    "/v1/records": {"record": 1, "game": "rockaway", "players": ["Ann", "Ben"], "deals": []},
}
"""A body that each command would take, if only at another time, so that a hostile one can be made from it."""

SEATS: Final = ("/v1/sessions/<session_id>/entropy", "/v1/sessions/<session_id>/deals/<int:number>/confirm")
"""What no organiser may do, only a seat."""


class Resource(NamedTuple):
    """One method of one path."""

    method: str
    rule: str

    @property
    def name(self) -> str:
        """For messages and test ids."""
        return f"{self.method} {self.rule}"

    @property
    def good(self) -> Any:
        """A body that it takes; None if it takes none."""
        return GOOD[self.rule] if self.method == "POST" else None

    def path(self, session: str, number: str = "1") -> str:
        """Its path for this session, and deal or dispute."""
        path = self.rule.replace("<session_id>", session).replace("<int:number>", number)
        path = path.replace("<token_id>", seat_id(session, 2))
        path = path.replace("<webhook_id>", webhook_id(session))
        path = path.replace("<asset_name>", "index.css")
        assert "<" not in path, f"nobody knows what to put into {self.rule}"
        return path


def webhook_id(session: str) -> str:
    """A webhook for the session, if there is a target for it."""
    return f"wh_{session}"


def resources(house: House) -> list[Resource]:
    """All of them."""
    return [
        Resource(method, rule.rule)
        for rule in house.app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]


class Target:
    """A house with a session that every resource finds something to do with, and a session that is somebody else's."""

    def __init__(self, house: House) -> None:
        self.house: Final = house
        self.table: Final[Sitting] = opened(house, options={"deals": None})
        self.table.short(2)
        # A dispute that has ended and one that is open: to end the one or open the other again is too late.
        self.table.post("/disputes", {"deal": 1, "words": "he looked"}, self.table.owner).ok(201)
        self.table.post("/disputes/1/withdraw", {}, self.table.owner).ok()
        self.table.post("/disputes", {"deal": 1, "words": "he looked"}, self.table.owner).ok(201)
        # There is a token that can be asked for; being revoked already, it cannot be any more.
        house.tokens.grants.revoke(seat_id(self.table.id, 2), FIRST)
        self.other: Final[Sitting] = opened(house, owner=house.stranger)
        self._put_webhook()
        self.resources: Final = resources(house)
        self.commands: Final = [each for each in self.resources if each.method == "POST"]

    def _put_webhook(self) -> None:
        """The organiser's, under an id that paths can be made of."""
        made = webhook_id(self.table.id)
        owner = self.table.state().owner
        at = "2026-09-21T13:46:40.000Z"
        webhook = Webhook(made, owner, "https://hooks.example.com/", None, None, True, None, at, 1, "")
        assert self.house.webhooks.register.put(None, webhook) == "done"

    def send(self, resource: Resource, **more: Any) -> Answer:
        """Ask it of the session, as its organiser (or a seat, if it is a seat's), at the version that it stands at;
        `path`, `token` … as given."""
        token = self.table.seats[1] if resource.rule in SEATS else self.table.owner
        sent = {"token": token, "match": self.table.version, **more}
        path = sent.pop("path", None) or resource.path(self.table.id)
        body = sent.pop("body", None)
        if resource.method == "GET":
            sent.pop("match")
        return self.house.client.call(resource.method, path + sent.pop("query", ""), body, **sent)
