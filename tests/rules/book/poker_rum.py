"""The list of the Poker Rum book: clauses with their grounds in its order, options, tables, examples. No sentences."""

from typing import Final

CLAUSES: Final = (
    # Cards and deal
    ("P1", "text"),
    ("PA-1", "text"),
    ("P2", "text"),
    ("P3", "text"),
    ("P4", "text"),
    ("PA-3", "house"),
    ("PA-4", "house"),
    ("PA-5", "house"),
    ("PA-6", "text"),
    # Combinations
    ("P6", "text"),
    ("PA-7", "text"),
    ("PA-8", "house"),
    ("PA-9", "text"),
    ("P7", "text"),
    ("PA-10", "house"),
    # The turn
    ("P5", "text"),
    ("P8", "text"),
    ("PA-18", "house"),
    ("PA-19", "house"),
    ("PA-23", "house"),
    ("P9", "text"),
    ("PA-2", "text"),
    ("PA-11", "text"),
    ("PA-22", "text"),
    ("PA-12", "house"),
    # The show-down
    ("P10", "text"),
    ("P11", "text"),
    ("P12", "text"),
    ("PA-13", "text"),
    # Payment
    ("P13", "text"),
    ("P14", "text"),
    ("PA-15", "text"),
    ("PA-16", "text"),
    ("P15", "text"),
    ("PA-14", "text"),
    ("PA-24", "house"),
    ("PA-21", "text"),
    ("PA-17", "house"),
    # The session
    ("PA-20", "house"),
)

ADVICE: Final[tuple[str, ...]] = ()
"""Clauses that bind nobody."""

OPTIONS: Final = {
    "deals": (None, ("PA-20", "XA-8")),
    "target": (None, ("PA-20", "XA-8")),
    "ace_value": (11, ("PA-1",)),
    "call_limit": (15, ("PA-2",)),
    "caller_tie": ("divide", ("PA-14", "PA-24")),
    "turnover_keeps_top": (False, ("XA-2", "XA-14")),
    "max_turnovers": (None, ("XA-3", "XA-13")),
    "may_discard_taken_card": (False, ("XA-4",)),
}
"""By name: the default, and the clauses of the book's table."""

FORBIDDING: Final = ("P8", "P8", "XA-4", "P9")
"""The table of forbidden plays: the clause of each row, in order."""

STOCK: Final = {2: 31, 3: 21, 4: 63, 5: 53, 6: 43}
"""Cards of the stock after the deal and the upcard, by number of players."""

EXAMPLES: Final = frozenset(
    f"PE-{n}" for n in (1, 2, 4, 5, 7, 8, 10, 11, 14, 15, 16, 18, 20, 22, 23, 24, 26, 27, 28, 29, 30)
)
"""Every example of the book; their numbers need not be consecutive."""
