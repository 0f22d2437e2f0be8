"""What only Canasta's seeded play can be asked: a second table keeps up with it, hints and views say the truth, what
goes out by one play goes out by many, and a tie at the target.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest

from replay.rules.canasta.canasta import CANASTA
from replay.rules.canasta.commands import Ask, Command, Discard, Meld, Take
from replay.rules.canasta.state import Finished, Table
from replay.rules.cards import PACK, Card
from replay.rules.game import EVERYTHING, ONLOOKER, Dealt, Viewer
from replay.rules.session import fold
from replay.rules.session_decide import DealCommand, dealt, open_session, play, start_deal
from replay.rules.session_events import DealStarted
from replay.rules.session_state import Session
from tests.rules.layout_canasta import PRESETS, options, table
from tests.rules.oracles.canasta import could_go_out, frozen, judge, minimum
from tests.rules.oracles.canasta_plays import layings
from tests.rules.oracles.canasta_table import (
    JOKER,
    Position,
    canastas,
    dealt_out,
    follow,
    position,
    same,
    sheets,
)
from tests.rules.players.canasta import builder, spender
from tests.rules.seeded import PARTS, Run, run
from tests.seeds import rng, scaled

clause = pytest.mark.clause


@pytest.fixture(scope="module", params=[(part, odd) for part in range(PARTS) for odd in (False, True)], ids=str)
def canasta(request: pytest.FixtureRequest) -> Run:
    """One part of a run, half of its sessions."""
    part, odd = request.param
    played = run(CANASTA, part, irregular=odd)
    return played._replace(sessions=played.sessions[::2])


def test_a_second_table_keeps_up_with_every_play(canasta: Run) -> None:
    for name, steps in canasta.sessions:
        at: Position | None = None
        for step in steps:
            deal, first = step.after.deal, step.events[0]
            if deal is None:
                continue
            if isinstance(first, DealStarted):
                assert step.before is not None
                lie = Dealt(first.hands, first.upcard, first.stock)
                at = dealt_out(step.after.options, step.before.totals, first.dealer, lie)
            elif step.command is not None:
                assert at is not None
                at = follow(at, step.command)
            assert at is None or same(at, position(deal.state)), name
            if isinstance(deal.state, Finished) and at is not None and step.command is not None:
                assert CANASTA.score(deal.state).sheets == sheets(at, deal.state.last), name


def tables(canasta: Run) -> Iterator[tuple[str, Table]]:
    """Every state in which something is to be played."""
    for name, step in canasta.plays():
        assert step.before is not None
        assert step.before.deal is not None
        yield name, step.before.deal.state


WHY_NO_TAKE: Final = {"CA-10", "CA-30", "CA-8", "C20", "CA-7", "C12", "C14", "CA-16", "C16", "C19", "C21", "CA-21"}


@clause("C16", "C20", "CA-7", "CA-42")
def test_hints_say_the_truth(canasta: Run) -> None:
    for name, state in tables(canasta):
        seat = state.to_act
        at, hints, listed = position(state), CANASTA.hints(state, seat), CANASTA.legal(state, seat)
        assert (hints["take"] is None) == any(isinstance(it, Take) for it in listed), name
        assert hints["minimum"] == (None if at.table(seat) else minimum(at, seat)), name
        assert hints["frozen_by"] == (frozen(at, seat) if at.pile else None), name
        laying = state.phase in ("melding", "last_red") and state.turn.answer != "no"
        assert hints["may_go_out"] == (laying and could_go_out(at)), name
        take = hints["take"]
        if isinstance(take, dict):
            # An answer that nobody asked for binds a recorded table from the start of the turn.
            why = WHY_NO_TAKE | ({"C23"} if state.turn.answer else set()) if state.phase == "start" else {"CA-32"}
            assert take["clause"] in (why if at.pile else {None}), name
        assert all(CANASTA.hints(state, other) == {} for other in range(1, at.seats + 1) if other != seat)


@clause("C23", "CA-43")
def test_whoever_is_bound_to_go_out_is_told_how(canasta: Run) -> None:
    for name, state in tables(canasta):
        if canasta.irregular or state.turn.answer != "yes" or state.phase == "asked":
            continue
        listed = [it for it in CANASTA.legal(state, state.seat) if isinstance(it, Meld | Discard)]
        assert listed, name
        held = len(state.hands[state.seat - 1])
        most = max(sum(len(group.cards) for group in it.groups) if isinstance(it, Meld) else 1 for it in listed)
        assert most >= held - (0 if state.turn.last_red else 1), name


def test_views_show_sides_to_all_and_hands_to_their_own_seats(canasta: Run) -> None:
    for name, state in tables(canasta):
        at = position(state)
        everything = CANASTA.view(state, EVERYTHING)
        for viewer in (ONLOOKER, *(Viewer(seat) for seat in range(1, at.seats + 1))):
            view = CANASTA.view(state, viewer)
            assert view._replace(hands=()) == everything._replace(hands=()), name
            own = [hand if viewer.seat == seat else None for seat, hand in enumerate(state.hands, start=1)]
            assert list(view.hands) == own, f"{name}: a partner's hand is another's"
        sides: Any = everything.further["sides"]
        for side, melds, reds in zip(sides, at.melds, at.reds, strict=True):
            seat = side["seats"][0]
            assert {laid["rank"]: list(laid["cards"]) for laid in side["melds"]} == melds
            assert [laid["canasta"] for laid in side["melds"] if laid["canasta"]] == canastas(melds)
            assert (list(side["red_threes"]), side["minimum"]) == (reds, minimum(at, seat))
            assert side["frozen_by"] == (frozen(at, seat) if at.pile else None)
            assert side["frozen"] == (side["frozen_by"] is not None)


SMALL: Final = 2_000


@clause("CA-42", "CA-20", "CA-45")
def test_what_goes_out_by_many_plays_goes_out_by_one() -> None:
    """Small hands are searched through every order of plays; asking must be legal exactly where some order goes out."""
    out = 0
    for number in range(scaled(SMALL)):
        chance = rng(f"going out {number}")
        state = _small(chance)
        could = _search(position(state), {})
        assert could == could_go_out(position(state)), state
        kept = len(state.hands[0]) > (0 if state.turn.last_red else 1)
        assert (CANASTA.forbidden(state, Ask(1)) is None) == (could and kept), state
        out += could
    assert out > scaled(SMALL) / 10


def _small(chance: Random) -> Table:
    ranks = chance.sample("AKQJT98765", 2)
    held = [rank + suit for rank in ranks for suit in chance.choices("cdhs", k=chance.randrange(4))]
    held += chance.choices(("2c", "2d", JOKER, "3c", "3s", "9h"), k=chance.choice((0, 1, 1, 2, 3)))
    held = held[:6] or ["9h"]
    lengths = (chance.choice((0, 3, 5, 6, 7)), chance.choice((0, 4, 6)))
    wilds = chance.choice((0, 0, 1, 2, 3))
    laid = [
        f"{rank}=" + ",".join([*(rank + "cdhscdhs"[n] for n in range(length - wilds)), *["2h", "2s", JOKER][:wilds]])
        for rank, length in zip((ranks[0], "4"), lengths, strict=True)
        if length - wilds >= 2
    ]
    rules = options(
        wilds_may_exceed_naturals=chance.random() < 0.7,
        black_three_wilds=chance.random() < 0.5,
        concealed_waives_minimum=chance.random() < 0.3,
    )
    phase: Any = chance.choice(("melding", "melding", "last_red"))
    totals = (chance.choice((0, 0, 1500, -100)), 0)
    return table(" ".join(held), phase=phase, on_table=" ".join(laid), totals=totals, rules=rules)


def _search(at: Position, known: dict[str, bool]) -> bool:
    """Whether some order of melds and a discard empties the hand."""
    name = f"{sorted(at.hands[0])} {sorted(map(str, at.melds[0].items()))} {at.laid}"
    if name not in known:
        known[name] = False
        plays: list[Command] = [Discard(1, card) for card in set(at.hands[0])]
        plays += layings(at, 1, taking=False, most=10**6) or []
        for it in plays:
            if judge(at, it) is not None:
                continue
            after = follow(at, it)
            if after.ending == "out" or (not isinstance(it, Discard) and _search(after, known)):
                known[name] = True
                break
    return known[name]


@clause("XA-9", "CA-31")
@pytest.mark.parametrize("preset", PRESETS)
def test_a_tie_at_the_target_calls_for_another_deal(preset: str) -> None:
    """A deal is played to see what it scores, and again from totals that make it a tie; both times 120 are needed."""
    tied = 0
    for number in range(400):
        chance = rng(f"tie {preset} {number}")
        cards = [card for card in PACK for _ in range(2)] + [Card(JOKER)] * 4
        chance.shuffle(cards)
        trial, plays = _deal(preset, (4000, 4000), cards, rng(f"tie plays {number}"))
        ours, theirs = (total - 4000 for total in trial.totals)
        if not (0 < ours <= 2000 and 0 < theirs <= 2000):
            continue
        again, _ = _deal(preset, (5000 - ours, 5000 - theirs), cards, None, plays)
        assert again.totals == (5000, 5000)
        assert again.winners is None
        following = dealt(again, tuple(cards))
        assert start_deal(again, DealCommand(*following)).number == 2
        tied += 1
        if tied == 3:
            return
    pytest.fail("no deal could be made a tie")


def _deal(
    preset: str, totals: tuple[int, int], cards: list[Card], chance: Random | None, plays: list[Command] | None = None
) -> tuple[Session, list[Command]]:
    opened = open_session(
        CANASTA,
        seats=4,
        options={"preset": preset},
        mode="recorded",
        public=False,
        owner="o",
        totals=totals,
    )
    now = fold(None, [opened])
    now = fold(now, [start_deal(now, DealCommand(*dealt(now, tuple(cards))))])
    made: list[Command] = []
    rest = iter(plays or ())
    while now.playing:
        assert now.deal is not None
        state = now.deal.state
        if chance is None:
            command = next(rest)
        else:
            style = builder if len(made) % 7 else spender
            command = style(chance, state, CANASTA.legal(state, state.to_act))
        made.append(command)
        now = fold(now, play(now, command))
    return now, made
