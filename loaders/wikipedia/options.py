"""The options of a load, which decide what is stored; the base records those that differ from the defaults."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

FIRST_LINKS = 20
"""Body links that are stored per article by default."""

LONGEST_LABEL = 256
"""Characters of the longest label, and of the longest phrase in a query."""

HIDDEN_PATTERNS = (
    r"(?i)^candidates for (?:speedy )?deletion\b",
    r"(?i)^(?:all |wikipedia )?(?:articles|pages|categories|files|images|lists|templates|stubs) "
    r"(?:with|without|needing|lacking|containing|to be|using|that|requiring|incorporating|contradicting|having|for|in need)\b",
    r"(?i)^wikipedia (?:administration|articles|cleanup|maintenance|pages|templates)\b",
    r"(?i)\bstubs$",
    r"(?i)^cs1\b",
)
"""Titles of maintenance categories on English Wikipedia and on the wikis that copied from it."""


Parser = Literal["fast", "reference"]
"""The wikitext parser: the scanner of this package, or ``mwparserfromhell``, which is about 20 times slower."""

PARSERS: tuple[Parser, ...] = get_args(Parser)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one load.

    Attributes:
        first_links: Body links that are stored per article, the first in reading order (None: all).
        count_all_links: Whether links in templates, tables and references count as uses of labels too.
        keep_disambiguation: Whether disambiguation pages are articles like any other.
        keep_hidden: Whether hidden categories are categories like any other.
        hidden_patterns: Regular expressions (RE2); a category is also hidden if its title contains a match.
        disambiguation_templates: Templates that mark disambiguation pages, besides those of the wiki's language.
        longest_label: Characters of the longest label.
        openings: Characters of the first paragraphs that are stored per article, with marked links.
        parser: The wikitext parser.
    """

    first_links: int | None = FIRST_LINKS
    count_all_links: bool = False
    keep_disambiguation: bool = False
    keep_hidden: bool = False
    hidden_patterns: tuple[str, ...] = HIDDEN_PATTERNS
    disambiguation_templates: tuple[str, ...] = ()
    longest_label: int = LONGEST_LABEL
    openings: int = 0
    parser: Parser = "fast"

    def to_record(self) -> dict[str, Any]:
        """Return the options that a base records: ``first_links``, and those that differ from the defaults.

        >>> Options(first_links=None, keep_hidden=True).to_record()
        {'first_links': None, 'keep_hidden': True}
        """
        defaults = asdict(Options())
        options: dict[str, Any] = {"first_links": self.first_links}
        for name, value in asdict(self).items():
            if name != "hidden_patterns" and value != defaults[name]:
                options[name] = list(value) if isinstance(value, tuple) else value
        added = [pattern for pattern in self.hidden_patterns if pattern not in HIDDEN_PATTERNS]
        if added:
            options["hidden_patterns"] = added
        if not set(HIDDEN_PATTERNS) <= set(self.hidden_patterns):
            options["usual_hidden_patterns"] = False
        return options

    def facts(self) -> dict[str, object]:
        """Return all options by name."""
        return asdict(self)
