"""Write ``loaders/wikipedia/collected_conventions.json``: headings and templates that other projects collected from Wikipedias.

    python tools/wiki_conventions.py PYWIKIBOT_SCRIPTS WTF_WIKIPEDIA

The arguments are the unpacked packages ``pywikibot-scripts`` (from PyPI; ``noreferences.py`` has the headings of sections for
references and of those that follow them) and ``wtf_wikipedia`` (from npm; templates of disambiguation pages by language). What
is known besides is in ``conventions.toml``, which is written by hand.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OUTPUT = Path(__file__).parent.parent / "loaders" / "wikipedia" / "collected_conventions.json"

SOURCES = {
    "appendix": "pywikibot-scripts {}, noreferences.py (MIT)",
    "disambiguation": "wtf_wikipedia {}, src/_data/disambig_templates.js (MIT)",
}
LEFT_OUT = {("ltg", "disambiguation")}
"""The reference counts of ltgwiki include the seven pages with its template as articles."""

ALTERNATIVES = re.compile(r"\[(.)(.)\]|(.)\?")
TEMPLATE = re.compile(r"""(['"`])((?:(?!\1)[^\\]|\\.)+)\1\s*,\s*//\s*([a-z_]+)\s*$""", re.MULTILINE)


def read_headings(module: str) -> Iterator[tuple[str, str]]:
    """Yield each language of ``noreferences.py`` with its headings.

    >>> list(read_headings("placeBeforeSections = {'xx': ['A']}; referencesSections = {'wikipedia': {'xx': ['Notes?']}}"))
    [('xx', 'A'), ('xx', 'Note'), ('xx', 'Notes')]
    """
    tables: list[dict[str, Any]] = []
    for node in ast.parse(module).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id == "placeBeforeSections":
                tables.append(ast.literal_eval(node.value))
            elif node.targets[0].id == "referencesSections":
                tables.append(ast.literal_eval(node.value)["wikipedia"])
    for table in tables:
        yield from ((code, heading) for code, patterns in table.items() for each in patterns for heading in _expand(each))


def _expand(pattern: str) -> list[str]:
    """Return the headings that a pattern matches, of which the only constructs are ``[ab]`` and ``a?``."""
    match = ALTERNATIVES.search(pattern)
    if match is None:
        return [pattern]
    one, other = (match[1], match[2]) if match[1] else ("", match[3])
    return [
        heading for letter in (one, other) for heading in _expand(f"{pattern[: match.start()]}{letter}{pattern[match.end() :]}")
    ]


def read_templates(module: str) -> Iterator[tuple[str, str]]:
    r"""Yield each language of ``disambig_templates.js`` with its templates.

    >>> list(read_templates("'dp', //nl\n  'dv', //nds_nl\n  'x',\n  \"sut'i\", //qu\n"))
    [('nl', 'dp'), ('nds-nl', 'dv'), ('qu', "sut'i")]
    """
    for _, name, code in TEMPLATE.findall(module):
        yield code.replace("_", "-"), re.sub(r"\\(.)", r"\1", name)


def main(pywikibot: Path, wtf: Path) -> None:
    """Write the file."""
    languages: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for kind, pairs in (
        ("appendix", read_headings((pywikibot / "pywikibot_scripts" / "noreferences.py").read_text(encoding="utf-8"))),
        (
            "disambiguation",
            read_templates((wtf / "src" / "_data" / "disambig_templates.js").read_text(encoding="utf-8")),
        ),
    ):
        for code, word in pairs:
            if (code, kind) not in LEFT_OUT and word.lower() not in languages[code][kind]:
                languages[code][kind].append(word.lower())
    metadata = next(pywikibot.glob("pywikibot_scripts-*.dist-info")) / "METADATA"
    version = re.search(r"^Version: (.+)$", metadata.read_text(encoding="utf-8"), re.MULTILINE)
    versions = version[1] if version else "", json.loads((wtf / "package.json").read_text(encoding="utf-8"))["version"]
    sources = {kind: text.format(each) for (kind, text), each in zip(SOURCES.items(), versions, strict=True)}
    rows = [f"{json.dumps(code)}: {json.dumps(words, ensure_ascii=False)}" for code, words in sorted(languages.items())]
    head = json.dumps({"sources": sources, "generator": "tools/wiki_conventions.py"}, ensure_ascii=False, indent=0)
    OUTPUT.write_text(f'{head[:-2]},\n"languages": {{\n' + ",\n".join(rows) + "\n}\n}\n", encoding="utf-8")
    print(f"{OUTPUT}: {len(languages)} languages")  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
