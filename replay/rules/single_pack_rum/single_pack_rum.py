"""Single-Pack Rum, revision 1, as the record of functions that the session plays it by."""

from typing import Final

from replay.rules.game import Game, each_seat
from replay.rules.single_pack_rum.clauses import CLAUSES
from replay.rules.single_pack_rum.commands import Command
from replay.rules.single_pack_rum.deal import SEATS, make
from replay.rules.single_pack_rum.decide import forbidden, impossible, outcome
from replay.rules.single_pack_rum.events import EVENTS, Event, shows
from replay.rules.single_pack_rum.evolve import evolve, start
from replay.rules.single_pack_rum.legal import legal
from replay.rules.single_pack_rum.notation import read_play, write_play
from replay.rules.single_pack_rum.options import OPTIONS, agreed
from replay.rules.single_pack_rum.score import score
from replay.rules.single_pack_rum.state import State, Table
from replay.rules.single_pack_rum.view import view

SINGLE_PACK_RUM: Final = Game[State, Command, Event](
    name="single_pack_rum",
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
