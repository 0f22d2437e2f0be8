"""Each role against each resource, of its own session and of another's: a table, and nothing beyond it is let in.

Let in is whatever is not told 401, 403 or 404: commands come with a body that nobody reads, so that nothing is done.
Which cards a role sees is looked at elsewhere (test_roles, test_privileged_reads).
"""

from typing import Any, Final

import pytest

from tests.http.house import Fake, House
from tests.http.resources import Resource, Target, resources

ROLES: Final = (
    *("nobody", "first", "owner", "stranger", "seat", "auditor", "watch"),
    *("auditor of all", "auditor elsewhere", "watch elsewhere", "seat elsewhere"),
)
OPEN: Final = frozenset(ROLES)
ORGANISERS: Final = frozenset({"first", "owner", "stranger"})
RULERS: Final = frozenset({"first", "owner"})
READERS: Final = RULERS | {"seat", "auditor", "watch", "auditor of all"}
SCRIBES: Final = RULERS | {"seat"}
"""Who plays at a recorded table."""

_OF: Final = "/v1/sessions/<session_id>"
_HOOK: Final = "/v1/webhooks/<webhook_id>"

TABLE: Final[dict[str, frozenset[str]]] = {
    "GET /health/live": OPEN,
    "GET /health/ready": OPEN,
    "GET /metrics": OPEN,
    "GET /openapi.json": OPEN,
    "GET /docs": OPEN,
    "GET /docs/<asset_name>": OPEN,
    "GET /v1/sessions": OPEN,
    "POST /v1/sessions": ORGANISERS,
    "POST /v1/records": ORGANISERS,
    f"GET {_OF}": READERS,
    f"GET {_OF}/record": READERS,
    f"GET {_OF}/deals/<int:number>": READERS,
    f"GET {_OF}/deals/<int:number>/replay": READERS,
    f"GET {_OF}/events": READERS,
    f"GET {_OF}/ledger": READERS,
    f"GET {_OF}/plays": SCRIBES | {"auditor", "auditor of all"},
    f"POST {_OF}/plays": SCRIBES,
    f"POST {_OF}/deals": RULERS,
    f"POST {_OF}/close": RULERS,
    f"POST {_OF}/entropy": frozenset({"seat"}),
    f"GET {_OF}/deals/<int:number>/audit": READERS,
    f"GET {_OF}/export": READERS,
    f"GET {_OF}/checkpoints": READERS,
    "GET /v1/key": OPEN,
    f"GET {_OF}/disputes": READERS,
    f"POST {_OF}/disputes": SCRIBES,
    # This one is the organiser's own; a seat withdraws what it opened itself.
    f"POST {_OF}/disputes/<int:number>/withdraw": RULERS,
    f"POST {_OF}/deals/<int:number>/confirm": frozenset({"seat"}),
    f"GET {_OF}/rulings": READERS,
    f"POST {_OF}/rulings": RULERS,
    f"POST {_OF}/what_if": READERS,
    "GET /v1/disputes": ORGANISERS,
    f"GET {_OF}/privileged_reads": RULERS,
    "GET /v1/tokens": ORGANISERS,
    "POST /v1/tokens": ORGANISERS,
    "GET /v1/tokens/<token_id>": RULERS,
    "POST /v1/tokens/<token_id>/revoke": RULERS,
    "GET /v1/webhooks": ORGANISERS,
    "POST /v1/webhooks": ORGANISERS,
    f"GET {_HOOK}": RULERS,
    f"POST {_HOOK}": RULERS,
    f"DELETE {_HOOK}": RULERS,
    f"POST {_HOOK}/secret": RULERS,
    f"GET {_HOOK}/deliveries": RULERS,
    f"GET {_HOOK}/dead_letters": RULERS,
    f"POST {_HOOK}/redeliver": RULERS,
}
"""Who is let in, of a private session at a recorded table and what belongs to it."""

ELSEWHERE: Final = {
    "owner": "stranger",
    "seat": "seat elsewhere",
    "auditor": "auditor elsewhere",
    "watch": "watch elsewhere",
}
"""Who is to the stranger's session what these are to the owner's."""


@pytest.fixture(scope="module")
def target() -> Target:
    """One house for all."""
    return Target(House(Fake()).settled())


@pytest.fixture(scope="module")
def tokens(target: Target) -> dict[str, str | None]:
    """A token of each role."""
    house = target.house

    def made(role: str, by: str, *sessions: str) -> Any:
        body = {"role": role, **({"sessions": sessions} if sessions else {})}
        return house.client.post("/v1/tokens", body, by).ok(201)["token"]

    found: dict[str, str | None] = {
        "nobody": None,
        "first": house.first,
        "owner": house.owner,
        "stranger": house.stranger,
        "seat": target.table.seats[1],
        "auditor": made("auditor", house.owner, target.table.id),
        "watch": made("watch", house.owner, target.table.id),
        "auditor of all": made("auditor", house.first),
        "auditor elsewhere": made("auditor", house.stranger),
        "watch elsewhere": made("watch", house.stranger),
        "seat elsewhere": target.other.seats[1],
    }
    assert tuple(found) == ROLES
    return found


def let_in(target: Target, resource: Resource, session: str, token: str | None) -> bool:
    more: dict[str, Any] = {"body": {"odd": 1}} if resource.method == "POST" else {}
    status = target.send(resource, path=resource.path(session), token=token, **more).status
    if resource.method == "DELETE" and status == 204:
        target._put_webhook()
    return status not in (401, 403, 404)


def test_every_resource_is_in_the_table(target: Target) -> None:
    names = {resource.name for resource in resources(target.house)}
    advice = "say in TABLE of tests/http/test_who_may.py which roles a new resource lets in (and take out what is gone)"
    assert names == set(TABLE), f"{advice}: {sorted(names ^ set(TABLE))}"


@pytest.mark.parametrize("name", TABLE)
def test_nobody_beyond_the_table_is_let_in(target: Target, tokens: dict[str, str | None], name: str) -> None:
    resource = Resource(*name.split(" ", 1))
    found = {role for role, token in tokens.items() if let_in(target, resource, target.table.id, token)}
    assert found == TABLE[name]


@pytest.mark.parametrize("name", [name for name in TABLE if _OF in name and "<int:number>" not in name])
def test_in_another_session_the_others_are_let_in(target: Target, tokens: dict[str, str | None], name: str) -> None:
    resource = Resource(*name.split(" ", 1))
    found = {role for role, token in tokens.items() if let_in(target, resource, target.other.id, token)}
    assert found == {ELSEWHERE.get(role, role) for role in TABLE[name]}


@pytest.mark.parametrize("name", TABLE)
def test_a_token_that_is_none_is_let_in_where_nobody_looks_at_it(target: Target, name: str) -> None:
    resource = Resource(*name.split(" ", 1))
    unread = name.startswith(("GET /health", "GET /openapi", "GET /docs"))
    assert let_in(target, resource, target.table.id, "uorg.not-one-of-ours") == unread
