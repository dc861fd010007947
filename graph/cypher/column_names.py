"""Name the columns of an answer as Neo4j does: an expression without an alias is named by its text in the statement."""

from __future__ import annotations

from collections.abc import Sequence

from .guard import Token, tokenize

_AFTER_COLUMNS = frozenset({"ORDER", "SKIP", "LIMIT", "UNION"})


def name_columns(statement: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns, with each expression as the user wrote it.

    Args:
        statement: The statement as the user wrote it.
        names: The engine's names of the columns, which are kept if they cannot be matched with the statement's expressions.

    >>> name_columns("MATCH (s:Synset) RETURN count(s), 1+2 AS sum, s.pos LIMIT 3", ["COUNT(s._ID)", "sum", "s.pos"])
    ('count(s)', 'sum', 's.pos')
    >>> name_columns("MATCH (a)-[r]->(b) RETURN *", ["a", "r", "b"])
    ('a', 'r', 'b')
    """
    columns = _returned_columns(statement)
    if len(columns) != len(names):
        return tuple(names)
    written = tuple(_written_name(statement, column) or name for column, name in zip(columns, names, strict=True))
    return written if len(set(written)) >= len(set(names)) else tuple(names)


def _returned_columns(statement: str) -> list[list[Token]]:
    """Return the tokens of each column that the statement returns; a union has the columns of its first part."""
    columns: list[list[Token]] = []
    depth, previous = 0, None
    for token in tokenize(statement):
        if token.kind == "space":
            continue
        word = token.text.upper() if token.kind == "word" and not _is_name(previous) else ""
        previous = token
        depth += (token.kind == "symbol" and token.text in "([{") - (token.kind == "symbol" and token.text in ")]}")
        if not columns:
            if word == "RETURN" and depth == 0:
                columns.append([])
        elif depth == 0 and (word in _AFTER_COLUMNS or token.is_symbol(";")):
            break
        elif depth == 0 and token.is_symbol(","):
            columns.append([])
        elif columns != [[]] or word != "DISTINCT":
            columns[-1].append(token)
    return columns


def _is_name(previous: Token | None) -> bool:
    """Whether a word is a name and no keyword, because of the token before it."""
    if previous is None:
        return False
    return previous.is_symbol(".") or previous.is_symbol(":") or (previous.kind == "word" and previous.text.upper() == "AS")


def _written_name(statement: str, tokens: Sequence[Token]) -> str:
    """Return the text of an expression; empty if it is a variable or has an alias, since the engine then knows the name."""
    if len(tokens) < 2 and (not tokens or tokens[0].kind in ("word", "quoted") or tokens[0].is_symbol("*")):
        return ""
    if len(tokens) > 2 and tokens[-2].kind == "word" and tokens[-2].text.upper() == "AS":
        return ""
    return statement[tokens[0].start : tokens[-1].start + len(tokens[-1].text)]
