"""The list of decisions that the rule books share, with their grounds in the book's order. No sentences."""

from typing import Final

CLAUSES: Final = (
    # For the two rum games
    ("XA-1", "text"),
    ("XA-2", "house"),
    ("XA-3", "house"),
    ("XA-4", "house"),
    # For all
    ("XA-5", "house"),
    ("XA-6", "house"),
    ("XA-7", "house"),
    ("XA-8", "house"),
    ("XA-9", "house"),
    ("XA-10", "house"),
    ("XA-11", "house"),
    ("XA-12", "house"),
    # For the two rum games
    ("XA-13", "house"),
    ("XA-14", "house"),
    # For all
    ("XA-15", "house"),
    ("XA-16", "house"),
    ("XA-17", "house"),
)
