"""Hands for deadwood solvers and what solvers need for one, ours here; those of others are in rivals.py.

Every hand is met once: before the clock starts a solver has worked on as many others as a process of some age has, so
that neither its first hands nor hands it remembers whole are measured.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from replay.rules.cards import PACK, Cards, parse_card
from replay.rules.poker_rum.deadwood import deadwood
from tests.rules.players.rums import near_finished

ROOT: Final = Path(__file__).resolve().parents[2]
ACE_VALUE: Final = 11
OURS: Final = "Upcard"
HANDS: Final = 1000
"""Hands of a round."""
BEFORE: Final = 2
"""Rounds, for each that is measured, that come before all those, for a solver that remembers."""

FIRST: Final = """
import json, time
import replay.rules.rums.combinations
begun = time.process_time()
from replay.rules.poker_rum.deadwood import deadwood
imported = time.process_time()
from ops.benchmarks.solving import ACE_VALUE, HANDS, KINDS, hands
some = list(hands(KINDS[-1], 0))
started = time.process_time()
for hand in some:
    deadwood(hand, ACE_VALUE)
print(json.dumps([(imported - begun) * 1e3, (time.process_time() - started) * 1e6 / HANDS]))
"""
"""A process of its own: ms of processor time to import the solver with its tables, µs for each of the first hands."""


class Kind(NamedTuple):
    """What hands are measured on."""

    packs: int
    near: bool
    """Whether up to three combinations were laid into the hand before the rest was drawn."""

    @property
    def name(self) -> str:
        """In words."""
        return f"{'near-finished' if self.near else 'random'} hands of {'one pack' if self.packs == 1 else 'two packs'}"


KINDS: Final = tuple(Kind(packs, near) for packs in (1, 2) for near in (False, True))
ONE_PACK: Final = tuple(kind for kind in KINDS if kind.packs == 1)
"""The kinds that solvers of gin know."""


class Contender(NamedTuple):
    """A solver, which finds the least deadwood, and how a hand becomes its arguments, which is not timed."""

    solve: Callable[..., int]
    form: Callable[[Cards], tuple[Any, ...]]


class Measured(NamedTuple):
    """Of one kind of hands: µs a hand by solver, and how many of the hands on which all must agree they agreed on."""

    micros: Mapping[str, float]
    comparable: int
    agreed: int


def hands(kind: Kind, number: int) -> Iterator[Cards]:
    """The hands of one round; every run has the same."""
    chance = Random(f"{kind} {number}")
    for _ in range(HANDS):
        pack = list(PACK) * kind.packs
        chance.shuffle(pack)
        # As the rules meet them: each card is the one text that stands for it.
        yield tuple(map(parse_card, near_finished(chance, pack, 10, 3 if kind.near else 0)))


def ours() -> Contender:
    """Our solver."""
    return Contender(deadwood, lambda hand: (hand, ACE_VALUE))


def measured(contenders: Mapping[str, Contender], kind: Kind, rounds: int) -> Measured:
    """Each solver on the same hands, in rounds that take turns.

    The best round stands: what a busy machine adds is never less than nothing, and lasts longer than a round. Compared
    are the counts of hands without an ace: of those the rules of gin and of Poker Rum say the same.
    """
    for number in range(BEFORE * rounds):
        for hand in hands(kind, rounds + number):
            deadwood(hand, ACE_VALUE)
    took: dict[str, list[float]] = {name: [] for name in contenders}
    comparable = agreed = 0
    for number in range(rounds):
        dealt = list(hands(kind, number))
        counts = []
        for name, contender in contenders.items():
            found, seconds = _timed(contender.solve, list(map(contender.form, dealt)))
            took[name].append(seconds * 1e6 / len(dealt))
            counts.append(found)
        for hand, *found_by_all in zip(dealt, *counts, strict=True):
            if not any(card[0] == "A" for card in hand):
                comparable += 1
                agreed += len(set(found_by_all)) == 1
    return Measured({name: min(each) for name, each in took.items()}, comparable, agreed)


def _timed(solve: Callable[..., int], formed: Sequence[tuple[Any, ...]]) -> tuple[list[int], float]:
    """What it finds, and seconds of processor time."""
    began = time.process_time()
    found = [solve(*arguments) for arguments in formed]
    return found, time.process_time() - began


def measured_beside_rivals(python: Path, rounds: int) -> dict[Kind, Measured]:
    """The kinds of one pack, in an environment that has the solvers of rivals.py."""
    command = [str(python), "-m", "ops.benchmarks.rivals", str(rounds)]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return dict(zip(ONE_PACK, (Measured(*each) for each in json.loads(run.stdout)), strict=True))


def first_use() -> tuple[float, float]:
    """What FIRST measures: the best of some processes."""
    runs = [
        json.loads(subprocess.run([sys.executable, "-c", FIRST], cwd=ROOT, capture_output=True, check=True).stdout)
        for _ in range(5)
    ]
    imported, first = (min(run[at] for run in runs) for at in range(2))
    return imported, first
