"""Poker Rum, revision 1, as the record of functions that the session plays it by."""

from typing import Final

from replay.rules.game import Game, each_seat
from replay.rules.poker_rum.clauses import CLAUSES
from replay.rules.poker_rum.commands import Command
from replay.rules.poker_rum.deal import SEATS, make
from replay.rules.poker_rum.decide import forbidden, impossible, legal, outcome
from replay.rules.poker_rum.events import EVENTS, Event, shows
from replay.rules.poker_rum.evolve import evolve, start
from replay.rules.poker_rum.notation import read_play, write_play
from replay.rules.poker_rum.options import OPTIONS, agreed
from replay.rules.poker_rum.score import score
from replay.rules.poker_rum.state import State, Table
from replay.rules.poker_rum.view import view

POKER_RUM: Final = Game[State, Command, Event](
    name="poker_rum",
    revision=1,
    seats=SEATS,
    lowest_wins=False,
    shared_best_plays_on=False,
    options=OPTIONS,
    agreed=agreed,
    clauses=CLAUSES,
    events=EVENTS,
    sides=each_seat,
    make=make,
    start=start,
    impossible=impossible,
    forbidden=forbidden,
    outcome=outcome,
    shows=shows,
    evolve=evolve,
    ending=lambda state: None if isinstance(state, Table) else state.ending,
    score=score,
    view=view,
    legal=legal,
    read_play=read_play,
    write_play=write_play,
)
