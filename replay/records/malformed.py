"""The one error of reading: what was read is not a record."""

from typing import Final

DETAIL_LENGTH: Final = 300
"""Characters of a detail: enough to find the place, too few to hand a hostile text back whole."""


class MalformedRecordError(ValueError):
    """Not a record. `detail` says where and why, in printable characters only, whatever the input held."""

    def __init__(self, detail: str) -> None:
        self.detail: Final = "".join(
            c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in detail[:DETAIL_LENGTH]
        )
        super().__init__(self.detail)

    def within(self, place: str) -> "MalformedRecordError":
        """The same fault, seen from further out."""
        return MalformedRecordError(f"{place}: {self.detail}")


def quoted(value: object) -> str:
    """The beginning of what was found, for a message: text in quotes, anything else by its kind."""
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    kinds = {int: "a whole number", float: "a number with a point", list: "a list", dict: "a table"}
    return kinds.get(type(value), "a date or time")
