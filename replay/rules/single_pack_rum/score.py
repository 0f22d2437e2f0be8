"""What a finished deal of Single-Pack Rum scores: each loser's pips, as payments."""

from replay.rules.cards import Card
from replay.rules.scores import Line, Sheet, add_up, payment
from replay.rules.single_pack_rum.state import State, Table


def pips(card: Card) -> int:
    """S13, SA-11: jack 11, queen 12, king 13, the ace 1, other cards their number."""
    return {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}.get(card[0]) or int(card[0])


def score(state: State) -> Sheet:
    """The sheet of a deal that is over; raises ValueError while it is on. A void deal scores nothing (XA-11)."""
    if isinstance(state, Table):
        raise ValueError("the deal is still on")  # noqa: TRY004 - asked too soon, not of a wrong type
    table = state.table
    hands, winner = table.layout.hands, state.last
    lines: list[Line] = []
    for seat, hand in enumerate(hands, start=1):
        count = sum(map(pips, hand)) * (2 if state.splash else 1)
        if state.ending == "void" or seat == winner or not count:
            continue
        reason = "his pips twice, after a splash" if state.splash else "his pips"
        clause = "SA-17" if state.splash else "S13"
        if table.options.settlement == "winner_credit":
            lines.append(Line(winner, count, clause, reason, hand, other=seat))
        else:
            # S13 credits the winner; that the loser pays for it is decided by SA-13.
            lines += payment(seat, winner, count, ("SA-17" if state.splash else "SA-13", clause), reason, hand)
    return add_up(len(hands), tuple(lines))
