"""A match as text, graph, DOT and Cypher; senses; tables; and text that fits the available width."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from dataclasses import fields, replace
from pathlib import Path as FilePath
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.cypher.values import Node, Path, Relationship, quote_text
from wayword.rendering.font_metrics import text_width, wrap_text
from wayword.rendering.tables import align_columns, format_csv
from wayword.rendering.text import cell_width, clean, format_score, shorten, split_clusters
from wayword.results import Answer
from wayword.search.presentation import RenderError
from wayword.search.presentation.explanation import FORMULAS, MEANINGS
from wayword.search.presentation.match_cypher import to_cypher
from wayword.search.presentation.match_graph import quote_lines, to_dot, to_graphml
from wayword.search.presentation.match_picture import match_picture, to_svg
from wayword.search.presentation.match_text import match_text
from wayword.search.presentation.senses import senses_text
from wayword.search.results import AspectMatch, AspectTargets, Match, MissingPath, Senses, Step, Target
from wayword.search.scoring.parameters import Parameters

PATH = (
    Step("wordnet:1-v", "enclose", "surround completely"),
    Step(
        "wordnet:2-n",
        "enclosure",
        "a structure consisting of an area that has been enclosed for some purpose",
        "derivation",
        None,
        0.7,
        0.7,
    ),
    Step("wordnet:3-n", "cage", "an enclosure made of wire", "specialisation", 16, 0.51, 0.357),
    Step("wordnet:4-n", "birdcage", "a cage in which a bird can be kept", "specialisation", 3, 0.75, 0.26775),
)
BACK = (
    Step("wordnet:4-n", "birdcage"),
    Step("wordnet:3-n", "cage", None, "generalisation", 3, 0.29, 0.29),
    Step("wordnet:5-n", "coop", None, "similar", None, 0.5, 0.145),
)
MISSING = MissingPath("enclose", "birdcage", "threshold", PATH, 3, 5, PATH[:2], PATH[2:], 0.1)
words = st.text(st.characters(), max_size=80)


def make_match(*paths: tuple[Step, ...], unknown: tuple[str, ...] = (), derivation: str = "word") -> Match:
    aspects = tuple(AspectMatch("enclose", "birdcage", path[-1].score if path else 0.0, path) for path in paths)
    return Match("enclose", "birdcage", 0.26775, ("wordnet",), "thesis", 0.08, derivation, {}, unknown, aspects)


def test_the_lines_of_a_path_fit_the_terminal() -> None:
    for columns in (60, 80, 120):
        lines = match_text(make_match(PATH), columns).splitlines()
        assert lines[0] == "enclose → birdcage  0.27"
        assert max(map(cell_width, lines)) <= columns
    assert [line.split()[0] for line in lines[2:]] == ["score", "1.00", "0.70", "0.36", "0.27"]
    assert re.search(r"0\.36 +specialisation +16 +× 0\.51 +cage +an enclosure made of wire", "\n".join(lines))


def test_a_gloss_is_shortened_or_left_out_if_the_terminal_is_narrow() -> None:
    assert "…" in match_text(make_match(PATH), 80)
    assert "meaning" not in match_text(make_match(PATH), 60)


@given(words, words, st.integers(60, 160))
def test_any_text_fits_the_lines_of_a_path(name: str, gloss: str, columns: int) -> None:
    path = (Step("b:1", name, gloss), Step("b:2", gloss, name, "specialisation", 10**6, 0.2, 0.2))
    lines = match_text(make_match(path), columns).split("\n")
    assert len(lines) == 5
    assert all(cell_width(line) <= columns for line in lines[2:])
    assert all(character.isprintable() or unicodedata.category(character) in ("Cf", "Zs", "Co") for character in "".join(lines))


def test_text_distinguishes_unknown_unrelated_and_equal_phrases() -> None:
    assert '"enclose" is not in wordnet: 0 here means unknown, not unrelated.' in match_text(make_match(unknown=("enclose",)))
    assert "No path found (threshold 0.08)." in match_text(make_match(()))
    assert "No path" not in match_text(make_match(unknown=("birdcage",)))
    assert "Both phrases name enclose" in match_text(make_match(PATH[:1]))


def test_every_pair_of_aspects_has_its_own_lines() -> None:
    text = match_text(make_match(PATH, BACK, ()))
    assert "harmonic mean of 3 pairs" in text
    assert text.count("enclose → birdcage") == 4


def test_the_graph_of_a_match_has_its_entities_and_transitions() -> None:
    graph = make_match(PATH, BACK).to_networkx()
    assert set(graph) == {f"wordnet:{key}" for key in ("1-v", "2-n", "3-n", "4-n", "5-n")}
    assert graph.edges["wordnet:2-n", "wordnet:3-n"] == {"step": "specialisation", "breadth": 16, "factor": 0.51}
    assert graph.edges["wordnet:4-n", "wordnet:3-n"]["step"] == "generalisation"
    assert graph.nodes["wordnet:4-n"]["score"] == 1.0
    assert nx.dag_longest_path_length(make_match(PATH).to_networkx()) == 3


@given(words)
def test_graphml_round_trips_any_text(name: str) -> None:
    match = make_match((Step("b:1", name, name), Step("b:2", "b", None, "similar", None, 0.5, 0.5)))
    graph = nx.parse_graphml(to_graphml(match))
    assert graph.nodes["b:1"]["name"] == clean(name)
    assert graph.edges["b:1", "b:2"] == {"step": "similar", "factor": 0.5}


@given(words)
def test_any_text_is_quoted_in_dot(text: str) -> None:
    inside = quote_lines(text, "0.5")
    assert inside[0] == inside[-1] == '"'
    assert re.fullmatch(r'(?:[^"\\\n]|\\\\|\\"|\\n)*', inside[1:-1])


def test_dot_draws_generalisations_upwards_and_other_steps_level() -> None:
    dot = to_dot(make_match(PATH, BACK))
    assert dot.count("{") == dot.count("}")
    assert '"1 wordnet:3-n" -> "1 wordnet:4-n" [label="generalisation\\n× 0.29\\nbreadth 3"' in dot
    assert '{ rank="same"; "0 wordnet:1-v"; "0 wordnet:2-n"; }' in dot
    assert 'label="no path"' in to_dot(make_match(()))


def test_the_cypher_of_a_match_has_a_clause_with_ids_for_every_step() -> None:
    statement = to_cypher(make_match(BACK, PATH, derivation="synset"))
    assert statement == (
        "MATCH p1 = (:Synset {id: 'wordnet:4-n'})-[:HYPERNYM]->(:Synset {id: 'wordnet:3-n'})\n"
        "MATCH p2 = (:Synset {id: 'wordnet:3-n'})-[:SIMILAR]-(:Synset {id: 'wordnet:5-n'})\n"
        "MATCH p3 = (:Synset {id: 'wordnet:1-v'})-[:DERIVATION]->(:Synset {id: 'wordnet:2-n'})\n"
        "MATCH p4 = (:Synset {id: 'wordnet:2-n'})<-[:HYPERNYM]-(:Synset {id: 'wordnet:3-n'})\n"
        "MATCH p5 = (:Synset {id: 'wordnet:3-n'})<-[:HYPERNYM]-(:Synset {id: 'wordnet:4-n'})\n"
        "RETURN p1, p2, p3, p4, p5"
    )
    assert to_cypher(make_match(PATH[:1])) == "MATCH (n1:Synset {id: 'wordnet:1-v'})\nRETURN n1"


def test_cypher_without_a_path_or_for_an_unknown_step_is_an_error() -> None:
    with pytest.raises(RenderError, match="'enclose'"):
        to_cypher(make_match(()))
    with pytest.raises(RenderError, match="redirect"):
        to_cypher(make_match((Step("a", "a"), Step("b", "b", None, "redirect", None, 0.9, 0.9))))


def test_the_cypher_of_a_path_through_a_wiki_has_the_relationships_of_its_steps() -> None:
    path = (
        Step("w:A", "A", label="Article"),
        Step("w:Category:A", "A", None, "central", label="Category"),
        Step("w:Category:B", "B", None, "generalisation", 2, label="Category"),
        Step("w:Category:C", "C", None, "specialisation", 2, label="Category"),
        Step("w:D", "D", None, "specialisation", 2, label="Article"),
        Step("w:Category:E", "E", None, "generalisation", 1, label="Category"),
        Step("w:E", "E", None, "central", label="Article"),
        Step("wordnet:1-n", "e", None, "crossing"),
    )
    assert to_cypher(make_match(path)).splitlines() == [
        "MATCH p1 = (:Article {id: 'w:A'})-[:CENTRAL_TO]->(:Category {id: 'w:Category:A'})",
        "MATCH p2 = (:Category {id: 'w:Category:A'})-[:SUBCATEGORY_OF]->(:Category {id: 'w:Category:B'})",
        "MATCH p3 = (:Category {id: 'w:Category:B'})<-[:SUBCATEGORY_OF]-(:Category {id: 'w:Category:C'})",
        "MATCH p4 = (:Category {id: 'w:Category:C'})<-[:IN_CATEGORY]-(:Article {id: 'w:D'})",
        "MATCH p5 = (:Article {id: 'w:D'})-[:IN_CATEGORY]->(:Category {id: 'w:Category:E'})",
        "MATCH p6 = (:Category {id: 'w:Category:E'})<-[:CENTRAL_TO]-(:Article {id: 'w:E'})",
        "MATCH p7 = (:Synset {id: 'wordnet:1-n'})",
        "RETURN p1, p2, p3, p4, p5, p6, p7",
    ]


@given(st.text(st.sampled_from("'\\u\"n\n0é "), max_size=20))
def test_a_cypher_literal_round_trips_any_text(text: str) -> None:
    written = quote_text(text)
    assert "\\u" not in written
    parts = re.findall(r"'((?:[^'\\]|\\.)*)'(?: \+ |$)", written, re.DOTALL)
    assert re.sub(r"\\(.)", r"\1", "".join(parts), flags=re.DOTALL) == text


@given(words, st.integers(1, 60))
def test_shortened_text_fits_and_ends_with_an_ellipsis(text: str, columns: int) -> None:
    text = clean(text)
    short = shorten(text, columns)
    assert cell_width(short) <= columns
    assert short == text or short.endswith("…")


@given(words, st.floats(20, 200), st.integers(1, 4))
def test_wrapped_lines_fit_and_lose_letters_only_with_an_ellipsis(text: str, room: float, lines: int) -> None:
    text = clean(text)
    wrapped = wrap_text(text, room, 12, lines)
    assert 1 <= len(wrapped) <= lines
    assert all(text_width(line, 12) <= room or len(list(split_clusters(line))) <= 1 for line in wrapped)
    whole = "".join(wrapped)
    assert whole.endswith("…") or whole.replace(" ", "") == "".join(text.split())


@given(words)
def test_grapheme_clusters_include_combining_marks(text: str) -> None:
    parts = list(split_clusters(text))
    assert "".join(parts) == text
    assert not any(unicodedata.category(part[0]) in ("Mn", "Me", "Mc") for part in parts[1:])


@given(words)
def test_cleaning_text_is_idempotent_and_removes_control_characters(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Cn") for character in clean(text))
    clean(text).encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("dog\u200bhouse", r"dog\u200bhouse"),
        ("dog\u200dhouse", r"dog\u200dhouse"),
        ("dog\xadhouse\x07", r"dog\xadhouse\x07"),
        ("\u202edog\u2066", r"\u202edog\u2066"),
        ("dog\U000e0068\U000e0069", r"dog\U000e0068\U000e0069"),
        ("👍\U000e0068\U000e0069", r"👍\U000e0068\U000e0069"),
        ("\ufeffdog\u3164\ud800", r"\ufeffdog\u3164\ud800"),
        ("\u200d", r"\u200d"),
        ("鳥\u200d\u200d籠", r"鳥\u200d\u200d籠"),
    ],
)
def test_invisible_characters_are_escaped(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",
        "👩\u200d👩\u200d👧",
        "❤\ufe0f\u200d🔥",
        "क्\u200dष",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    ],
)
def test_joiners_that_shape_letters_and_emoji_are_preserved(text: str) -> None:
    assert clean(text) == text


@given(st.floats(0, 1))
def test_a_score_is_printed_as_0_or_1_only_if_it_is_exactly_that(value: float) -> None:
    shown = float(format_score(value))
    assert shown == pytest.approx(value, abs=0.00500001)
    if value < 0.999999:
        assert shown < 1
    if value > 0.000001:
        assert shown > 0


def test_columns_are_aligned_below_their_headers() -> None:
    table = align_columns(("name", "n"), [("鳥籠", 3), ("cage", 12)])
    assert table == "name   n\n鳥籠   3\ncage  12"
    assert align_columns((), []) == ""
    assert max(map(cell_width, align_columns(("a",), [("x" * 100,)], width=20).splitlines())) <= 20


def test_numbers_are_right_aligned_even_if_some_are_missing() -> None:
    assert align_columns(("rank", "title"), [(1, "Wolf"), (None, "Dog")]) == "rank  title\n   1  Wolf\n      Dog"
    assert align_columns(("rank", "title"), [(None, "Dog")]) == "rank  title\n      Dog"


def test_senses_of_a_wiki_have_no_parts_of_speech() -> None:
    article = Target("w:Dog", "Dog", None, "dogs", None, 3, 1.0, 1)
    synset = Target("wordnet:1-n", "dog", None, "dog", "n", 1, 1.0, 1)
    alone, both = (
        senses_text(Senses("dogs", ("w",), (AspectTargets("dogs", found),))) for found in ((article,), (article, synset))
    )
    assert alone.splitlines()[1].split() == ["entity", "label", "uses", "prior", "id"]
    assert both.splitlines()[1].split() == ["entity", "pos", "label", "uses", "prior", "id"]


def test_a_long_answer_is_cut_with_a_note_of_the_remaining_rows() -> None:
    few = Answer(("n",), tuple((number,) for number in range(20)))
    assert len(str(few).splitlines()) == 21
    many = Answer(("n",), tuple((number,) for number in range(21)), truncated=True)
    assert str(many).splitlines()[-2:] == ["19", "… 1 more row; there are more; raise limit to see them"]
    assert many._repr_html_().count("<tr>") == 21
    assert len(many) == 21


def test_senses_in_a_narrow_terminal_are_shown_without_ids_but_with_whole_meanings() -> None:
    target = Target("wordnet:00000001-n", "cage", "a very long meaning " * 9, "cage", "n", 3, 1.0, 1)
    found = Senses("cage", ("wordnet",), (AspectTargets("cage", (target,)),))
    for columns, has_id in ((60, False), (80, False), (120, True)):
        lines = senses_text(found, columns).splitlines()
        assert max(map(cell_width, lines)) <= columns
        assert ("wordnet:00000001-n" in lines[2]) == has_id
        assert " ".join(lines).split().count("meaning") == 1 + 9


def test_svg_has_css_only_when_embedded_in_a_page() -> None:
    assert "max-width" in make_match(PATH)._repr_svg_()
    assert "style=" not in to_svg(make_match(PATH))


def test_nodes_relationships_and_paths_are_shown_in_cells() -> None:
    dog, canine = Node("w:1", "Synset", {"id": "w:1", "name": "dog"}), Node("w:2", "Synset", {"id": "w:2", "name": "canine"})
    step = Relationship("HYPERNYM", "w:1", "w:2")
    assert str(Path((dog, canine), (step,))) == "(w:1 dog)-[:HYPERNYM]->(w:2 canine)"
    assert str(Path((canine, dog), (step,))) == "(w:2 canine)<-[:HYPERNYM]-(w:1 dog)"
    assert str(step) == "(w:1)-[:HYPERNYM]->(w:2)"


@given(st.lists(st.tuples(words, st.integers(), st.floats(allow_nan=False)), max_size=5))
def test_csv_round_trips_any_text(rows: list[tuple[str, int, float]]) -> None:
    back = list(csv.reader(io.StringIO(format_csv(("a", "b", "c"), rows), newline="")))
    assert back[0] == ["a", "b", "c"]
    assert [(a, int(b), float(c)) for a, b, c in back[1:]] == rows


def rebuild(plain: dict[str, Any]) -> Match:
    """Build a match from its JSON alone."""
    aspects = [AspectMatch(**{**each, "path": tuple(Step(**step) for step in each["path"])}) for each in plain["matches"]]
    names = ("bases", "unknown")
    missing = tuple(rebuild_missing(each) for each in plain.pop("missing_paths"))
    given = {**plain, **{name: tuple(plain[name]) for name in names}, "matches": tuple(aspects)}
    return Match(**given, find_missing_paths=lambda: missing)


def rebuild_missing(plain: dict[str, Any]) -> MissingPath:
    """Build the reason for a missing path from its JSON."""
    names = ("path", "first_step", "last_step")
    return MissingPath(**{**plain, **{name: tuple(Step(**step) for step in plain[name]) for name in names}})


@pytest.mark.parametrize(
    "match",
    [
        make_match(PATH, BACK),
        make_match(PATH[:1]),
        replace(make_match(), matches=(AspectMatch("enclose", "birdcage", 0.1, PATH, 1.0, 0.4),)),
        make_match(()),
        make_match(unknown=("enclose", "birdcage")),
        replace(make_match(()), find_missing_paths=lambda: (MISSING,)),
    ],
)
def test_text_and_picture_need_only_the_fields_in_json(match: Match) -> None:
    again = rebuild(json.loads(json.dumps(match.to_dict())))
    assert match_text(again, 80) == match_text(match, 80)
    assert match_picture(again) == match_picture(match)


def test_rare_senses_at_the_ends_of_a_path_are_shown_in_every_form() -> None:
    path = (replace(PATH[0], score=0.8), *(replace(step, score=0.8 * step.score) for step in PATH[1:]))
    score = path[-1].score * 0.25
    match = replace(make_match(), score=score, matches=(AspectMatch("enclose", "birdcage", score, path, 0.8, 0.25),))
    lines = match_text(match, 120, explain=True).splitlines()
    assert [line.split()[0] for line in lines[3:8]] == ["0.80", "0.56", "0.29", "0.21", "0.05"]
    assert re.fullmatch(r" +0\.80  rare sense +× 0\.80  enclose +surround completely", lines[3])
    assert re.fullmatch(r" +0\.05  rare sense +× 0\.25  birdcage", lines[7])
    assert f"  rare sense: {FORMULAS['rare sense']}" in lines
    assert "  rare sense enclose: 0.80" in lines
    assert "  score: 0.80 × 0.70 × 0.51 × 0.75 × 0.25 = 0.05" in lines
    assert "rare sense: 0.80" in to_svg(match)
    assert "= 0.21 · rare sense × 0.25 = 0.05" in to_svg(match)
    assert "From enclose, a rare sense (× 0.80), derivation" in to_svg(match)
    assert "birdcage, a rare sense (× 0.25): 0.05." in to_svg(match)
    assert r'[label="birdcage\n0.21 · rare sense × 0.25 = 0.05"' in to_dot(match)
    nodes = nx.parse_graphml(to_graphml(match)).nodes
    weights = {id: (each.get("substitute_weight"), each.get("substitutee_weight")) for id, each in nodes.items()}
    assert weights == {
        "wordnet:1-v": (0.8, None),
        "wordnet:2-n": (None,) * 2,
        "wordnet:3-n": (None,) * 2,
        "wordnet:4-n": (None, 0.25),
    }
    assert match.to_dict()["matches"][0]["substitutee_weight"] == 0.25


def test_a_rare_sense_that_both_phrases_name_has_two_weights() -> None:
    path = (replace(PATH[0], score=0.5),)
    match = replace(make_match(), score=0.25, matches=(AspectMatch("enclose", "birdcage", 0.25, path, 0.5, 0.5),))
    text = match_text(match, 120, explain=True)
    assert "  score: 0.50 × 0.50 = 0.25\n" in text
    assert "Both phrases name enclose." in text
    assert "rare sense: 0.50 · rare sense × 0.50 = 0.25" in to_svg(match)


def test_every_parameter_has_a_meaning_that_the_guide_lists() -> None:
    assert set(MEANINGS) == {each.name for each in fields(Parameters)}
    guide = (FilePath(__file__).parents[3] / "docs" / "guide.md").read_text(encoding="utf-8")
    for name, meaning in MEANINGS.items():
        assert re.search(rf"^\| `{name}` \| .* \| {meaning} \|$", guide, re.MULTILINE), name
    assert all(f"`{formula}`" in guide for formula in FORMULAS.values())
