"""The benchmarks measure what they claim. No test here depends on speed."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench import __main__ as program
from bench.bulk import keyphrases, random_pairs
from bench.measure import PROC, CommandFailed, Spread, python, run
from bench.report import replace_section
from bench.smaller_lexicon import SHARES, is_selected, write_smaller
from bench.synthetic_dump import write_dump
from bench.synthetic_graph import Sizes, companion_file, write_graph
from bench.wikis import complete_dump
from lxml import etree

from wayword import loaders
from wayword.graph.ingestion import ingest
from wayword.graph.memory import MemoryStore
from wayword.search.bases.array_file import Arrays
from wayword.search.bases.projection import Projection
from wayword.search.scoring.transitions import TransitionKind

from ..support import ROOT


@pytest.mark.parametrize("name", ["synthetic_dump", "measure", "report", "smaller_lexicon", "wikis"])
def test_docstring_examples_run(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(f"bench.{name}"))
    assert failed == 0
    assert tried > 0


@pytest.mark.slow
@pytest.mark.skipif(not (PROC / "self" / "smaps_rollup").exists(), reason="needs Linux to measure the memory of processes")
def test_peak_memory_includes_children() -> None:
    child = "import time; data = bytearray(60_000_000); time.sleep(0.5)"
    two = "import subprocess, sys; [p.wait() for p in [subprocess.Popen([sys.executable, '-c', sys.argv[1]]) for _ in 'ab']]"
    with_children, alone = run(python(two, child)).peak, run(python("import time; time.sleep(0.3)")).peak
    assert with_children is not None
    assert alone is not None
    assert alone < 60_000_000
    assert 120_000_000 < with_children < 200_000_000


def test_failed_command_raises_with_its_output() -> None:
    with pytest.raises(CommandFailed, match=r"exited with 3: .*last words"):
        run(python("import sys; print('last words'); sys.exit(3)"), watch=False)
    assert run(python("print('done')"), watch=False).output == "done\n"


def test_figures_show_their_spread() -> None:
    assert str(Spread((3.0, 1.0, 2.0))) == "2.00 (1.00..3.00)"
    assert str(Spread((0.5,))) == "0.500"


def test_writing_a_section_leaves_the_others_unchanged() -> None:
    page = replace_section(replace_section("# Page\n", "one", "first"), "two", "second")
    again = replace_section(page, "one", r"new \1 \n text")
    assert again == page.replace("first", r"new \1 \n text")


def test_every_part_has_a_section_on_its_page() -> None:
    for name, part in program.PARTS.items():
        text = part.page.read_text(encoding="utf-8")
        assert text.count(f"<!-- bench:{name} -->") == text.count(f"<!-- /bench:{name} -->") == 1


def test_stemmed_keyphrases_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "train.reader.json").write_text('{"A": [["one two", "two one"], ["three"]], "B": [["three"], [" "]]}')
    (tmp_path / "train.reader.stem.json").write_text('{"A": [["thre"]]}')
    (tmp_path / "test.reader.json").write_text('{"A": [["four"]]}')
    phrases = keyphrases(tmp_path)
    assert phrases == ["one two", "three", "two one"]
    first, second = random_pairs(phrases), random_pairs(phrases)
    assert [next(first) for _ in range(50)] == [next(second) for _ in range(50)]


LEXICON = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource><Lexicon id="x" label="X" language="en" email="x@example.org" license="CC0" version="1">
{entries}{synsets}</Lexicon></LexicalResource>
"""


def test_smaller_lexicon_has_no_dangling_references(tmp_path: Path) -> None:
    number = 40
    entries = "".join(
        f'<LexicalEntry id="w{n}"><Lemma writtenForm="w{n}" partOfSpeech="n"/><Sense id="s{n}" synset="x-{n}-n">'
        f'<SenseRelation relType="derivation" target="s{(n + 7) % number}"/></Sense></LexicalEntry>'
        for n in range(number)
    )
    synsets = "".join(
        f'<Synset id="x-{n}-n" ili="" partOfSpeech="n"><Definition>w</Definition>'
        f'<SynsetRelation relType="hypernym" target="x-{(n + 1) % number}-n"/></Synset>'
        for n in range(number)
    )
    source, target = tmp_path / "whole.xml", tmp_path / "part.xml"
    source.write_text(LEXICON.format(entries=entries, synsets=synsets), encoding="utf-8")
    sizes = []
    for quarters in range(1, SHARES + 1):
        sizes.append(write_smaller(source, target, quarters))
        root = etree.parse(str(target)).getroot()
        synset_ids = {each.get("id") for each in root.iter("Synset")}
        senses = {each.get("id"): each.get("synset") for each in root.iter("Sense")}
        assert synset_ids == {f"x-{n}-n" for n in range(number) if is_selected(f"x-{n}-n", quarters)} == set(senses.values())
        assert {each.get("target") for each in root.iter("SynsetRelation")} <= synset_ids
        assert {each.get("target") for each in root.iter("SenseRelation")} <= set(senses)
        assert all(entry.find("Sense") is not None for entry in root.iter("LexicalEntry"))
    assert sizes == sorted(sizes)
    assert 0 < sizes[0] < sizes[-1] == number


def bench(*words: str, data: Path | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "WAYWORD_TEST_DATA"}
    if data is not None:
        environment["WAYWORD_TEST_DATA"] = str(data)
    command = [sys.executable, "-m", "bench", *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_part_is_skipped_without_real_data() -> None:
    ran = bench("--quick", "--only", "pairs,people", data=None)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "pairs skipped: needs real data: set WAYWORD_TEST_DATA" in ran.stderr
    assert "people skipped" in ran.stderr
    assert bench("--only", "nothing", data=None).returncode == 2


@pytest.mark.slow
def test_quick_run_prints_sections(data: Path) -> None:
    before = program.BENCHMARKS.read_text(encoding="utf-8")
    ran = bench("--quick", "--only", "pairs,cold,size,matchers,tuning", data=data)
    assert ran.returncode == 0, ran.stderr
    for heading in ("## Pairs of words, in memory", "## Start-up time", "## Size on disk", "## Matchers", "## Tuning"):
        assert heading in ran.stdout
    assert "| `wayword score enclose birdcage` |" in ran.stdout
    assert "| NLTK `wup_similarity` |" in ran.stdout
    assert program.BENCHMARKS.read_text(encoding="utf-8") == before


@pytest.mark.slow
def test_quick_run_prints_sections_about_wikis(data: Path) -> None:
    ran = bench("--quick", "--only", "growth,scanner", data=data)
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"^\| 1,000 \| \d+ MB \|", ran.stdout, re.MULTILINE)
    equal = re.findall(r"^\| equal, \w+ \| [\d.]+%: (\d+) of (\d+) articles", ran.stdout, re.MULTILINE)
    assert len(equal) == 2
    assert all(int(articles) > 5 for _, articles in equal)


def test_synthetic_wiki_is_reproducible_and_has_pages_of_every_kind(tmp_path: Path) -> None:
    number = 600
    assert write_dump(tmp_path / "one.xml", number) == write_dump(tmp_path / "two.xml", number)
    assert (tmp_path / "one.xml").read_bytes() == (tmp_path / "two.xml").read_bytes()
    store = MemoryStore()
    with loaders.open_wikipedia(tmp_path / "one.xml", bundle=tmp_path / "bundle", workers=1) as loader:
        base = ingest(store, loader)
    counts = store.counts()["syntheticwiki"]
    names = [row["name"] for label in ("Article", "Redirect", "Category") for row in _nodes(store, label)]
    titles = etree.parse(tmp_path / "one.xml").findall(".//{*}title")
    assert len(titles) == len({title.text for title in titles}) == number
    assert {name.partition(":")[2] or name for name in (title.text or "" for title in titles)} >= set(names)
    for kind in ("SENSE", "LINKS_TO", "LINKS_IN_PARENTHESES", "IN_CATEGORY", "CENTRAL_TO", "SUBCATEGORY_OF", "REDIRECTS_TO"):
        assert counts[kind] > 5, kind
    assert any(row["disambiguation"] for row in _nodes(store, "Article"))
    assert base.left_out["other_namespace"] > 5


def _nodes(store: MemoryStore, label: str) -> list[dict[str, Any]]:
    return [row for rows in store.stream_nodes(label) for row in rows.to_pylist()]


def test_synthetic_graph_opens_as_a_projection(tmp_path: Path) -> None:
    file = tmp_path / "small.arrays"
    write_graph(file, Sizes(600, 200, 2_500, 500))
    nodes, about = np.load(companion_file(file))
    projection = Projection(Arrays.open(file))
    assert projection.size == 800
    assert len(set(nodes.tolist())) == 600
    central = [node for node, number in zip(nodes.tolist(), about.tolist(), strict=True) if number]
    assert all(projection.equivalents(node) for node in central)
    degrees = sorted(len(list(projection.transitions(node, "out"))) for node in range(800))
    assert degrees[-1] > 20 * degrees[400] > 0
    for node in range(0, 800, 7):
        out = {(int(end), how.kind) for end, how in projection.transitions(node, "out")}
        assert all(end != node for end, _ in out)
        back = {
            TransitionKind.SPECIALISATION: TransitionKind.GENERALISATION,
            TransitionKind.GENERALISATION: TransitionKind.SPECIALISATION,
        }
        for end, kind in out:
            ways = {(int(far), how.kind) for far, how in projection.transitions(end, "out")}
            assert (node, back.get(TransitionKind(kind), TransitionKind(kind))) in ways


def test_truncated_dump_is_completed_for_peers() -> None:
    head = b'<mediawiki>\n<namespaces>\n<namespace key="0" />\n<namespace key="6">Image</namespace>\n</namespaces>\n'
    pages = b"<page>\n  <title>A: B</title>\n</page>\n  <page>\n <title>Image:C</title>\n</page>\n<page>\n<title>D</ti"
    tree = etree.fromstring(complete_dump(head + pages))
    assert [(page.findtext("title"), page.findtext("ns")) for page in tree.iter("page")] == [("A: B", "0"), ("Image:C", "6")]
