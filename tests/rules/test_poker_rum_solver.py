"""The solver of Poker Rum against brute force, on hands that are all but finished above all; and what it finds.

Brute force is the oracle's: every card is left over, or lies in one of the combinations that could hold it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import pytest

from replay.rules.cards import PACK, Card, Cards, without
from replay.rules.poker_rum.deadwood import arrangement, deadwood, shows
from tests.rules.layout import cards
from tests.rules.oracles.poker_rum import BruteForce
from tests.rules.oracles.poker_rum import deadwood as brute_force
from tests.rules.oracles.rums import is_combination, is_run, subsets
from tests.rules.players.rums import near_finished
from tests.seeds import rng, scaled

clause = pytest.mark.clause
HANDS: Final = 5_000
"""Hands of a full run, of each kind."""
KINDS: Final = tuple((packs, size, ace_value) for packs in (1, 2) for size in (10, 11) for ace_value in (10, 11))
EVERY_KIND: Final = pytest.mark.parametrize(("packs", "size", "ace_value"), KINDS)


def hands(chance: Random, packs: int, size: int, count: int) -> Iterator[Cards]:
    """Hands of which three in four are all but finished."""
    for _ in range(count):
        pack = list(PACK) * packs
        chance.shuffle(pack)
        yield near_finished(chance, pack, size, chance.choice((0, 1, 2, 3)))


def points(left: Cards, ace_value: int) -> int:
    """P1."""
    return sum(BruteForce(left, ace_value).points)


@clause("PA-10", "PA-7", "PA-8", "PA-9")
@EVERY_KIND
def test_the_solver_is_brute_force(packs: int, size: int, ace_value: int) -> None:
    for hand in hands(rng(f"solver {packs} {size} {ace_value}"), packs, size, scaled(HANDS)):
        assert deadwood(hand, ace_value) == brute_force(hand, ace_value), " ".join(hand)


@clause("PA-10")
@pytest.mark.parametrize("size", range(15))
def test_the_solver_is_brute_force_for_hands_of_any_size(size: int) -> None:
    # Irregular plays leave a seat with more or fewer cards than it should have.
    for hand in hands(rng(f"solver sizes {size}"), 2, size, max(20, scaled(HANDS) // 20)):
        assert deadwood(hand, 11) == brute_force(hand, 11), " ".join(hand)


@clause("PA-10", "P2")
@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("Ac 2c 3c Qc Kc", 5),  # the ace is worth more above the king
        ("Ac 2c 3c 4c Qc Kc", 0),
        ("Ac 2c 3c Jc Qc Kc", 0),
        ("Ac Ac 2c 3c Qc Kc", 0),
        ("Ac 2c 3c Qc Kc Kc", 15),
        ("Ac 2c 3c 3c 4c 5c", 0),  # two runs that share a rank
        ("Ac 2c 3c 3c 5c", 8),
    ],
)
def test_an_ace_between_two_runs_and_a_rank_in_both(hand: str, left: int) -> None:
    assert deadwood(cards(hand), 11) == brute_force(cards(hand), 11) == left


@clause("PA-10")
@EVERY_KIND
def test_the_arrangement_reaches_the_least_and_is_always_the_same(packs: int, size: int, ace_value: int) -> None:
    chance = rng(f"arrangement {packs} {size} {ace_value}")
    for hand in hands(chance, packs, size, scaled(HANDS) // 10):
        laid, left = arrangement(hand, ace_value)
        assert Counter(card for some in laid for card in some) + Counter(left) == Counter(hand)
        assert all(map(is_combination, laid))
        assert points(left, ace_value) == deadwood(hand, ace_value)
        mixed = list(hand)
        chance.shuffle(mixed)
        assert arrangement(tuple(mixed), ace_value) == (laid, left)


@clause("PA-10", "P2")
def test_the_arrangement_is_laid_as_people_lay_it() -> None:
    laid, left = arrangement(cards("Ah 9c Kh 7s Qh 7c 2d 7d Ad 3d"), 11)
    assert laid == (("7c", "7d", "7s"), ("Ad", "2d", "3d"), ("Qh", "Kh", "Ah"))
    assert left == ("9c",)


@clause("PA-11", "P9")
@EVERY_KIND
def test_what_may_be_shown_is_what_brute_force_says(packs: int, size: int, ace_value: int) -> None:
    for hand in hands(rng(f"shows {packs} {size} {ace_value}"), packs, size, scaled(HANDS) // 10):
        counts = {card: brute_force(without(hand, card), ace_value) for card in hand}
        for limit in (0, 15, 40):
            assert shows(hand, ace_value, limit) == {card: n for card, n in counts.items() if n <= limit}


Order = Callable[[Cards], tuple[bool | int, ...]]

LONGEST_RUN_FIRST: Final[Order] = lambda some: (is_run(some), len(some))  # noqa: E731 - one of two orders of a table
GROUPS_FIRST: Final[Order] = lambda some: (not is_run(some), len(some))  # noqa: E731 - the other


def greedy(hand: Cards, order: Order, ace_value: int) -> int:
    """The deadwood when combinations are laid in that order, each as long as it is there."""
    left = list(hand)
    while some := [tuple(left[n] for n in range(len(left)) if part >> n & 1) for part in subsets(tuple(left))]:
        for card in max(some, key=order):
            left.remove(card)
    return points(tuple(left), ace_value)


def finished(chance: Random, packs: int) -> Iterator[Cards]:
    """Hands that are all but finished, of that many packs."""
    for _ in range(max(400, scaled(HANDS))):
        pack: list[Card] = list(PACK) * packs
        chance.shuffle(pack)
        yield near_finished(chance, pack, 10, 3)


@clause("PA-10")
@pytest.mark.parametrize("packs", [1, 2])
def test_the_obvious_orders_are_wrong_on_many_hands(packs: int) -> None:
    wrong: Counter[str] = Counter()
    count = 0
    for hand in finished(rng(f"greedy {packs}"), packs):
        least = deadwood(hand, 11)
        run, group = greedy(hand, LONGEST_RUN_FIRST, 11), greedy(hand, GROUPS_FIRST, 11)
        assert min(run, group) >= least
        wrong.update({"run": run > least, "group": group > least, "either": max(run, group) > least})
        count += 1
    assert wrong["either"] > count / 10, f"{dict(wrong)} of {count}"
    assert min(wrong["run"], wrong["group"]) > count / 50, f"{dict(wrong)} of {count}"
