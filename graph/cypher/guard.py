r"""The guard: accept only a single, reading Cypher statement, before any engine sees it.

The guard checks tokens, not grammar. It recognises strings, comments and back-quoted names, and refuses a statement if any
other word changes a graph or accesses a file, the network or another statement. The check is the same for both engines and
errs on the side of refusing. Accepted statements are still subject to the engine's read-only mode and, on the embedded engine,
to the sandbox.

An attack would begin at the tokens: an engine that reads a quote or a comment differently could see words that the guard
skipped. Therefore everything on which the engines may disagree is refused outright: ``\u`` escapes (which Neo4j decodes before
it parses), unusual line ends after ``//``, nested comments, invisible characters, and unterminated quotes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...core.errors import hint
from ...core.normalisation import is_encodable
from ..errors import CypherRefused
from .parameters import MAX_DEPTH, check_parameter, has_open_type, infer_shape, write_value

MAX_BYTES = 64 * 1024
"""Longest statement, in bytes of UTF-8."""

MAX_SECONDS = 24 * 60 * 60
"""Longest time limit."""

FIRST_WORDS = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN"})
FORBIDDEN = frozenset(
    {
        "LOAD", "COPY", "INSTALL", "UNINSTALL", "ATTACH", "DETACH", "EXPORT", "IMPORT",
        "CALL", "USE", "CHECKPOINT", "ANALYZE", "BEGIN", "COMMIT", "ROLLBACK", "CREATE",
        "MERGE", "SET", "DELETE", "REMOVE", "DROP", "ALTER", "COMMENT", "EXPLAIN",
        "PROFILE", "FOREACH", "TERMINATE", "SHOW",
    }
)  # fmt: skip

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<line>//[^\n]*)
      | (?P<block>/\*.*?\*/)
      | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<quoted>`(?:[^`]|``)*`)
      | (?P<parameter>\$(?:[^\W\d]\w*|\d+|`(?:[^`]|``)*`))
      | (?P<word>[^\W\d]\w*)
      | (?P<number>0[xo][0-9a-fA-F]+|\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?)
      | (?P<symbol>\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING_MARKS = {"'": "a string", '"': "a string", "`": "a back-quoted name", "/*": "a comment"}
_ODD_LINE_END = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|\r(?!\n|$)")


def check_statement(statement: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Raise ``CypherRefused`` if a statement is not a single read-only one; return the parameters that it uses.

    >>> check_statement("MATCH (l:Label {id: $id}) RETURN l.name", {"id": "wordnet/dog", "other": 1})
    {'id': 'wordnet/dog'}
    >>> check_statement("MATCH (n) DELETE n")
    Traceback (most recent call last):
    ...
    wayword.graph.errors.CypherRefused: DELETE is not allowed: statements may only read; as a name write `DELETE`
    """
    size = len(statement.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise CypherRefused(f"the statement has {size} bytes, and the maximum is {MAX_BYTES}; pass long values as parameters")
    if not is_encodable(statement):
        raise CypherRefused("the statement contains a lone surrogate (half a character); write it in UTF-8")
    if "\0" in statement:
        raise CypherRefused("the statement contains a NUL character; remove it")
    if re.search(r"\\u", statement, re.IGNORECASE):
        raise CypherRefused(r"\u is not allowed in a statement; write the character itself, or pass the text as a parameter")
    tokens = list(_tokens(statement))
    if not tokens:
        raise CypherRefused("the statement is empty; write one that begins with MATCH")
    _check_words(tokens)
    _check_depth(tokens)
    return _used_parameters(tokens, parameters or {})


def _tokens(statement: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and text of each token. Comments become spaces, so that they separate words like spaces do."""
    for match in _TOKEN.finditer(statement):
        kind, text = match.lastgroup or "", match.group()
        if kind == "line" and _ODD_LINE_END.search(text):
            raise CypherRefused("a // comment contains an unusual line end, and engines disagree on where it ends; remove it")
        if kind == "block" and "/*" in text[2:]:
            raise CypherRefused("a comment inside a comment is not allowed; remove it")
        if kind == "symbol":
            unclosed = _OPENING_MARKS.get(statement[match.start() : match.start() + 2]) or _OPENING_MARKS.get(text)
            if unclosed is not None:
                raise CypherRefused(f"{unclosed} starts at character {match.start() + 1} and is never closed; close it")
            if len(text) == 1 and unicodedata.category(text) in ("Cc", "Cf"):
                raise CypherRefused(f"the statement contains the invisible character U+{ord(text):04X}; remove it")
        if kind in ("line", "block"):
            kind, text = "space", " "
        yield kind, text


def _check_words(tokens: Sequence[tuple[str, str]]) -> None:
    code = [(kind, text) for kind, text in tokens if kind != "space"]
    if not code:
        raise CypherRefused("the statement is empty; write one that begins with MATCH")
    kind, text = code[0]
    if kind != "word" or text.upper() not in FIRST_WORDS:
        raise CypherRefused(f"a statement must begin with {', '.join(sorted(FIRST_WORDS))}, not with {text[:40]}")
    ends = [index for index, token in enumerate(code) if token == ("symbol", ";")]
    if ends and ends != [len(code) - 1]:
        raise CypherRefused("only one statement at a time is allowed; send what follows the ';' separately")
    previous = ("", "")
    for token in tokens:
        if token[0] == "word" and previous[0] == "number":
            # Engines disagree on whether 1SET is one token or two.
            raise CypherRefused(f"there is no space between the number {previous[1]} and the word {token[1][:40]}; add one")
        # Directly after a dot or a colon a word is the name of a property, label or type.
        if token[0] == "word" and previous not in (("symbol", "."), ("symbol", ":")):
            word = find_forbidden(token[1])
            if word is not None:
                raise CypherRefused(f"{word} is not allowed: statements may only read; as a name write `{token[1]}`")
        previous = token


def find_forbidden(word: str) -> str | None:
    r"""Return the forbidden word that equals a word in upper case or case-folded; None if the word is allowed.

    >>> find_forbidden("set"), find_forbidden("\u017fet"), find_forbidden("settle")
    ('SET', 'SET', None)
    """
    for upper in (word.upper(), word.casefold().upper()):
        if upper in FORBIDDEN:
            return upper
    return None


def _check_depth(tokens: Sequence[tuple[str, str]]) -> None:
    """Refuse brackets, CASE and runs of NOT or signs that are nested too deeply: the engines' recursive parsers would crash."""
    depth = run = 0
    for kind, text in tokens:
        word = text.upper() if kind == "word" else ""
        if kind == "space":
            continue
        if word == "CASE" or (kind == "symbol" and text in "([{"):
            depth += 1
        elif word == "END" or (kind == "symbol" and text in ")]}"):
            depth = max(0, depth - 1)
        run = run + 1 if word == "NOT" or (kind == "symbol" and text in "+-") else 0
        if max(depth, run) > MAX_DEPTH:
            raise CypherRefused(f"the statement nests deeper than {MAX_DEPTH} levels; simplify it")


def _used_parameters(tokens: Sequence[tuple[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    used = {}
    for kind, text in tokens:
        if kind == "parameter":
            name = _parameter_name(text)
            if name not in parameters:
                raise CypherRefused(f"the statement needs the parameter ${name}", hint("pass_parameter", parameter=name))
            used[name] = check_parameter(name, parameters[name])
    return used


def _parameter_name(parameter: str) -> str:
    return parameter[1:] if parameter[1] != "`" else parameter[2:-1].replace("``", "`")


def inline_parameters(statement: str, parameters: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Write parameters of unknown type into the statement, for an engine that needs the type of each parameter.

    Args:
        statement: A statement that ``check_statement`` accepted.
        parameters: The parameters that ``check_statement`` returned.

    Returns:
        The changed statement, and its parameters.

    >>> inline_parameters("RETURN $x, $y", {"x": [], "y": [1]})
    ('RETURN [], $y', {'y': [1]})
    """
    untyped = {
        name: value for name, value in parameters.items() if value is not None and has_open_type(infer_shape(name, value))
    }
    if not untyped:
        return statement, dict(parameters)
    typed = {name: value for name, value in parameters.items() if name not in untyped}
    literals = {}
    for name, value in untyped.items():
        literals[name], parts = write_value(name, value, {**typed, **parameters})
        typed |= parts
    text = "".join(
        literals.get(_parameter_name(text), text) if kind == "parameter" else text for kind, text in _tokens(statement)
    )
    if len(text.encode()) > MAX_BYTES:
        raise CypherRefused(f"the parameter ${min(untyped)} has too many empty lists or nulls; remove some")
    return text, typed


def check_limits(limit: int, timeout: float) -> None:
    """Raise ``CypherRefused`` if a row limit or time limit is invalid.

    >>> check_limits(1000, float("inf"))
    Traceback (most recent call last):
    ...
    wayword.graph.errors.CypherRefused: the time limit is inf; use seconds above 0 and up to 86400
    """
    if type(limit) is not int or not 1 <= limit < 2**31:
        raise CypherRefused(f"the row limit is {str(limit)[:40]}; use a whole number from 1 to {2**31 - 1}")
    if type(timeout) not in (int, float) or not 0 < timeout <= MAX_SECONDS:
        raise CypherRefused(f"the time limit is {str(timeout)[:40]}; use seconds above 0 and up to {MAX_SECONDS}")
