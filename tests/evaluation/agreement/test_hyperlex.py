"""HyperLex files are read or rejected, and the published agreement is reproduced."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wayword
from wayword.evaluation.agreement.correlation import spearman
from wayword.evaluation.agreement.graded_files import read_judged_pairs
from wayword.evaluation.agreement.hyperlex import GradedPair, read_hyperlex
from wayword.evaluation.agreement.pair_scores import score_both_directions, score_pairs
from wayword.evaluation.errors import GoldError
from wayword.evaluation.matchers.registry import open_matchers
from wayword.evaluation.matchers.resources import Resources
from wayword.evaluation.matchers.wordnet_similarity import best_over_senses

from ...support import ROOT
from ...support.mini_wordnet import MiniSynset, write_files
from ...support.nltk_wordnet import nltk_reader

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


def published(column: str) -> dict[str, float]:
    """The figures of docs/papers.md on a data set, by matcher in WordNet."""
    table = PAPERS.read_text(encoding="utf-8").split("<!-- bench:people -->\n")[1].split("\n\n")[0]
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    place = head.index(column)
    figures = {row[0].strip("`"): float(row[place].split()[0]) for row in rows}
    return {name: figure for name, figure in figures.items() if name not in ("vectors", "encoder")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "files", "score"),
    [
        ("HyperLex", ["hyperlex/hyperlex_training_all_random.txt", "hyperlex/hyperlex_dev_all_random.txt"], score_pairs),
        ("SimLex-999", ["word-sim/EN-SIMLEX-999.txt"], score_both_directions),
    ],
)
def test_published_agreement_with_people_is_reproduced(
    column: str, files: list[str], score: Callable[..., Any], data: Path, wordnet31: Path
) -> None:
    expected = published(column)
    assert len(expected) > 6
    judged = [pair for file in files for pair in read_judged_pairs(data / "human" / file)]
    pairs = [(pair.substitute, pair.substitutee) for pair in judged]
    with ExitStack() as stack:
        matchers = open_matchers(
            expected, Resources(lambda profile: stack.enter_context(wayword.open(wordnet31, profile=profile or "people")))
        )
        for name, matcher in matchers.items():
            scores = np.nan_to_num(score(name, matcher, pairs))
            assert spearman(scores, [pair.score for pair in judged]) == pytest.approx(expected[name], abs=0.0051), name
