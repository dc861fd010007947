"""Say in wayword's words what is wrong with a statement, the same for every engine.

The engines' modules of errors recognise what happened; this module words it, shows the place in the statement, and suggests
similar names. What the engine itself said is the cause of the error (``__cause__``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import pairwise

from ...core.errors import hint
from ...core.messages import truncate
from ..errors import CypherError, CypherFailed, CypherRefused, CypherSyntax
from ..schema import NODES, RELATIONSHIPS
from .guard import Token, tokenize

KEYWORDS = (
    "ALL", "AND", "ANY", "AS", "ASC", "BY", "CASE", "CONTAINS", "COUNT", "DESC", "DISTINCT", "ELSE", "END", "ENDS", "EXISTS",
    "FALSE", "IN", "IS", "LIMIT", "MATCH", "NONE", "NOT", "NULL", "OPTIONAL", "OR", "ORDER", "RETURN", "SINGLE", "SKIP",
    "STARTS", "THEN", "TRUE", "UNION", "UNWIND", "WHEN", "WHERE", "WITH", "XOR",
)  # fmt: skip

FUNCTIONS = (
    "abs", "avg", "ceil", "coalesce", "collect", "cos", "count", "date", "exp", "floor", "head", "last", "left", "length",
    "log10", "lower", "ltrim", "max", "min", "nodes", "range", "relationships", "replace", "reverse", "right", "round",
    "rtrim", "sign", "sin", "size", "split", "sqrt", "substring", "sum", "tail", "toFloat", "toInteger", "toLower",
    "toString", "toUpper", "trim", "type", "upper",
)  # fmt: skip
"""Functions that both engines have, for suggestions."""

_CONTEXT = 30
"""Characters shown before and after the place of a problem."""

_PLAIN_TYPES = {
    "bool": "a boolean", "boolean": "a boolean", "string": "a text", "node": "a node", "rel": "a relationship",
    "relationship": "a relationship", "recursive_rel": "a path", "path": "a path", "list": "a list", "array": "a list",
    "map": "a map", "struct": "a map", "date": "a date", "interval": "a duration", "duration": "a duration", "any": "any value",
    "double": "a decimal", "float": "a decimal", "decimal": "a decimal", "integer": "a whole number", "long": "a whole number",
    "serial": "a whole number", "null": "null", "blob": "bytes", "uuid": "a UUID", "number": "a number",
    "internal_id": "an internal id", "point": "a point",
}  # fmt: skip


class EngineMessage(Exception):
    """The words of an engine, as the cause of our error."""


def syntax_error(statement: str, offset: int) -> CypherSyntax:
    """Return the error of a statement that an engine cannot parse; ``offset`` is where it stopped.

    >>> print(syntax_error("MATCH (n RETURN n", 9))
    the statement is not valid Cypher at line 1, column 10: MATCH (n >>RETURN<< n
    >>> print(syntax_error("MATCH (n) RETRUN n", 10))
    the statement is not valid Cypher at line 1, column 11: MATCH (n) >>RETRUN<< n; did you mean RETURN?
    >>> print(syntax_error("RETURN", 6))
    the statement ends too early, at line 1, column 7: RETURN>><<
    """
    code = [token for token in tokenize(statement) if token.kind != "space"]
    at = next((token for token in code if token.start + len(token.text) > offset), None)
    if at is None or at.is_symbol(";"):
        end = len(statement.rstrip("; \n"))
        return CypherSyntax(f"the statement ends too early, at {place(statement, end, 0)}")
    suggestion = ""
    for token in reversed([token for token in code if token.start <= at.start][-2:]):
        if token.kind == "word" and token.text.upper() not in KEYWORDS and not suggestion:
            suggestion = suggest(token.text, KEYWORDS)
    where = place(statement, max(at.start, min(offset, len(statement))), len(at.text))
    return CypherSyntax(f"the statement is not valid Cypher at {where}{suggestion}")


def place(statement: str, offset: int, length: int) -> str:
    r"""Return the line and column of a part of a statement, and its line with the part between >> and <<.

    >>> place("MATCH (n)\nRETURN m", 17, 1)
    'line 2, column 8: RETURN >>m<<'
    """
    start = statement.rfind("\n", 0, offset) + 1
    end = statement.find("\n", offset)
    line = statement[start : len(statement) if end < 0 else end]
    column = offset - start
    before = line[max(0, column - _CONTEXT) : column]
    part = truncate(line[column : column + length], 2 * _CONTEXT)
    after = line[column + length :]
    shown = f"{'...' if column > _CONTEXT else ''}{before}>>{part}<<{truncate(after, _CONTEXT)}"
    return f"line {statement.count(chr(10), 0, offset) + 1}, column {column + 1}: {shown.strip()}"


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a question for names similar to an unknown one, or nothing.

    >>> suggest("Synsets", ["Synset", "Label"]), suggest("x", ["Synset"])
    ('; did you mean Synset?', '')
    """
    by_folded = {each.casefold(): each for each in known}
    close = get_close_matches(name[:100].casefold(), by_folded, n=2, cutoff=0.7)
    return f"; did you mean {' or '.join(by_folded[each] for each in close)}?" if close else ""


def unknown_label(name: str) -> CypherSyntax:
    """Return the error of a label that does not exist.

    >>> print(str(unknown_label("Synsets"))[:73])
    there is no label Synsets; did you mean Synset? wayword's labels are Arti
    """
    if name in RELATIONSHIPS:
        return CypherSyntax(f"{name} is a relationship type, not a label; write it in brackets, like -[:{name}]->")
    return _unknown("label", name, NODES, "wayword's labels are")


def unknown_type(name: str) -> CypherSyntax:
    """Return the error of a relationship type that does not exist."""
    if name in NODES:
        return CypherSyntax(f"{name} is a label, not a relationship type; write it in parentheses, like (:{name})")
    return _unknown("relationship type", name, RELATIONSHIPS, "wayword's types are")


def unknown_label_or_type(name: str, statement: str) -> CypherSyntax:
    """Return the error of a name that is neither a label nor a type, depending on the brackets around it."""
    brackets: list[str] = []
    for previous, token in pairwise([Token("", "", 0), *tokenize(statement)]):
        if token.kind == "symbol" and token.text in "([{":
            brackets.append(token.text)
        elif token.kind == "symbol" and token.text in ")]}" and brackets:
            brackets.pop()
        elif token.name == name and not previous.is_symbol(".") and brackets and brackets[-1] == "[":
            return unknown_type(name)
    return unknown_label(name)


def unknown_property(name: str, statement: str, variable: str | None = None) -> CypherSyntax:
    """Return the error of a property that does not exist.

    >>> print(unknown_property("nam", "MATCH (h:Hashtag) RETURN h.nam", "h"))
    there is no property nam; did you mean name? the properties of a Hashtag are base, id, name, tweets
    """
    variable = variable or _owner(name, statement)
    names = _types_of(variable, statement) if variable else []
    tables = {
        **{label: node.properties for label, node in NODES.items()},
        **{t: r.properties for t, r in RELATIONSHIPS.items()},
    }
    known = sorted({each for owner in names or tables for each in tables[owner]})
    if not names:
        return _unknown("property", name, known, "wayword's properties are")
    if not known:
        return CypherSyntax(f"there is no property {name}; a {' or '.join(names)} has none")
    return _unknown("property", name, known, f"the properties of a {' or '.join(names)} are")


def _owner(name: str, statement: str) -> str | None:
    """Return the variable whose property has a name: that of ``variable.name`` or ``(variable:Label {name: ...})``."""
    code = [token for token in tokenize(statement) if token.kind != "space"]
    for index, token in enumerate(code):
        if token.kind not in ("word", "quoted") or token.name != name:
            continue
        if index > 1 and code[index - 1].is_symbol("."):
            return code[index - 2].name
        if index and code[index - 1].text in "{,":
            opening = next((each for each in range(index, -1, -1) if code[each].text in ("(", "[")), None)
            if opening is not None and code[opening + 1].kind in ("word", "quoted"):
                return code[opening + 1].name
    return None


def _types_of(variable: str, statement: str) -> list[str]:
    """Return the labels or types that the patterns of a statement give a variable."""
    code = [token for token in tokenize(statement) if token.kind != "space"]
    found: list[str] = []
    for index, token in enumerate(code[1:], 1):
        if token.name != variable or token.kind not in ("word", "quoted") or code[index - 1].text not in ("(", "["):
            continue
        rest = iter(code[index + 1 :])
        for separator, name in zip(rest, rest, strict=False):
            if separator.text not in (":", "|", "&") or name.name not in {*NODES, *RELATIONSHIPS}:
                break
            found.append(name.name)
    return sorted(set(found))


def _unknown(kind: str, name: str, known: Iterable[str], introduction: str) -> CypherSyntax:
    names = sorted(known)
    question = suggest(name, names)
    return CypherSyntax(f"there is no {kind} {truncate(name, 60)}{question or ';'} {introduction} {', '.join(names)}")


def unknown_variable(name: str, statement: str, offset: int | None = None) -> CypherSyntax:
    """Return the error of a variable that no pattern or AS defines.

    >>> print(unknown_variable("m", "MATCH (n:Synset) RETURN m"))
    the variable m is not defined at line 1, column 25: MATCH (n:Synset) RETURN >>m<<; the statement defines n
    """
    code = [token for token in tokenize(statement) if token.kind != "space"]
    defined = sorted({token.name for previous, token in pairwise(code) if _defines(previous, token) and token.name != name})
    uses = [token.start for previous, token in pairwise(code) if token.name == name and previous.text not in (".", ":")]
    offset = uses[0] if offset is None and uses else offset
    where = "" if offset is None else f" at {place(statement, offset, len(name))}"
    known = suggest(name, defined) or (f"; the statement defines {truncate(', '.join(defined), 100)}" if defined else "")
    return CypherSyntax(f"the variable {truncate(name, 60)} is not defined{where}{known}")


def _defines(previous: Token, token: Token) -> bool:
    if token.kind not in ("word", "quoted"):
        return False
    return previous.text.upper() == "AS" or (previous.text in ("(", "[") and token.text.upper() not in KEYWORDS)


def unknown_function(name: str, statement: str) -> CypherSyntax:
    """Return the error of a function that the engine does not have.

    >>> print(unknown_function("COALESC", "RETURN coalesc(null, 1)"))
    this engine has no function coalesc at line 1, column 8: RETURN >>coalesc<<(null, 1); did you mean coalesce or collect?
    """
    use = find_name(name, statement)
    where = "" if use is None else f" at {place(statement, use.start, len(use.text))}"
    written = truncate(name if use is None else use.text, 60)
    return CypherSyntax(f"this engine has no function {written}{where}{suggest(written, FUNCTIONS)}")


def find_name(name: str, statement: str) -> Token | None:
    """Return the first use of a name in a statement, in upper or lower case."""
    tokens = (token for token in tokenize(statement) if token.kind in ("word", "quoted"))
    return next((token for token in tokens if token.name.casefold() == name.casefold()), None)


def wrong_arguments(function: str, types: Sequence[str]) -> CypherSyntax:
    """Return the error of a function or operator that does not take values of these types.

    >>> print(wrong_arguments("+", ["STRING", "INT64"])), print(wrong_arguments("ABS", ["STRING"]))
    + cannot be applied to a text and a whole number; convert one of them with toString(), toInteger() or toFloat()
    abs() does not take a text; convert it with toString(), toInteger() or toFloat(), or pass other arguments
    (None, None)
    """
    described = " and ".join(map(describe_type, types)) or "nothing"
    conversion = "with toString(), toInteger() or toFloat()"
    if not function[:1].isalpha() or function in KEYWORDS:
        return CypherSyntax(f"{function} cannot be applied to {described}; convert one of them {conversion}")
    return CypherSyntax(f"{function.lower()}() does not take {described}; convert it {conversion}, or pass other arguments")


def wrong_type(actual: str, expected: Sequence[str], where: str = "") -> CypherSyntax:
    """Return the error of a value of the wrong type.

    >>> print(wrong_type("Integer", ["Boolean"], " at line 1, column 12: RETURN NOT >>1<<"))
    a whole number is where a boolean is needed at line 1, column 12: RETURN NOT >>1<<
    """
    needed = " or ".join(dict.fromkeys(map(describe_type, expected)))
    return CypherSyntax(f"{describe_type(actual)} is where {needed} is needed{where}")


def describe_type(name: str) -> str:
    """Return an engine's type in plain words.

    >>> describe_type("INT64"), describe_type("List<String>"), describe_type("STRUCT(a INT8)")
    ('a whole number', 'a list', 'a map')
    """
    if name.endswith("[]"):
        return "a list"
    kind = re.split(r"[(<{\s]", re.sub(r"^an? ", "", name.strip()), maxsplit=1)[0].casefold()
    if re.fullmatch(r"u?int\d*", kind):
        return "a whole number"
    if "time" in kind:
        return "a time"
    return _PLAIN_TYPES.get(kind, "another type of value")


def division_by_zero() -> CypherFailed:
    """Return the error of a division by zero."""
    return CypherFailed("the statement divides by zero; filter those rows out with WHERE")


def number_overflow() -> CypherFailed:
    """Return the error of a number that does not fit into its type."""
    return CypherFailed("a number of the statement is too large for a whole number; calculate with toFloat()")


def not_comparable(types: Sequence[str]) -> CypherSyntax:
    """Return the error of a comparison of values of different types."""
    return CypherSyntax(f"{' and '.join(map(describe_type, types))} cannot be compared; convert one of them")


def not_convertible(text: str, type: str) -> CypherFailed:
    """Return the error of a text that cannot be converted."""
    return CypherFailed(f"the text {truncate(text, 60)!r} is not {describe_type(type)}; filter such rows out with WHERE")


def unrepresentable(reason: str) -> CypherFailed:
    """Return the error of an answer with a value that Python has no type for."""
    return CypherFailed(f"the answer has a value that Python cannot represent ({reason}); convert it to text with toString()")


def not_permitted() -> CypherRefused:
    """Return the error of a statement that an engine refused to run because it would do more than read."""
    return CypherRefused("the statement would change the graph, and statements may only read")


def unexplained(kind: type[CypherError]) -> CypherError:
    """Return the error of a statement for which there are only the engine's own words."""
    problem = "this engine does not accept the statement" if kind is CypherSyntax else "the statement failed while it ran"
    return kind(problem, hint("engine_words"))
