"""The pages on which whole sessions are written, one or two of each game, and who plays on them.

python -m tests.rules.written_pages NAME SEED     prints the page of that name as that seed makes it
"""

import sys
from typing import Final

from replay.rules.registry import GAMES
from tests.rules.players import canasta, poker_rum, rockaway, single_pack_rum
from tests.rules.written_session import Page, make

FOUR: Final = ("Ann", "Ben", "Cy", "Dee")

PAGES: Final = (
    Page(
        name="rockaway_session",
        heading="""\
A session of Rockaway in four deals, of which the last three are trebled; when a deal is blocked the lowest is out.
Each play has its seat first: Ann 1, Ben 2, Cy 3.""",
        game=GAMES["rockaway"],
        players=FOUR[:3],
        options={"deals": 4, "blocked": "lowest_is_out"},
        # A careful player, a hoarder and one who peeks, so that deals end in every way.
        style=lambda deal, seat: (
            (rockaway.careful, rockaway.hoarder, rockaway.spoiler)[seat - 1] if deal % 2 else rockaway.careful
        ),
        shows=(
            "ends out\n",
            "ends out, the pack exhausted",
            "ends blocked",
            " R16",
            " R17",
            " RA-1 ",
            " pass",
            "Won by",
        ),
        run_on=True,
    ),
    Page(
        name="poker_rum_session",
        heading="""\
A session of Poker Rum in four deals, with two packs. A turn has a line: the draw, and the discard or the show.
At a show-down each hand lies in its combinations, with its deadwood after them.""",
        game=GAMES["poker_rum"],
        players=FOUR,
        options={"deals": 4, "call_limit": 30},
        style=lambda deal, _seat: (poker_rum.careful, poker_rum.eager, poker_rum.eager, poker_rum.peeking)[deal - 1],
        shows=("; show ", " take; ", " | ", " P13 ", " P14 ", " PA-16 ", " P15 "),
    ),
    Page(
        name="single_pack_rum_session",
        heading="""\
A session of Single-Pack Rum in five deals; the splash is played. A turn has a line. Combinations are m1, m2 and so on
as they were laid, whoever laid them.""",
        game=GAMES["single_pack_rum"],
        players=FOUR[:3],
        options={"deals": 5, "splash": True},
        style=lambda deal, seat: single_pack_rum.holder if deal in {2, 4} or seat == 2 else single_pack_rum.eager,
        shows=("; meld ", "; lay_off m", "; splash ", " S13 ", " SA-13 ", " SA-17 ", " take; "),
    ),
    Page(
        name="canasta_goren_session",
        heading="""\
The end of a game of Canasta by the printed text (goren_1949), four players, Ann and Cy with 2,700 points against Ben
and Dee with 3,450. A turn has a line, an answer one of its own.""",
        game=GAMES["canasta"],
        players=FOUR,
        options={"preset": "goren_1949"},
        style=lambda _deal, seat: canasta.freezer if seat == 4 else canasta.builder,
        shows=(
            "  take ",
            "; meld ",
            "; ask",
            "  yes",
            "draw 3",
            "natural canasta",
            "mixed canasta",
            "Won by",
            "ends out",
        ),
        totals=(2700, 3450),
    ),
    Page(
        name="canasta_official_session",
        heading="""\
The end of a game of Canasta by the official laws (official_1949), two players, Ann with 2,200 points against Ben with
1,450. A turn has a line.""",
        game=GAMES["canasta"],
        players=FOUR[:2],
        options={"preset": "official_1949"},
        style=lambda deal, _seat: canasta.hider if deal == 2 else canasta.builder,
        shows=("  take ", "; meld ", "draw 3", "natural canasta", "mixed canasta", "red threes", "ends out"),
        totals=(2200, 1450),
    ),
)
BY_NAME: Final = {page.name: page for page in PAGES}


if __name__ == "__main__":
    sys.stdout.write(make(BY_NAME[sys.argv[1]], sys.argv[2]))
