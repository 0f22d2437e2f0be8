"""The example records show what they say they show. Example programs are run by tests/clients."""

import pytest

from replay.records.checking import check
from replay.records.reading import read_toml
from tests.docs.markdown import ROOT

EXAMPLES = {"last_deal": "clean", "miscounted": "mismatch", "disputed": "illegal"}


@pytest.mark.parametrize(("name", "verdict"), EXAMPLES.items())
def test_an_example_gets_its_verdict(name: str, verdict: str) -> None:
    assert check(read_toml((ROOT / f"ops/examples/{name}.toml").read_bytes())).verdict == verdict


def test_every_example_is_known() -> None:
    assert {path.stem for path in (ROOT / "ops/examples").glob("*.toml")} == set(EXAMPLES)
