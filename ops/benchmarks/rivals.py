"""Deadwood solvers of others, both of gin rummy: RLCard's and OpenSpiel's, measured beside ours on the same hands.

    python -m ops.benchmarks.rivals ROUNDS     run by the bench in an environment that has both; prints JSON

Gin's ace is low and worth one, and its pack is one; otherwise the arrangements are those of Poker Rum. RLCard's is the
function behind its legal plays: it lists every set of melds and takes the best. OpenSpiel's is C++ called from Python.
"""

import json
import sys
from typing import Any, Final

import pyspiel
from rlcard.games.base import Card as RLCard
from rlcard.games.gin_rummy.utils.melding import get_best_meld_clusters
from rlcard.games.gin_rummy.utils.utils import get_deadwood_count

from ops.benchmarks.solving import ONE_PACK, OURS, Contender, measured, ours
from replay.rules.cards import Cards

_SPIEL: Final = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)


def _rlcard(hand: list[Any]) -> int:
    # No melds at all are no cluster to RLCard.
    best = get_best_meld_clusters(hand)
    count: int = get_deadwood_count(hand, best[0] if best else [])
    return count


def _rlcard_form(hand: Cards) -> tuple[list[Any]]:
    return ([RLCard(card[1].upper(), card[0]) for card in hand],)


def _spiel_form(hand: Cards) -> tuple[list[int]]:
    return ([_SPIEL.card_int(card) for card in hand],)


CONTENDERS: Final = {
    OURS: ours(),
    "RLCard": Contender(_rlcard, _rlcard_form),
    "OpenSpiel": Contender(_SPIEL.min_deadwood, _spiel_form),
}


def main(rounds: int) -> None:
    """Measure all on hands of one pack."""
    print(json.dumps([measured(CONTENDERS, kind, rounds) for kind in ONE_PACK]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
