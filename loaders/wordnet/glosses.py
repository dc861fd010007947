"""Parts a gloss of the database files into definition and examples; in the files they are one line of text."""

from __future__ import annotations

import re

QUOTED = re.compile(r'"([^"]*)"')
LED_IN = re.compile(r'(.*[^\s:]):\s*("[^"]*")', re.DOTALL)


def split_gloss(gloss: str) -> tuple[str, list[str]]:
    """The definition of a gloss, and its examples.

    An example is a quotation that stands alone between semicolons; one with its author stays as it is printed. Quotations that
    belong to a sentence stay in the definition.

    >>> split_gloss('draw air in; "I can breathe"; "all is well; go"- Anon.')
    ('draw air in', ['I can breathe', '"all is well; go"- Anon.'])
    >>> split_gloss('a pad for notes; "scribbling block" is a British term')
    ('a pad for notes; "scribbling block" is a British term', [])
    """
    gloss = gloss.strip()
    if '"' not in gloss:
        return gloss, []
    definition, *examples = gloss.split('; "')
    if '"' not in definition and all(each.find('"') == len(each) - 1 for each in examples):
        return definition, [each[:-1] for each in examples]
    return _parted(gloss)


def _parted(gloss: str) -> tuple[str, list[str]]:
    said: list[str] = []
    examples: list[str] = []
    for piece in _pieces(gloss):
        if piece.startswith('"'):
            quoted = _quotations(piece)
            if quoted:
                examples += quoted
                continue
        led_in = LED_IN.fullmatch(piece)
        if led_in:
            said.append(led_in[1])
            examples.append(led_in[2][1:-1])
        else:
            said.append(piece)
    return "; ".join(said), examples


def _quotations(piece: str) -> list[str]:
    """The examples that a piece beginning with a quotation mark is made of; none if it is a sentence about a quotation."""
    rest = QUOTED.sub("", piece).strip()
    if not rest:
        return [text for text in QUOTED.findall(piece) if text]
    if rest[0].islower() or rest.startswith('"'):
        return []
    return [piece]


def _pieces(gloss: str) -> list[str]:
    """The parts between semicolons that stand outside quotation marks."""
    pieces, quoted, start = [], False, 0
    for place, letter in enumerate(gloss):
        if letter == '"':
            quoted = not quoted
        elif letter == ";" and not quoted:
            pieces.append(gloss[start:place])
            start = place + 1
    pieces.append(gloss[start:])
    return [piece.strip() for piece in pieces if piece.strip()]
