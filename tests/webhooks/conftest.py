"""What every test of deliveries begins with: a post, a receiver, a session. Left out: how they are made (post.py)."""

from collections.abc import Iterator

import pytest

from tests.http.tables import Sitting, opened
from tests.webhooks.post import Post, post
from tests.webhooks.receiver import Receiver, receiver


@pytest.fixture
def office() -> Iterator[Post]:
    """A post with a house on fakeredis."""
    with post() as made:
        yield made


@pytest.fixture
def there() -> Iterator[Receiver]:
    """A receiver that takes everything."""
    with receiver() as made:
        yield made


@pytest.fixture
def table(office: Post) -> Sitting:
    """A session of which one deal has been played."""
    made = opened(office.house)
    made.short()
    return made
