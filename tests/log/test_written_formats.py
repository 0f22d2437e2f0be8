"""The vectors in replay/SHUFFLE.md and replay/LOG.md hold for the product, and for the file that stands alone."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from replay import check_export
from replay.envelope import canonical, digest, genesis, seal_of
from replay.rules.cards import Card
from replay.shuffle import mixed, shuffled

REPLAY = Path(check_export.__file__).parent
PACK = sorted(Card(rank + suit) for rank in "23456789AJKQT" for suit in "cdhs")


def vectors(name: str) -> Any:
    """The JSON block of the document."""
    blocks = re.findall(r"^```json\n(.*?)^```", (REPLAY / name).read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1
    return json.loads(blocks[0])


SHUFFLE = vectors("SHUFFLE.md")
LOG = vectors("LOG.md")


@pytest.mark.parametrize("case", SHUFFLE["mixes"])
def test_texts_are_mixed_as_written(case: dict[str, Any]) -> None:
    assert mixed(bytes.fromhex(SHUFFLE["seed"]), case["texts"]).hex() == case["mix"]


def test_a_text_that_was_not_given_is_the_empty_one() -> None:
    assert mixed(bytes(32), (None, "x", None)) == mixed(bytes(32), ("", "x", ""))


@pytest.mark.parametrize("case", SHUFFLE["orders"])
def test_the_order_follows_from_the_mix(case: dict[str, Any]) -> None:
    mix = bytes.fromhex(case["mix"])
    assert " ".join(shuffled(PACK, mix)) == case["order"]
    assert " ".join(check_export.shuffled([str(card) for card in PACK], mix)) == case["order"]


def test_the_stream_of_numbers_is_as_written() -> None:
    mix = bytes.fromhex(SHUFFLE["seed"])
    block = sha256(mix + bytes(8)).digest()
    assert [int.from_bytes(block[n : n + 4], "big") for n in (0, 4, 8, 12)] == SHUFFLE["numbers_from_seed_as_mix"]


def test_a_seal_is_as_written() -> None:
    case = LOG["seal"]
    assert seal_of(case["opening"]) == case["seal"]
    assert check_export.fits(case["opening"], case["seal"])


def test_a_chain_begins_as_written() -> None:
    case = LOG["genesis"]
    assert genesis(**case["bound"]).hex() == case["digest"]


def test_a_digest_is_as_written() -> None:
    case = LOG["event"]
    assert digest(bytes.fromhex(case["before"]), canonical(case["public"])).hex() == case["digest"]
    assert check_export.canonical(case["public"]) == canonical(case["public"])
