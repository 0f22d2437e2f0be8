"""The demonstration: a whole session of bots, played through the HTTP API alone as any client would play it.

It shares nothing with the service but the address: so it shows that the contract is enough, and whether all that the
service says of a session agrees.
"""

from pathlib import Path

from rich.console import Console

from service.demo.bots import PARTIES
from service.demo.client import Client, DemoError
from service.demo.findings import findings
from service.demo.showing import progress, show
from service.demo.sitting import ask_about, play_session


def run(base_url: str, token: str, game: str, export_to: Path, console: Console | None = None) -> bool:
    """Play a session of this game with an organiser's token, and print what came of it; whether all of it agrees.

    The record is exported into the folder `export_to`, under the session's id.
    """
    screen = console or Console(highlight=False)
    party = PARTIES.get(game)
    if party is None:
        screen.print(f"There are no bots for {game!r}. The demonstration plays: {', '.join(PARTIES)}.")
        return False
    base_url = base_url.rstrip("/")
    try:
        with Client(base_url) as client:
            screen.print(f"{len(party.players)} bots play {game} at {base_url}.")
            with progress(screen, party.options.get("deals")) as say:
                session = play_session(client, token, game, party, say)
            told = ask_about(client, session, export_to)
    except DemoError as fault:
        screen.print(f"The demonstration cannot go on. {fault}", soft_wrap=True, markup=False)
        return False
    show(screen, told, base_url, lowest_wins=party.lowest_wins)
    faults = findings(told, lowest_wins=party.lowest_wins)
    for each in faults:
        screen.print(f"\nThis disagrees: {each}", soft_wrap=True, markup=False)
    return not faults
