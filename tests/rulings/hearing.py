"""A deal of Canasta that came before a hearing: contested twice, taken back once, and scored anew."""

from random import Random
from typing import Final

from tests.http.house import House
from tests.http.tables import Sitting
from tests.rulings.playing import deal, played_by_chance, record, rule, seated

BEFORE: Final = 40
"""Plays before the first dispute."""
BACK: Final = 6
"""Versions that are taken back."""


def contested(house: House, chance: Random) -> Sitting:
    """A recorded table for four whose first deal is over."""
    table = seated(house, "canasta")
    deal(table, chance, BEFORE)
    at = table.version
    words = "Seat 4 took the pile before I had discarded.\nWe all saw it, and I said so at once."
    table.post("/disputes", {"deal": 1, "version": at - 3, "words": words}, table.seats[2]).ok(201)
    back = {"to": at - BACK, "despite_information": "One card was seen by all four, and all four agree to go back."}
    reason = "The pile was taken out of turn. The deal goes on from the last play that nobody contests."
    body = {"ruling": "retract", "deal": 1, "disputes": [1], "rests_on": [at - 3], "reason": reason, **back}
    rule(table, body).ok(201)
    record(table, lambda session: played_by_chance(session, chance))
    words = "I count forty more: one of our melds is not in the sum."
    table.post("/disputes", {"deal": 1, "about": "arithmetic", "words": words}, table.seats[1]).ok(201)
    reason = "The sheet was added up wrongly at the table; both sides agree on forty."
    body = {"ruling": "adjust", "deal": 1, "points": [40, 0], "disputes": [2], "reason": reason, "clause": "C24"}
    rule(table, body).ok(201)
    house.score(table.id)
    return table
