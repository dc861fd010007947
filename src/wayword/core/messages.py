"""Format values and the errors of other libraries for one-line messages."""

from __future__ import annotations


def truncate(text: str, limit: int = 300) -> str:
    """Truncate a text to a number of characters.

    >>> truncate("a public toilet", 8)
    'a public...'
    """
    return text if len(text) <= limit else f"{text[:limit]}..."


def quote_value(value: object, limit: int = 60) -> str:
    """Quote a value on one line, truncated to a number of characters.

    >>> quote_value("dog"), quote_value("d" * 100)[-7:]
    ("'dog'", "ddd...'")
    """
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}...{text[-1]}"


def first_line(error: object, limit: int = 300) -> str:
    r"""Return the first non-empty line of an error's text, truncated; the name of its type if there is none.

    >>> first_line(RuntimeError("Parser exception: no (line: 1)\n RETURN\n ^"))
    'Parser exception: no (line: 1)'
    >>> first_line(MemoryError())
    'MemoryError'
    """
    lines = (line.strip() for line in str(error).splitlines())
    return truncate(next(filter(None, lines), type(error).__name__), limit)
