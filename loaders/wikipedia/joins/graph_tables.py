"""Write a Parquet file for each table of the graph, with the columns, ids and names of its schema."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..options import Options
from ..work_folder import StageFacts
from .duckdb import DuckDBSession

LINK_BEYOND_FIRST = "link_beyond_first"

ENDS: dict[str, tuple[str, str]] = {
    "FORM": ("Stem", "Label"),
    "FOLDS": ("Stem", "Label"),
    "SENSE": ("Label", "Article"),
    "REDIRECTS_TO": ("Redirect", "Article"),
    "IN_CATEGORY": ("Article", "Category"),
    "CENTRAL_TO": ("Article", "Category"),
    "SUBCATEGORY_OF": ("Category", "Category"),
    "LINKS_TO": ("Article", "Article"),
    "LINKS_IN_PARENTHESES": ("Article", "Article"),
}
NODES = ("Article", "Redirect", "Category", "Stem", "Label")

_MACROS = (
    "entity(name) AS getvariable('base') || ':' || name",
    "category_id(name) AS getvariable('base') || ':Category:' || name",
    "label_id(name) AS getvariable('base') || '/' || name",
)

_CENTRAL = """
SELECT DISTINCT m.article, m.category
FROM membership m JOIN category c ON c.place = m.category JOIN stems s ON s.phrase = coalesce(c.bare, c.label)
JOIN name_stems n ON n.article = m.article AND n.stem = s.stem"""

_NAME_STEMS = "SELECT n.article, s.stem FROM names n JOIN stems s ON s.phrase = coalesce(n.bare, n.label)"

_LABELS = """
SELECT label, sum(uses)::BIGINT AS uses, any_value(t.stem) AS stem, any_value(t.folded_stem) AS folded_stem
FROM senses JOIN stems t ON t.phrase = label GROUP BY label"""

_BODY_LINKS = """
SELECT page, article, anchor, region = 0 AS plain, row_number() OVER reading AS place,
  count(*) FILTER (region = 0) OVER reading AS rank
FROM resolved WHERE region IS NOT NULL AND is_sense AND article <> page WINDOW reading AS (PARTITION BY page ORDER BY nth)"""

_QUERIES = {
    "Article": """
SELECT entity(n.name) AS id, getvariable('base') AS base, n.name, g.gloss, g.opening, p.disambiguation,
  CASE WHEN n.is_sense AND n.bare IS NOT NULL THEN s.stem END AS stem,
  CASE WHEN n.is_sense AND n.bare IS NOT NULL THEN s.folded_stem END AS folded_stem
FROM names n JOIN page p ON p.place = n.place JOIN pages g ON g.place = n.place LEFT JOIN stems s ON s.phrase = n.bare
WHERE NOT n.redirect ORDER BY n.place""",
    "Redirect": """
SELECT entity(name) AS id, getvariable('base') AS base, name FROM names WHERE redirect AND is_sense ORDER BY place""",
    "Category": """
SELECT category_id(c.name) AS id, getvariable('base') AS base, c.name,
  coalesce(m.n, 0) AS members, coalesce(s.n, 0) AS subcategories
FROM category c LEFT JOIN (SELECT category, count(*) AS n FROM members GROUP BY category) m ON m.category = c.place
LEFT JOIN (SELECT category, count(*) AS n FROM subcategory GROUP BY category) s ON s.category = c.place ORDER BY c.place""",
    "Stem": """
SELECT stem AS id FROM labels UNION SELECT folded_stem FROM labels WHERE folded_stem IS NOT NULL ORDER BY id""",
    "Label": """
SELECT label_id(label) AS id, getvariable('base') AS base, label AS name, uses FROM labels ORDER BY label""",
    "FORM": 'SELECT stem AS "from", label_id(label) AS "to" FROM labels ORDER BY stem, label',
    "FOLDS": """
SELECT folded_stem AS "from", label_id(label) AS "to" FROM labels WHERE folded_stem IS NOT NULL ORDER BY folded_stem, label""",
    "SENSE": """
SELECT label_id(s.label) AS "from", entity(n.name) AS "to", s.uses, s.uses / l.uses AS prior,
  row_number() OVER (PARTITION BY s.label ORDER BY s.uses DESC, n.name) AS rank
FROM senses s JOIN labels l USING (label) JOIN names n ON n.place = s.article ORDER BY s.label, rank""",
    "REDIRECTS_TO": """
SELECT entity(r.name) AS "from", entity(a.name) AS "to" FROM names r JOIN names a ON a.place = r.article
WHERE r.redirect AND r.is_sense ORDER BY r.place""",
    "IN_CATEGORY": """
SELECT entity(n.name) AS "from", category_id(c.name) AS "to"
FROM members m JOIN names n ON n.place = m.article JOIN category c ON c.place = m.category ORDER BY m.article, m.category""",
    "CENTRAL_TO": """
SELECT entity(n.name) AS "from", category_id(c.name) AS "to"
FROM central m JOIN names n ON n.place = m.article JOIN category c ON c.place = m.category ORDER BY m.article, m.category""",
    "SUBCATEGORY_OF": """
SELECT category_id(n.name) AS "from", category_id(c.name) AS "to"
FROM subcategory m JOIN category n ON n.place = m.child JOIN category c ON c.place = m.category
ORDER BY m.child, m.category""",
    "LINKS_TO": """
SELECT entity(n.name) AS "from", entity(a.name) AS "to", w.rank, w.place, w.anchor
FROM body_links w JOIN names n ON n.place = w.page JOIN names a ON a.place = w.article
WHERE w.plain AND (getvariable('first_links') IS NULL OR w.rank <= getvariable('first_links')) ORDER BY w.page, w.place""",
    "LINKS_IN_PARENTHESES": """
SELECT entity(n.name) AS "from", entity(a.name) AS "to", w.place, w.anchor
FROM body_links w JOIN names n ON n.place = w.page JOIN names a ON a.place = w.article
WHERE NOT w.plain AND (getvariable('first_links') IS NULL OR w.place <= getvariable('first_links')) ORDER BY w.page, w.place""",
}


def write_tables(
    session: DuckDBSession, folder_of: Callable[[str], Path], out: Path, base: str, options: Options
) -> StageFacts:
    """Write a file for each table of the graph; ``folder_of`` returns the folder of an earlier stage by name."""
    session.set_variables(base=base, first_links=options.first_links)
    for macro in _MACROS:
        session.execute(f"CREATE OR REPLACE MACRO {macro}")
    session.create_view("pages", folder_of("read") / "pages-*.parquet")
    for name, stage, file in (
        ("page", "pages", "page"),
        ("names", "pages", "name"),
        ("category", "pages", "category"),
        ("membership", "pages", "membership"),
        ("subcategory", "pages", "subcategory"),
        ("resolved", "links", "resolved"),
        ("senses", "senses", "sense"),
        ("stems", "senses", "stem"),
    ):
        session.create_view(name, folder_of(stage) / f"{file}.parquet")
    session.create_table("name_stems", _NAME_STEMS)
    session.create_table("central", _CENTRAL)
    session.drop_tables("name_stems")
    session.create_table("members", "FROM membership ANTI JOIN central USING (article, category)")
    session.create_table("labels", _LABELS)
    for name in NODES:
        session.write_parquet(out / f"{name}.parquet", _QUERIES[name])
    for name in ("FORM", "FOLDS", "SENSE", "REDIRECTS_TO", "IN_CATEGORY", "CENTRAL_TO", "SUBCATEGORY_OF"):
        session.write_parquet(out / f"{name}.parquet", _QUERIES[name])
    session.drop_tables("central", "members", "labels")
    session.create_table("body_links", _BODY_LINKS)
    for name in ("LINKS_TO", "LINKS_IN_PARENTHESES"):
        session.write_parquet(out / f"{name}.parquet", _QUERIES[name])
    beyond = 0
    if options.first_links is not None:
        beyond = session.read_number("SELECT count(*) FROM body_links WHERE plain AND rank > getvariable('first_links')")
    session.drop_tables("body_links")
    return StageFacts({LINK_BEYOND_FIRST: beyond} if beyond else {})
