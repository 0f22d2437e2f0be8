"""Canasta, revision 1, as the record of functions that the session plays it by."""

from typing import Final

from replay.rules.canasta.clauses import CLAUSES
from replay.rules.canasta.commands import Command
from replay.rules.canasta.deal import SEATS, make, sides, undealable
from replay.rules.canasta.decide import forbidden, impossible, outcome
from replay.rules.canasta.events import EVENTS, Event, shows
from replay.rules.canasta.evolve import evolve, start
from replay.rules.canasta.legal import hints, legal
from replay.rules.canasta.melds import outlook
from replay.rules.canasta.notation import read_play, write_play
from replay.rules.canasta.options import OPTIONS, PRESETS, agreed
from replay.rules.canasta.score import score
from replay.rules.canasta.state import State, Table
from replay.rules.canasta.view import view
from replay.rules.game import Game

CANASTA: Final = Game[State, Command, Event](
    name="canasta",
    revision=1,
    seats=SEATS,
    lowest_wins=False,
    shared_best_plays_on=True,
    options=OPTIONS,
    presets=PRESETS,
    agreed=agreed,
    clauses=CLAUSES,
    events=EVENTS,
    sides=sides,
    make=make,
    undealable=undealable,
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
    hints=hints,
    outlook=outlook,
    read_play=read_play,
    write_play=write_play,
)
