"""HyperLex files are read or rejected, and the published agreement is reproduced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wayword
from wayword.evaluation.agreement.correlation import spearman
from wayword.evaluation.agreement.hyperlex import GradedPair, read_hyperlex
from wayword.evaluation.agreement.pair_scores import score_pairs
from wayword.evaluation.errors import GoldError
from wayword.evaluation.matchers.substitutability import Substitutability
from wayword.evaluation.matchers.wordnet_similarity import best_over_senses

from ...support import ROOT
from ...support.mini_wordnet import MiniSynset, write_files
from ...support.nltk_wordnet import nltk_reader, unpack_wordnet

PAPERS = ROOT / "docs" / "papers.md"
HEADER = "WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORES..\n"


def test_a_hyperlex_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text(HEADER + "sausage food N hyp-2 5.80 9.67 0.40 6 5 6\n\nrun move V hyp-1 6 10 0 6 6\n", encoding="utf-8")
    assert read_hyperlex(file) == [
        GradedPair("sausage", "food", "n", "hyp-2", 5.8),
        GradedPair("run", "move", "v", "hyp-1", 6.0),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first line is not WORD1"),
        ("WORD1 WORD2 SCORE\n", "the first line is not WORD1"),
        (HEADER, "no pairs"),
        (HEADER + "sausage food N hyp-2 5.80 9.67\nsausage food N\n", r":3: 'sausage food N' is not"),
        (HEADER + "sausage food N hyp-2 much 9.67\n", r":2: 'sausage food N hyp-2 much 9.67' is not"),
        (HEADER + "sausage food X hyp-2 5.80 9.67\n", r":2: POS is 'X'"),
        (HEADER + "sausage food N hyp-2 6.80 9.67\n", r"the score 6.80"),
        (HEADER + "sausage food N hyp-2 nan 9.67\n", r"the score nan"),
        ("\udcff", "cannot be read"),
    ],
)
def test_a_file_that_is_not_hyperlex_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "some.txt"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(GoldError, match=message) as caught:
        read_hyperlex(file)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match=r"nowhere\.txt: cannot be read \(No such file"):
        read_hyperlex(tmp_path / "nowhere.txt")


def test_baselines_use_the_best_pair_of_senses(tmp_path: Path) -> None:
    write_files(
        tmp_path / "corpora" / "wordnet",
        [
            MiniSynset("n", ["entity"]),
            MiniSynset("n", ["animal"], points=[("@", 0, 0, 0)]),
            MiniSynset("n", ["dog"], points=[("@", 1, 0, 0)]),
            MiniSynset("n", ["cat"], points=[("@", 1, 0, 0)]),
            MiniSynset("n", ["dog", "chap"], points=[("@", 0, 0, 0)]),
            MiniSynset("v", ["dog", "chase"]),
            MiniSynset("a", ["good"]),
        ],
    )
    names = "".join(f"{number:02d}\tany\t1\n" for number in range(45))
    (tmp_path / "corpora" / "wordnet" / "lexnames").write_text(names, encoding="utf-8")
    with nltk_reader(tmp_path) as reader:
        path, wup = best_over_senses(reader, "path"), best_over_senses(reader, "wup")
        assert path("dog", "cat", None) == pytest.approx(1 / 3)
        assert path("dog", "chap", "n") == 1.0
        assert path("dog", "chase", "n") is None
        assert path("dog", "chase", "v") == path("dog", "chase", None) == 1.0
        assert path("good", "cat", None) == 0.0
        assert path("xyzzy", "cat", None) is None
        assert wup("dog", "cat", "n") == pytest.approx(2 * 2 / (3 + 3))


def published() -> dict[tuple[str, str], float]:
    """The figures of docs/papers.md about HyperLex, by method and part."""
    section = PAPERS.read_text(encoding="utf-8").split("## HyperLex")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| (0\.\d\d) \| (0\.\d\d) \|$", section, re.MULTILINE)
    assert rows
    return {
        (method, part): float(figure)
        for method, *figures in rows
        for part, figure in zip(("dev", "training"), figures, strict=True)
    }


@pytest.fixture(scope="module")
def wordnet31_in_nltk(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with nltk_reader(unpack_wordnet(data, tmp_path_factory.mktemp("nltk_data"))) as reader:
        yield reader


@pytest.mark.slow
@pytest.mark.xdist_group("hyperlex")
@pytest.mark.parametrize("part", ["dev", "training"])
def test_published_agreement_on_hyperlex_is_reproduced(part: str, data: Path, wordnet31: Path, wordnet31_in_nltk: Any) -> None:
    pairs = read_hyperlex(data / "human" / "hyperlex" / f"hyperlex_{part}_all_random.txt")
    gold = [pair.score for pair in pairs]
    assert len(pairs) == {"dev": 130, "training": 1831}[part]
    expected = {method: figure for (method, its_part), figure in published().items() if its_part == part}
    measured = {}
    for method in expected:
        if match := re.fullmatch(r"WordSub, derivation `(\w+)`, profile `(\w+)`", method):
            derivation, profile = match.groups()
            with wayword.open(wordnet31, derivation=derivation, profile=profile) as graph:
                found = score_pairs("wayword", Substitutability(graph), [(pair.general, pair.specific) for pair in pairs])
            assert not np.isnan(found).any()
            measured[method] = spearman(found, gold)
    for measure in ("path", "wup"):
        similarity = best_over_senses(wordnet31_in_nltk, measure)
        found = np.array([similarity(pair.general, pair.specific, pair.pos) or 0.0 for pair in pairs])
        measured[f"NLTK `{measure}_similarity`, best of all senses"] = spearman(found, gold)
    assert measured == pytest.approx(expected, abs=0.0051)
    if part == "dev":
        assert measured["WordSub, derivation `word`, profile `thesis`"] == pytest.approx(0.45, abs=0.01)
        assert measured["WordSub, derivation `synset`, profile `thesis`"] == pytest.approx(0.52, abs=0.01)
