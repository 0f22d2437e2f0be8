"""What a finished deal of Rockaway scores: a line for each card held, and one for what the multiplier added."""

from itertools import pairwise
from typing import NamedTuple

from replay.rules.cards import Cards, name, rank
from replay.rules.rockaway.options import Options
from replay.rules.rockaway.state import State, Table
from replay.rules.scores import Line, Sheet, add_up


class Multiplier(NamedTuple):
    """What every score of the deal is multiplied by, and why. `clause` is None when that is 1 by no clause."""

    by: int
    clause: str | None
    reason: str


def score(state: State) -> Sheet:
    """The sheet of a deal that is over; raises ValueError while it is on."""
    if isinstance(state, Table):
        raise ValueError("the deal is still on")  # noqa: TRY004 - asked too soon, not of a wrong type
    table = state.table
    multiplier = _multiplier(table)
    spared = _spared(table) if state.ending == "blocked" else frozenset({state.last})
    lines: list[Line] = []
    for seat, hand in enumerate(table.hands, start=1):
        if seat not in spared:
            lines += _lines(seat, hand, table.options, multiplier)
    return add_up(len(table.hands), tuple(lines))


def pip_value(card: str) -> int:
    """R14: number cards count their face value, court cards 10. An ace has no value of its own (RA-2, RA-24)."""
    return 10 if card[0] in "TJQK" else int(card[0])


def totals_by_ace(hand: Cards, options: Options) -> tuple[int, ...]:
    """The hand's count without its aces, then with one ace, with two, and so on (R14, RA-1); the last is the whole."""
    base = sum(pip_value(card) for card in hand if rank(card) != "A")
    aces = sum(rank(card) == "A" for card in hand)
    totals = [base]
    for n in range(1, aces + 1):
        if options.multi_ace == "once":
            totals.append(max(base + 20 * n, 2 * base))
        else:
            totals.append(max(totals[-1] + 20, 2 * totals[-1]))
    return tuple(totals)


def _multiplier(table: Table) -> Multiplier:
    """RA-3, and RA-4: nine is not automatic in the last three."""
    if table.last_three:
        if table.exhausted:
            return Multiplier(9, "R17", "trebled and trebled again: one of the last three deals, pack exhausted")
        return Multiplier(3, "R16", "trebled: one of the last three deals")
    if table.exhausted:
        by = table.options.exhausted_multiplier
        return Multiplier(by, "R18", "doubled: pack exhausted" if by == 2 else f"times {by}: pack exhausted")
    return Multiplier(1, None, "")


def _spared(table: Table) -> frozenset[int]:
    """RA-30: in a blocked deal, with the option, the seats whose hands count lowest; else none (RA-14)."""
    if table.options.blocked == "score_all":
        return frozenset()
    counts = [totals_by_ace(hand, table.options)[-1] for hand in table.hands]
    lowest = min(counts)
    return frozenset(seat for seat, count in enumerate(counts, start=1) if count == lowest)


def _lines(seat: int, hand: Cards, options: Options, multiplier: Multiplier) -> list[Line]:
    lines = [Line(seat, pip_value(card), "R14", name(card), (card,)) for card in hand if rank(card) != "A"]
    aces = [card for card in hand if rank(card) == "A"]
    totals = totals_by_ace(hand, options)
    for n, (ace, (before, after)) in enumerate(zip(aces, pairwise(totals), strict=True)):
        # R14 says what one ace adds; what a further one adds is decided by RA-1.
        lines.append(Line(seat, after - before, "RA-1" if n else "R14", "a further ace" if n else "an ace", (ace,)))
    if multiplier.clause is not None and multiplier.by != 1:
        lines.append(Line(seat, totals[-1] * (multiplier.by - 1), multiplier.clause, multiplier.reason))
    return lines
