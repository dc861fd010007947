"""Describe the codes of the damage that a check finds."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "changed_blocks": ("block changed since it was written", "blocks changed since they were written"),
    "changed_digest": ("digest changed since it was written",) * 2,
    "changed_length": ("file longer or shorter than it was written",) * 2,
    "changed_file": ("file changed since it was written",) * 2,
    "unreadable_file": ("file that cannot be read", "files that cannot be read"),
    "unreadable_ledger": ("part of the ledger that cannot be read", "parts of the ledger that cannot be read"),
    "engine_crash": ("crash of the engine while it read the rows",) * 2,
    "unreadable_rows": ("error of the engine while it read the rows",) * 2,
    "unfinished_base": ("base whose load was interrupted or is running", "bases whose loads were interrupted or are running"),
    "missing_index": ("missing index or constraint", "missing indexes or constraints"),
    "orphan_node": ("node of a base that does not exist", "nodes of bases that do not exist"),
    "missing_relationship": ("relationship deleted since its load", "relationships deleted since their load"),
    "added_relationship": ("relationship added since the load", "relationships added since the load"),
}
"""The description of each code: singular, plural."""


def describe_problem(code: str, count: int) -> str:
    """Return a count with the words of its code.

    >>> describe_problem("changed_blocks", 2), describe_problem("unheard_of", 1)
    ('2 blocks changed since they were written', '1 unheard of')
    """
    words = WORDS.get(code, (code.replace("_", " "),) * 2)
    return f"{count:,} {words[count != 1]}"
