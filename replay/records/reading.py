"""From bytes to a record: JSON (a line of NDJSON is the same) and TOML, each in bounded time and memory.

The standard readers do the reading. What they would let pass, or take too long over, is stopped here: two keys of one
name in JSON, `NaN`, nesting that exhausts the stack, numbers of thousands of digits, TOML keys of thousands of parts.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import IO, Final, NoReturn

from replay.records.limits import RECORD_BYTES, TOML_KEY_DOTS, WORD_LENGTH
from replay.records.malformed import MalformedRecordError, quoted
from replay.records.record import Record
from replay.records.structure import record_from

NULL: Final = "null"
"""How TOML, which has no null, writes an option that is none (`deals = "null"`: an open session of Rockaway)."""

_TOO_DEEP: Final = "nested too deeply"

# Strings and comments of TOML, each to its end or to where its reader will complain; none is ever scanned twice.
_TOML_TEXT: Final = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^']++|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
_LONG_KEY: Final = re.compile(rf"""(?:\.[ \t]*+[\w"-]*+[ \t]*+){{{TOML_KEY_DOTS + 1}}}""", re.ASCII)
_LONG_WORD: Final = re.compile(rf"(?<![\w.+-])[\w.+-]{{{WORD_LENGTH + 1}}}", re.ASCII)


def read_json(raw: bytes) -> Record:
    """The record that one JSON text is; raises MalformedRecordError."""
    text = _text(raw)
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_int=_whole, parse_constant=_no_number)
    except MalformedRecordError:
        raise
    except RecursionError:
        raise MalformedRecordError(_TOO_DEEP) from None
    except ValueError as error:
        raise MalformedRecordError(f"not JSON: {error}") from None
    return record_from(data)


def read_toml(raw: bytes) -> Record:
    """The record that one TOML text is; raises MalformedRecordError."""
    text = _text(raw)
    bare = _TOML_TEXT.sub('""', text)
    if _LONG_KEY.search(bare):
        raise MalformedRecordError(f"not TOML of a record: a key with more than {TOML_KEY_DOTS} dots")
    if _LONG_WORD.search(bare):
        raise MalformedRecordError(f"not TOML of a record: more than {WORD_LENGTH} characters on end outside quotes")
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise MalformedRecordError(_TOO_DEEP) from None
    except ValueError as error:
        raise MalformedRecordError(f"not TOML: {error}") from None
    options = data.get("options")
    if isinstance(options, dict):
        data["options"] = {name: None if value == NULL else value for name, value in options.items()}
    return record_from(data)


def ndjson_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1. Of a line too long for a record comes only so much
    that its reader will refuse it."""
    number = 0
    while line := stream.readline(RECORD_BYTES + 2):
        number += 1
        if len(line) > RECORD_BYTES + 1:
            yield number, line
            while not line.endswith(b"\n") and (line := stream.readline(RECORD_BYTES)):
                pass
        elif not line.isspace():
            yield number, line


def _text(raw: bytes) -> str:
    if len(raw) > RECORD_BYTES:
        raise MalformedRecordError(f"larger than {RECORD_BYTES} bytes")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise MalformedRecordError(f"not UTF-8: {error.reason} at byte {error.start}") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        # `add` returns None, so this is the first key that is seen again.
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise MalformedRecordError(f"the key {quoted(twice)} is there twice")
    return made


def _whole(digits: str) -> int:
    if len(digits) > WORD_LENGTH:
        raise MalformedRecordError(f"a number of {len(digits)} digits")
    return int(digits)


def _no_number(name: str) -> NoReturn:
    raise MalformedRecordError(f"not JSON: {name} is no number")
