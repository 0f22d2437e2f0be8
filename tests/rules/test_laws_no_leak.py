"""Law 4 for every game: two states that differ only in what a viewer cannot know give equal views, errors and events.

A twin of a state deals the hidden cards out anew among the places that this viewer cannot look into. Plays that name a
hidden card are left out: only the keeper of a recorded table, who sees everything, may give one.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from replay.rules.game import AnyGame, Audience, EventType, RefusedError, Viewer
from replay.rules.registry import GAMES
from replay.rules.session_decide import play
from replay.rules.session_events import EVENTS, DealStarted, Irregular
from replay.rules.session_state import Session
from tests.rules.seeded import Run
from tests.seeds import rng

EVERY_GAME: Final = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
MOST_ASKED: Final = 60
"""Plays of a seat in a state; where it could say more, others are asked in other states."""


class Pair(NamedTuple):
    """A session after some play, and its twin to some viewer: a seat, or None for an onlooker."""

    name: str
    one: Session
    other: Session
    viewer: int | None

    @property
    def states(self) -> tuple[Any, Any]:
        """The game's own states."""
        assert self.one.deal is not None
        assert self.other.deal is not None
        return self.one.deal.state, self.other.deal.state


def pairs(played: Run, chance: Random, share: float) -> Iterator[Pair]:
    """Twins of that share of the states of a run."""
    for name, steps in played.sessions:
        for step in steps:
            deal = step.after.deal
            if deal is None or chance.random() > share:
                continue
            viewer = chance.choice((None, *range(1, step.after.seats + 1)))
            twin = deal._replace(state=played.support.twin(chance, deal.state, viewer))
            yield Pair(name, step.after, step.after._replace(deal=twin), viewer)


def some(chance: Random, commands: Iterable[Any]) -> list[Any]:
    """So many of them at most."""
    said = list(commands)
    return chance.sample(said, min(len(said), MOST_ASKED))


def answer(session: Session, command: Any) -> tuple[str, ...]:
    """What a command is answered with: the refusal in full, or that it was taken."""
    try:
        play(session, command)
    except RefusedError as refused:
        return type(refused).__name__, refused.detail, str(refused.clause), str(refused)
    return ("taken",)


def public(types: tuple[EventType, ...], event: Any) -> dict[str, object]:
    """The event as everybody sees it."""
    sealed = next(it.sealed for it in types if it.shape is type(event))
    return {name: value for name, value in event._asdict().items() if name not in sealed}


def test_law_4_twins_look_alike(played: Run) -> None:
    game, different = played.game, 0
    for pair in pairs(played, rng(f"looks {played.name}"), share=0.3):
        (one, other), viewer = pair.states, pair.viewer
        different += one != other
        assert game.view(one, Viewer(viewer)) == game.view(other, Viewer(viewer)), pair.name
        assert game.ending(one) == game.ending(other), pair.name
        if viewer is not None:
            assert game.legal(one, viewer) == game.legal(other, viewer), pair.name
            assert game.hints(one, viewer) == game.hints(other, viewer), pair.name
    assert different, "no twin ever differed"


def test_law_4_twins_answer_a_seat_alike(played: Run) -> None:
    chance = rng(f"answers {played.name}")
    for pair in pairs(played, chance, share=0.05):
        if pair.viewer is None or not pair.one.playing:
            continue
        for command in some(chance, played.support.sayable(pair.states[0], pair.viewer)):
            if not played.support.tells(command):
                assert answer(pair.one, command) == answer(pair.other, command), f"{pair.name}: {command}"


def test_law_4_events_show_nothing_hidden(played: Run) -> None:
    game, support, compared = played.game, played.support, 0
    chance = rng(f"events {played.name}")
    for pair in pairs(played, chance, share=0.05):
        if not pair.one.playing:
            continue
        one, other = pair.states
        judge_one, judge_other = support.judge(one), support.judge(other)
        for seat in range(1, pair.one.seats + 1):
            for command in some(chance, support.sayable(one, seat)):
                # What one table could do and the other could not is known when it is done, not before.
                if support.tells(command) or "impossible" in {judge_one(command), judge_other(command)}:
                    continue
                compared += 1
                seen = [public(game.events, game.outcome(state, command)) for state in (one, other)]
                assert seen[0] == seen[1], f"{pair.name}: {command}, seen by {pair.viewer}"
    assert compared


@EVERY_GAME
def test_every_hidden_field_of_the_cards_dealt_is_sealed(game: AnyGame) -> None:
    started = next(it for it in EVENTS if it.shape is DealStarted)
    assert started.sealed == {"hands": Audience(by_seat=True), "stock": Audience()}
    assert not [it for it in game.events if set(it.sealed) - set(it.shape._fields)]
    assert not [it for it in game.events if it.shape is Irregular], "an irregular play is sealed as the play that it is"
