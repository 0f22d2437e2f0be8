"""The list of the Rockaway book: clauses with their grounds in its order, options, tables, examples. No sentences."""

from typing import Final

CLAUSES: Final = (
    # Players, packs, deal
    ("R1", "text"),
    ("R2", "text"),
    ("RA-26", "house"),
    ("R3", "text"),
    ("R4", "text"),
    ("RA-17", "house"),
    ("RA-19", "house"),
    # Playing
    ("R5", "text"),
    ("RA-18", "house"),
    ("R6", "text"),
    ("R7", "text"),
    ("R9", "text"),
    ("RA-15", "house"),
    ("R10", "text"),
    ("RA-16", "house"),
    ("R11", "text"),
    ("RA-7", "text"),
    ("RA-8", "house"),
    ("R12", "text"),
    ("RA-21", "house"),
    # Drawing and passing
    ("R8", "text"),
    ("RA-9", "house"),
    ("RA-28", "house"),
    ("RA-10", "house"),
    ("RA-11", "text"),
    ("RA-12", "house"),
    ("RA-13", "house"),
    ("RA-6", "house"),
    ("RA-29", "house"),
    # The end of a deal
    ("R13", "text"),
    ("RA-14", "house"),
    ("RA-30", "house"),
    # Scoring
    ("R14", "text"),
    ("RA-24", "house"),
    ("RA-1", "house"),
    ("RA-2", "text"),
    ("RA-5", "house"),
    ("R16", "text"),
    ("R17", "text"),
    ("R18", "text"),
    ("RA-3", "text"),
    ("RA-4", "house"),
    ("R19", "text"),
    ("RA-25", "text"),
    ("RA-23", "text"),
    # The session
    ("R15", "text"),
    ("RA-20", "house"),
    ("RA-27", "house"),
    ("RA-31", "house"),
    ("RA-22", "house"),
    ("R20", "text"),
)

ADVICE: Final = ("R20",)
"""Clauses that bind nobody."""

OPTIONS: Final = {
    "deals": (10, ("R15", "RA-27")),
    "target": (None, ("RA-31", "XA-8")),
    "multi_ace": ("per_ace", ("RA-1",)),
    "draw_past_fitting": (False, ("RA-9", "RA-28")),
    "ace_forced_when_exhausted": (False, ("RA-13",)),
    "blocked": ("score_all", ("RA-14", "RA-30")),
    "exhausted_multiplier": (2, ("RA-3",)),
}
"""By name: the default, and the clauses of the book's table."""

FORBIDDING: Final = ("R5", "R10", "R6", "R11", "RA-12", "R11", "RA-13")
"""The table of forbidden plays: the clause of each row, in order."""

STOCK: Final = {2: 37, 3: 30, 4: 23, 5: 68, 6: 61, 7: 54, 8: 47}
"""Cards of the stock after the deal and the upcard, by number of players."""

EXAMPLES: Final = frozenset(f"RE-{n}" for n in (1, 2, 4, 5, 6, 7, 9, 10, 12, 13, 15, 17, 19, *range(21, 37)))
"""Every example of the book; their numbers need not be consecutive."""

ADVANCES: Final = ((0, 2, 40, 40), (0, 3, 80, 60), (19, 2, 78, 59), (20, 2, 80, 60), (40, 3, 320, 100))
"""The table under the scoring formula: base, aces, per_ace, once."""
