"""An export with all its cards in another store: the same log, to the byte, and all that follows from it.

Left out: who may run `upcard import` (test_commands.py), and files that were made to hurt (test_hostile_files.py).
"""

from datetime import UTC, datetime
from random import Random
from typing import Final

import orjson
import pytest

from replay.audit import CHECKPOINTS
from replay.checkpoints import Signer
from replay.memory_log import MemoryLog
from replay.rules.game import EVERYTHING, ONLOOKER, AnyGame, Viewer
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_decide import require_between_deals
from replay.rules.session_events import DealStarted
from replay.verify import verify
from service.importing import CannotImportError, import_export
from tests.http.house import House
from tests.seeds import rng, scaled
from tests.trust.forging import joined, rows_of, scored_otherwise
from tests.trust.sessions import FORGER, SIGNER, TRUSTED, Kept, batch, export, kept
from workers.auditing import audit_session
from workers.entries import entries

NOW: Final = datetime(2026, 9, 22, tzinfo=UTC)


def finished(game: AnyGame, chance: Random, mode: str | None = None) -> Kept:
    """A session that stands between deals, or is over."""
    while True:
        of = kept(game, chance, deals=2, mode=mode)
        if of.ends and not of.state(of.version).playing:
            return of


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_what_is_brought_is_the_same_log_with_the_same_ledger(game: AnyGame) -> None:
    for number in range(scaled(200)):
        of = finished(game, rng(f"trust/import/{game.name}/{number}"))
        first, log = MemoryLog(), MemoryLog()
        first.append(batch(of))
        exported = export(of)
        assert import_export(log, exported, NOW, TRUSTED) == (of.id, of.version)
        there, here = first.read(of.id), log.read(of.id)
        assert [(each.raw, each.digest) for each in here] == [(each.raw, each.digest) for each in there]
        for mine, theirs in zip(here, there, strict=True):
            # All but the seed of a deal that was never dealt.
            assert mine.opened == theirs.opened or (mine.version == of.ends[-1] and not mine.opened)
        assert [each.to_bytes() for each in entries(of.id, here)] == [each.to_bytes() for each in entries(of.id, there)]
        assert (log.checkpoints(of.id), log.names(of.id)) == (first.checkpoints(of.id), first.names(of.id))
        assert log.sessions(None, 9) == first.sessions(None, 9)
        assert [due[:2] for due in log.due(99)] == [due[:2] for due in first.due(99)]


def test_to_bring_it_twice_changes_nothing_and_never_what_went_on() -> None:
    chance = rng("trust/import/twice")
    for game in GAMES.values():
        of = finished(game, chance)
        log = MemoryLog()
        import_export(log, export(of), NOW, TRUSTED)
        before = log.read(of.id)
        assert import_export(log, export(of), NOW, TRUSTED) == (of.id, of.version)
        assert log.read(of.id) == before
        # An earlier state of the same is no other log, but it is not this one either.
        with pytest.raises(CannotImportError):
            import_export(log, export(of, version=1), NOW, TRUSTED)
        assert log.read(of.id) == before


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_an_export_with_hidden_cards_is_refused(game: AnyGame) -> None:
    of = kept(game, rng(f"trust/import/partial/{game.name}"), mode="dealt")
    log = MemoryLog()
    start = next(at for at, event in enumerate(of.events, start=1) if isinstance(event, DealStarted))
    for viewer in (ONLOOKER, Viewer(1)):
        with pytest.raises(CannotImportError, match=f"cards are hidden in it from version {start} on"):
            import_export(log, export(of, viewer, start), NOW, TRUSTED)
    assert log.sessions(None, 9) == []


def test_a_recorded_deal_that_is_on_is_brought_by_who_sees_it_all() -> None:
    of = kept(GAMES["rockaway"], rng("trust/import/on"), mode="recorded")
    version = of.moments[3]
    log = MemoryLog()
    import_export(log, export(of, EVERYTHING, version), NOW, TRUSTED)
    assert [each.digest for each in log.read(of.id)] == [each.digest for each in of.stored[:version]]


def test_what_does_not_hold_is_refused() -> None:
    chance = rng("trust/import/false")
    of = finished(GAMES["rockaway"], chance)
    forged = scored_otherwise(chance, of, SIGNER)
    log = MemoryLog()
    with pytest.raises(CannotImportError, match="does not hold: scores"):
        import_export(log, export(forged.log, like=of), NOW, TRUSTED)
    with pytest.raises(CannotImportError, match="is not trusted here"):
        import_export(log, export(of, signer=FORGER), NOW, TRUSTED)
    rows = rows_of(export(of))
    with pytest.raises(CannotImportError, match="does not hold"):
        import_export(log, joined([*rows[:3], *rows[4:]]), NOW, TRUSTED)
    named = of._replace(id="../../etc")
    with pytest.raises(CannotImportError):
        import_export(log, export(named), NOW, TRUSTED)
    assert log.sessions(None, 9) == []


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_session_that_waits_can_be_read_and_checked_but_not_dealt_on(house: House, game: AnyGame) -> None:
    of = _waiting(game, rng(f"trust/import/waiting/{game.name}"))
    import_export(house.log, export(of), NOW, TRUSTED)
    house.score(of.id)
    client, path, owner = house.again().client, f"/v1/sessions/{of.id}", house.first
    session = client.get(path, owner).ok()
    assert (session["status"], session["version"]) == ("waiting", of.version)
    assert session["head"] == of.stored[-1].digest.hex()
    assert session["commitment"] == of.stored[-1].seals["seed"]
    for version in (1, of.ends[0] - 1, of.version):
        found = client.get(f"{path}?at={version}", owner).ok()
        assert found["head"] == of.stored[version - 1].digest.hex()
        assert found["totals"] == list(of.state(version).totals)
    number = of.opened.first_deal
    assert client.get(f"{path}/deals/{number}", owner).ok()["points"] == list(_points(of))
    refusal = client.post(f"{path}/deals", {}, owner, match="*").problem("not-now")
    assert "seed" in refusal["detail"]
    audit = client.get(f"{path}/deals/{number}/audit", owner).ok()
    assert audit["verdict"] == "unverified"
    assert [line["check"] for line in audit["lines"] if line["outcome"] != "holds"] == [CHECKPOINTS]
    again = client.get(f"{path}/export", owner).ok().text.encode()
    report = verify(again, trusted={**TRUSTED, house.context.signer.id: house.context.signer.public})
    assert report.verdict == "verified"
    assert rows_of(again)[1:-1] == rows_of(export(of))[1:-1]


def _waiting(game: AnyGame, chance: Random) -> Kept:
    """A dealt session between two deals."""
    while True:
        of = kept(game, chance, mode="dealt")
        if len(of.ends) > 1 or (of.ends and of.state(of.ends[0]).winners is None):
            until = of.ends[0]
            require_between_deals(of.state(until))
            return of._replace(events=of.events[:until], stored=of.stored[:until], checkpoints=of.checkpoints[:1])


def _points(of: Kept) -> tuple[int, ...]:
    deal = fold(None, of.events).deal
    assert deal is not None
    assert deal.points is not None
    return deal.points


def test_a_session_whose_key_is_known_is_verified(house: House) -> None:
    chance = rng("trust/import/verified")
    signer: Signer = house.context.signer
    of = finished(GAMES["rockaway"], chance)
    mine = of._replace(checkpoints=tuple(_resigned(of, signer)))
    import_export(house.log, export(mine, signer=signer), NOW, None)
    house.score(of.id)
    report = audit_session(house.log, house.ledger, of.id, house.context.keys.public)
    assert report is not None
    assert report.verdict == "verified", report


def _resigned(of: Kept, signer: Signer) -> list[bytes]:
    at = {each.version: each for each in of.stored}
    versions = [orjson.loads(each)["version"] for each in of.checkpoints]
    return [signer.checkpoint(of.id, at[each].tip, at[each].stamp.at).to_bytes() for each in versions]
