"""The list of the Canasta book: clauses with their grounds in its order, options, tables, examples. No sentences."""

from typing import Final

CLAUSES: Final = (
    # Presets
    ("CA-37", "house"),
    # Players, cards, deal
    ("C1", "text"),
    ("CA-3", "house"),
    ("C2", "text"),
    ("C3", "text"),
    ("CA-1", "text"),
    ("C4", "text"),
    ("C5", "text"),
    ("CA-4", "law"),
    ("C6", "text"),
    ("CA-2", "text"),
    ("C7", "text"),
    ("CA-5", "text"),
    ("C8", "text"),
    ("CA-6", "law"),
    ("CA-38", "house"),
    # The turn
    ("C9", "text"),
    ("CA-32", "text"),
    ("C18", "text"),
    ("CA-34", "text"),
    ("C10", "text"),
    ("CA-33", "house"),
    ("CA-49", "house"),
    ("CA-35", "house"),
    # Melds
    ("C12", "text"),
    ("C13", "text"),
    ("C14", "text"),
    ("CA-15", "text"),
    ("CA-16", "text"),
    ("CA-14", "law"),
    ("CA-18", "house"),
    ("C15", "text"),
    ("CA-17", "text"),
    ("C19", "text"),
    ("CA-19", "law"),
    ("CA-45", "house"),
    # The first meld
    ("C16", "text"),
    ("CA-11", "text"),
    ("C17", "text"),
    ("CA-12", "law"),
    ("CA-40", "house"),
    ("CA-13", "law"),
    ("CA-36", "house"),
    # Taking the pile
    ("C11", "text"),
    ("CA-8", "text"),
    ("C20", "text"),
    ("CA-7", "text"),
    ("CA-9", "text"),
    ("CA-39", "house"),
    ("CA-10", "law"),
    ("CA-27", "law"),
    ("CA-30", "text"),
    # Going out
    ("C21", "text"),
    ("CA-20", "text"),
    ("CA-51", "house"),
    ("C22", "text"),
    ("CA-21", "law"),
    ("CA-41", "house"),
    ("C23", "text"),
    ("CA-22", "house"),
    ("CA-42", "house"),
    ("CA-43", "house"),
    ("CA-44", "house"),
    ("CA-23", "text"),
    ("CA-46", "law"),
    ("CA-24", "text"),
    # When the stock runs out
    ("CA-25", "law"),
    ("CA-47", "law"),
    ("CA-26", "law"),
    # Two players drawing two
    ("CA-48", "law"),
    ("CA-50", "house"),
    # Scoring
    ("C24", "text"),
    ("C25", "text"),
    ("C26", "text"),
    ("C27", "text"),
    ("CA-29", "text"),
    ("CA-28", "text"),
    ("C28", "text"),
    ("C29", "text"),
    # The session
    ("CA-31", "law"),
)

ADVICE: Final = ("C29",)
"""Clauses that bind nobody."""

OPTIONS: Final = {
    "preset": ("goren_1949", ("CA-37",)),
    "deals": (None, ("XA-8",)),
    "target": (5000, ("CA-31",)),
    "negative_minimum": (50, ("CA-11",)),
    "frozen_before_initial_meld": (False, ("CA-7",)),
    "red_upcard_freezes": (False, ("CA-7",)),
    "concealed_needs_own_canasta": (False, ("CA-23",)),
    "single_card_pile": ("allow", ("CA-30",)),
    "upcard_black_three_stays": (True, ("CA-6",)),
    "wilds_may_exceed_naturals": (True, ("CA-16",)),
    "black_three_wilds": (False, ("CA-19",)),
    "ask_limit": ("per_turn", ("CA-22", "CA-44")),
    "concealed_allows_pile": (True, ("CA-46",)),
    "concealed_waives_minimum": (False, ("CA-24",)),
    "forced_take_on_empty_stock": (True, ("CA-47",)),
    "two_handed_draw_two": (False, ("CA-48", "CA-50", "CA-51")),
}
"""By name: the default, which is that of goren_1949, and the clauses of the book's table."""

OFFICIAL: Final = {
    "negative_minimum": 15,
    "frozen_before_initial_meld": True,
    "red_upcard_freezes": True,
    "concealed_needs_own_canasta": True,
    "single_card_pile": "forbid",
}
"""What official_1949 has in place of the defaults."""

FORBIDDING: Final = (
    "CA-22",
    "CA-32",
    "CA-32",
    "CA-10",
    "CA-30",
    "CA-8",
    "C20; CA-7",
    "CA-8",
    "C12",
    "C14",
    "CA-16",
    "CA-14",
    "C19; CA-19",
    "C16",
    "C21",
    "C23",
    "CA-21",
    "CA-42; CA-22",
    "CA-22",
    "C23",
    "CA-32",
    "CA-47",
    "CA-26",
)
"""The table of forbidden plays: the clauses of each row, in order."""

STOCK: Final = {2: 77, 3: 68, 4: 63}
"""Cards of the stock after the deal and one upcard, before red threes are replaced, by number of players."""

EXAMPLES: Final = frozenset(f"CE-{n}" for n in (*range(1, 10), 11, 14, 16, 18, *range(20, 35)))
"""Every example of the book; their numbers need not be consecutive."""
