"""Word LadybugDB's errors about users' statements.

Only the text of the engine's messages tells these errors apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...core.messages import truncate
from ..cypher import problems
from ..cypher.guard import CheckedStatement, Edit, apply_edits, original_offset
from ..errors import CypherError, CypherFailed, CypherSyntax
from .errors import is_out_of_memory


def statement_error(text: str, checked: CheckedStatement, edits: Sequence[Edit] = ()) -> CypherError:
    """Return the error to raise for the engine's message about a user's statement, which had ``edits`` made to it."""
    if is_out_of_memory(text):
        return memory_error()
    if text == "Interrupted.":
        return checked.deadline.error()
    if "read-only" in text:
        return problems.not_permitted()
    statement = checked.text
    kind, _, problem = text.partition(": ")
    if kind == "Parser exception":
        return _parser_error(problem, statement, edits)
    for pattern, make_error in _PROBLEMS:
        if (match := pattern.match(problem)) is not None:
            return make_error(match, statement)
    return problems.unexplained(CypherSyntax if kind in ("Binder exception", "Catalog exception") else CypherFailed)


def _parser_error(problem: str, statement: str, edits: Sequence[Edit]) -> CypherError:
    match = _POSITION.search(problem)
    if match is None:
        return problems.unexplained(CypherSyntax)
    changed = apply_edits(statement, edits)
    lines = changed.split("\n")
    offset = sum(len(line) + 1 for line in lines[: int(match[1]) - 1]) + int(match[2])
    return problems.syntax_error(statement, original_offset(offset, edits))


def _names(text: str) -> list[str]:
    return [name for name in re.split(r",\s*(?![^(]*\))", text) if name]


def _expression(name: str, statement: str) -> str:
    """Return where an expression is that the engine quotes, if that is certain."""
    return f" at {problems.place(statement, statement.find(name), len(name))}" if statement.count(name) == 1 else ""


_OPERATORS = {"NEGATE": "-", "LIST_EXTRACT": "[]", "LIST_CONTAINS": "IN"}
"""Operators that the engine names like functions."""

_POSITION = re.compile(r".*\(line: (\d+), offset: (\d+)\)", re.DOTALL)
_PROBLEMS: list[tuple[re.Pattern[str], Callable[[re.Match[str], str], CypherError]]] = [
    (re.compile(pattern, re.DOTALL), make_error)
    for pattern, make_error in (
        (r"Variable (.*) is not in scope\.", lambda match, statement: problems.unknown_variable(match[1], statement)),
        (r"Table (.*) does not exist\.", lambda match, statement: problems.unknown_label_or_type(match[1], statement)),
        (r"Cannot bind (.*) as a node pattern label", lambda match, _: problems.unknown_label(match[1])),
        (r"Cannot bind (.*) as a relationship pattern label", lambda match, _: problems.unknown_type(match[1])),
        (
            r"Cannot find property (.*) for (.*)\.",
            lambda match, statement: problems.unknown_property(match[1], statement, match[2]),
        ),
        (r"Invalid struct field name: (.*)\.", lambda match, _: CypherSyntax(f"the map has no key {truncate(match[1], 60)}")),
        (r"function (.*) does not exist", lambda match, statement: problems.unknown_function(match[1], statement)),
        (r"(.*) is neither an internal type", lambda match, _: CypherSyntax(f"there is no type {truncate(match[1], 60)}")),
        (
            r"Cannot match a built-in function for given function (.+?)\((.*?)\)\. Supported",
            lambda match, _: problems.wrong_arguments(match[1], _names(match[2])),
        ),
        (
            r"Function (\S+) did not receive correct arguments:\s*Actual:\s*\((.*?)\)\n",
            lambda match, _: problems.wrong_arguments(_OPERATORS.get(match[1], match[1]), _names(match[2])),
        ),
        (
            r"(?:Expression )?(.*) has data type (\S+) but (?:expected (\S+)\.|(\S+) was expected)",
            lambda match, statement: problems.wrong_type(
                match[2], (match[3] or match[4]).strip("()").split(","), _expression(match[1], statement)
            ),
        ),
        (r'Cast failed\. Could not convert "(.*)" to (\w+)', lambda match, _: problems.not_convertible(match[1], match[2])),
        (
            r'Error occurred during parsing (\w+)\. Given: "(.*?)"',
            lambda match, _: problems.not_convertible(match[2], match[1]),
        ),
        (r"Cast failed\. (.*) is not in (\w+) range", lambda match, _: problems.not_convertible(match[1], match[2])),
        (r"Value (.*) is not a valid (\w+)", lambda match, _: problems.not_convertible(match[1], match[2])),
        (r"Type Mismatch: Cannot compare types (.*) and (.*)", lambda match, _: problems.not_comparable(match.groups())),
        (
            r"Multiple result columns with the same name",
            lambda *_: CypherSyntax("two columns have the same name; give one another name with AS"),
        ),
        (r"Divide by zero|Modulo by zero", lambda *_: problems.division_by_zero()),
        (r"Value .* is not within", lambda *_: problems.number_overflow()),
        (
            r"Expression in WITH must be aliased",
            lambda *_: CypherSyntax("a computed column of WITH has no name; add AS and a name"),
        ),
        (
            r"The number of columns to union",
            lambda *_: CypherSyntax("the parts of a UNION return different numbers of columns; return the same columns"),
        ),
        (
            r"The number of rows to skip/limit",
            lambda *_: CypherSyntax("SKIP and LIMIT need a whole number that is not negative; write one"),
        ),
        (
            r".* contains nested aggregation",
            lambda *_: CypherSyntax("an aggregate is inside another aggregate; compute the inner one in a WITH before it"),
        ),
        (
            r"Upper bound of rel .* exceeds maximum: (\d+)",
            lambda match, _: CypherSyntax(
                f"a * pattern may have at most {match[1]} hops on this engine; lower its upper bound"
            ),
        ),
        (
            r"Found duplicate field (.*) in STRUCT",
            lambda match, _: CypherSyntax(f"a map has the key {truncate(match[1], 60)} twice; remove one"),
        ),
        (
            r"List extract takes 1-based position",
            lambda *_: CypherFailed("a list has no element 0 on this engine, which counts from 1; use head() or last()"),
        ),
        (r"Step of range cannot be 0", lambda *_: CypherFailed("the step of range() is 0; use another")),
    )
]


def memory_error() -> CypherFailed:
    """Return the error of a statement that needs more memory than its process may use."""
    return CypherFailed("the statement needs more memory than it may use; return fewer rows at once, or add LIMIT")
