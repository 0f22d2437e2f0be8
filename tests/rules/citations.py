"""Which clauses and examples the tests of the rules cite, read from their source: a mark, a name or an id.

A clause is cited by `clause("R6", …)` on a test or on one of its cases; an example by `re_6` in the name of a test, or
by "RE-6" as the id of a case.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
_EXAMPLE_IN_NAME: Final = re.compile(r"(?<![a-z0-9])([rcps]e)_(\d+)(?![0-9])")
_EXAMPLE_ID: Final = re.compile(r"[RCPS]E-\d+")


def cited_clauses() -> dict[str, set[str]]:
    """Clause ids with the tests that cite them."""
    found: dict[str, set[str]] = {}
    for name, test in _tests():
        for decorator in test.decorator_list:
            for call in ast.walk(decorator):
                if isinstance(call, ast.Call) and _called(call.func) == "clause":
                    for argument in call.args:
                        assert isinstance(argument, ast.Constant), f"{name}: a clause is cited by its id, written out"
                        found.setdefault(str(argument.value), set()).add(name)
    return found


def cited_examples() -> set[str]:
    """Example ids that a test has in its name, or as the id of a case."""
    found = {
        f"{letters.upper()}-{number}" for name, _ in _tests() for letters, number in _EXAMPLE_IN_NAME.findall(name)
    }
    for tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):  # a table of cases by id
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
                found.update(key for key in keys if isinstance(key, str) and _EXAMPLE_ID.fullmatch(key))
    return found


def _trees() -> Iterator[ast.Module]:
    for path in sorted(HERE.glob("test_*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


def _tests() -> Iterator[tuple[str, ast.FunctionDef]]:
    for tree in _trees():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node.name, node


def _called(function: ast.expr) -> str | None:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else None
