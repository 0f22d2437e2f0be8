"""The list of the Single-Pack Rum book: clauses with their grounds in its order, options, tables, examples.

No sentences.
"""

from typing import Final

CLAUSES: Final = (
    # Cards and deal
    ("S1", "text"),
    ("S2", "text"),
    ("S3", "text"),
    ("SA-20", "law"),
    ("S4", "text"),
    ("SA-1", "house"),
    ("S5", "text"),
    # Drawing and discarding
    ("S6", "text"),
    ("S7", "text"),
    ("S8", "text"),
    ("S12", "text"),
    ("SA-19", "house"),
    ("SA-18", "house"),
    ("SA-24", "house"),
    # Combinations and table actions
    ("S9", "text"),
    ("SA-9", "text"),
    ("SA-10", "house"),
    ("S10", "text"),
    ("SA-6", "text"),
    ("SA-2", "house"),
    ("SA-3", "text"),
    ("SA-4", "text"),
    ("SA-25", "text"),
    ("SA-26", "house"),
    ("SA-5", "house"),
    ("SA-21", "text"),
    ("SA-22", "house"),
    # Calling out
    ("S11", "text"),
    ("SA-7", "text"),
    ("SA-8", "house"),
    ("S15", "text"),
    # Scoring
    ("S13", "text"),
    ("SA-11", "text"),
    ("SA-12", "text"),
    ("SA-13", "text"),
    # Splash
    ("S14", "text"),
    ("SA-14", "text"),
    ("SA-15", "text"),
    ("SA-16", "house"),
    ("SA-17", "text"),
    ("SA-27", "house"),
    ("SA-28", "house"),
    # The session
    ("SA-23", "house"),
)

ADVICE: Final = ("S15",)
"""Clauses that bind nobody."""

OPTIONS: Final = {
    "deals": (None, ("SA-23", "XA-8")),
    "target": (None, ("SA-23", "XA-8")),
    "five_six_hand": (6, ("SA-1",)),
    "table_actions": ("own_extra", ("SA-3", "SA-25", "SA-26")),
    "settlement": ("zero_sum", ("SA-13",)),
    "splash": (False, ("S14", "SA-14")),
    "splash_layoffs": (False, ("SA-15", "SA-28")),
    "turnover_keeps_top": (False, ("XA-2", "XA-14")),
    "max_turnovers": (None, ("XA-3", "XA-13")),
    "may_discard_taken_card": (False, ("XA-4",)),
}
"""By name: the default, and the clauses of the book's table."""

FORBIDDING: Final = (
    "S6",
    "S7",
    "S10",
    "SA-14",
    "SA-15",
    "SA-28",
    "S9",
    "SA-10",
    "SA-9",
    "SA-9",
    "SA-10",
    "SA-25",
    "SA-3",
    "XA-4",
)
"""The table of forbidden plays: the clause of each row, in order; a row that cites two is two rows here."""

STOCK: Final = {2: 31, 3: 30, 4: 27, 5: 21, 6: 15}
"""Cards of the stock after the deal and the upcard, by number of players."""

STOCK_OF_FIVES: Final = {5: 26, 6: 21}
"""The same with `five_six_hand` = 5."""

EXAMPLES: Final = frozenset(f"SE-{n}" for n in (1, 2, 4, 5, 6, 8, 10, 11, 13, *range(15, 34)))
"""Every example of the book; their numbers need not be consecutive."""
