"""Positions of Canasta written down shortly, and what the rules say of plays in them; the oracle must say the same.

For tests alone. Leaves out sessions.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

from replay.rules.canasta.canasta import CANASTA
from replay.rules.canasta.evolve import start
from replay.rules.canasta.options import Options
from replay.rules.canasta.state import Finished, Laid, Phase, Side, State, Table, Turn
from replay.rules.cards import Cards, parse_card
from replay.rules.game import Dealt, Setting, decide
from replay.rules.options import agree
from tests.rules.layout import cards
from tests.rules.oracles import canasta as oracle

LEGAL: Final = "legal"
IMPOSSIBLE: Final = "impossible"
GOREN: Final = "goren_1949"
OFFICIAL: Final = "official_1949"
PRESETS: Final = (GOREN, OFFICIAL)
OTHER: Final = "4c 6d 8s Td"
"""What seats hold that do not matter: nothing that goes together."""


def options(preset: str = GOREN, **given: object) -> Options:
    """Canasta's options, the rest by the preset."""
    agreed = CANASTA.agreed(agree(CANASTA.options, {"preset": preset, **given}, CANASTA.presets))
    assert isinstance(agreed, Options)
    return agreed


BY_PRESET: Final = tuple(map(options, PRESETS))


def melds(text: str) -> tuple[Laid, ...]:
    """Melds separated by blanks, as plays write them: `K=Kc,Kd,Kh 7=7c,7d,2h`."""
    return tuple(
        Laid(rank, cards(laid.replace(",", " "))) for rank, _, laid in (it.partition("=") for it in text.split())
    )


def table(
    hand: str,
    *,
    pile: str = "9s",
    stock: str = "4d 5d 6d",
    on_table: str = "",
    theirs: str = "",
    phase: Phase = "start",
    others: Mapping[int, str] | None = None,
    seats: int = 4,
    seat: int = 1,
    totals: tuple[int, ...] | None = None,
    reds: str = "",
    their_reds: str = "",
    answer: Literal["yes", "no"] | None = None,
    asked: bool | None = None,
    laid_before: frozenset[int] = frozenset(),
    asked_before: frozenset[int] = frozenset(),
    rules: Options | None = None,
) -> Table:
    """A deal that is on, with this hand in the seat that is to play. The pile's top card is the last.

    `on_table` are the melds of its own side, `theirs` those of the next. `laid_before` and `asked_before` are the
    seats that did so in earlier turns.
    """
    count = 2 if seats == 4 else seats
    own = (seat - 1) % count
    sides = [Side((), ())] * count
    sides[own], sides[(own + 1) % count] = Side(melds(on_table), cards(reds)), Side(melds(theirs), cards(their_reds))
    hands = dict.fromkeys(range(1, seats + 1), OTHER) | dict(others or {}) | {seat: hand}
    began = phase != "start"
    return Table(
        options=rules or options(),
        totals=totals or (0,) * count,
        seat=seat,
        phase=phase,
        hands=tuple(cards(hands[each]) for each in range(1, seats + 1)),
        pile=cards(pile),
        stock=cards(stock),
        sides=tuple(sides),
        turn=Turn(
            drawn=began,
            last_red=phase == "last_red",
            asked=answer is not None if asked is None else asked,
            answer=answer,
        ),
        laid_before=laid_before,
        asked_before=asked_before,
    )


def dealt(
    hands: list[str], upcard: str, stock: str, *, dealer: int | None = None, rules: Options | None = None
) -> Table:
    """A deal as it begins, from cards as they were dealt; the last seat deals unless another is named."""
    held = tuple(map(cards, hands))
    units = 2 if len(held) == 4 else len(held)
    setting = Setting(rules or options(), 1, dealer or len(held), (0,) * units)
    return start(setting, Dealt(held, parse_card(upcard), cards(stock)))


def read(seat: int, play: str) -> Any:
    """A written play as the command that it is."""
    verb, *arguments = play.split()
    return CANASTA.read_play(seat, verb, arguments)


def ask(state: State, command: Any) -> str:
    """What the rules say of a command: legal, impossible, or a clause's id. The oracle must say the same."""
    refusal = None
    said = IMPOSSIBLE if CANASTA.impossible(state, command) is not None else LEGAL
    if said == LEGAL:
        refusal = CANASTA.forbidden(state, command)
        said = LEGAL if refusal is None else refusal.clause
    assert said == (oracle.verdict(state, command) or LEGAL), "the oracle says otherwise"
    return said


def verdict(state: State, play: str, seat: int | None = None) -> str:
    """The same of a written play by whoever must act, or by that seat."""
    return ask(state, read(seat or on(state).to_act, play))


def detail(state: State, play: str, seat: int | None = None) -> str:
    """The words of a refusal."""
    refusal = CANASTA.forbidden(state, read(seat or on(state).to_act, play))
    assert refusal is not None
    return refusal.detail


def make(state: State, *plays: str) -> State:
    """The state after legal plays by whoever must act."""
    for play in plays:
        event = decide(CANASTA, state, read(on(state).to_act, play))
        state = CANASTA.evolve(state, event)
    return state


def force(state: State, seat: int, play: str) -> State:
    """The state after a play as a recorded table may have it, legal or not."""
    return CANASTA.evolve(state, CANASTA.outcome(state, read(seat, play)))


def on(state: State) -> Table:
    """The state, which must be one of a deal that is on."""
    assert isinstance(state, Table)
    return state


def over(state: State) -> Finished:
    """The state, which must be one of a deal that is over."""
    assert isinstance(state, Finished)
    return state


def hand(state: State, seat: int) -> Cards:
    """What a seat holds, sorted."""
    held = state.hands if isinstance(state, Table) else state.table.hands
    return tuple(sorted(held[seat - 1]))


def meld(state: State, rank: str, seat: int = 1) -> Cards:
    """The meld of that rank of the seat's side, sorted."""
    held = state if isinstance(state, Table) else state.table
    laid = held.side(seat).meld(rank)
    assert laid is not None
    return tuple(sorted(laid.cards))


def sheet(state: State, side: int = 1) -> tuple[int, ...]:
    """Items 1 to 9 of a side at the end of a deal."""
    sheets = CANASTA.score(state).sheets
    assert sheets is not None
    return sheets[side - 1]
