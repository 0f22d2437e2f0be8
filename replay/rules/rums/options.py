"""Options that both rums have (XA-2 to XA-4, XA-13, XA-14)."""

from typing import Final, Protocol

from replay.rules.options import Option, switch


class RumOptions(Protocol):
    """What the shared rules ask of a game's options."""

    @property
    def turnover_keeps_top(self) -> bool: ...
    @property
    def max_turnovers(self) -> int | None: ...
    @property
    def may_discard_taken_card(self) -> bool: ...


SHARED_OPTIONS: Final = (
    switch("turnover_keeps_top", "XA-14", "the top discard stays when the pile is turned"),
    Option("max_turnovers", None, "XA-13", "turn-overs allowed in a deal", least=0, nullable=True),
    switch("may_discard_taken_card", "XA-4", "the card taken may be discarded at once"),
)
