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
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from ...core.errors import hint
from ...core.normalisation import is_encodable
from ..errors import CypherRefused
from .deadline import Deadline
from .parameters import ENGINE_NAMES, MAX_DEPTH, ParameterReader, infer_shape, must_be_written, write_value

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


class Token(NamedTuple):
    """A piece of a statement: its kind, its text, and where it begins."""

    kind: str
    text: str
    start: int

    @property
    def name(self) -> str:
        """The text without back quotes and the sign of a parameter."""
        text = self.text.removeprefix("$")
        return text if not text.startswith("`") else text[1:-1].replace("``", "`")

    def is_symbol(self, text: str) -> bool:
        """Whether this is the symbol."""
        return self.kind == "symbol" and self.text == text


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement that may run, the parameters that it uses, and its limits."""

    text: str
    parameters: Mapping[str, Any]
    limit: int
    deadline: Deadline


def check_request(statement: Any, parameters: Any, limit: Any, timeout: Any) -> CheckedStatement:
    """Check what a caller of ``Store.cypher`` passed; the time limit counts from here.

    Raises:
        CypherRefused: The statement is not read-only, or a parameter or limit is invalid.
        CypherTimeout: The parameters are so large that checking them took too long.
    """
    check_limits(limit, timeout)
    deadline = Deadline(timeout)
    if not isinstance(statement, str):
        raise CypherRefused(f"the statement is of the type {type(statement).__name__}; write Cypher as text")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise CypherRefused(f"the parameters are of the type {type(parameters).__name__}; pass a map of names and values")
    text = str.__str__(statement)
    return CheckedStatement(text, check_statement(text, parameters, deadline), limit, deadline)


def check_statement(
    statement: str, parameters: Mapping[str, Any] | None = None, deadline: Deadline | None = None
) -> dict[str, Any]:
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
    tokens = list(tokenize(statement))
    _check_words(tokens)
    _check_depth(tokens)
    return _used_parameters(tokens, parameters or {}, ParameterReader(deadline or Deadline(MAX_SECONDS)))


def tokenize(statement: str) -> Iterator[Token]:
    """Yield the tokens of a statement. Comments become spaces, so that they separate words like spaces do."""
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
        yield Token(kind, text, match.start())


def _check_words(tokens: Sequence[Token]) -> None:
    code = [token for token in tokens if token.kind != "space"]
    if not code:
        raise CypherRefused("the statement is empty; write one that begins with MATCH")
    kind, text, _ = code[0]
    if kind != "word" or text.upper() not in FIRST_WORDS:
        raise CypherRefused(f"a statement must begin with {', '.join(sorted(FIRST_WORDS))}, not with {text[:40]}")
    ends = [index for index, token in enumerate(code) if token.is_symbol(";")]
    if ends and ends != [len(code) - 1]:
        raise CypherRefused("only one statement at a time is allowed; send what follows the ';' separately")
    for previous, token in pairwise([Token("", "", 0), *tokens]):
        if token.kind in ("word", "quoted") and token.name in ENGINE_NAMES:
            raise CypherRefused(f"the name {token.name} is not allowed, because an engine reserves it; choose another")
        if token.kind == "word" and previous.kind == "number":
            # Engines disagree on whether 1SET is one token or two.
            raise CypherRefused(f"there is no space between the number {previous.text} and the word {token.text[:40]}; add one")
        # Directly after a dot or a colon a word is the name of a property, label or type.
        if token.kind == "word" and not (previous.is_symbol(".") or previous.is_symbol(":")):
            word = find_forbidden(token.text)
            if word is not None:
                raise CypherRefused(f"{word} is not allowed: statements may only read; as a name write `{token.text}`")


def find_forbidden(word: str) -> str | None:
    r"""Return the forbidden word that equals a word in upper case or case-folded; None if the word is allowed.

    >>> find_forbidden("set"), find_forbidden("\u017fet"), find_forbidden("settle")
    ('SET', 'SET', None)
    """
    for upper in (word.upper(), word.casefold().upper()):
        if upper in FORBIDDEN:
            return upper
    return None


def _check_depth(tokens: Sequence[Token]) -> None:
    """Refuse brackets, CASE and runs of NOT or signs that are nested too deeply: the engines' recursive parsers would crash."""
    depth = run = 0
    for kind, text, _ in tokens:
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


def _used_parameters(tokens: Sequence[Token], parameters: Mapping[str, Any], reader: ParameterReader) -> dict[str, Any]:
    used: dict[str, Any] = {}
    for token in tokens:
        if token.kind == "parameter" and (name := token.name) not in used:
            if name not in parameters:
                raise CypherRefused(f"the statement needs the parameter ${name}", hint("pass_parameter", parameter=name))
            used[name] = reader.read(name, parameters[name])
    return used


class Edit(NamedTuple):
    """A part of a statement, and what replaces it."""

    start: int
    end: int
    text: str


def inline_parameters(checked: CheckedStatement) -> tuple[str, dict[str, Any], list[Edit]]:
    """Write parameters that an engine would give another type, or none, into the statement.

    Returns:
        The changed statement, its parameters, and the changes.

    >>> inline_parameters(check_request("RETURN $x, $y", {"x": [], "y": [1]}, 10, 1))[:2]
    ('RETURN [], $y', {'y': [1]})
    """
    parameters, deadline = checked.parameters, checked.deadline
    written = [name for name, value in parameters.items() if must_be_written(value, infer_shape(name, value, deadline))]
    if not written:
        return checked.text, dict(parameters), []
    typed = {name: value for name, value in parameters.items() if name not in written}
    literals = {}
    for name in written:
        literals[name], parts = write_value(name, parameters[name], {**typed, **parameters}, deadline)
        typed |= parts
    edits = [
        Edit(token.start, token.start + len(token.text), literals[token.name])
        for token in tokenize(checked.text)
        if token.kind == "parameter" and token.name in literals
    ]
    text = apply_edits(checked.text, edits)
    if len(text.encode()) > MAX_BYTES:
        raise CypherRefused(
            f"the parameter ${min(written, key=lambda name: -len(literals[name]))} has too many maps, empty lists or nulls;"
            " pass fewer at a time"
        )
    return text, typed, edits


def apply_edits(statement: str, edits: Sequence[Edit]) -> str:
    """Return the changed statement.

    >>> apply_edits("RETURN $x", [Edit(7, 9, "[]")])
    'RETURN []'
    """
    ends = [0, *(edit.end for edit in edits)]
    pieces = [statement[end : edit.start] + edit.text for end, edit in zip(ends, edits, strict=False)]
    return "".join(pieces) + statement[ends[-1] :]


def original_offset(offset: int, edits: Sequence[Edit]) -> int:
    """Return where a character of a changed statement is in the original one.

    >>> original_offset(11, [Edit(7, 9, "[]"), Edit(11, 13, "NULL")]), original_offset(17, [Edit(7, 9, "NULL")])
    (11, 15)
    """
    shift = 0
    for start, end, text in edits:
        if offset < start + shift:
            break
        if offset < start + shift + len(text):
            return start
        shift += len(text) - (end - start)
    return offset - shift


def check_limits(limit: int, timeout: float) -> None:
    """Raise ``CypherRefused`` if a row limit or time limit is invalid.

    >>> check_limits(1000, float("inf"))
    Traceback (most recent call last):
    ...
    wayword.graph.errors.CypherRefused: the time limit is inf; use seconds above 0 and up to 86400
    """
    if type(limit) is not int or not 1 <= limit < 2**31:
        raise CypherRefused(f"the row limit is {_show(limit)}; use a whole number from 1 to {2**31 - 1}")
    if type(timeout) not in (int, float) or not 0 < timeout <= MAX_SECONDS:
        raise CypherRefused(f"the time limit is {_show(timeout)}; use seconds above 0 and up to {MAX_SECONDS}")


def _show(value: Any) -> str:
    # Python refuses to write numbers of thousands of digits.
    return f"a number of {value.bit_length()} bits" if type(value) is int and value.bit_length() > 128 else str(value)[:40]
