"""Whatever is done to an export is found, and the right event is named; the file that stands alone says the same.

First by careless hands, who leave digests and signatures as they were, then by forgers who make all of it anew.
"""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from replay import check_export
from replay.audit import CHECKED, CHECKPOINTS, FILE, Report
from replay.checkpoints import Signer, read_checkpoint
from replay.exports import MalformedExportError
from replay.rules.game import EVERYTHING, ONLOOKER
from replay.rules.registry import GAMES
from replay.verify import verify
from tests.seeds import rng, scaled
from tests.trust.forging import (
    CARELESS,
    Forged,
    Rows,
    Tampered,
    dealt_otherwise,
    edited,
    not_opening,
    played_otherwise,
    rows_of,
    scored_otherwise,
    sealed_otherwise,
)
from tests.trust.sessions import FORGER, SIGNER, TRUSTED, Kept, export, kept

TIMES = 1000
"""How often each kind is tried in a full run."""
LOOKED_AT = ("chain", "seals", "deals")
"""Checks that the file that stands alone makes too."""


@cache
def sessions(mode: str) -> list[Kept]:
    """Sessions to be spoilt, of each game, each with a deal that is over at least."""
    found: list[Kept] = []
    for game in GAMES.values():
        chance = rng(f"trust/tampering/{mode}/{game.name}")
        wanted = len(found) + max(2, scaled(20))
        while len(found) < wanted:
            of = kept(game, chance, deals=2, mode=mode)
            found += [of] if of.ends else []
    return found


def any_session(chance: Random, mode: str | None = None) -> Kept:
    return chance.choice(sessions(mode or chance.choice(("dealt", "recorded"))))


def any_export(chance: Random) -> tuple[bytes, int]:
    """Of a whole session or in the middle of it, for whoever may see it; and how many events it has."""
    of = any_session(chance)
    version = of.version if chance.random() < 0.5 else chance.choice(of.moments[1:])
    return export(of, chance.choice(of.viewers), version), version


def failed(report: Report) -> dict[str, int | None]:
    """The checks that fail, each with its version."""
    return {line.check: line.version for line in report.lines if line.outcome == "fails"}


def wrong(exported: bytes) -> check_export.Wrong | None:
    """What the file that stands alone finds."""
    try:
        check_export.check(exported)
    except check_export.Wrong as found:
        return found
    return None


@pytest.mark.parametrize("tamper", CARELESS, ids=lambda tamper: tamper.__name__)
def test_what_careless_hands_do_is_found_where_they_did_it(tamper: Callable[[Random, Rows, int], Tampered]) -> None:
    chance = rng(f"trust/careless/{tamper.__name__}")
    tried = 0
    while tried < scaled(TIMES):
        exported, version = any_export(chance)
        rows = rows_of(exported)
        if tamper is not_opening and not any(b'"opened":{}' not in row for row in rows[1 : version + 1]):
            continue
        tried += 1
        tampered = tamper(chance, rows, version)
        found = wrong(tampered.exported)
        try:
            report = verify(tampered.exported, trusted=TRUSTED)
        except MalformedExportError:
            assert not tampered.at
            assert found is not None
            # A header that does not name its session begins another chain.
            assert found.version in (None, 1)
            continue
        assert report.verdict == "diverged"
        about = (exported, tampered, report, str(found))
        if tampered.at:
            assert report.diverged_at in tampered.at, about
            assert found is not None
            assert found.version in tampered.at, about
        elif found is None:
            # Only the signature: that is for who has the key.
            assert tamper is edited
            assert failed(report).keys() == {FILE}, about
        else:
            assert FILE in failed(report), about


def test_a_tail_that_was_cut_is_missed_by_who_kept_a_checkpoint() -> None:
    chance = rng("trust/cut")
    for _ in range(scaled(TIMES)):
        of = any_session(chance)
        checkpoint = read_checkpoint(chance.choice(of.checkpoints))
        version = chance.choice([each for each in of.moments if each < checkpoint.version])
        # By who has the true key, and so no trace of it in the file.
        exported = export(of, chance.choice(of.viewers), version)
        assert not failed(verify(exported, trusted=TRUSTED))
        report = verify(exported, kept=[checkpoint], trusted=TRUSTED)
        assert failed(report) == {CHECKPOINTS: version + 1}
        assert report.diverged_at == version + 1
        assert wrong(exported) is None


def test_a_log_that_was_written_anew_is_not_the_one_whose_head_was_kept() -> None:
    chance = rng("trust/anew")
    for _ in range(scaled(TIMES)):
        of = any_session(chance)
        checkpoint = read_checkpoint(chance.choice(of.checkpoints))
        other = scored_otherwise(chance, of, SIGNER).log
        report = verify(export(other, like=of), kept=[checkpoint], trusted=TRUSTED)
        assert failed(report)[CHECKPOINTS] == checkpoint.version


FORGERIES: tuple[Callable[[Random, Kept, Signer], Forged | None], ...] = (
    *(sealed_otherwise, dealt_otherwise, played_otherwise, scored_otherwise),
)


@pytest.mark.parametrize("signer", [FORGER, SIGNER], ids=["own key", "true key"])
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_what_a_forger_makes_of_a_log_is_found_where_he_did_it(
    forge: Callable[[Random, Kept, Signer], Forged | None], signer: Signer
) -> None:
    chance = rng(f"trust/forged/{forge.__name__}/{signer.id}")
    tried = 0
    while tried < scaled(TIMES):
        of = any_session(chance, "dealt" if forge is dealt_otherwise else None)
        forged = forge(chance, of, signer)
        if forged is None:
            continue
        tried += 1
        # Up to the deal's end at least: before it there is nothing that anybody could see.
        until = next(end for end in of.ends if end > forged.at or (end == forged.at and forged.check != "seals"))
        exported = export(forged.log, ONLOOKER, chance.choice((until, of.version)), signer, like=of)
        report = verify(exported, trusted=TRUSTED)
        faults = failed(report)
        about = (of.id, forged.at, report)
        assert faults[forged.check] == forged.at, about
        assert report.diverged_at == forged.at, about
        assert (FILE in faults) == (signer is FORGER), about
        # To whoever believes the forger's key it is still not true.
        assert failed(verify(exported))[forged.check] == forged.at
        found = wrong(exported)
        if forged.check in LOOKED_AT:
            assert found is not None
            assert (found.check, found.version) == (forged.check, forged.at)
        else:
            assert found is None, str(found)


def test_the_checks_that_are_told_are_all_of_them() -> None:
    report = verify(export(sessions("dealt")[0]), trusted=TRUSTED)
    assert [line.check for line in report.lines] == [check for check in CHECKED if check != "ledger"]


def test_a_log_cannot_end_between_the_last_play_of_a_deal_and_its_end() -> None:
    for of in sessions("recorded"):
        for end in of.ends:
            assert failed(verify(export(of, EVERYTHING, end - 1), trusted=TRUSTED)) == {"scores": end}
