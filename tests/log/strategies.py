"""Events of every declared type for hypothesis, made from the hints of their shapes: new types are not forgotten.

Left out: any sense. A seat 2**63 that draws a joker twice is an event to the codec.
"""

import types
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import seed, settings
from hypothesis import strategies as st

from replay.rules.cards import JOKER, PACK, Card
from replay.rules.game import EventType
from replay.rules.registry import REVISIONS
from replay.rules.session_events import EVENTS, Event, Irregular
from tests.seeds import SEED, scaled

DECLARED: Final[tuple[EventType, ...]] = (*EVENTS, *(each for game in REVISIONS for each in game.events))

TEXT: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
"""Any text that can be stored: all but half surrogates."""
WHOLE: Final = st.integers(-(2**63), 2**64 - 1)


def found_by_search(full: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """That many examples in a full run, from the run's seed, however long each takes."""
    chosen = settings(max_examples=scaled(full), deadline=None, database=None)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        return seed(SEED)(chosen(test))

    return decorate


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a field with this hint; fails for a hint that the codec was never shown to keep."""
    plain: Mapping[Any, st.SearchStrategy[Any]] = {
        Card: st.sampled_from((*PACK, JOKER)),
        int: WHOLE,
        str: TEXT,
        bool: st.booleans(),
        type(None): st.none(),
    }
    if isinstance(hint, type | NewType) and hint in plain:
        return plain[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(values, arguments))
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is tuple and arguments[1:] == (...,):
        return st.lists(values(arguments[0]), max_size=5).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, arguments))
    if origin is Mapping and arguments[0] is str:
        return st.dictionaries(TEXT, values(arguments[1]), max_size=4)
    raise TypeError(f"the codec's tests do not know {hint}")


def events(declared: EventType) -> st.SearchStrategy[Event]:
    """Events of this type; plays also marked irregular."""
    hints = get_type_hints(declared.shape)
    made = st.tuples(*(values(hints[name]) for name in declared.shape._fields)).map(declared.shape._make)
    if "seat" not in hints:
        return made
    clauses = st.one_of(st.none(), st.sampled_from(("R6", "RA-12")))
    return st.one_of(made, st.builds(Irregular, made, clauses))
