"""One head for everybody: worked out from any export, at every version; and what may be checked once a deal is over.

The digests are worked out by the file that stands alone, replay/check_export.py, which shares no code with the product.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from replay import check_export
from replay.audit import audited
from replay.chain import check_seals
from replay.checkpoints import read_checkpoint
from replay.codec import decode
from replay.exports import read_export
from replay.rules.game import ONLOOKER, AnyGame, Viewer
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_decide import start_deal
from replay.rules.session_events import DealStarted
from replay.shuffle import shuffled_deal
from replay.verify import verify
from tests.log.histories import heads
from tests.rules.seeded import PARTS
from tests.seeds import rng, scaled
from tests.trust.sessions import SIGNER, TRUSTED, Kept, export, kept

SESSIONS = 200
RUNS = [(game, part) for game in GAMES.values() for part in range(PARTS)]


def sessions(game: AnyGame, part: int) -> Iterator[Kept]:
    """This part of a run's sessions."""
    for number in range(part, scaled(SESSIONS), PARTS):
        yield kept(game, rng(f"trust/heads/{game.name}/{number}"))


def told(exported: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Header and events, as the file that stands alone reads them."""
    header, events, *_ = check_export.read(exported)
    return header, events


def worked_out(exported: bytes) -> list[str]:
    """The head at every version, from the public parts of an export."""
    header, events = told(exported)
    bound = {name: events[0]["event"]["data"][name] for name in ("game", "options", "revision")}
    head = sha256(check_export.canonical({**bound, "session": header["session"]})).digest()
    found = []
    for each in events:
        head = sha256(head + check_export.canonical(each["event"])).digest()
        found.append(head.hex())
    return found


@pytest.mark.parametrize(("game", "part"), RUNS, ids=lambda each: getattr(each, "name", each))
def test_everybody_has_the_same_heads(game: AnyGame, part: int) -> None:
    for of in sessions(game, part):
        full = heads(of.stored)
        chance = rng(f"trust/heads/at/{of.id}")
        for version in {of.version, chance.choice(of.moments)}:
            for viewer in of.viewers:
                exported = export(of, viewer, version)
                assert worked_out(exported) == full[:version], (of.id, viewer, version)
                assert heads(read_export(exported).events) == full[:version]


@pytest.mark.parametrize(("game", "part"), RUNS, ids=lambda each: getattr(each, "name", each))
def test_untouched_exports_are_clean_whoever_looks_and_whenever(game: AnyGame, part: int) -> None:
    for of in sessions(game, part):
        chance = rng(f"trust/clean/at/{of.id}")
        for version in {of.version, *of.ends, chance.choice(of.moments)}:
            for viewer in {ONLOOKER, chance.choice(of.viewers)}:
                exported = export(of, viewer, version)
                report = verify(exported, trusted=TRUSTED)
                assert not [line for line in report.lines if line.outcome == "fails"], (of.id, viewer, version, report)
                assert (report.version, report.head) == (version, of.stored[version - 1].digest.hex())
                playing = of.state(version).playing
                hidden = playing and not viewer.everything
                assert report.verdict == ("unverified" if hidden else "verified"), (of.id, viewer, version, report)
                check_export.check(exported)


@pytest.mark.parametrize(("game", "part"), RUNS, ids=lambda each: getattr(each, "name", each))
def test_after_each_deal_every_seal_opens_and_every_shuffle_deals_the_same_again(game: AnyGame, part: int) -> None:
    for of in sessions(game, part):
        for end in of.ends:
            exported = export(of, ONLOOKER, end)
            found = read_export(exported)
            for each in found.events[:-1]:
                check_seals(each)
            check_seals(found.events[-1], partly=True)
            assert not {*found.events[-1].opened}, "the seed of a deal that is not over"
            again = decode(found.events)
            if of.opened.mode == "dealt":
                starts = [at for at, event in enumerate(again) if isinstance(event, DealStarted)]
                for at in starts:
                    session, started = fold(None, again[:at]), again[at]
                    assert session.seed is not None
                    assert isinstance(started, DealStarted)
                    command = shuffled_deal(session, bytes.fromhex(session.seed), started.entropy or "")
                    assert start_deal(session, command) == started
                assert check_export.check_deals(told(exported)[1]) == len(starts) > 0


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_keeper_of_an_untouched_log_finds_it_verified(game: AnyGame) -> None:
    for of in sessions(game, 0):
        checkpoints = [read_checkpoint(each) for each in of.checkpoints]
        report = audited(of.id, of.stored, checkpoints, lambda _: None, whole=True)
        assert report.verdict == "verified", (of.id, report)
        assert all(each.signed_by(SIGNER.public) for each in checkpoints)


def test_an_export_in_the_middle_of_a_deal_hides_what_its_viewer_must_not_see() -> None:
    of = kept(GAMES["rockaway"], rng("trust/hidden"), mode="dealt")
    [dealt] = [at for at, event in enumerate(of.events[: of.ends[0]], start=1) if isinstance(event, DealStarted)]
    for viewer in of.viewers:
        opened = read_export(export(of, viewer, dealt)).events[-1].opened
        if viewer == ONLOOKER:
            assert opened == {}
        else:
            assert list(opened) == ["hands"]
            assert [seat for seat, each in enumerate(opened["hands"], start=1) if each] == [viewer.seat]
    assert Viewer(1) in of.viewers
