"""A session by a client that was made from the contract: opened, played and read with nothing but what was generated.

python generated.py ADDRESS TOKEN     run by the tests in an environment that has `upcard_client`; prints JSON
"""

import json
import sys
import time

from upcard_client import AuthenticatedClient
from upcard_client.api.deals import start_deal
from upcard_client.api.ledger import read_ledger
from upcard_client.api.plays import list_plays, make_play
from upcard_client.api.sessions import open_session
from upcard_client.models import (
    Legal,
    OpenRockaway,
    OpenRockawayGame,
    OpenRockawayOptions,
    RockawayDraw,
    RockawayDrawType,
    RockawayOpened,
    RockawaySession,
    ShuffledDealBody,
    StaleVersionProblem,
)


def main(address: str, token: str) -> None:
    """Play one deal of Rockaway, first play first; print the session, its versions and its ledger."""
    organiser = AuthenticatedClient(base_url=address, token=token)
    body = OpenRockaway(
        game=OpenRockawayGame.ROCKAWAY, players=["Ann", "Ben"], options=OpenRockawayOptions(deals=1), public=True
    )
    opened = open_session.sync(client=organiser, body=body)
    assert isinstance(opened, RockawayOpened), opened
    seats = {
        int(seat): AuthenticatedClient(base_url=address, token=given)
        for seat, given in opened.seat_tokens.additional_properties.items()
    }
    session = start_deal.sync(opened.id, client=organiser, body=ShuffledDealBody(), if_match='"1"')
    assert isinstance(session, RockawaySession), session

    draw = RockawayDraw(type_=RockawayDrawType.DRAW)
    stale = make_play.sync(opened.id, client=seats[1], body=draw, if_match='"1"')
    assert isinstance(stale, StaleVersionProblem), stale
    versions = [stale.version]
    while session.status == "playing":
        player = seats[session.deal.turn]
        legal = list_plays.sync(opened.id, client=player)
        assert isinstance(legal, Legal), legal
        session = make_play.sync(
            opened.id,
            client=player,
            body=legal.plays[0],
            if_match=f'"{legal.version}"',
            idempotency_key=f"after {legal.version}",
        )
        assert isinstance(session, RockawaySession), session
        versions.append(session.version)

    ledger = read_ledger.sync(opened.id, client=organiser)
    while not ledger.entries:
        time.sleep(0.05)
        ledger = read_ledger.sync(opened.id, client=organiser)
    [entry] = ledger.entries
    print(json.dumps({"id": opened.id, "versions": versions, "balances": ledger.balances, "points": entry.points}))


if __name__ == "__main__":
    main(*sys.argv[1:])
