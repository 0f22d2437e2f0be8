"""Which tokens can be made: what a request for one must say, by whatever way it comes. Leaves out who may ask."""

from collections.abc import Callable, Mapping
from typing import Any

from service.grants import Role

Faults = dict[str, list[str]]


def faults_of(role: Role, said: Mapping[str, Any], seats_of: Callable[[str], int | None]) -> Faults:
    """Why no such token can be made, by field; nothing if it can.

    `said` may hold `sessions` and `seat`; `seats_of` gives the number of seats of a session, None if there is none
    that the maker may know of.
    """
    faults: Faults = {}
    sessions, seat = said.get("sessions"), said.get("seat")
    if role == "organiser" and sessions is not None:
        faults["sessions"] = ["An organiser's token is for no sessions but those that he opens."]
    if role == "seat" and (sessions is None or len(sessions) != 1):
        faults["sessions"] = ["A seat's token is for one session."]
    if role == "seat" and seat is None:
        faults["seat"] = ["Say which seat."]
    if role != "seat" and seat is not None:
        faults["seat"] = ["Only a seat's token is for a seat."]
    if faults or sessions is None:
        return faults
    known = [seats_of(session) for session in sessions]
    if None in known:
        faults["sessions"] = ["There is no such session."]
    elif seat is not None and known[0] is not None and seat > known[0]:
        faults["seat"] = [f"Must be a seat, 1 to {known[0]}."]
    return faults
