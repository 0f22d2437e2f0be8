"""The commands of curl in the OpenAPI document are run as they are written, each where there is what it asks for."""

import json
import os
import shutil
import subprocess
from typing import Any, Final

import pytest

from tests.faults.client import ShortTable
from tests.faults.running import LIMIT, Service
from tests.http.contract import contract

pytestmark = [pytest.mark.store, pytest.mark.service]

OPERATIONS: Final = {each.said["operationId"]: each.said for each in contract().operations()}
DEAL: Final[dict[str, Any]] = {
    "hands": [["2c", "4c", "6c", "8c", "Tc", "Qc", "Ah"], ["3c", "5c", "7c", "9c", "Jc", "Kc", "As"]],
    "upcard": "Ac",
}
# Their examples name an event, and a host, that there is not.
REFUSED: Final = {"redeliver": "/problems/invalid", "make_webhook": "/problems/invalid"}
# Ends what others need.
LAST: Final = ("revoke_token", "drop_webhook")


def run(name: str, variables: dict[str, str]) -> str:
    [sample] = OPERATIONS[name]["x-codeSamples"]
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "-euc", sample["source"]],
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, f"{sample['source']}\n{done.stderr}"
    return done.stdout


def places(upcard: Service) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """What the variables stand for, and for which operations they stand for something else."""
    organiser = upcard.client()

    def made(path: str, body: dict[str, Any], match: str | None = None) -> Any:
        answer = organiser.call("POST", path, body, match=match)
        assert answer.status == 201, answer
        return answer.body

    over = ShortTable(organiser)
    over.end()
    game = {"game": "rockaway", "players": ["Ann", "Ben"]}
    dealt = made("/v1/sessions", game)
    endless = made("/v1/sessions", {**game, "options": {"deals": None}})
    recorded = made("/v1/sessions", {**game, "mode": "recorded"})
    made(f"/v1/sessions/{recorded['id']}/deals", DEAL, "*")
    contested, ruled, void = (made("/v1/sessions", {**game, "mode": "recorded"}) for _ in range(3))
    for each in (contested, ruled, void):
        made(f"/v1/sessions/{each['id']}/deals", DEAL, "*")
    for each in (contested, ruled):
        made(f"/v1/sessions/{each['id']}/disputes", {"deal": 1, "words": "He looked."})
    made(f"/v1/sessions/{void['id']}/rulings", {"ruling": "void", "deal": 1, "reason": "A card was seen."}, "*")
    plain = {
        "url": f"http://127.0.0.1:{upcard.port}",
        "token": upcard.token,
        "session_id": over.id,
        "number": "1",
        "asset_name": "swagger-ui.css",
        "token_id": made("/v1/tokens", {"role": "auditor"})["id"],
        "webhook_id": made("/v1/webhooks", {"url": "http://127.0.0.1:9/"})["id"],
    }
    apart = {
        "add_entropy": {"session_id": dealt["id"], "token": dealt["seat_tokens"]["1"]},
        "start_deal": {"session_id": dealt["id"], "version": "2"},
        "close_session": {"session_id": endless["id"], "version": "1"},
        "make_play": {"session_id": recorded["id"], "version": "2"},
        "withdraw_dispute": {"session_id": contested["id"]},
        "make_ruling": {"session_id": ruled["id"], "version": "3"},
        "confirm_result": {"session_id": void["id"], "version": "4", "token": void["seat_tokens"]["1"]},
    }
    return plain, apart


def test_every_operation_has_a_command_that_does_it(upcard: Service) -> None:
    upcard.env["UPCARD_WEBHOOK_LOOPBACK"] = "true"
    upcard.start_web()
    plain, apart = places(upcard)
    order = [*apart, *(OPERATIONS.keys() - apart.keys() - set(LAST)), *LAST]
    assert sorted(order) == sorted(OPERATIONS)
    for name in order:
        said = run(name, plain | apart.get(name, {}))
        problem = json.loads(said).get("type", "") if said.startswith("{") and said.count("\n") < 2 else ""
        assert problem == REFUSED.get(name, ""), f"{name}: {said[:500]}"
