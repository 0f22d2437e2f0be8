"""Checkpoints: who signed what, and that nothing else can be read into a signature. Left out: where keys lie."""

from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from replay.checkpoints import Checkpoint, Signer, export_signed_by, key_id, read_checkpoint
from replay.envelope import Tip
from tests.log.histories import AT, SESSION, history, stored
from tests.log.strategies import TEXT, found_by_search
from tests.seeds import rng, scaled

SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
OTHER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))))
TIP = Tip(12, bytes(range(100, 132)))
MADE = SIGNER.checkpoint(SESSION, TIP, AT)
HEX = "0123456789abcdef"


def test_a_checkpoint_says_what_was_signed_and_by_whom() -> None:
    assert MADE[:4] == (SESSION, 12, TIP.head.hex(), AT)
    assert MADE.key == SIGNER.id == key_id(SIGNER.public)
    assert MADE.signed_by(SIGNER.public)
    assert not MADE.signed_by(OTHER.public)


def test_its_bytes_and_signature_are_a_promise() -> None:
    claim = (
        b"upcard checkpoint 1\n"
        b'{"at":"2026-09-21T13:46:40.123Z","head":"' + TIP.head.hex().encode() + b'",'
        b'"session":"' + SESSION.encode() + b'","version":12}'
    )
    Ed25519PublicKey.from_public_bytes(SIGNER.public).verify(bytes.fromhex(MADE.signature), claim)
    assert SIGNER.id == "56475aa75463474c"
    assert MADE.to_bytes() == (
        b'{"at":"2026-09-21T13:46:40.123Z","head":"6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283",'
        b'"key":"56475aa75463474c","session":"0190d1f2-0000-7000-8000-000000000001","signature":"' + _SIGNATURE + b'",'
        b'"version":12}'
    )


_SIGNATURE = (
    b"4104560af2ce62b9026e17bc7935bf0214315572522dc25bb7934557a924a65d"
    b"1c369e10def6fba5a11c1490046107efc90ec0d112f085a3114db98ada7cbf01"
)


def test_a_checkpoint_comes_back_from_its_bytes() -> None:
    random = rng("log/checkpoints")
    for _ in range(scaled(100)):
        for each in stored(history(random, deals=1))[:: random.randrange(1, 50)]:
            made = SIGNER.checkpoint(SESSION, each.tip, each.stamp.at)
            read = read_checkpoint(orjson.loads(made.to_bytes()))
            assert read == made
            assert read.signed_by(SIGNER.public)


@pytest.mark.parametrize(
    "change",
    [
        {"session": SESSION[:-1] + "2"},
        {"session": ""},
        {"session": SESSION.upper()},
        {"session": SESSION + "\0"},
        {"version": 11},
        {"version": 13},
        {"version": -12},
        {"version": 2**70},
        {"head": bytes(range(101, 133)).hex()},
        {"head": ""},
        {"head": TIP.head.hex().upper()},
        {"head": TIP.head.hex()[:-2]},
        {"head": " ".join((TIP.head.hex()[:2], TIP.head.hex()[2:]))},
        {"at": ""},
        {"at": AT.replace("Z", "+00:00")},
        {"signature": ""},
        {"signature": MADE.signature[:-2]},
        {"signature": MADE.signature + "00"},
        {"signature": OTHER.checkpoint(SESSION, TIP, AT).signature},
        {"signature": SIGNER.export(TIP.head)},
    ],
    ids=repr,
)
def test_a_changed_checkpoint_is_not_what_was_signed(change: dict[str, Any]) -> None:
    assert not MADE._replace(**change).signed_by(SIGNER.public)


def test_any_flipped_digit_of_head_or_signature_is_found() -> None:
    for field in ("head", "signature"):
        digits = getattr(MADE, field)
        for at, digit in enumerate(digits):
            other = HEX[(HEX.index(digit) + 1) % 16]
            changed = MADE._replace(**{field: digits[:at] + other + digits[at + 1 :]})
            assert not changed.signed_by(SIGNER.public), (field, at)


@pytest.mark.parametrize("public", [b"", SIGNER.public[:-1], SIGNER.public + b"\0", b"\0" * 32, b"\xff" * 32], ids=repr)
def test_what_is_no_key_has_signed_nothing(public: bytes) -> None:
    assert not MADE.signed_by(public)
    assert not export_signed_by(public, TIP.head, SIGNER.export(TIP.head))


def test_an_export_is_signed_over_its_lines() -> None:
    lines = bytes(range(32))
    signature = SIGNER.export(lines)
    assert export_signed_by(SIGNER.public, lines, signature)
    assert not export_signed_by(OTHER.public, lines, signature)
    assert not export_signed_by(SIGNER.public, lines[::-1], signature)
    for bad in ("", "no", signature[:-2], signature + "00", MADE.signature, OTHER.export(lines), "é"):
        assert not export_signed_by(SIGNER.public, lines, bad), bad


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=5,
)
FIELDS = st.one_of(
    JSON,
    st.builds(
        lambda name, value: {**MADE._asdict(), name: value}, st.sampled_from((*Checkpoint._fields, "more")), JSON
    ),
    st.sets(st.sampled_from(Checkpoint._fields)).map(
        lambda gone: {name: value for name, value in MADE._asdict().items() if name not in gone}
    ),
)


@found_by_search(4_000)
@given(fields=FIELDS)
def test_any_fields_are_a_checkpoint_or_are_refused_as_none(fields: Any) -> None:
    try:
        read = read_checkpoint(fields)
    except ValueError:
        assert fields != MADE._asdict()
        return
    assert [type(value) for value in read] == [str, int, str, str, str, str]
    # A key's name is not signed: it only says which key to try.
    assert read.signed_by(SIGNER.public) == (read._replace(key=MADE.key) == MADE)
    assert orjson.loads(read.to_bytes()) == fields
