"""Every change of a stored log is found, and at the right version: edited bytes, events that are not where they were.

Left out: who computes digests anew, whom only a checkpoint finds out; a cut tail, for the same reason.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final

import orjson
import pytest

from replay.chain import BrokenChainError, BrokenSealError, check_chain, check_seals, read_checked
from replay.codec import SEEDS, START, encode
from replay.envelope import Envelope, Tip, by_seat, canonical, envelope
from replay.log import Batch
from replay.memory_log import MemoryLog
from replay.rules.session_state import BrokenLogError
from tests.log.breaking import Parts, parts_of
from tests.log.histories import SESSION, STAMP, heads, history, long_history, stored
from tests.log.places import NOW
from tests.seeds import rng, scaled

Tampering = Callable[[Random, Parts], int]
"""Changes the parts and gives the version at which that must be found."""


def read(parts: Parts) -> None:
    """Read and check these one after another: read all at once, a later event that is unreadable comes first."""
    after: Tip | None = None
    for version, part in enumerate(parts, start=1):
        each = envelope(version, *part)
        check_chain(SESSION, after, [each])
        after = each.tip


def edit(random: Random, parts: Parts) -> int:
    """One bit of one event: of its public part, of what opens its seals, or of its digest."""
    n = random.randrange(len(parts))
    which = random.choice([which for which in range(3) if parts[n][which]])
    changed = [bytearray(part) for part in parts[n]]
    changed[which][random.randrange(len(changed[which]))] ^= 1 << random.randrange(8)
    public, beside, head = map(bytes, changed)
    parts[n] = (public, beside, head)
    return n + 1


def drop(random: Random, parts: Parts) -> int:
    """One event is gone; the last one's going is a cut tail."""
    n = random.randrange(len(parts) - 1)
    del parts[n]
    return n + 1


def swap(random: Random, parts: Parts) -> int:
    """Two events are in each other's place."""
    first, second = sorted(random.sample(range(len(parts)), 2))
    parts[first], parts[second] = parts[second], parts[first]
    return first + 1


def repeat(random: Random, parts: Parts) -> int:
    """One event comes once more, at once or later."""
    n = random.randrange(len(parts))
    at = random.randrange(n + 1, len(parts) + 1)
    parts.insert(at, parts[n])
    return at + 1


def insert(random: Random, parts: Parts) -> int:
    """Another log's event of that version stands before the one that was there."""
    n = random.randrange(len(parts))
    others = parts_of(stored(long_history(random, len(parts)), "another session"))
    parts.insert(n, others[n])
    return n + 1


def reopen(random: Random, parts: Parts) -> int:
    """A seal is said to hold something else, or to be opened by another salt, in bytes that can be read."""
    n = random.choice([n for n, part in enumerate(parts) if part[1]])
    public, beside, head = parts[n]
    opened = orjson.loads(beside)
    opening = opened[random.choice(list(opened))]
    opening = random.choice(opening) if by_seat(opening) and opening else opening
    opening[random.randrange(2)] = random.choice(("0" * 32, "Ac", None, [], ["Ac"]))
    changed = canonical(opened)
    parts[n] = (public, changed, head)
    return n + 1 if changed != beside else 0


def close(random: Random, parts: Parts) -> int:
    """What opens a seal is gone; that of a seed may be."""
    n = random.choice([n for n, part in enumerate(parts) if part[1]])
    public, beside, head = parts[n]
    opened = orjson.loads(beside)
    name = random.choice(list(opened))
    del opened[name]
    parts[n] = (public, canonical(opened) if opened else b"", head)
    return 0 if (orjson.loads(public)["kind"], name) in SEEDS else n + 1


TAMPERINGS: Final[tuple[Tampering, ...]] = (edit, drop, swap, repeat, insert, reopen, close)


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda each: each.__name__)
def test_what_was_done_to_a_log_is_found_where_it_was_done(tampering: Tampering) -> None:
    random = rng(f"log/chain/{tampering.__name__}")
    logs = [parts_of(stored(long_history(random, 5))) for _ in range(20)]
    found = 0
    for _ in range(scaled(4000)):
        parts = list(random.choice(logs))
        version = tampering(random, parts)
        if not version:
            read(parts)
            continue
        found += 1
        with pytest.raises(BrokenLogError) as caught:
            read(parts)
        assert caught.value.version == version
    assert found > scaled(1000)


def test_an_untouched_log_is_clean_whole_and_in_parts() -> None:
    random = rng("log/chain/clean")
    for _ in range(scaled(200)):
        whole = stored(history(random))
        check_chain(SESSION, None, whole)
        at = random.randrange(len(whole))
        check_chain(SESSION, whole[at - 1].tip if at else None, whole[at:])
        check_chain(SESSION, None, whole[:at])
        assert heads(whole) == [each.digest.hex() for each in whole]


def test_a_flipped_digit_of_a_seal_is_found_even_with_new_digests() -> None:
    log = stored(long_history(rng("log/chain/seals"), 40))
    sealed = [each for each in log if each.seals]
    assert {each.kind for each in sealed} >= {"session.deal_started", "rockaway.card_drawn"}
    for each in sealed:
        check_seals(each)
        for name, seal in each.seals.items():
            for changed in _with_a_digit_changed(seal):
                with pytest.raises(BrokenSealError) as caught:
                    check_seals(each._replace(seals={**each.seals, name: changed}))
                assert caught.value.version == each.version


def _with_a_digit_changed(seal: Any) -> list[Any]:
    if isinstance(seal, str):
        return [f"{'1' if seal[0] == '0' else '0'}{seal[1:]}", seal[:-1], seal.upper() + " ", "", [seal], None]
    first = _with_a_digit_changed(seal[0])
    return [*([each, *seal[1:]] for each in first), seal[1:], [*seal, seal[0]], seal[::-1], {}, None]


def test_an_opening_of_what_is_not_sealed_is_found() -> None:
    log = stored(long_history(rng("log/chain/more"), 40))
    for each in log[:10]:
        with pytest.raises(BrokenSealError) as caught:
            check_seals(each._replace(opened={**each.opened, "more": ["salt", "Ac"]}))
        assert caught.value.version == each.version


@pytest.mark.parametrize("change", [{"game": "rum"}, {"revision": 2}, {"options": {}}], ids=repr)
def test_the_chain_begins_with_what_the_session_is(change: dict[str, Any]) -> None:
    log = stored(history(rng("log/chain/genesis")))
    changed = log[0]._replace(data={**log[0].data, **change})
    with pytest.raises(BrokenChainError) as caught:
        check_chain(SESSION, None, [changed, *log[1:]])
    assert caught.value.version == 1
    with pytest.raises(BrokenChainError) as caught:
        check_chain("another session", None, log)
    assert caught.value.version == 1


def test_digests_do_not_hang_on_what_a_viewer_may_open() -> None:
    played = long_history(rng("log/chain/viewers"), 40)
    log = stored(played)
    closed = [each._replace(opened={}) for each in log]
    assert heads(closed) == heads(log)
    other_salts = encode(SESSION, played, after=START, stamp=STAMP)
    assert heads(other_salts)[-1] != heads(log)[-1]


def test_a_part_is_checked_against_the_event_before_it() -> None:
    log, whole = MemoryLog(), stored(long_history(rng("log/chain/part"), 30))
    log.append(Batch(SESSION, START, whole, NOW))
    for after, limit in ((0, None), (0, 3), (1, None), (7, 5), (len(whole) - 1, 9), (len(whole), None), (3, 0)):
        assert _raws(read_checked(log, SESSION, after, limit)) == _raws(
            whole[after : None if limit is None else after + limit]
        )
    tail = Tip(whole[4].version, bytes(32))
    with pytest.raises(BrokenChainError) as caught:
        check_chain(SESSION, tail, whole[5:])
    assert caught.value.version == 6


def _raws(envelopes: list[Envelope]) -> list[bytes]:
    return [each.raw for each in envelopes]
