"""Values and errors of others, as messages of one line show them."""

from __future__ import annotations


def truncate(text: str, longest: int = 300) -> str:
    """Cut a text off after so many characters.

    >>> truncate("a public toilet", 8)
    'a public...'
    """
    return text if len(text) <= longest else f"{text[:longest]}..."


def quote_value(value: object, longest: int = 60) -> str:
    """Quote a value, on one line and cut off after so many characters.

    >>> quote_value("dog"), quote_value("d" * 100)[-7:]
    ("'dog'", "ddd...'")
    """
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}...{text[-1]}"


def first_line(error: object, longest: int = 300) -> str:
    r"""Take the first line of an error's text, cut off after so many characters; the name of its type if it has no text.

    >>> first_line(RuntimeError("Parser exception: no (line: 1)\n RETURN\n ^"))
    'Parser exception: no (line: 1)'
    >>> first_line(MemoryError())
    'MemoryError'
    """
    lines = (line.strip() for line in str(error).splitlines())
    return truncate(next(filter(None, lines), type(error).__name__), longest)
