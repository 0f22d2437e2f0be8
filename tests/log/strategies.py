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
CANONICAL_WHOLE: Final = st.integers(1 - 2**53, 2**53 - 1)
"""What RFC 8785 has a form for, and all that an event of ours can hold."""
CANONICAL_KEYS: Final = st.text(st.characters(max_codepoint=127), max_size=12)


def found_by_search(full: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """That many examples in a full run, from the run's seed, however long each takes."""
    chosen = settings(max_examples=scaled(full), deadline=None, database=None)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        return seed(SEED)(chosen(test))

    return decorate


def values(hint: Any, whole: Any = WHOLE, keys: Any = TEXT) -> st.SearchStrategy[Any]:
    """Values of a field with this hint; fails for a hint that the codec was never shown to keep."""

    def parts(hint: Any) -> st.SearchStrategy[Any]:
        return values(hint, whole, keys)

    plain: Mapping[Any, st.SearchStrategy[Any]] = {
        Card: st.sampled_from((*PACK, JOKER)),
        int: whole,
        str: TEXT,
        bool: st.booleans(),
        type(None): st.none(),
    }
    if isinstance(hint, type | NewType) and hint in plain:
        return plain[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(parts, arguments))
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is tuple and arguments[1:] == (...,):
        return st.lists(parts(arguments[0]), max_size=5).map(tuple)
    if origin is tuple:
        return st.tuples(*map(parts, arguments))
    if origin is Mapping and arguments[0] is str:
        return st.dictionaries(keys, parts(arguments[1]), max_size=4)
    raise TypeError(f"the codec's tests do not know {hint}")


def is_play(declared: EventType) -> bool:
    """Whether it is a play of a game."""
    return not declared.kind.startswith("session.")


def events(declared: EventType, whole: Any = WHOLE, keys: Any = TEXT) -> st.SearchStrategy[Event]:
    """Events of this type; plays also marked irregular."""
    hints = get_type_hints(declared.shape)
    made = st.tuples(*(values(hints[name], whole, keys) for name in declared.shape._fields)).map(declared.shape._make)
    if not is_play(declared):
        return made
    clauses = st.one_of(st.none(), st.sampled_from(("R6", "RA-12")))
    return st.one_of(made, st.builds(Irregular, made, clauses))
