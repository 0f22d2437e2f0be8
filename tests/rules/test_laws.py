"""The laws of play for every game, over seeded sessions: 1, 2, 3, 5, 6, 8 and 9, and that a play can be written down.

Law 4 (no leak) is in test_laws_no_leak.py. Law 7 is for the codec and records but for single plays, which are here;
law 10 is the audit's.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest

from replay.rules.cards import PACK
from replay.rules.clauses import SHARED
from replay.rules.game import EVERYTHING, AnyGame, IllegalPlayError, ImpossiblePlayError, NotNowError, decide
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, close, play, play_on, start_deal
from replay.rules.session_events import DealEnded, DealStarted, Event, Irregular
from replay.rules.session_state import Session
from tests.rules.seeded import IRREGULAR_PLAYS, PARTS, Run, Step, run
from tests.rules.tables import SUPPORT, judged, support_of
from tests.seeds import SCALE, rng

MOST_ASKED: Final = 40
EVERY_GAME: Final = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
clause = pytest.mark.clause


def before(step: Step) -> Any:
    """The game's state that a play was made in."""
    assert step.before is not None
    assert step.before.deal is not None
    return step.before.deal.state


def after(step: Step) -> Any:
    """The game's state that a play has led to."""
    assert step.after.deal is not None
    return step.after.deal.state


def test_every_game_takes_part() -> None:
    assert set(SUPPORT) == set(GAMES)


@EVERY_GAME
def test_rare_deals_are_among_the_sessions(game: AnyGame) -> None:
    support = support_of(game)
    seen: Counter[str] = Counter()
    seats: Counter[int] = Counter()
    for part in range(PARTS):
        for _, step in run(game, part, irregular=False).plays():
            seen.update(support.rare(before(step), step.command, after(step)))
            seats[step.after.seats] += 1
    # A sample of the full run may miss what is rare by nature, so it is asked for a quarter of its share.
    share = SCALE if SCALE >= 1 else SCALE / 4
    few = {name: seen[name] for name, least in support.wanted.items() if seen[name] < int(least * share)}
    assert not few, f"seen too seldom: {few}, of all that was seen: {dict(seen)}"
    assert set(seats) == set(game.seats)


@clause("XA-6")
def test_law_1_deciding_is_deterministic_and_law_2_evolve_accepts_it(played: Run) -> None:
    game = played.game
    for name, step in played.plays():
        if step.irregular:
            continue
        state = before(step)
        stood = hash(state)
        event = decide(game, state, step.command)
        assert decide(game, state, step.command) == event == step.events[0], name
        assert type(event) is type(step.events[0]), f"{name}: equal as tuples, but of another kind"
        assert game.evolve(state, event) == game.evolve(state, event) == after(step), name
        assert hash(state) == stood, f"{name}: a state was changed"


def test_law_2_what_an_event_says_it_brought_is_what_the_table_then_shows(played: Run) -> None:
    for name, step in played.plays():
        event: Any = step.events[0].play if isinstance(step.events[0], Irregular) else step.events[0]
        shows = played.game.view(after(step), EVERYTHING)
        # An upcard in an event is the card that was taken, and so no longer the upcard.
        said = {field: it for field, it in event._asdict().items() if field in shows._fields and field != "upcard"}
        assert said == {field: getattr(shows, field) for field in said}, name


MOST_TRIED: Final = 12


def test_law_2_evolve_accepts_whatever_decide_returns(played: Run) -> None:
    """Not only what was played: any play of the list, and at a recorded table any that is possible."""
    game, support = played.game, played.support
    chance = rng(f"law 2 {played.name}")
    tried: Counter[str] = Counter()
    for name, step in played.plays():
        if chance.random() > 0.04:
            continue
        state, seats = before(step), step.after.seats
        lying = support.cards(state).total()
        turn = game.view(state, EVERYTHING).turn or 1
        said = list(support.sayable(state, turn))
        for command in (*_some(chance, game.legal(state, turn)), *_some(chance, said)):
            if game.impossible(state, command) is not None:
                continue
            legal = game.forbidden(state, command) is None
            event = decide(game, state, command) if legal else game.outcome(state, command)
            then = game.evolve(state, event)
            tried[type(command).__name__] += 1
            assert support.cards(then).total() == lying, f"{name}: {command}"
            seen = game.view(then, EVERYTHING)
            over = game.ending(then) is not None
            assert over == (seen.turn is None), f"{name}: {command}"
            assert seen.counts == tuple(len(hand or ()) for hand in seen.hands), f"{name}: {command}"
            assert not over or len(game.score(then).points) == len(game.sides(seats)), f"{name}: {command}"
    assert len(tried) > 1, tried


def _some(chance: Random, commands: Sequence[Any]) -> list[Any]:
    return chance.sample(list(commands), min(len(commands), MOST_TRIED))


@clause("RA-6", "XA-7", "XA-17")
def test_law_3_cards_are_conserved(played: Run) -> None:
    for name, steps in played.sessions:
        first = steps[0].after
        copies = played.game.make(first.seats, first.options).copies
        unwritten = 0
        for step in steps:
            started, deal = step.events[0], step.after.deal
            if deal is None:
                continue
            lie = played.support.cards(deal.state)
            assert lie.total() == copies.total(), name
            left = lie.pop(None, 0)
            assert all(card is not None and count <= copies[card] for card, count in lie.items()), f"{name}: {lie}"
            if isinstance(started, DealStarted):
                unwritten = started.stock.count(None)
            assert left <= unwritten, f"{name}: a card that was seen is no longer known"
            unwritten = left


@clause("XA-16")
def test_law_5_decide_accepts_exactly_what_the_book_allows(played: Run) -> None:
    game, support = played.game, played.support
    chance = rng(f"law 5 {played.name}")
    for name, step in played.plays():
        state = before(step)
        judge = support.judge(state)
        for seat in range(1, step.after.seats + 1):
            fault = support.list_fault(state, seat, game.legal(state, seat))
            assert fault is None, f"{name}: {fault}"
        if step.irregular:
            made = step.events[0]
            assert isinstance(made, Irregular)
            assert made.clause == judge(step.command), name
        assert _verdict(game, state, step.command) == judge(step.command), name
        # What else could be said is asked in a share of the states only, and not more than so much of it at once.
        share = chance.random()
        if share < 0.25:
            turn = game.view(state, EVERYTHING).turn or 1
            for seat in range(1, step.after.seats + 1) if share < 0.025 else (turn,):
                said = list(support.sayable(state, seat))
                for command in chance.sample(said, min(len(said), MOST_ASKED)):
                    assert _verdict(game, state, command) == judge(command), f"{name}: {command}"


def _verdict(game: AnyGame, state: Any, command: Any) -> str | None:
    if game.impossible(state, command) is not None:
        return "impossible"
    refusal = game.forbidden(state, command)
    return None if refusal is None else refusal.clause


@clause("XA-16")
@EVERY_GAME
def test_law_5_refusals_are_raised_and_change_nothing(game: AnyGame) -> None:
    part = run(game, 0, irregular=False)
    chance = rng(f"refusals {game.name}")
    for name, step in part.plays():
        now = step.before
        assert now is not None
        if chance.random() > 0.2:
            continue
        state = before(step)
        stood = hash(state)
        seat = chance.randrange(now.seats) + 1
        for command, expected in chance.sample(list(judged(part.support, state, (seat,))), 5):
            if expected is None:
                play(now, command)
                continue
            with pytest.raises((ImpossiblePlayError, IllegalPlayError)) as refused:
                play(now, command)
            impossible = isinstance(refused.value, ImpossiblePlayError)
            assert impossible == (expected == "impossible"), name
            assert refused.value.clause == (None if impossible else expected), name
            assert refused.value.clause is None or refused.value.clause in {**game.clauses, **SHARED}, name
            assert refused.value.detail, name
        assert hash(state) == stood, name


def test_law_6_folding_a_prefix_and_then_the_rest_is_folding_all(played: Run) -> None:
    chance = rng(f"law 6 {played.name}")
    for name, steps in played.sessions:
        events: list[Event] = [event for step in steps for event in step.events]
        end = steps[-1].after
        assert fold(None, events) == end, f"{name}: folded at once, and step by step"
        cut = chance.randrange(1, len(events) + 1)
        assert fold(fold(None, events[:cut]), events[cut:]) == end, f"{name}: cut at {cut}"
        assert end.version == len(events)


def test_law_6_plays_one_after_another_are_plays_one_by_one(played: Run) -> None:
    for name, steps in played.sessions:
        deals = [n for n, step in enumerate(steps) if isinstance(step.events[0], DealStarted)]
        for start, end in pairwise((*deals, len(steps))):
            made = [step for step in steps[start + 1 : end] if step.command is not None]
            run = play_on(steps[start].after, [(step.command, step.irregular) for step in made])
            assert run.refusal is None, name
            assert run.events == tuple(event for step in made for event in step.events), name
            assert run.session == made[-1].after, name


def test_law_7_a_play_reads_as_it_was_written(played: Run) -> None:
    game = played.game
    for name, step in played.plays():
        event: Any = step.events[0].play if isinstance(step.events[0], Irregular) else step.events[0]
        verb, *arguments = game.write_play(event).split(" ")
        command = game.read_play(step.command.seat, verb, arguments)
        assert game.outcome(before(step), command) == event, name


def test_law_8_every_deal_ends_within_its_bound(played: Run) -> None:
    # An irregular play takes the place of no other, so it adds at most itself.
    more = IRREGULAR_PLAYS if played.irregular else 0
    for name, steps in played.sessions:
        made: Counter[str] = Counter()
        for step in steps:
            deal = step.after.deal
            if step.command is None:
                made.clear()
            elif deal is not None:
                made[type(step.command).__name__] += 1
                assert deal.plays == made.total(), name
                assert deal.plays <= played.support.bound(deal.state, made) + more, name


def test_law_8_hardly_a_deal_is_left_for_its_length(played: Run) -> None:
    ends = [steps[-1].after for _, steps in played.sessions]
    left = sum(end.playing for end in ends)
    assert left <= 1 + len(ends) / 10 if played.support.patience else not left


@clause("XA-15")
def test_law_9_after_the_end_everything_is_refused(played: Run) -> None:
    game = played.game
    chance = rng(f"law 9 {played.name}")
    for name, steps in played.sessions:
        for step in steps:
            end = step.after
            if step.command is None or end.playing:
                continue
            said = played.support.sayable(before(step), chance.choice(range(1, end.seats + 1)))
            for command in chance.sample(list(said), 20):
                _refused_for_the_end(partial(play, end, command), name)
                _refused_for_the_end(partial(play, end, command, irregular=True), name)
            assert not any(game.legal(after(step), seat) for seat in range(1, end.seats + 1)), name
            if end.winners is not None:
                _refused_for_the_end(partial(start_deal, end, DealCommand((), PACK[0], ())), name)
                _refused_for_the_end(partial(close, end), name)
                _refused_for_the_end(partial(close, end, on_record=True), name)


def _refused_for_the_end(attempt: Callable[[], object], name: str) -> None:
    with pytest.raises(NotNowError) as refused:
        attempt()
    assert refused.value.clause == "XA-15", name


@clause("XA-8", "XA-9")
def test_law_9_lines_sum_to_points_and_points_to_totals(played: Run) -> None:
    game = played.game
    for name, step in played.plays():
        ended = step.events[-1]
        if not isinstance(ended, DealEnded):
            continue
        state = after(step)
        sheet = game.score(state)
        assert sheet.points == ended.points == played.support.points(state, ended.number), name
        assert played.support.unsound(state, ended.points) is None, name
        sums = [0] * len(sheet.points)
        for line in sheet.lines:
            sums[line.unit - 1] += line.points
            assert line.clause in game.clauses, name
        assert tuple(sums) == sheet.points, name
        assert step.before is not None
        assert step.after.totals == tuple(map(sum, zip(step.before.totals, ended.points, strict=True))), name
        assert step.after.winners == _winners(step.after, ended.number), name


def _winners(end: Session, number: int) -> tuple[int, ...] | None:
    """XA-8 and XA-9, read a second time."""
    game, options, totals = end.game, end.options, end.totals
    best = (min if game.lowest_wins else max)(totals)
    sides = [side for side, total in zip(game.sides(end.seats), totals, strict=True) if total == best]
    winners = tuple(sorted(seat for side in sides for seat in side))
    if options.deals is not None and number >= options.deals:
        return winners
    if options.target is None or all(total < options.target for total in totals):
        return None
    return None if game.shared_best_plays_on and len(sides) > 1 else winners
