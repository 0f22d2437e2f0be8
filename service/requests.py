"""Reading a request: its body, its precondition, its key, its query. Only reading; who may ask is auth.py's affair."""

import re
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson
from flask import Request, request

from replay.log import CommandKey
from service.context import context
from service.problems import ProblemError, invalid, too_large
from service.tokens import Caller
from service.wire import body_of

_VERSION: Final = re.compile(r'"([0-9]{1,20})"')
_KEY: Final = re.compile(r"[ -~]{1,255}")
_WHOLE: Final = re.compile(r"[0-9]{1,18}")


def current() -> Request:
    """The request itself. Its stand-in looks it up for each attribute, and most functions here need several.

    Headers that every command has are read by the names that WSGI gives them, for the same reason.
    """
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]  # flask declares it as what it stands for
    return asked


class Condition(NamedTuple):
    """What If-Match says: a version, or (None) whatever it is."""

    version: int | None


def raw_body(*forms: str, optional: bool = False) -> tuple[bytes, str]:
    """The body and its media type, one of `forms`; raises problems 413, 415. With `optional` there may be none."""
    asked = current()
    raw = _read(asked)
    if asked.content_type in forms:
        return raw, asked.content_type
    form, charset = asked.mimetype, asked.mimetype_params.get("charset", "utf-8")
    if optional and not form and not raw:
        form = forms[0]
    if form not in forms or charset.lower() not in ("utf-8", "utf8"):
        detail = f"Send {' or '.join(forms)}, as UTF-8."
        raise ProblemError("unsupported-media-type", detail, {"Accept": ", ".join(forms)})
    return raw, form


def _read(asked: Request) -> bytes:
    """The body; raises a 413 problem."""
    limit = context().bounds.body
    if (asked.content_length or 0) > limit:
        raise too_large()
    # One more than it may have is enough to know; the length may not have been announced, or not truly.
    raw = body_of(asked, limit + 1)
    if len(raw) > limit:
        raise too_large()
    return raw


def read_object(*, optional: bool = False, query: tuple[str, ...] = ()) -> dict[str, Any]:
    """The body as a JSON object; raises problems 413, 415, 400, 422. With `optional` no body is an empty object.

    Such a command has no query but what `query` names: one that says `?dry_run=true` must not be carried out.
    """
    raw, _ = raw_body("application/json", optional=optional)
    body: Any = {} if optional and not raw else _json(raw)
    if not isinstance(body, dict):
        raise invalid("The body must be a JSON object.")
    if current().query_string:
        known_arguments(*query)
    return body


def _json(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as fault:
        raise ProblemError("malformed", f"The body is not JSON: {str(fault)[:120]}.") from None


def condition() -> Condition | None:
    """If-Match, None if it is missing; raises a 422 problem for anything but one version in quotes, or `*`."""
    header = current().environ.get("HTTP_IF_MATCH")
    if header is None:
        return None
    header = header.strip()
    if header == "*":
        return Condition(None)
    match = _VERSION.fullmatch(header)
    if match is None:
        raise invalid('If-Match must be one version in quotes, as in `"17"`, or `*`.')
    return Condition(int(match[1]))


def command_key(someone: Caller, body: bytes, status: int) -> CommandKey | None:
    """What makes this command the same when it comes again; None without an Idempotency-Key, 422 for a bad one."""
    sent = current()
    header = sent.environ.get("HTTP_IDEMPOTENCY_KEY")
    if header is None:
        return None
    if not _KEY.fullmatch(header):
        raise invalid("Idempotency-Key must be 1 to 255 printable ASCII characters.")
    key = f"{someone.digest}\n{sent.method}\n{sent.path}\n{header}"
    # The query says as much as the body what is asked for.
    asked = sent.query_string + b"\n" + body
    return CommandKey(sha256(key.encode()).hexdigest()[:32], sha256(asked).hexdigest()[:32], status)


def canonical(body: Any) -> bytes:
    """A JSON body to the byte, however it was spaced or ordered; raises a 422 problem if it is nested too deeply."""
    try:
        return orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        raise invalid("The body is nested too deeply.") from None


def whole(name: str, *, least: int = 0, most: int = 2**53, default: int | None = None) -> int | None:
    """A whole number of the query; raises a 422 problem for anything else."""
    text = request.args.get(name)
    if text is None:
        return default
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise invalid(f"`{name}` must be a whole number from {least} to {most}.", {name: ["Not such a number."]})
    return int(text)


def flag(name: str) -> bool:
    """`true` or `false` in the query, false if it is not there; raises a 422 problem for anything else."""
    text = request.args.get(name, "false")
    if text not in ("true", "false"):
        raise invalid(f"`{name}` must be `true` or `false`.", {name: ["Not true or false."]})
    return text == "true"


def page(most: int, default: int) -> int:
    """`limit` of the query."""
    most = min(most, context().bounds.page)
    default = min(default, most)
    limit = whole("limit", least=1, most=most, default=default)
    return default if limit is None else limit


def accepted(*forms: str) -> str:
    """The form of answer that the caller likes best, the first if he does not say; raises a 406 problem."""
    best = request.accept_mimetypes.best_match(forms) if request.accept_mimetypes else forms[0]
    if best is None:
        raise ProblemError("not-acceptable", f"This is given as {' or '.join(forms)}.")
    return best


def known_arguments(*names: str) -> None:
    """Refuse a query that says something nobody reads: a misspelt `at` would else silently answer for now."""
    unknown = [name for name in request.args if name not in names]
    if unknown:
        raise invalid(
            "The query has arguments that nobody reads.", {name[:40]: ["Unknown argument."] for name in unknown}
        )
