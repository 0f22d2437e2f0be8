"""The scorekeeper of the examples records a table from typed lines, with curl and jq and what every Linux has."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.docs.markdown import ROOT, as_promised
from tests.faults.running import LIMIT, Service, until

pytestmark = [
    pytest.mark.store,
    pytest.mark.service,
    # .ci/run installs it where that can be done.
    pytest.mark.skipif(shutil.which("jq") is None, reason="jq is missing: apt-get install jq"),
]

PROGRAMS: Final = ("bash", "curl", "date", "env", "jq", "sleep")
DEAL: Final = "deal Ac : 2c 4c 6c 8c Tc Qc Ah : 3c 5c 7c 9c Jc Kc As"
CARDS: Final = ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc", "Ah", "As"]
TYPED: Final = ("9c", DEAL, "# Ann has a club.", "draw 5d", "pass", "! draw 5d", "may", *CARDS, "9c", "sheet")
SAID: Final = """\
Session …
Type the next deal.
Refused: No deal has been started.
Ann on Ac, 37 in the stock
Refused (R11): 2c fits Ac and must be played, or an ace. R11: …
You may: 2c, 4c, 6c, 8c, Tc, Qc, Ah
Refused (RA-12): The stock still holds a card. RA-12: …
You may: 2c, 4c, 6c, 8c, Tc, Qc, Ah
Ann on Ac, 36 in the stock
2c, 4c, 6c, 8c, Tc, Qc, Ah
Ben on 2c, 36 in the stock
Ann on 3c, 36 in the stock
…
Ben on Ah, 36 in the stock
Deal 1: posted
  Ann  5  5 of diamonds  (R14)
  Ann  10  trebled: one of the last three deals  (R16)
Balances: Ann 15, Ben 0
The session is over: Ben
Refused (XA-15): The deal is over. …
Deal 1: posted
  Ann  5  5 of diamonds  (R14)
  Ann  10  trebled: one of the last three deals  (R16)
Balances: Ann 15, Ben 0
"""


def path_of(folder: Path) -> str:
    """A folder with these programs and no others."""
    for name in PROGRAMS:
        found = shutil.which(name)
        assert found is not None, f"{name} is missing"
        (folder / name).symlink_to(found)
    return str(folder)


@pytest.fixture
def scorekeeper(upcard: Service, tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """It sits at a table of Ann and Ben, and has been typed nothing yet."""
    upcard.start_worker()
    web = upcard.start_web("kicked")
    process = subprocess.Popen(
        [ROOT / "ops/examples/scorekeeper.sh", f"http://127.0.0.1:{upcard.port}", "1", "Ann", "Ben"],
        env={"PATH": path_of(tmp_path), "UPCARD_TOKEN": upcard.token},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()
    web.wait()


def test_it_records_a_table_and_each_line_once(upcard: Service, scorekeeper: "subprocess.Popen[str]") -> None:
    assert scorekeeper.stdin is not None
    scorekeeper.stdin.write("".join(f"{line}\n" for line in TYPED))
    scorekeeper.stdin.flush()
    # The web server ends by kill -9 when the last card is recorded, before it is answered.
    until(lambda: upcard.struck("kicked"), "the deal is over")
    upcard.start_web()
    said, trouble = scorekeeper.communicate(timeout=LIMIT)
    assert scorekeeper.returncode == 0, trouble
    assert "asking again" in trouble
    assert as_promised(SAID, said), said
    session = said.split()[1]
    events = upcard.client().call("GET", f"/v1/sessions/{session}/events").body["events"]
    played = [event["data"].get("card") for event in events if event["kind"] == "rockaway.card_played"]
    assert played == CARDS
    drawn = [event["data"] for event in events if event["kind"] == "rockaway.card_drawn"]
    assert [each["irregular"] for each in drawn] == [{"clause": "R11"}]


def test_it_says_how_it_is_used() -> None:
    done = subprocess.run([ROOT / "ops/examples/scorekeeper.sh"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "usage" in done.stderr
