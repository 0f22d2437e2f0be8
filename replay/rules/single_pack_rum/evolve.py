"""How a deal of Single-Pack Rum goes from one state to the next. Judges nothing."""

from typing import assert_never

from replay.rules.cards import Card, Cards, without
from replay.rules.game import Dealt, Setting
from replay.rules.rums.combinations import in_order
from replay.rules.rums.events import CardDiscarded, CardDrawn, CardTaken, DealVoided
from replay.rules.rums.layout import Turn, discarded, drew, laid_out, left_of, took
from replay.rules.single_pack_rum.events import Event, LaidOff, Melded, Splashed
from replay.rules.single_pack_rum.state import Actions, Finished, Laid, State, Table


def start(setting: Setting, dealt: Dealt) -> Table:
    """The table when the cards lie (S5); the seat left of the dealer begins (S6)."""
    layout = laid_out(dealt)
    turn = Turn(left_of(layout, setting.dealer), drawn=False, taken=None)
    return Table(setting.options, layout, turn, (), Actions(), frozenset())


def evolve(state: State, event: Event) -> State:
    """Apply what happened. An event after the end can only come from a broken log, and raises ValueError."""
    if isinstance(state, Finished):
        raise ValueError("an event after the end of the deal")  # noqa: TRY004 - the log is broken, not a type
    table = state if event.seat == state.turn.seat else state._replace(actions=Actions())
    match event:
        case CardDrawn():
            keeps_top = table.options.turnover_keeps_top
            layout, turn = drew(table.layout, table.turn, event, keeps_top=keeps_top)
            return table._replace(layout=layout, turn=turn)
        case CardTaken():
            layout, turn = took(table.layout, event)
            return table._replace(layout=layout, turn=turn)
        case CardDiscarded(turn=next_turn):
            layout, turn = discarded(table.layout, event)
            after = table._replace(layout=layout, turn=turn, actions=Actions())
            return after if next_turn is not None else Finished(after, "out", event.seat, splash=False)
        case DealVoided(seat=seat):
            return Finished(table, "void", seat, splash=False)
        case Melded(seat=seat, cards=cards, turn=next_turn):
            after = _acting(_laid(table, seat, cards), seat)
            after = after._replace(actions=after.actions._replace(melds=after.actions.melds + 1))
            return after if next_turn is not None else Finished(after, "out", seat, splash=False)
        case LaidOff(seat=seat, meld=meld, card=card, turn=next_turn):
            after = _counted(_acting(_added(table, seat, meld, (card,)), seat), seat, meld)
            return after if next_turn is not None else Finished(after, "out", seat, splash=False)
        case Splashed():
            return _splashed(table, event)
        case _:
            assert_never(event)


def _splashed(table: Table, event: Splashed) -> State:
    for cards in event.melds:
        table = _laid(table, event.seat, cards)
    for meld, cards in event.lay_offs:
        table = _added(table, event.seat, meld, cards)
    table = _acting(table, event.seat)
    if event.discard is not None:
        layout, turn = discarded(table.layout, CardDiscarded(event.seat, event.discard, event.turn))
        table = table._replace(layout=layout, turn=turn, actions=Actions())
    return table if event.turn is not None else Finished(table, "out", event.seat, splash=True)


def _laid(table: Table, seat: int, cards: Cards) -> Table:
    return _less(table, seat, cards)._replace(melds=(*table.melds, Laid(seat, in_order(cards))))


def _added(table: Table, seat: int, meld: int, cards: Cards) -> Table:
    owner, lying = table.melds[meld - 1]
    added = Laid(owner, in_order((*lying, *cards)))
    return _less(table, seat, cards)._replace(melds=(*table.melds[: meld - 1], added, *table.melds[meld:]))


def _less(table: Table, seat: int, cards: Cards) -> Table:
    hand: tuple[Card, ...] = table.layout.hands[seat - 1]
    for card in cards:
        hand = without(hand, card)
    return table._replace(layout=table.layout.with_hand(seat, hand))


def _acting(table: Table, seat: int) -> Table:
    """The seat has made a table action; out of turn, at a recorded table, it takes the turn with it."""
    turn = table.turn if table.turn.seat == seat else Turn(seat, drawn=False, taken=None)
    return table._replace(turn=turn, acted=table.acted | {seat})


def _counted(table: Table, seat: int, meld: int) -> Table:
    actions = table.actions
    if table.melds[meld - 1].seat == seat:
        return table._replace(actions=actions._replace(to_own=actions.to_own + 1))
    return table._replace(actions=actions._replace(to_others=actions.to_others + 1))
