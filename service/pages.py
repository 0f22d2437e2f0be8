"""Cursors of lists: opaque to clients, so that what they hold may change."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error

from flask import request

from service.problems import invalid

_LONGEST = 200


def cursor_of(last: str | int | None) -> str | None:
    """The cursor that goes on after this item."""
    return None if last is None else urlsafe_b64encode(str(last).encode()).rstrip(b"=").decode()


def read_cursor() -> str | None:
    """Where the caller's cursor says to go on; raises a 422 problem for what no list has given out."""
    text = request.args.get("cursor")
    if text is None:
        return None
    last = _decoded(text)
    if last is None or not last.isprintable() or cursor_of(last) != text:
        raise invalid("The cursor is none that a list here gave out.", {"cursor": ["Unknown."]})
    return last


def _decoded(text: str) -> str | None:
    if not text or len(text) > _LONGEST or not text.isascii():
        return None
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
    except (ValueError, Error):
        return None


def read_number_cursor() -> int | None:
    """As `read_cursor`, for lists in the order of a number."""
    last = read_cursor()
    if last is None:
        return None
    if not last.isdecimal() or len(last) > 18:
        raise invalid("The cursor is none that a list here gave out.", {"cursor": ["Unknown."]})
    return int(last)
