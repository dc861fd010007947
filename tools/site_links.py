"""MkDocs hook: make links from docs/ to files at the top of the repository work on the site.

Pages link to ``../examples/...``, ``../CONTRIBUTING.md`` and so on, which is right in the repository. The site has copies of
the examples, and a page for each of these documents.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

PAGES = {"README": "index.md", "CONTRIBUTING": "contributing.md", "CHANGELOG": "changelog.md", "SECURITY": "security.md"}
LINK = re.compile(rf"(?<=\]\()\.\./(?:(?P<document>{'|'.join(PAGES)})\.md|(?=examples/))")


def on_files(files: Files, *, config: MkDocsConfig, **_: Any) -> Files:
    """Add the examples to the files of the site."""
    from mkdocs.structure.files import File

    root = Path(config.config_file_path).parent
    for path in sorted((root / "examples").iterdir()):
        if path.is_file():
            files.append(File.generated(config, f"examples/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Point links that leave docs/ at their copies on the site."""
    return LINK.sub(lambda link: PAGES[link["document"]] if link["document"] else "", markdown)
