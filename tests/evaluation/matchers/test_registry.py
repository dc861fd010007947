"""Matchers are found by name, packages add theirs, and what is missing or broken is an error that says what to do."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import wayword
from wayword.evaluation.errors import MatcherError
from wayword.evaluation.matchers import Resources, list_matchers, open_matchers
from wayword.graph.errors import StoreMissing
from wayword.search.errors import BaseUnknown

from ...support.mini_wordnet import MiniSynset, write_files

NAMES = [
    "wayword",
    "equal",
    "exact",
    *(
        f"{name}{ending}"
        for name in ("r_precision", "modified_r_precision", "bleu", "rouge1", "rouge2", "nist")
        for ending in ("", "_stem")
    ),
    *("meteor", "path", "wup", "lch", "vectors", "encoder"),
]

PLUGIN = """
from wayword.evaluation.matchers import MatcherKind
from wayword.evaluation.matchers.phrases import PhraseMatcher

def open_longer(resources):
    return PhraseMatcher(len, lambda ours, theirs: float(ours > theirs))

def open_badly(resources):
    raise RuntimeError("no licence\\nsecond line")

longer = MatcherKind("longer", "1 if the substitute has more words", open_longer)
unlucky = MatcherKind("unlucky", "never opens", open_badly)
needy = MatcherKind("needy", "reads a corpus", lambda resources: open_longer(resources), "corpus")
not_a_kind = 42
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterable[None]:
    """A package with entry points, in ``sys.path`` as pip would install it."""
    (tmp_path / "lengths.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "exits.py").write_text("raise SystemExit('no display')\n", encoding="utf-8")
    metadata = tmp_path / "phrase_lengths-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: phrase-lengths\nVersion: 1.0\n", encoding="utf-8")
    points = {
        "longer": "lengths:longer",
        "unlucky": "lengths:unlucky",
        "needy": "lengths:needy",
        "wrong": "lengths:not_a_kind",
        "absent": "no_such_module:kind",
        "exits": "exits:kind",
        "bleu": "lengths:longer",
    }
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (metadata / "entry_points.txt").write_text(f"[wayword.matchers]\n{lines}", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("lengths", None)


def test_all_matchers_are_listed_in_the_order_of_the_thesis() -> None:
    assert [each.name for each in list_matchers()] == NAMES
    assert all(each.description and each.problem is None and each.package is None for each in list_matchers())


def test_a_misspelt_matcher_is_an_error_that_suggests_similar_ones() -> None:
    with pytest.raises(MatcherError, match=r"there is no matcher 'metoer'; did you mean meteor\?"):
        open_matchers(["metoer"], Resources())
    with pytest.raises(MatcherError, match=r"there is no matcher 'xyzzy'; list_matchers\(\) lists them"):
        open_matchers(["xyzzy"], Resources())


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nist", "the matcher nist needs a corpus; name one as corpus="),
        ("nist_stem", "the matcher nist_stem needs a corpus; name one as corpus="),
        ("vectors", "the matcher vectors needs word vectors; name them as vectors="),
        ("encoder", "the matcher encoder needs an encoder; name one as encoder="),
        ("meteor", "there is no graph to ask; name a function that opens one as open_graph="),
        ("wayword", "there is no graph to ask; name a function that opens one as open_graph="),
    ],
)
def test_what_is_missing_is_an_error_that_names_the_option(name: str, problem: str) -> None:
    with pytest.raises(MatcherError) as caught:
        open_matchers([name], Resources())
    assert str(caught.value) == problem


def test_names_are_checked_before_anything_is_opened() -> None:
    opened: list[None] = []

    def open_graph(_: str | None) -> wayword.Graph:
        opened.append(None)
        raise StoreMissing

    for names in (["wayword", "metoer"], ["wayword", "nist"]):
        with pytest.raises(MatcherError):
            open_matchers(names, Resources(open_graph))
    assert not opened


@pytest.mark.usefixtures("install")
def test_a_package_adds_a_matcher() -> None:
    (matcher,) = open_matchers(["longer"], Resources()).values()
    assert (matcher("public toilet", "loo"), matcher("loo", "public toilet")) == (1.0, 0.0)
    listed = {each.name: each for each in list_matchers()}
    assert listed["longer"].to_dict() == {
        "name": "longer",
        "description": "1 if the substitute has more words",
        "needs": None,
        "package": "phrase-lengths",
        "problem": None,
    }


@pytest.mark.usefixtures("install")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("wrong", "TypeError: lengths:not_a_kind is not a MatcherKind"),
        ("absent", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("exits", "SystemExit: no display"),
        ("unlucky", "RuntimeError: no licence"),
    ],
)
def test_a_broken_matcher_is_an_error_that_names_its_package(name: str, reason: str) -> None:
    with pytest.raises(MatcherError) as caught:
        open_matchers([name], Resources())
    assert str(caught.value) == f"the matcher {name} of the package phrase-lengths is broken ({reason}); repair or remove it"


@pytest.mark.usefixtures("install")
def test_broken_matchers_are_listed_with_their_problem_and_others_go_on_working() -> None:
    problems = {each.name: each.problem for each in list_matchers() if each.problem}
    assert problems.keys() == {"wrong", "absent", "exits"} | {"bleu"}
    assert "wayword has a matcher of this name" in (problems["bleu"] or "")
    (bleu,) = open_matchers(["bleu"], Resources()).values()
    assert bleu("dog", "dog") == 1.0


@pytest.mark.usefixtures("install")
def test_a_registered_matcher_says_what_it_needs() -> None:
    with pytest.raises(MatcherError, match="the matcher needy needs a corpus"):
        open_matchers(["needy"], Resources())


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two WordNets, of which only ``other`` knows that a car is an auto."""
    folder = tmp_path_factory.mktemp("bases")
    for name, synsets in (
        ("wordnet", [MiniSynset("n", ["car"]), MiniSynset("n", ["auto"])]),
        ("other", [MiniSynset("n", ["car", "auto"])]),
    ):
        wayword.load_wordnet(write_files(folder / name, synsets), store=folder / "graph", name=name)
    return folder / "graph"


@pytest.mark.parametrize(("named", "score"), [((), 0.0), (("wordnet",), 0.0), (("other",), 0.72), (("other", "wordnet"), 0.72)])
def test_the_wordnet_is_the_first_that_is_named_and_wordnet_by_default(
    bases: Path, named: tuple[str, ...], score: float
) -> None:
    with wayword.open(bases, base=named or None) as graph:
        (meteor,) = open_matchers(["meteor"], Resources(lambda _: graph, named)).values()
        assert meteor("car", "auto") == pytest.approx(score)


def test_one_of_several_wordnets_has_to_be_named_if_none_is_the_default(bases: Path, tmp_path: Path) -> None:
    store = tmp_path / "graph"
    for name in ("one", "two"):
        wayword.load_wordnet(write_files(tmp_path / name, [MiniSynset("n", ["car"])]), store=store, name=name)
    with wayword.open(store) as graph, pytest.raises(BaseUnknown, match="choose one of one, two as base="):
        open_matchers(["path"], Resources(lambda _: graph))


def test_a_graph_is_a_matcher_that_knows_its_phrases(bases: Path) -> None:
    with wayword.open(bases) as graph:
        (matcher,) = open_matchers(["wayword"], Resources(lambda _: graph)).values()
        pairs = [("car", "car"), ("car", "auto"), ("xyzzy", "car"), ("car", "xyzzy")] * 50
        assert list(matcher.score_many(iter(pairs))) == [1.0, 0.0, None, None] * 50
        assert [matcher(*pair) for pair in pairs[:4]] == [1.0, 0.0, None, None]
