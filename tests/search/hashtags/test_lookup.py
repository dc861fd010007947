"""``wayword load hashtags`` and ``wayword hashtags similar``: rows, table 5 of the paper, pictures, and errors."""

from __future__ import annotations

import csv
import io
import json
import os
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wayword
from wayword.cli.main import run
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.loaders import open_hashtags
from wayword.rendering.shapes import Area
from wayword.search.errors import BaseUnknown, ParameterError, PhraseError
from wayword.search.hashtags.picture import LINE_STYLES, MAX_SYNONYMS, similar_picture
from wayword.search.hashtags.results import Similar, SimilarHashtag, SynonymEdge

from ...support.mini_wordnet import MiniSynset, write_files
from ...support.thesauri import HEALTH, write_thesaurus

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop

WORDS = [MiniSynset("n", ["enclosure"], points=[("~", 1, 0, 0)]), MiniSynset("n", ["cage"], points=[("@", 0, 0, 0)])]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a store with nothing but a thesaurus."""
    folder = tmp_path_factory.mktemp("hashtags")
    with EmbeddedStore(folder / "graph") as store:
        ingest(store, open_hashtags(write_thesaurus(folder / "health.csv", HEALTH, {"#flu": 40, "#cold": 12})))
    return str(folder / "graph")


def run_cli(capsys: pytest.CaptureFixture[str], store: str, *arguments: str) -> str:
    """Run a command that must succeed, and return its output."""
    assert run(["--store", store, *arguments]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def run_and_fail(capsys: pytest.CaptureFixture[str], store: str, *arguments: str) -> str:
    """Run a command that must fail with one line, and return that line."""
    assert run(["--store", store, *arguments]) == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    return output


def test_loading_a_thesaurus_reports_counts_and_the_next_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write_thesaurus(tmp_path / "health.csv", [*HEALTH, ("#flu", "#far", 9, 7.0)])
    store = str(tmp_path / "graph")
    assert run(["--store", store, "load", "hashtags", str(file)]) == 0
    output = capsys.readouterr()
    assert output.out.splitlines()[1] == "  4 hashtags · 7 synonyms · 1 left out (see wayword info)"
    assert f"Next: wayword --store {store} hashtags similar --base hashtags '#flu'" in output.err
    assert "left out       1 row with a distance outside 0 to 2" in run_cli(capsys, store, "info")
    loaded = json.loads(run_cli(capsys, store, "load", "hashtags", str(file), "--name", "health", "--json"))
    assert (loaded["id"], loaded["kind"], loaded["counts"]) == ("health", "hashtags", {"Hashtag": 4, "SYNONYM": 7})


@pytest.mark.parametrize("content", ["", "hashtag,synonym,rank,distance\n", "\x89PNG\r\n\x1a\n\0\0", "no thesaurus at all"])
def test_an_invalid_thesaurus_is_rejected_and_the_store_is_unchanged(
    capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "file.csv"
    file.write_bytes(content.encode("latin-1"))
    before = run_cli(capsys, store, "info", "--json")
    assert "file.csv" in run_and_fail(capsys, store, "load", "hashtags", str(file))
    assert str(tmp_path) in run_and_fail(capsys, store, "load", "hashtags", str(tmp_path))
    assert "check the path" in run_and_fail(capsys, store, "load", "hashtags", str(tmp_path / "nowhere.csv"))
    assert json.loads(run_cli(capsys, store, "info", "--json"))["bases"] == json.loads(before)["bases"]


def test_synonyms_are_printed_as_rows_json_and_latex(capsys: pytest.CaptureFixture[str], store: str) -> None:
    assert run_cli(capsys, store, "hashtags", "similar", "FLU", "-k", "2") == (
        "rank  hashtag     distance  tweets\n   1  #grippe       0.1000       0\n   2  #influenza    0.1250       0\n"
    )
    result = json.loads(run_cli(capsys, store, "hashtags", "similar", "#cold", "--json"))
    assert result == {
        "hashtag": "#cold",
        "thesaurus": "hashtags",
        "synonyms": [{"hashtag": "#flu", "rank": 1, "distance": 0.25, "tweets": 40}],
        "ties": [{"hashtag": "#flu", "synonym": "#cold", "rank": 3, "distance": 0.25}],
        "tweets": 12,
    }
    assert r"1 & \#grippe & 0.10 \\" in run_cli(capsys, store, "hashtags", "similar", "flu", "--format", "latex")


def test_csv_of_a_hashtag_can_be_loaded_as_a_thesaurus(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    file = tmp_path / "flu.csv"
    file.write_text(run_cli(capsys, store, "hashtags", "similar", "flu", "--format", "csv"))
    again = run_cli(capsys, store, "hashtags", "similar", "flu", "--thesaurus", str(file), "--format", "csv")
    assert again == file.read_text()


def test_several_hashtags_and_thesauri_are_compared_as_in_table_5(
    capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path
) -> None:
    one = write_thesaurus(tmp_path / "one.csv", HEALTH)
    two = write_thesaurus(tmp_path / "two.csv", [("#flu", f"#t{n}", n, n / 10) for n in range(1, 9)])
    ask = ["hashtags", "similar", "flu", "grippe", "--thesaurus", str(one), "--thesaurus", str(two)]
    assert run_cli(capsys, store, *ask) == (
        "hashtag  rank  one         two\n"
        "#flu        1  #grippe     #t1\n"
        "            2  #influenza  #t2\n"
        "            3  #cold       #t3\n"
        "            4              #t4\n"
        "            5              #t5\n"
        "\n"
        "#grippe     1  #influenza  (unknown)\n"
    )
    rows = list(csv.reader(io.StringIO(run_cli(capsys, store, *ask, "-k", "1", "--format", "csv"))))
    assert rows == [["hashtag", "rank", "one", "two"], ["#flu", "1", "#grippe", "#t1"], ["#grippe", "1", "#influenza", ""]]
    latex = run_cli(capsys, store, *ask, "--format", "latex")
    assert r"\#flu & \#grippe, \#influenza, \#cold & \#t1, \#t2, \#t3, \#t4, \#t5 \\" in latex
    assert r"\#grippe & \#influenza & -- \\" in latex
    result = json.loads(run_cli(capsys, store, *ask, "--json"))
    assert [[each and each["thesaurus"] for each in row] for row in result["rows"]] == [["one", "two"], ["one", None]]
    assert "  hashtags\n" in run_cli(capsys, store, "hashtags", "similar", "flu", "cold")


def test_errors_about_hashtags_are_one_line(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    ask = ("hashtags", "similar")
    assert "did you mean #influenza?" in run_and_fail(capsys, store, *ask, "influensa")
    assert "hashtags has no hashtag '#y'" in run_and_fail(capsys, store, *ask, "x", "y")
    assert "it is empty" in run_and_fail(capsys, store, *ask, " ")
    assert "--base and --thesaurus" in run_and_fail(capsys, store, *ask, "flu", "-b", "hashtags", "--thesaurus", "file.csv")
    assert "name one" in run_and_fail(capsys, store, *ask, "flu", "cold", "-o", str(tmp_path / "a.svg"))
    assert ".svg, .png, .pdf, .dot, .graphml" in run_and_fail(capsys, store, *ask, "flu", "-o", str(tmp_path / "a.gif"))
    assert "check the path" in run_and_fail(capsys, store, *ask, "flu", "--thesaurus", str(tmp_path / "nowhere.csv"))
    assert "it has hashtags" in run_and_fail(capsys, store, *ask, "flu", "-b", "wordnet")
    assert not list(tmp_path.iterdir())


def test_synonyms_are_looked_up_from_python(store: str) -> None:
    with wayword.open(store) as graph:
        found = graph.similar("flu", k=2)
        assert [each.hashtag for each in found] == ["#grippe", "#influenza"]
        assert len(found) == 2
        assert str(found).startswith("rank  hashtag")
        assert ">#grippe</td>" in found._repr_html_()
        assert found._repr_svg_().startswith("<svg")
        for k in (0, -1):
            with pytest.raises(ParameterError, match=r"k is .*; it must be at least 1"):
                graph.similar("flu", k)
        with pytest.raises(PhraseError, match="not text"):
            graph.similar(float("nan"))  # type: ignore[arg-type]
    with wayword.open(store, base="wordnet") as graph, pytest.raises(BaseUnknown, match="it has hashtags"):
        graph.similar("flu")


@pytest.mark.parametrize(
    "question", [["score", "a", "b"], ["path", "a", "b"], ["senses", "flu"], ["links", "Flu"], ["hop", "trail", "Flu"]]
)
def test_a_thesaurus_cannot_answer_questions_about_phrases_and_articles(
    capsys: pytest.CaptureFixture[str], store: str, question: list[str]
) -> None:
    output = run_and_fail(capsys, store, *question)
    assert f"wayword --store {store} load w" in output
    if question[0] in ("score", "senses"):
        assert "holds no base with phrases, only hashtags" in output
        assert "of the kind hashtags" in run_and_fail(capsys, store, *question, "--base", "hashtags")


def test_a_thesaurus_beside_the_only_wordnet_does_not_change_the_default_base(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store = str(tmp_path / "graph")
    write_files(tmp_path / "dict", WORDS)
    file = str(write_thesaurus(tmp_path / "health.csv", HEALTH))
    run_cli(capsys, store, "load", "wordnet", str(tmp_path / "dict"), "--name", "words")
    alone = run_cli(capsys, store, "score", "cage", "enclosure", "--json")
    run_cli(capsys, store, "load", "hashtags", file)
    assert run_cli(capsys, store, "score", "cage", "enclosure", "--json") == alone
    assert "#grippe" in run_cli(capsys, store, "hashtags", "similar", "flu")
    run_cli(capsys, store, "load", "wordnet", str(tmp_path / "dict"), "--name", "others")
    assert "choose one of others, words with --base" in run_and_fail(capsys, store, "score", "cage", "enclosure")


@pytest.mark.parametrize("form", ["graphml", "json", "parquet", "csv"])
def test_a_thesaurus_is_exported(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path, form: str) -> None:
    file = tmp_path / ("folder" if form in ("parquet", "csv") else f"graph.{form}")
    run_cli(capsys, store, "export", str(file), "--format", form, "--base", "hashtags")
    if form == "graphml":
        graph = nx.read_graphml(file)
        assert sorted(data["distance"] for *_, data in graph.edges(data=True)) == sorted(row[3] for row in HEALTH)
    elif form == "json":
        assert len(json.loads(file.read_text())["edges"]) == len(HEALTH)
    else:
        names = {each.name for each in file.rglob("*") if each.is_file()}
        assert {f"Hashtag.{form}", f"SYNONYM.{form}"} <= names


@pytest.mark.slow
def test_a_reader_sees_complete_thesauri_while_they_are_replaced(tmp_path: Path) -> None:
    """Every answer comes from one version of the thesaurus, never from both or from none."""
    files = [write_thesaurus(tmp_path / f"{n}.csv", [("#a", f"#of{n}-{k}", k, k / 64) for k in range(1, 33)]) for n in (1, 2)]
    with EmbeddedStore(tmp_path / "graph") as store:
        ingest(store, open_hashtags(files[0]))
    seen, ended = set(), threading.Event()

    def replace() -> None:
        with EmbeddedStore(tmp_path / "graph") as writer:
            for turn in range(1, 5):
                ingest(writer, open_hashtags(files[turn % 2]))
                time.sleep(0.05)
        ended.set()

    loading = threading.Thread(target=replace)
    loading.start()
    with wayword.open(tmp_path / "graph") as graph:
        while not ended.is_set():
            found = [each.hashtag for each in graph.similar("a", 32)]
            assert len(found) == 32
            seen.add(tuple({name.partition("-")[0] for name in found}))
    loading.join()
    assert seen == {("#of1",), ("#of2",)}


def make_similar(name: str, synonyms: list[str], ties: list[tuple[str, str]]) -> Similar:
    found = tuple(SimilarHashtag(each, rank, rank / 64, rank) for rank, each in enumerate(synonyms, 1))
    return Similar(name, "hashtags", found, tuple(SynonymEdge(*tie, 1, 0.1) for tie in ties), 40)


_names = st.one_of(
    st.text(min_size=1, max_size=60).map(lambda text: f"#{text}"),
    st.sampled_from(["#كورونا", "#コロナウイルス", "#😷", "#פנדמיה", "#👩‍👩‍👧home", "#" + "w" * 300, "#a\nb", "#<&>"]),
)


@st.composite
def similar(draw: st.DrawFn) -> Similar:
    names = draw(st.lists(_names, min_size=1, max_size=70, unique=True))
    pairs = draw(st.lists(st.tuples(st.sampled_from(names[1:] or names), st.sampled_from(names)), max_size=30, unique=True))
    return make_similar(names[0], names[1:], [pair for pair in pairs if len(set(pair)) == 2])


def are_apart(one: Area, other: Area) -> bool:
    return one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top


@given(similar())
def test_boxes_and_texts_never_overlap_and_stay_inside_the_picture(found: Similar) -> None:
    picture = similar_picture(found)
    areas = [*(box.area for box in picture.boxes), *(text.area for text in picture.texts)]
    assert len(picture.boxes) == 1 + min(len(found), MAX_SYNONYMS)
    assert all(are_apart(*pair) for pair in combinations(areas, 2))
    for box in picture.boxes:
        assert all(box.area.left <= text.area.left and text.area.right <= box.area.right for text in box.texts)
        assert all(are_apart(*(text.area for text in pair)) for pair in combinations(box.texts, 2))
    points = [(area.left, area.top) for area in areas] + [(area.right, area.bottom) for area in areas]
    points += [point for arrow in picture.arrows for point in arrow.points]
    assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points)


@given(similar())
def test_svg_graphml_and_dot_are_well_formed(found: Similar) -> None:
    from wayword.rendering.svg import to_svg_document
    from wayword.search.hashtags.graph import to_dot, to_graphml

    ET.fromstring(to_svg_document(similar_picture(found)))
    graph = nx.parse_graphml(to_graphml(found))
    assert len(graph) == len(found.to_networkx()) == 1 + len(found)
    assert len(graph.edges) == len(found.to_networkx().edges)
    assert to_dot(found).count("{") >= 1


def test_a_picture_distinguishes_mutual_synonyms_from_others() -> None:
    picture = similar_picture(make_similar("#a", ["#b", "#c", "#d"], [("#b", "#a"), ("#b", "#c"), ("#c", "#b"), ("#d", "#b")]))
    names = {style: name for name, style in LINE_STYLES.items()}
    kinds = [names[arrow.style] for arrow in picture.arrows]
    # One line for each pair, and one more of each kind in the legend.
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "mutual synonyms": 2,
        "synonym": 3,
        "mutual tie": 2,
        "tie": 2,
    }
    shown = {text.text for text in picture.all_texts()}
    assert {"#a", "#b", "#c", "#d", "0.02", "40 tweets", "the 3 nearest synonyms in the thesaurus hashtags"} <= shown
    assert "#b (0.02), #c (0.03), #d (0.05)" in picture.description


@given(similar())
def test_the_strongest_tie_of_each_synonym_is_drawn(found: Similar) -> None:
    shown = {each.hashtag for each in found.synonyms[:MAX_SYNONYMS]}
    pairs = {frozenset((tie.hashtag, tie.synonym)): tie for tie in found.ties if {tie.hashtag, tie.synonym} <= shown}
    ties = [LINE_STYLES["tie"], LINE_STYLES["mutual tie"]]
    picture = similar_picture(found)
    drawn = [arrow.tooltip for arrow in picture.arrows if arrow.style in ties and " among " in arrow.tooltip]
    assert len(drawn) <= max(len(shown), 1)
    assert len(drawn) == len(pairs) if len(pairs) <= len(shown) else len(drawn) < len(pairs)


def dense(count: int) -> Similar:
    """Return synonyms of which each has every other; nearest are those whose numbers differ by least."""
    names = [f"#tag{number:03}" for number in range(count)]
    ties = [
        SynonymEdge(one, other, 1 + abs(a - b), abs(a - b) / count + (a * b % 7) / 1e4)
        for a, one in enumerate(names)
        for b, other in enumerate(names)
        if a != b
    ]
    return Similar(
        "#middle", "hashtags", tuple(SimilarHashtag(name, n, n / count) for n, name in enumerate(names, 1)), tuple(ties)
    )


@pytest.mark.parametrize("count", [2, 30, 60])
def test_the_picture_of_a_dense_neighbourhood_stays_legible(count: int) -> None:
    found = dense(count)
    picture = similar_picture(found)
    drawn = [arrow for arrow in picture.arrows if arrow.style == LINE_STYLES["mutual tie"] and " and #tag" in arrow.tooltip]
    for each in found:  # the nearest of each is drawn
        own = [tie for tie in found.ties if each.hashtag in (tie.hashtag, tie.synonym)]
        nearest = min(own, key=lambda tie: tie.distance or 0.0)
        assert any(nearest.hashtag in arrow.tooltip and nearest.synonym in arrow.tooltip for arrow in drawn)
    assert len(drawn) < count
    crossings = sum(lines_cross(one.points, other.points) for one, other in combinations(drawn, 2))
    assert crossings <= count // 3
    weaker = count * (count - 1) // 2 - len(drawn)
    caption = " ".join(text.text for text in picture.texts)
    assert (f"{weaker:,} weaker ties are not" in caption) == bool(weaker)


def lines_cross(one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]) -> bool:
    def side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return any(
        side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9
        for a, b in pairwise(one)
        for c, d in pairwise(other)
    )


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf", ".dot", ".graphml"])
def test_the_suffix_of_the_file_decides_the_format_of_the_picture(
    capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path, ending: str
) -> None:
    file = tmp_path / f"flu{ending}"
    if ending in (".png", ".pdf"):
        pytest.importorskip("matplotlib")
    assert run_cli(capsys, store, "hashtags", "similar", "flu", "-o", os.fspath(file)) == ""
    content = file.read_bytes()
    begin = {".png": b"\x89PNG", ".pdf": b"%PDF"}.get(ending)
    assert content.startswith(begin) if begin else b"#influenza" in content
