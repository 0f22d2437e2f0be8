"""A command of curl for each operation of the OpenAPI document, as `x-codeSamples`, which pages of documentation show.

It is made of the operation's first example. `$url`, `$token` and whatever stands in a path are the reader's; so is
`$version`, the one that he has seen. The tests run every one as it is written. Left out: what is optional.
"""

import re
from collections.abc import Mapping
from shlex import quote
from typing import Any, Final

import orjson

SAMPLES: Final = "x-codeSamples"


def code_samples(method: str, path: str, operation: Mapping[str, Any]) -> list[dict[str, str]]:
    """The samples of one operation whose examples are already in place."""
    parts = ["curl -sS"]
    if method == "delete":
        parts.append("-X DELETE")
    place = re.sub(r"\{(\w+)\}", r"$\1", path)
    parts.append(f'"$url{place}"')
    if any("token" in each for each in operation["security"]):
        parts.append('-H "Authorization: Bearer $token"')
    if any(each.get("name") == "If-Match" and each["required"] for each in operation["parameters"]):
        parts.append(r'-H "If-Match: \"$version\""')
    if method == "post":
        form, content = next(iter(operation["requestBody"]["content"].items()))
        body = next(iter(content["examples"].values()))["value"]
        parts += [f"-H {quote(f'Content-Type: {form}')}", f"-d {quote(orjson.dumps(body).decode())}"]
    return [{"lang": "Shell", "label": "curl", "source": " \\\n    ".join(parts)}]
