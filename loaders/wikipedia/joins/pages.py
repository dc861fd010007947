"""Which pages of a dump are what: the first of equal titles, articles, redirects followed to their end, categories, members."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ..options import Options
from ..work_folder import StageFacts
from .duckdb import EXAMPLES, DuckDBSession

TWICE = "duplicate_title"
CIRCLES = "redirect_loop"
DEAD_ENDS = "redirect_to_no_article"
AMBIGUOUS = "redirect_to_disambiguation"
MOVED_CATEGORIES = "redirecting_category"
HIDDEN = "hidden_category"

LOST_CATEGORY_LINKS = (
    "category_link_to_missing",
    "category_link_to_redirect",
    "category_link_to_hidden",
    "category_link_of_hidden",
    "category_link_of_disambiguation",
    "category_link_to_self",
)
"""Why a category link is left out, as ``_CATEGORY_LINKS`` says it."""

REPEATED = "duplicate_category_link"

_PAGES = """
SELECT p.place, p.namespace, p.name, p.id, p.redirect, p.target_namespace, p.target, p.label, p.bare,
  p.disambiguation OR coalesce(s.disambiguation, false) AS disambiguation, p.hidden OR coalesce(s.hidden, false) AS hidden,
  p.links_elsewhere, p.links_wordless, p.links_long, p.links_set_apart
FROM pages p SEMI JOIN firsts f ON f.place = p.place LEFT JOIN props s ON s.id = p.id AND p.id <> 0
ORDER BY p.place"""

_ONWARD = """
SELECT d.name, coalesce(e.target, r.target, d.target) AS target
FROM doubles d LEFT JOIN doubles e ON e.name = d.target LEFT JOIN redirects r ON r.name = d.target"""

_NAMES = """
SELECT place, name, label, bare, place AS article, false AS redirect, means FROM articles
UNION ALL
SELECT r.place, r.name, r.label, r.bare, a.place, true, a.means
FROM redirects r LEFT JOIN doubles d ON d.name = r.name JOIN articles a ON a.name = coalesce(d.target, r.target)
ORDER BY place"""

_CATEGORIES = """
SELECT place, name, label, bare, redirect,
  getvariable('keep_hidden') OR NOT (hidden OR coalesce(regexp_matches(name, getvariable('hidden_patterns')), false)) AS seen
FROM page WHERE namespace = 14"""

_CATEGORY_LINKS = """
SELECT c.page, k.place AS category, CASE
  WHEN k.place IS NULL THEN 'category_link_to_missing'
  WHEN k.redirect THEN 'category_link_to_redirect'
  WHEN NOT k.seen THEN 'category_link_to_hidden'
  WHEN p.namespace = 14 AND NOT o.seen THEN 'category_link_of_hidden'
  WHEN p.namespace = 0 AND p.disambiguation AND NOT getvariable('keep_disambiguation') THEN 'category_link_of_disambiguation'
  WHEN c.page = k.place THEN 'category_link_to_self'
  WHEN p.namespace = 0 THEN 'article'
  ELSE 'category' END AS what
FROM (
  SELECT page, name FROM categories
  UNION ALL
  SELECT q.place, e.name FROM extra e JOIN page q ON q.id = e.id
  ANTI JOIN categories w ON w.page = q.place AND w.name = e.name
) c
JOIN page p ON p.place = c.page LEFT JOIN all_categories k ON k.name = c.name LEFT JOIN all_categories o ON o.place = c.page
WHERE NOT p.redirect"""


def sort_pages(bench: DuckDBSession, shards: Path, out: Path, options: Options) -> StageFacts:
    """Write ``page``, ``name`` (every title that leads to an article), ``category``, ``membership`` and ``subcategory``.

    The bench knows the tables ``props`` and ``extra``, which say what only SQL dumps know.
    """
    bench.set(
        keep_hidden=options.keep_hidden,
        keep_disambiguation=options.keep_disambiguation,
        hidden_patterns="|".join(f"(?:{each})" for each in options.hidden_patterns) or None,
    )
    for name in ("pages", "categories"):
        bench.view(name, shards / f"{name}-*.parquet")
    left = _Left(bench)
    bench.table("firsts", "SELECT min(place) AS place FROM pages GROUP BY namespace, name")
    bench.write(out / "page.parquet", _PAGES)
    left.count(TWICE, "FROM pages ANTI JOIN firsts USING (place)", "name")
    bench.drop("firsts")
    bench.view("page", out / "page.parquet")
    _redirects(bench, out, left)
    _hierarchy(bench, out, left)
    return StageFacts(left.counts, left.examples)


class _Left:
    """Counts what is left out, with examples."""

    def __init__(self, bench: DuckDBSession) -> None:
        self._bench = bench
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = {}

    def count(self, reason: str, rows: str, shown: str) -> None:
        """Count these rows (a query from its FROM on); the first of them are the examples."""
        found = self._bench.number(f"SELECT count(*) {rows}")
        if found:
            self.counts[reason] += found
            self.examples[reason] = self._bench.texts(f"SELECT {shown} {rows} ORDER BY place LIMIT {EXAMPLES}")


def _redirects(bench: DuckDBSession, out: Path, left: _Left) -> None:
    """Follow every redirect to its end: each round the ways that are still open get twice as long."""
    bench.table(
        "articles",
        "SELECT place, name, label, bare, NOT disambiguation OR getvariable('keep_disambiguation') AS means "
        "FROM page WHERE namespace = 0 AND NOT redirect",
    )
    bench.table("redirects", "FROM page WHERE namespace = 0 AND redirect AND target_namespace = 0")
    bench.table("doubles", "SELECT r.name, r.target FROM redirects r SEMI JOIN redirects s ON s.name = r.target")
    for _ in range(bench.number("SELECT count(*) FROM doubles").bit_length() + 1):
        if not bench.number("SELECT count(*) FROM doubles SEMI JOIN redirects ON redirects.name = doubles.target"):
            break
        bench.table("onward", _ONWARD)
        bench.table("doubles", "FROM onward")
    bench.write(out / "name.parquet", _NAMES)
    bench.view("names", out / "name.parquet")
    bench.table("circles", "SELECT d.name FROM doubles d SEMI JOIN redirects r ON r.name = d.target")
    lost = "FROM page p ANTI JOIN names n ON n.place = p.place {} JOIN circles c ON c.name = p.name WHERE namespace = 0"
    left.count(CIRCLES, lost.format("SEMI"), "p.name")
    left.count(DEAD_ENDS, lost.format("ANTI"), "p.name")
    left.count(AMBIGUOUS, "FROM names WHERE redirect AND NOT means", "name")
    bench.drop("articles", "redirects", "doubles", "circles")


def _hierarchy(bench: DuckDBSession, out: Path, left: _Left) -> None:
    bench.table("all_categories", _CATEGORIES)
    left.count(MOVED_CATEGORIES, "FROM all_categories WHERE redirect", "name")
    left.count(HIDDEN, "FROM all_categories WHERE NOT seen AND NOT redirect", "name")
    bench.write(
        out / "category.parquet",
        "SELECT place, name, label, bare FROM all_categories WHERE seen AND NOT redirect ORDER BY place",
    )
    bench.table("category_links", _CATEGORY_LINKS)
    for what, found in bench.run("SELECT what, count(*) FROM category_links GROUP BY what"):
        if what in LOST_CATEGORY_LINKS:
            left.counts[what] = found
    repeated = 0
    for what, first, file in (("article", "article", "membership"), ("category", "child", "subcategory")):
        rows = f"FROM category_links WHERE what = '{what}'"
        bench.write(out / f"{file}.parquet", f"SELECT DISTINCT page AS {first}, category {rows} ORDER BY {first}, category")
        bench.view(file, out / f"{file}.parquet")
        repeated += bench.number(f"SELECT count(*) {rows}") - bench.number(f"SELECT count(*) FROM {file}")  # noqa: S608
    if repeated:
        left.counts[REPEATED] = repeated
    bench.drop("all_categories", "category_links")
