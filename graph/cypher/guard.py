"""Lets only a single reading statement of Cypher through, before any engine sees it.

The check knows words, not grammar: what is written in strings, comments and back-quotes is taken out, and of the words that
are left none may be one that changes a graph, reaches a file, a network or another statement. It is the same for both engines
and errs on the side of refusing; whatever it lets through meets the engine's own read-only mode and a process of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...core.errors import hint
from ...core.normalization import is_encodable
from ..errors import CypherRefused
from .parameters import DEEPEST, check_parameter, has_open_type, infer_shape, write_value

LONGEST = 64 * 1024
LONGEST_TIME = 24 * 60 * 60

FIRST = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN"})
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
      | (?P<mark>\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENED = {"'": "a string", '"': "a string", "`": "a back-quoted name", "/*": "a comment"}
_ODD_LINE_END = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|\r(?!\n|$)")


def check_statement(statement: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Refuse what is not one read-only statement; the parameters that it names are returned.

    >>> check_statement("MATCH (l:Label {id: $id}) RETURN l.name", {"id": "wordnet/dog", "other": 1})
    {'id': 'wordnet/dog'}
    >>> check_statement("MATCH (n) DELETE n")
    Traceback (most recent call last):
    ...
    wayword.graph.errors.CypherRefused: DELETE is not allowed: statements only read; to use it as a name write `DELETE`
    """
    size = len(statement.encode("utf-8", "surrogatepass"))
    if size > LONGEST:
        raise CypherRefused(f"the statement has {size} bytes and at most {LONGEST} are allowed; pass long values as parameters")
    if not is_encodable(statement):
        raise CypherRefused("the statement holds half a character (a lone surrogate); write it in UTF-8")
    if "\0" in statement:
        raise CypherRefused("the statement holds a NUL character; leave it out")
    if re.search(r"\\u", statement, re.IGNORECASE):
        raise CypherRefused(r"\u is not allowed in a statement; write the character itself, or pass the text as a parameter")
    tokens = list(_tokens(statement))
    if not tokens:
        raise CypherRefused("the statement is empty; write one that begins with MATCH")
    _check_words(tokens)
    _check_depth(tokens)
    return _given(tokens, parameters or {})


def _tokens(statement: str) -> Iterator[tuple[str, str]]:
    """The kind and text of every token but comments; white space stays, because it parts a name from the mark before it."""
    for found in _TOKEN.finditer(statement):
        kind, text = found.lastgroup or "", found.group()
        if kind == "line" and _ODD_LINE_END.search(text):
            raise CypherRefused("a // comment holds an unusual line end, and engines do not agree where it stops; leave it out")
        if kind == "block" and "/*" in text[2:]:
            raise CypherRefused("a comment inside a comment is not allowed; leave one out")
        if kind == "mark":
            opened = _OPENED.get(statement[found.start() : found.start() + 2]) or _OPENED.get(text)
            if opened is not None:
                raise CypherRefused(f"{opened} is opened at character {found.start() + 1} and never closed; close it")
            if len(text) == 1 and unicodedata.category(text) in ("Cc", "Cf"):
                raise CypherRefused(f"the statement holds the invisible character U+{ord(text):04X}; leave it out")
        if kind in ("line", "block"):
            kind, text = "space", " "
        yield kind, text


def _check_words(tokens: Sequence[tuple[str, str]]) -> None:
    told = [(kind, text) for kind, text in tokens if kind != "space"]
    if not told:
        raise CypherRefused("the statement is empty; write one that begins with MATCH")
    kind, text = told[0]
    if kind != "word" or text.upper() not in FIRST:
        raise CypherRefused(f"a statement begins with {', '.join(sorted(FIRST))}, not with {text[:40]}; it can only read")
    ends = [index for index, token in enumerate(told) if token == ("mark", ";")]
    if ends and ends != [len(told) - 1]:
        raise CypherRefused("only one statement at a time is allowed; send what follows the ';' on its own")
    before = ("", "")
    for token in tokens:
        if token[0] == "word" and before[0] == "number":
            raise CypherRefused(f"the number {before[1]} and the word {token[1][:40]} touch; write a blank between them")
        if token[0] == "word" and before not in (("mark", "."), ("mark", ":")):
            word = forbidden(token[1])
            if word is not None:
                raise CypherRefused(f"{word} is not allowed: statements only read; to use it as a name write `{token[1]}`")
        before = token


def forbidden(word: str) -> str | None:
    r"""The forbidden word that this is, in any case and with letters that fold to plain ones.

    >>> forbidden("set"), forbidden("\u017fet"), forbidden("settle")
    ('SET', 'SET', None)
    """
    for upper in (word.upper(), word.casefold().upper()):
        if upper in FORBIDDEN:
            return upper
    return None


def _check_depth(tokens: Sequence[tuple[str, str]]) -> None:
    """Refuse what nests deeper than the engines can follow: brackets, CASE, and runs of NOT or of a sign."""
    open_ = run = 0
    for kind, text in tokens:
        word = text.upper() if kind == "word" else ""
        if kind == "space":
            continue
        if word == "CASE" or (kind == "mark" and text in "([{"):
            open_ += 1
        elif word == "END" or (kind == "mark" and text in ")]}"):
            open_ = max(0, open_ - 1)
        run = run + 1 if word == "NOT" or (kind == "mark" and text in "+-") else 0
        if max(open_, run) > DEEPEST:
            raise CypherRefused(f"the statement nests more than {DEEPEST} deep; write it flatter")


def _given(tokens: Sequence[tuple[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    given = {}
    for kind, text in tokens:
        if kind == "parameter":
            name = _named(text)
            if name not in parameters:
                raise CypherRefused(f"the statement needs the parameter ${name}", hint("pass_parameter", parameter=name))
            given[name] = check_parameter(name, parameters[name])
    return given


def _named(parameter: str) -> str:
    return parameter[1:] if parameter[1] != "`" else parameter[2:-1].replace("``", "`")


def inline_parameters(statement: str, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """A statement that ``check_statement`` let through, and its parameters, for an engine that must know the type of each.

    >>> inline_parameters("RETURN $x, $y", {"x": [], "y": [1]})
    ('RETURN [], $y', {'y': [1]})
    """
    untyped = {name: value for name, value in given.items() if value is not None and has_open_type(infer_shape(name, value))}
    if not untyped:
        return statement, dict(given)
    typed = {name: value for name, value in given.items() if name not in untyped}
    told = {}
    for name, value in untyped.items():
        told[name], more = write_value(name, value, {**typed, **given})
        typed |= more
    text = "".join(told.get(_named(text), text) if kind == "parameter" else text for kind, text in _tokens(statement))
    if len(text.encode()) > LONGEST:
        raise CypherRefused(f"the parameter ${min(untyped)} leaves too many types open; leave out what is empty in it")
    return text, typed


def check_limits(limit: int, timeout: float) -> None:
    """Refuse a limit of rows or of time that is none.

    >>> check_limits(1000, float("inf"))
    Traceback (most recent call last):
    ...
    wayword.graph.errors.CypherRefused: the time limit is inf; give seconds above 0 and up to 86400
    """
    if type(limit) is not int or not 1 <= limit < 2**31:
        raise CypherRefused(f"the row limit is {str(limit)[:40]}; give a whole number from 1 to {2**31 - 1}")
    if type(timeout) not in (int, float) or not 0 < timeout <= LONGEST_TIME:
        raise CypherRefused(f"the time limit is {str(timeout)[:40]}; give seconds above 0 and up to {LONGEST_TIME}")
