"""Positions of both rums written down shortly, and what the rules say of plays in them; the oracles must say the same.

For tests alone. Leaves out sessions; those are in tests/rules/sittings.py.
"""

from collections.abc import Sequence
from typing import Any, Final

from replay.rules.cards import Cards, parse_card
from replay.rules.game import EVERYTHING, AnyGame, View, Viewer, decide
from replay.rules.options import agree
from replay.rules.poker_rum.poker_rum import POKER_RUM
from replay.rules.poker_rum.state import Table as PokerTable
from replay.rules.rums.layout import Layout, Turn
from replay.rules.single_pack_rum.single_pack_rum import SINGLE_PACK_RUM
from replay.rules.single_pack_rum.state import Actions, Laid
from replay.rules.single_pack_rum.state import Table as SinglePackTable
from tests.rules.layout import cards
from tests.rules.tables import support_of

LEGAL: Final = "legal"
IMPOSSIBLE: Final = "impossible"
REST: Final = "2c 4d 6h 8s Tc Qd 3h 5s 7c 9d"
"""Ten cards that hardly go together, for seats that do not matter."""


class At:
    """A deal at some point, and what can be done from there."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game: Final = game
        self.state: Final = state

    @property
    def seen(self) -> View:
        """All that there is to see."""
        return self.game.view(self.state, EVERYTHING)

    def view(self, seat: int | None = None) -> View:
        """What a seat sees, or an onlooker."""
        return self.game.view(self.state, Viewer(seat))

    @property
    def turn(self) -> int:
        """The seat that must act."""
        turn = self.seen.turn
        assert turn is not None
        return turn

    def hand(self, seat: int = 1) -> Cards:
        """What a seat holds, sorted."""
        held = self.seen.hands[seat - 1]
        assert held is not None
        return tuple(sorted(held))

    def laid(self, meld: int = 1) -> Cards:
        """What lies in a combination on the table."""
        table = getattr(self.state, "table", self.state)
        found: Cards = table.melds[meld - 1].cards
        return found

    @property
    def ending(self) -> str | None:
        """How the deal has ended."""
        return self.game.ending(self.state)

    @property
    def points(self) -> tuple[int, ...]:
        """What the deal has scored."""
        return self.game.score(self.state).points

    def read(self, play: str, seat: int | None = None) -> Any:
        """A written play as the command of whoever must act, or of that seat."""
        verb, *arguments = play.split()
        return self.game.read_play(seat or self.turn, verb, arguments)

    def verdict(self, play: str, seat: int | None = None) -> str:
        """What the rules say of a play: legal, impossible, or a clause's id. The oracle must say the same."""
        command = self.read(play, seat)
        said = IMPOSSIBLE
        if self.game.impossible(self.state, command) is None:
            refusal = self.game.forbidden(self.state, command)
            said = LEGAL if refusal is None else refusal.clause
        assert said == (support_of(self.game).judge(self.state)(command) or LEGAL), "the oracle says otherwise"
        return said

    def make(self, *plays: str) -> "At":
        """After legal plays by whoever must act."""
        now = self
        for play in plays:
            assert now.verdict(play) == LEGAL, play
            now = At(self.game, self.game.evolve(now.state, decide(self.game, now.state, now.read(play))))
        return now

    def force(self, play: str, seat: int | None = None) -> "At":
        """After a play as a recorded table may have it, possible but perhaps forbidden."""
        command = self.read(play, seat)
        assert self.game.impossible(self.state, command) is None, play
        return At(self.game, self.game.evolve(self.state, self.game.outcome(self.state, command)))

    def listed(self, verb: str = "") -> set[str]:
        """The plays of whoever must act, as they are written, or those with that verb; the oracle lists the same."""
        legal = self.game.legal(self.state, self.turn)
        fault = support_of(self.game).list_fault(self.state, self.turn, legal)
        assert fault is None, fault
        written = {self.game.write_play(self.game.outcome(self.state, it)) for it in legal}
        return {"draw" if it.startswith("draw") else it for it in written if it.startswith(verb)}


def _layout(hands: Sequence[str], pile: str, stock: str, turnovers: int) -> Layout:
    held = tuple(map(cards, (*hands, REST) if len(hands) == 1 else hands))
    return Layout(held, cards(pile), cards(stock), turnovers)


def _turn(seat: int, drawn: str) -> Turn:
    taken = parse_card(drawn[5:]) if drawn.startswith("take ") else None
    return Turn(seat, drawn=bool(drawn), taken=taken)


def poker_rum(
    hands: Sequence[str],
    pile: str = "Jd",
    stock: str = "9c",
    *,
    turn: int = 1,
    drawn: str = "",
    turnovers: int = 0,
    **given: Any,
) -> At:
    """A deal of Poker Rum. `drawn`: empty before the draw, `draw` after it, `take Kd` after taking that card, which
    the hand then holds. A second hand that does not matter may be left out."""
    agreed = POKER_RUM.agreed(agree(POKER_RUM.options, given))
    return At(POKER_RUM, PokerTable(agreed, _layout(hands, pile, stock, turnovers), _turn(turn, drawn)))


def single_pack_rum(
    hands: Sequence[str],
    melds: Sequence[tuple[int, str]] = (),
    pile: str = "Jd",
    stock: str = "9c",
    *,
    turn: int = 1,
    drawn: str = "",
    turnovers: int = 0,
    acted: frozenset[int] | None = None,
    **given: Any,
) -> At:
    """The same of Single-Pack Rum. `melds` are those on the table, each with its seat; their seats have acted, unless
    `acted` names others."""
    agreed = SINGLE_PACK_RUM.agreed(agree(SINGLE_PACK_RUM.options, given))
    table = SinglePackTable(
        options=agreed,
        layout=_layout(hands, pile, stock, turnovers),
        turn=_turn(turn, drawn),
        melds=tuple(Laid(seat, cards(laid)) for seat, laid in melds),
        actions=Actions(),
        acted=frozenset(seat for seat, _ in melds) if acted is None else acted,
    )
    return At(SINGLE_PACK_RUM, table)


SPLASH: Final = "4c 5c 6c 9h 9d 9s Kh"
"""Two combinations and a card to discard."""


def splashing(hand: str = SPLASH, melds: Sequence[tuple[int, str]] = (), **given: Any) -> At:
    """A deal in which the splash is played, and this hand has just drawn."""
    return single_pack_rum([hand, "2d"], melds, drawn="draw", **({"splash": True} | given))
