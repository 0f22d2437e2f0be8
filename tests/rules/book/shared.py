"""The list of decisions that the rule books share: those that bind every game, with their grounds. No sentences."""

from typing import Final

CLAUSES: Final = (
    ("XA-5", "house"),
    ("XA-6", "house"),
    ("XA-7", "house"),
    ("XA-8", "house"),
    ("XA-9", "house"),
    ("XA-10", "house"),
    ("XA-11", "house"),
    ("XA-12", "house"),
    ("XA-15", "house"),
    ("XA-16", "house"),
    ("XA-17", "house"),
)
