"""A house's clock put forward: correction periods are minutes long, and no test waits for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from tests.http.house import House


@contextmanager
def later(house: House, *, minutes: int = 0, seconds: int = 0) -> Iterator[None]:
    """So much later inside: by the clock that the service asks."""
    clock = house.context.clock
    shift = timedelta(minutes=minutes, seconds=seconds)

    def shifted() -> datetime:
        return clock() + shift

    house.context.clock = shifted  # type: ignore[misc]  # what is final for the service is not for its clock's owner
    try:
        yield
    finally:
        house.context.clock = clock  # type: ignore[misc]  # as above
