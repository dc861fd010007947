"""Split a gloss of the database files, which is one line of text, into a definition and examples."""

from __future__ import annotations

import re

QUOTED = re.compile(r'"([^"]*)"')
INTRODUCED = re.compile(r'(.*[^\s:]):\s*("[^"]*")', re.DOTALL)
"""An example after a colon."""


def split_gloss(gloss: str) -> tuple[str, list[str]]:
    """Split a gloss into its definition and its examples.

    A quotation between semicolons is an example; if its author follows, quotation marks and author are preserved. A quotation
    inside a sentence is part of the definition.

    >>> split_gloss('draw air in; "I can breathe"; "all is well; go"- Anon.')
    ('draw air in', ['I can breathe', '"all is well; go"- Anon.'])
    >>> split_gloss('a pad for notes; "scribbling block" is a British term')
    ('a pad for notes; "scribbling block" is a British term', [])
    """
    gloss = gloss.strip()
    if '"' not in gloss:
        return gloss, []
    definition, *examples = gloss.split('; "')
    if '"' not in definition and all(example.find('"') == len(example) - 1 for example in examples):
        return definition, [example[:-1] for example in examples]
    return _split_irregular(gloss)


def _split_irregular(gloss: str) -> tuple[str, list[str]]:
    """Split a gloss whose quotations are not all plain examples after the definition."""
    definition: list[str] = []
    examples: list[str] = []
    for piece in _split_at_semicolons(gloss):
        if piece.startswith('"'):
            quotations = _extract_quotations(piece)
            if quotations:
                examples += quotations
                continue
        introduced = INTRODUCED.fullmatch(piece)
        if introduced:
            definition.append(introduced[1])
            examples.append(introduced[2][1:-1])
        else:
            definition.append(piece)
    return "; ".join(definition), examples


def _extract_quotations(piece: str) -> list[str]:
    """Return the examples in a piece that starts with a quotation mark; none if it is a sentence about a quotation."""
    rest = QUOTED.sub("", piece).strip()
    if not rest:
        return [text for text in QUOTED.findall(piece) if text]
    if rest[0].islower() or rest.startswith('"'):
        return []
    return [piece]


def _split_at_semicolons(gloss: str) -> list[str]:
    """Split at the semicolons outside quotation marks."""
    pieces, quoted, start = [], False, 0
    for position, letter in enumerate(gloss):
        if letter == '"':
            quoted = not quoted
        elif letter == ";" and not quoted:
            pieces.append(gloss[start:position])
            start = position + 1
    pieces.append(gloss[start:])
    return [piece.strip() for piece in pieces if piece.strip()]
