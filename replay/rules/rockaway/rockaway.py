"""Rockaway, revision 1, as the record of functions that the session plays it by."""

from typing import Final

from replay.rules.game import Game, each_seat
from replay.rules.rockaway.clauses import CLAUSES
from replay.rules.rockaway.commands import Command
from replay.rules.rockaway.deal import SEATS, make
from replay.rules.rockaway.decide import forbidden, impossible, legal, outcome
from replay.rules.rockaway.events import EVENTS, Event, shows
from replay.rules.rockaway.evolve import evolve, start
from replay.rules.rockaway.notation import read_play, write_play
from replay.rules.rockaway.options import OPTIONS, agreed
from replay.rules.rockaway.score import score
from replay.rules.rockaway.state import State, Table
from replay.rules.rockaway.view import view

ROCKAWAY: Final = Game[State, Command, Event](
    name="rockaway",
    revision=1,
    seats=SEATS,
    lowest_wins=True,
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
