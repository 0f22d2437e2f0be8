"""A service for each test, of which only the store runs at first."""

from tests.faults.conftest import upcard

__all__ = ["upcard"]
