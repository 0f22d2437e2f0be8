"""What a finished deal of Poker Rum scores: who pays whom the difference of their deadwood, and why."""

from replay.rules.cards import Cards
from replay.rules.poker_rum.deadwood import arrangement, deadwood
from replay.rules.poker_rum.state import State, Table
from replay.rules.scores import Line, Sheet, add_up, payment


def score(state: State) -> Sheet:
    """The sheet of a deal that is over; raises ValueError while it is on. A void deal scores nothing (XA-11)."""
    if isinstance(state, Table):
        raise ValueError("the deal is still on")  # noqa: TRY004 - asked too soon, not of a wrong type
    hands, options = state.table.layout.hands, state.table.options
    if state.ending == "void":
        return add_up(len(hands), ())
    counts = tuple(deadwood(hand, options.ace_value) for hand in hands)
    left = tuple(arrangement(hand, options.ace_value)[1] for hand in hands)
    return settle(counts, state.last, opponent_wins=options.caller_tie == "opponent_wins", left=left)


def settle(counts: tuple[int, ...], caller: int, *, opponent_wins: bool, left: tuple[Cards, ...] = ()) -> Sheet:
    """The settlement of a show-down: deadwood by seat, and who called. `left` are the cards that it is made of."""
    seats = range(1, len(counts) + 1)
    low = min(counts)
    winners = [seat for seat in seats if counts[seat - 1] == low]
    if opponent_wins and caller in winners and len(winners) > 1:
        winners.remove(caller)
    payments = {
        seat: (counts[seat - 1] - low) * (2 if seat == caller else 1)
        for seat in seats
        if seat not in winners and counts[seat - 1] > low
    }
    lines: list[Line] = []
    for payer, points in payments.items():
        clause, reason = _reason(payer, caller, winners, counts)
        cards = left[payer - 1] if left else ()
        if len(winners) == 1:
            lines += payment(payer, winners[0], points, (clause, clause), reason, cards)
        else:
            lines.append(Line(payer, -points, clause, reason, cards))
    if len(winners) > 1:
        lines += _shares(winners, caller, sum(payments.values()), len(counts))
    return add_up(len(counts), tuple(lines))


def _reason(payer: int, caller: int, winners: list[int], counts: tuple[int, ...]) -> tuple[str, str]:
    own, low = counts[payer - 1], min(counts)
    if payer == caller:
        return "PA-16", f"twice the difference of {own} and {low}: the caller is beaten"
    if caller in winners:
        return "P13", f"the difference of {own} and {low}"
    if counts[caller - 1] == low:
        return "PA-24", f"the difference of {own} and {low}: opponents level with the caller win"
    if own == counts[caller - 1]:
        return "PA-21", f"the difference of {own} and {low}: level with the caller, who is not lowest"
    if own < counts[caller - 1]:
        return "PA-15", f"the difference of {own} and {low}: below the caller, but not lowest"
    return "P14", f"the difference of {own} and {low}"


def _shares(winners: list[int], caller: int, pot: int, seats: int) -> list[Line]:
    """P15, PA-17: the pot divided in whole points, the odd ones to the winners from the caller's left, he last."""
    share, odd = divmod(pot, len(winners))
    order = sorted(winners, key=lambda seat: (seat - caller - 1) % seats)
    lines = [Line(seat, share, "P15", f"a share of {pot} among {len(winners)}") for seat in winners if share]
    lines += [Line(seat, 1, "PA-17", "an odd point") for seat in order[:odd]]
    return lines
