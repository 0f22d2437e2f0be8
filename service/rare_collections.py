"""Python's search for cycles, run less often by commands that hold thousands of small tuples and make no cycle."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

GC_THRESHOLD: Final = 50_000
"""New objects between two searches: a few ordinary records' worth, some megabytes at most."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Search less often meanwhile. Looking through the same records or events again and again takes a seventh of the
    time of checking, and a third of that of verifying."""
    before = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
