"""SQL dumps of a wiki: the rows of INSERT statements, and the tables of links and page properties."""

from __future__ import annotations

import bz2
import gzip
import os
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wayword.loaders import SourceInvalid, SourceMissing, SourceRefused
from wayword.loaders.wikipedia.sql import parser
from wayword.loaders.wikipedia.sql.parser import SQL_DAMAGED, UNREADABLE_ROW, Table, make_row_parser
from wayword.loaders.wikipedia.sql.tables import SqlDumps, open_sql_dumps

COLUMNS = {
    "categorylinks": ["cl_from", "cl_to", "cl_sortkey", "cl_type"],
    "new categorylinks": ["cl_from", "cl_sortkey", "cl_type", "cl_target_id"],
    "linktarget": ["lt_id", "lt_namespace", "lt_title"],
    "page_props": ["pp_page", "pp_propname", "pp_value", "pp_sortkey"],
}


def sql(table: str, *statements: str) -> bytes:
    """Return a dump as mysqldump writes it."""
    columns = "".join(f"  `{name}` varbinary(255) NOT NULL DEFAULT '',\n" for name in COLUMNS[table])
    name = table.split()[-1]
    start = f"-- MariaDB dump\nDROP TABLE IF EXISTS `{name}`;\nCREATE TABLE `{name}` (\n{columns}  KEY `k` (`a`)\n);\n"
    lines = [f"INSERT INTO `{name}` VALUES {rows};\n" for rows in statements]
    return f"{start}{''.join(lines)}UNLOCK TABLES;\n".encode()


def dumps(folder: Path, **files: bytes) -> SqlDumps:
    """Write and open the dumps of these tables."""
    for table, content in files.items():
        (folder / f"testwiki-20260101-{table}.sql").write_bytes(content)
    return open_sql_dumps(folder, "testwiki", Counter())


def rows(batches: object) -> list[tuple[object, ...]]:
    """Return all rows as tuples."""
    return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]  # type: ignore[attr-defined]


PROPS = sql("page_props", "(1,'hiddencat','',NULL),(2,'defaultsort','x',NULL)", "(3,'disambiguation','',0.5)")


def test_category_links_before_2025_have_titles(tmp_path: Path) -> None:
    links = sql(
        "categorylinks", r"(1,'Big_dogs','K','page'),(2,'L\'Aquila','K\n\'','subcat'),(3,'X','','file')", "(4,'Ä','','page')"
    )
    found = dumps(tmp_path, categorylinks=links, page_props=PROPS)
    assert rows(found.links()) == [(1, None, "Big dogs"), (2, None, "L'Aquila"), (4, None, "Ä")]
    assert rows(found.targets()) == []
    assert rows(found.props()) == [(1, True, False), (3, False, True)]
    assert not found.left_out


def test_category_links_since_2025_have_link_targets(tmp_path: Path) -> None:
    links = sql("new categorylinks", "(1,'K','page',70),(2,'K','subcat',71),(3,'K','file',70)")
    targets = sql("linktarget", "(70,14,'Big_dogs'),(71,14,'A),(B'),(72,0,'Big_dogs')")
    found = dumps(tmp_path, categorylinks=links, linktarget=targets)
    assert rows(found.links()) == [(1, 70, None), (2, 71, None)]
    assert rows(found.targets()) == [(70, "Big dogs"), (71, "A),(B")]
    assert rows(found.props()) == []


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress], ids=["plain", "gzip", "bzip2"])
def test_a_compressed_dump_is_read(tmp_path: Path, pack: object) -> None:
    place = tmp_path / "categorylinks.sql.gz"
    place.write_bytes(pack(sql("categorylinks", "(1,'A','','page')")))  # type: ignore[operator]
    assert rows(open_sql_dumps(tmp_path, "testwiki", Counter()).links()) == [(1, None, "A")]


def test_rows_on_separate_lines_with_named_columns_are_read(tmp_path: Path) -> None:
    links = sql("categorylinks", "\n(1,'A','','page'),\n(2,'B','','page')")
    links += b"INSERT INTO `other` VALUES (9,'X','','page');\n"
    links += b"INSERT INTO categorylinks (`cl_to`, `cl_type`, `cl_from`) VALUES ('C','page',3);\n"
    assert rows(dumps(tmp_path, categorylinks=links).links()) == [(1, None, "A"), (2, None, "B"), (3, None, "C")]


VALUE = st.binary(max_size=8).map(
    lambda found: found.replace(b"\n", b"").replace(b"\0", b"").replace(b"\r", b"")
) | st.sampled_from([b"),(", b"'", b"\\", b"\\'", b"',", b"(1,'", b");", b"", b"NULL", b"0x41"])


def quote_value(value: bytes, quote: bytes) -> bytes:
    """Write a value, with the quote marks in it doubled or escaped."""
    return b"'" + value.replace(b"\\", b"\\\\").replace(b"'", quote).replace(b'"', b'\\"') + b"'"


@given(st.lists(st.tuples(st.integers(-9, 1 << 40), VALUE, VALUE), min_size=1, max_size=6), st.booleans())
def test_written_rows_are_read_back(found: list[tuple[int, bytes, bytes]], doubled: bool) -> None:
    expected = [{"id": number, "title": title} for number, title, _ in found]
    quote = b"''" if doubled else b"\\'"
    values = [(b"%d" % number, quote_value(title, quote), quote_value(other, quote)) for number, title, other in found]
    content = b",".join(b"(" + b",".join(value) + b")" for value in values) + b";"
    for statement in (content, b"(NULL,'0x',_binary '')," + content):  # Arrow rejects the second
        batch, lost = make_row_parser(["id", "title", "other"], {"id": pa.int64(), "title": pa.binary()})(statement)
        assert [row for row in batch.to_pylist() if row["id"] is not None] == expected
        assert not lost


@pytest.mark.parametrize("bad", ["(1,2)", "x", "(1,'X','','page','more')", "()", "(--1,'X','','page')"])
def test_a_bad_row_loses_only_itself(tmp_path: Path, bad: str) -> None:
    links = sql("categorylinks", "(1,'A','','page')", f"{bad},(2,'B','','page')", "(3,'C','','page')")
    found = dumps(tmp_path, categorylinks=links)
    names = {name for _, _, name in rows(found.links())}
    assert names == {"A", "B", "C"}
    assert found.left_out[UNREADABLE_ROW] == 1


@pytest.mark.parametrize("odd", [rb"(1,\'", b"(1,'", b"(", b"(1,", b"('\\", rb"(1,'x\\'", b"(1)", b"(1,''", b"(,,'(,'),"])
@pytest.mark.parametrize("end", [b"", b")"])
def test_malformed_rows_are_parsed_in_linear_time(odd: bytes, end: bytes) -> None:
    read = make_row_parser(["id", "title"], {"id": pa.int64(), "title": pa.binary()})
    assert read(rb"(1,\'" * 1000 + end)[1] < 20
    assert read(odd * 100_000 + end)[1]  # would take hours without the scan budget
    batch, lost = read(b"(1,'A'),(2,'B)," + b"(3,'C','more'),(4,'D'),(5,'(E)'),(6,),(7,'G');" + odd * 5)
    assert {row["id"] for row in batch.to_pylist()} >= {1, 4, 5, 7}
    assert lost >= 2


def test_a_dump_of_lines_without_rows_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MAX_OTHER_LINES", 100)
    rows_ = b"INSERT INTO `categorylinks` VALUES (1,'A','','page');\n"
    many = sql("categorylinks", "(1,'A','','page')") + rows_ * 200 + b"INSERT INTO `other` VALUES\n" + b"(1,2),\n" * 200
    assert len(rows(dumps(tmp_path, categorylinks=many).links())) == 201
    for idle in (b"\n" * 200 + many, many + b"\n" * 200, many + b"-- nothing\n" * 200):
        with pytest.raises(SourceRefused, match=r"has more than 100 lines without rows; check where it is from"):
            rows(dumps(tmp_path, categorylinks=idle).links())


def test_unreadable_values_are_counted(tmp_path: Path) -> None:
    links = sql("categorylinks", "(NULL,'A','','page'),('2','B','','page'),(3,NULL,'','page')")
    links += b"INSERT INTO `categorylinks` VALUES (4,'\xff\xfe','','page'),(5,'E','\xff','page');\n"
    links += b"INSERT INTO `categorylinks` VALUES (6,_binary 'F','','page'),(7,0x47,'','page');\n"
    found = dumps(tmp_path, categorylinks=links)
    assert {(page, name) for page, _, name in rows(found.links())} >= {(2, "B"), (5, "E"), (6, "F"), (7, "G")}
    assert found.left_out[UNREADABLE_ROW] >= 2


def test_rows_before_a_truncation_are_read(tmp_path: Path) -> None:
    content = sql("categorylinks", *(f"({number},'C{number}','','page')" for number in range(2000)))
    (tmp_path / "testwiki-20260101-categorylinks.sql.gz").write_bytes(gzip.compress(content)[:-1000])
    left_out = Counter[str]()
    found = rows(open_sql_dumps(tmp_path, "testwiki", left_out).links())
    assert 100 < len(found) < 2000
    assert found == [(number, None, f"C{number}") for number in range(len(found))]
    assert left_out[SQL_DAMAGED] == 1
    ended = sql("categorylinks", "(1,'</mediawiki>','','page')")
    (tmp_path / "testwiki-20260101-categorylinks.sql.gz").write_bytes(gzip.compress(ended) + b"rubbish")
    left_out.clear()
    assert len(rows(open_sql_dumps(tmp_path, "testwiki", left_out).links())) == 1
    assert left_out[SQL_DAMAGED] == 1


def test_a_missing_sql_dump_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing, match=r"no categorylinks\.sql"):
        dumps(tmp_path)
    with pytest.raises(SourceMissing, match=r"testwiki-20260101-linktarget\.sql.* since 2025"):
        dumps(tmp_path, categorylinks=sql("new categorylinks", "(1,'K','page',70)"))
    with pytest.raises(SourceMissing, match="no folder"):
        open_sql_dumps(tmp_path / "none", "testwiki", Counter())


def test_of_several_sql_dumps_that_of_the_wiki_is_used(tmp_path: Path) -> None:
    (tmp_path / "otherwiki-20260101-categorylinks.sql").write_bytes(sql("categorylinks", "(1,'Other','','page')"))
    assert rows(dumps(tmp_path, categorylinks=sql("categorylinks", "(1,'A','','page')")).links()) == [(1, None, "A")]
    (tmp_path / "testwiki-20250101-categorylinks.sql").write_bytes(b"")
    with pytest.raises(SourceInvalid, match="more than one dump of categorylinks"):
        open_sql_dumps(tmp_path, "testwiki", Counter())


def test_an_sql_dump_of_another_wiki_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "otherwiki-20260101-categorylinks.sql").write_bytes(sql("categorylinks", "(1,'Other','','page')"))
    with pytest.raises(SourceInvalid, match="is a dump of otherwiki, and the wiki is testwiki"):
        open_sql_dumps(tmp_path, "testwiki", Counter())
    assert rows(open_sql_dumps(tmp_path, "my_schools", Counter()).links()) == [
        (1, None, "Other")
    ]  # my_schools is not a Wikimedia wiki


def test_only_regular_files_are_sql_dumps(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "testwiki-20260101-categorylinks.sql")
    (tmp_path / "testwiki-20260102-categorylinks.sql").mkdir()
    with pytest.raises(SourceMissing, match=r"no categorylinks\.sql"):
        dumps(tmp_path)


def test_columns_with_undecodable_names_are_skipped(tmp_path: Path) -> None:
    links = (
        sql("categorylinks") + b"INSERT INTO `categorylinks` (`\xff`,`cl_from`,`cl_to`,`cl_type`) VALUES (0,1,'A','page');\n"
    )
    assert rows(dumps(tmp_path, categorylinks=links).links()) == [(1, None, "A")]


def test_a_file_of_another_table_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"", b"<html>", sql("linktarget", "(1,14,'A')")):
        with pytest.raises(SourceInvalid, match="not an SQL dump of the table categorylinks"):
            dumps(tmp_path, categorylinks=content)
    monkeypatch.setattr(parser, "MAX_LINE", 1 << 20)
    with pytest.raises(SourceRefused, match="a line of more than 1 MB"):
        dumps(tmp_path, categorylinks=b"x" * (4 << 20))


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_bytes(sql("linktarget", "(1,14,'A')"))
    table = Table(tmp_path / "a.sql", "linktarget", Counter())
    with pytest.raises(SourceInvalid, match="no column lt_other"):
        list(table.batches({"lt_other": pa.int64()}))


@given(st.binary(max_size=60) | st.text(alphabet="(),';\\1-NULL\n", max_size=60).map(str.encode))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_statement_is_parsed_without_errors(tmp_path: Path, statement: bytes) -> None:
    content = sql("categorylinks", "(1,'A','','page')") + b"INSERT INTO `categorylinks` VALUES " + statement
    assert rows(dumps(tmp_path, categorylinks=content).links())[0] == (1, None, "A")


def test_real_tables_of_a_small_wiki_are_read(data: Path) -> None:
    folder = data / "wiki"
    with pytest.raises(SourceMissing, match="linktarget"):
        open_sql_dumps(folder, "aawiki", Counter())
    for name, columns, count in (
        ("categorylinks", ("cl_from", "cl_target_id"), 156),
        ("pagelinks", ("pl_from", "pl_target_id"), 637),
    ):
        left_out = Counter[str]()
        table = Table(folder / f"aawiki-20260101-{name}.sql.gz", name, left_out)
        found = rows(table.batches(dict.fromkeys(columns, pa.int64())))
        assert len(set(found)) == count
        assert not left_out
