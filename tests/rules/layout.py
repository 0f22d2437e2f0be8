"""Positions of Rockaway written down shortly, and what the rules say of every play in them.

For tests alone. Leaves out sessions; those are in tests/rules/sittings.py.
"""

from collections.abc import Sequence
from typing import Any, Final

from replay.rules.cards import PACK, Card, Cards, parse_card
from replay.rules.game import Dealt, Setting, decide
from replay.rules.options import agree
from replay.rules.rockaway.evolve import start
from replay.rules.rockaway.options import Options
from replay.rules.rockaway.rockaway import ROCKAWAY
from replay.rules.rockaway.state import Finished, State, Table

LEGAL: Final = "legal"
IMPOSSIBLE: Final = "impossible"


def cards(text: str) -> Cards:
    """Cards separated by blanks, as records write them."""
    return tuple(parse_card(word) for word in text.split())


def options(**given: object) -> Options:
    """Rockaway's options, the rest by default."""
    agreed = ROCKAWAY.agreed(agree(ROCKAWAY.options, given))
    assert isinstance(agreed, Options)
    return agreed


def spare(*used: Cards, count: int) -> Cards:
    """So many cards of one pack that none of these is."""
    taken = {card for some in used for card in some}
    return tuple(card for card in PACK if card not in taken)[:count]


def table(
    hands: Sequence[str],
    top: str,
    stock: str = "",
    *,
    left: int | None = None,
    turn: int = 1,
    number: int = 1,
    passes: int = 0,
    drawn: int = 0,
    rules: Options | None = None,
) -> Table:
    """A deal that is on. `stock` begins with these cards and holds `left` in all, the rest whatever is spare."""
    held, first = tuple(map(cards, hands)), cards(stock)
    rest = spare(*held, first, cards(top), count=0 if left is None else left - len(first))
    setting = Setting(rules or options(), number, dealer=len(held), totals=(0,) * len(held))
    dealt = Dealt(held, parse_card(top), (*first, *rest))
    return start(setting, dealt)._replace(turn=turn, passes=passes, drawn=drawn)


def exhaust(state: Table) -> Table:
    """The same with all its stock drawn and gone."""
    return state._replace(gone=len(state.stock))


def read(seat: int, play: str) -> Any:
    """A written play as the command that it is."""
    verb, *arguments = play.split()
    return ROCKAWAY.read_play(seat, verb, arguments)


def make(state: State, *plays: str, seat: int | None = None) -> State:
    """The state after legal plays by whoever must act, or by that seat."""
    for play in plays:
        assert isinstance(state, Table)
        event = decide(ROCKAWAY, state, read(seat or state.turn, play))
        state = ROCKAWAY.evolve(state, event)
    return state


def on(state: State) -> Table:
    """The state, which must be one of a deal that is on."""
    assert isinstance(state, Table)
    return state


def over(state: State) -> Finished:
    """The state, which must be one of a deal that is over."""
    assert isinstance(state, Finished)
    return state


def verdict(state: State, play: str, seat: int | None = None) -> str:
    """What the rules say of a play by whoever must act, or by that seat: legal, impossible, or a clause's id."""
    command = read(seat or on(state).turn, play)
    if ROCKAWAY.impossible(state, command) is not None:
        return IMPOSSIBLE
    refusal = ROCKAWAY.forbidden(state, command)
    return LEGAL if refusal is None else refusal.clause


def allowed(state: State) -> set[str]:
    """Every play that whoever must act may make, asked one by one; `legal` must list the same."""
    table = on(state)
    hand = table.hands[table.turn - 1]
    asked = {play for play in (*(f"play {card}" for card in PACK), "draw", "pass") if verdict(state, play) == LEGAL}
    listed = [written(command) for command in ROCKAWAY.legal(state, table.turn)]
    assert len(listed) == len(set(listed)), "a play is listed twice"
    assert set(listed) == asked, f"asked one by one {sorted(asked)}, listed {listed}, hand {hand}"
    return asked


def written(command: Any) -> str:
    """A command as records write it, without its seat."""
    kind = type(command).__name__.lower()
    card: Card | None = getattr(command, "card", None)
    return kind if card is None else f"{kind} {card}"
