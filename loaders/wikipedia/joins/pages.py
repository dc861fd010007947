"""Sort the pages of a dump into articles, redirects and categories; only the first of several pages with one title is used."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ..options import Options
from ..work_folder import StageFacts
from .duckdb import MAX_EXAMPLES, DuckDBSession

DUPLICATE_TITLE = "duplicate_title"
REDIRECT_LOOP = "redirect_loop"
REDIRECT_TO_NO_ARTICLE = "redirect_to_no_article"
REDIRECT_TO_DISAMBIGUATION = "redirect_to_disambiguation"
REDIRECTING_CATEGORY = "redirecting_category"
HIDDEN_CATEGORY = "hidden_category"

UNUSED_CATEGORY_LINKS = (
    "category_link_to_missing",
    "category_link_to_redirect",
    "category_link_to_hidden",
    "category_link_of_hidden",
    "category_link_of_disambiguation",
    "category_link_to_self",
)
"""Codes of category links that are left out, as values of ``outcome`` in ``_CATEGORY_LINKS``."""

DUPLICATE_CATEGORY_LINK = "duplicate_category_link"

_PAGES = """
SELECT p.place, p.namespace, p.name, p.id, p.redirect, p.target_namespace, p.target, p.label, p.bare,
  p.disambiguation OR coalesce(s.disambiguation, false) AS disambiguation, p.hidden OR coalesce(s.hidden, false) AS hidden,
  p.links_other_namespace, p.links_without_text, p.links_long_text, p.links_outside_text
FROM pages p SEMI JOIN firsts f ON f.place = p.place LEFT JOIN props s ON s.id = p.id AND p.id <> 0
ORDER BY p.place"""

_FURTHER = """
SELECT d.name, coalesce(e.target, r.target, d.target) AS target
FROM chains d LEFT JOIN chains e ON e.name = d.target LEFT JOIN redirects r ON r.name = d.target"""

_NAMES = """
SELECT place, name, label, bare, place AS article, false AS redirect, is_sense FROM articles
UNION ALL
SELECT r.place, r.name, r.label, r.bare, a.place, true, a.is_sense
FROM redirects r LEFT JOIN chains d ON d.name = r.name JOIN articles a ON a.name = coalesce(d.target, r.target)
ORDER BY place"""

_CATEGORIES = """
SELECT place, name, label, bare, redirect,
  getvariable('keep_hidden') OR NOT (hidden OR coalesce(regexp_matches(name, getvariable('hidden_patterns')), false)) AS visible
FROM page WHERE namespace = 14"""

_CATEGORY_LINKS = """
SELECT c.page, k.place AS category, CASE
  WHEN k.place IS NULL THEN 'category_link_to_missing'
  WHEN k.redirect THEN 'category_link_to_redirect'
  WHEN NOT k.visible THEN 'category_link_to_hidden'
  WHEN p.namespace = 14 AND NOT o.visible THEN 'category_link_of_hidden'
  WHEN p.namespace = 0 AND p.disambiguation AND NOT getvariable('keep_disambiguation') THEN 'category_link_of_disambiguation'
  WHEN c.page = k.place THEN 'category_link_to_self'
  WHEN p.namespace = 0 THEN 'article'
  ELSE 'category' END AS outcome
FROM (
  SELECT page, name FROM categories
  UNION ALL
  SELECT q.place, e.name FROM extra e JOIN page q ON q.id = e.id
  ANTI JOIN categories w ON w.page = q.place AND w.name = e.name
) c
JOIN page p ON p.place = c.page LEFT JOIN all_categories k ON k.name = c.name LEFT JOIN all_categories o ON o.place = c.page
WHERE NOT p.redirect"""


def sort_pages(session: DuckDBSession, shards: Path, out: Path, options: Options) -> StageFacts:
    """Write ``page``, ``name`` (every title that leads to an article), ``category``, ``membership`` and ``subcategory``.

    The session has the tables ``props`` and ``extra``, from the SQL dumps.
    """
    session.set_variables(
        keep_hidden=options.keep_hidden,
        keep_disambiguation=options.keep_disambiguation,
        hidden_patterns="|".join(f"(?:{pattern})" for pattern in options.hidden_patterns) or None,
    )
    for name in ("pages", "categories"):
        session.create_view(name, shards / f"{name}-*.parquet")
    left_out = _LeftOut(session)
    session.create_table("firsts", "SELECT min(place) AS place FROM pages GROUP BY namespace, name")
    session.write_parquet(out / "page.parquet", _PAGES)
    left_out.count(DUPLICATE_TITLE, "FROM pages ANTI JOIN firsts USING (place)", "name")
    session.drop_tables("firsts")
    session.create_view("page", out / "page.parquet")
    _follow_redirects(session, out, left_out)
    _write_hierarchy(session, out, left_out)
    return StageFacts(left_out.counts, left_out.examples)


class _LeftOut:
    """Counts of what is left out by code, and examples."""

    def __init__(self, session: DuckDBSession) -> None:
        self._session = session
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = {}

    def count(self, code: str, rows: str, example: str) -> None:
        """Count rows (``rows`` is a query from its FROM on); the examples are the column ``example`` of the first rows."""
        count = self._session.read_number(f"SELECT count(*) {rows}")
        if count:
            self.counts[code] += count
            self.examples[code] = self._session.read_texts(f"SELECT {example} {rows} ORDER BY place LIMIT {MAX_EXAMPLES}")


def _follow_redirects(session: DuckDBSession, out: Path, left_out: _LeftOut) -> None:
    """Follow every redirect to its end.

    ``chains`` has the redirects to redirects. Each round replaces the target of each chain by that target's own target, so
    the number of hops followed doubles, and a logarithmic number of rounds is enough. The remaining chains are loops.
    """
    session.create_table(
        "articles",
        "SELECT place, name, label, bare, NOT disambiguation OR getvariable('keep_disambiguation') AS is_sense "
        "FROM page WHERE namespace = 0 AND NOT redirect",
    )
    session.create_table("redirects", "FROM page WHERE namespace = 0 AND redirect AND target_namespace = 0")
    session.create_table("chains", "SELECT r.name, r.target FROM redirects r SEMI JOIN redirects s ON s.name = r.target")
    for _ in range(session.read_number("SELECT count(*) FROM chains").bit_length() + 1):
        if not session.read_number("SELECT count(*) FROM chains SEMI JOIN redirects ON redirects.name = chains.target"):
            break
        session.create_table("further", _FURTHER)
        session.create_table("chains", "FROM further")
    session.write_parquet(out / "name.parquet", _NAMES)
    session.create_view("names", out / "name.parquet")
    session.create_table("loops", "SELECT d.name FROM chains d SEMI JOIN redirects r ON r.name = d.target")
    lost = "FROM page p ANTI JOIN names n ON n.place = p.place {} JOIN loops c ON c.name = p.name WHERE namespace = 0"
    left_out.count(REDIRECT_LOOP, lost.format("SEMI"), "p.name")
    left_out.count(REDIRECT_TO_NO_ARTICLE, lost.format("ANTI"), "p.name")
    left_out.count(REDIRECT_TO_DISAMBIGUATION, "FROM names WHERE redirect AND NOT is_sense", "name")
    session.drop_tables("articles", "redirects", "chains", "loops")


def _write_hierarchy(session: DuckDBSession, out: Path, left_out: _LeftOut) -> None:
    session.create_table("all_categories", _CATEGORIES)
    left_out.count(REDIRECTING_CATEGORY, "FROM all_categories WHERE redirect", "name")
    left_out.count(HIDDEN_CATEGORY, "FROM all_categories WHERE NOT visible AND NOT redirect", "name")
    session.write_parquet(
        out / "category.parquet",
        "SELECT place, name, label, bare FROM all_categories WHERE visible AND NOT redirect ORDER BY place",
    )
    session.create_table("category_links", _CATEGORY_LINKS)
    for outcome, count in session.execute("SELECT outcome, count(*) FROM category_links GROUP BY outcome"):
        if outcome in UNUSED_CATEGORY_LINKS:
            left_out.counts[outcome] = count
    repeated = 0
    for outcome, first, file in (("article", "article", "membership"), ("category", "child", "subcategory")):
        rows = f"FROM category_links WHERE outcome = '{outcome}'"
        session.write_parquet(
            out / f"{file}.parquet", f"SELECT DISTINCT page AS {first}, category {rows} ORDER BY {first}, category"
        )
        session.create_view(file, out / f"{file}.parquet")
        repeated += session.read_number(f"SELECT count(*) {rows}") - session.read_number(f"SELECT count(*) FROM {file}")  # noqa: S608
    if repeated:
        left_out.counts[DUPLICATE_CATEGORY_LINK] = repeated
    session.drop_tables("all_categories", "category_links")
