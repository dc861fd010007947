"""Pictures: no elements overlap or are cut off, whatever the words; SVG and PNG follow the layout."""

from __future__ import annotations

import io
import re
import struct
import sys
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wayword.rendering.grid_layout import COLUMNS, lay_out_path
from wayword.rendering.line_styles import FAINT_LINE, PLAIN_LINE
from wayword.rendering.path_diagram import PAGE_WIDTH
from wayword.rendering.shapes import TONES, Area, Picture
from wayword.search.bases.registry import registered_kinds
from wayword.search.presentation import RenderError, draw
from wayword.search.presentation.match_picture import match_picture, to_svg
from wayword.search.presentation.step_styles import COMMON
from wayword.search.results import AspectMatch, Match, Step

from ..support.examples import share_of_examples

SVG = "{http://www.w3.org/2000/svg}"
KINDS = ["same", "similar", "also", "derivation", "specialisation", "generalisation", "redirect", "central", "crossing"]
AWKWARD = [
    "",
    " ",
    "Donaudampfschifffahrtsgesellschaftskapitän" * 3,
    "鳥籠の中の鳥" * 20,
    "👩\u200d👩\u200d👧\u200d👦🇩🇪👍🏽" * 9,
    "قفص الطيور الكبير في الحديقة",
    "כלוב ציפורים (ישן)",
    "e\u0301\u0323\u0307" * 40,
    "\u202eevil\u2066 \x07 \x1b[31m \0 \ud800",
    "<b>&amp;\"quote'</b> ]]> $x^2$ %s {0}",
    "W" * 256,
    "हिन्दी में एक लंबा नाम",
]


def path_of(
    names: Sequence[str], kinds: Sequence[str], breadths: Sequence[int | None], factors: Sequence[float]
) -> tuple[Step, ...]:
    score, steps = 1.0, [Step("wordnet:0-n", names[0], names[-1])]
    for number, (name, kind, breadth, factor) in enumerate(zip(names[1:], kinds, breadths, factors, strict=True), start=1):
        score *= factor
        gloss = names[number - 1] if number % 3 else None
        steps.append(Step(f"wordnet:{number}-n", name, gloss, kind, breadth, factor, score))
    return tuple(steps)


def match_of(
    *aspects: AspectMatch, substitute: str = "enclose", substitutee: str = "birdcage", unknown: tuple[str, ...] = ()
) -> Match:
    score = min((each.score for each in aspects), default=0.0)
    return Match(substitute, substitutee, score, ("wordnet",), "thesis", 0.08, "word", {}, unknown, aspects)


BIRDCAGE = path_of(
    ["enclose", "enclosure", "cage", "birdcage"],
    ["derivation", "specialisation", "specialisation"],
    [None, 16, 3],
    [0.7, 0.51, 0.75],
)
ENCLOSE = match_of(AspectMatch("enclose", "birdcage", BIRDCAGE[-1].score, BIRDCAGE))

texts = st.text(st.characters(), max_size=300) | st.text("ab W i", max_size=60) | st.sampled_from(AWKWARD)


@st.composite
def paths(generate: st.DrawFn) -> tuple[Step, ...]:
    length = generate(st.integers(1, 12))
    names = [generate(texts) for _ in range(length + 1)]
    kinds = [generate(st.sampled_from(KINDS) | st.sampled_from(KINDS[4:6])) for _ in range(length)]
    breadths = [generate(st.none() | st.integers(1, 10**6)) for _ in range(length)]
    factors = [generate(st.floats(0, 1)) for _ in range(length)]
    return path_of(names, kinds, breadths, factors)


@st.composite
def matches(generate: st.DrawFn) -> Match:
    aspects = [
        AspectMatch(generate(texts), generate(texts), generate(st.floats(0, 1)), generate(paths() | st.just(())))
        for _ in range(generate(st.integers(0, 4)))
    ]
    substitute, substitutee = generate(texts), generate(texts)
    unknown = tuple(generate(st.sets(st.sampled_from([substitute, substitutee]))))
    return match_of(*aspects, substitute=substitute, substitutee=substitutee, unknown=unknown)


def overlap(one: Area, other: Area) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def lines_of(drawing: Picture) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return [segment for arrow in drawing.arrows for segment in pairwise(arrow.points)]


def crosses(segment: tuple[tuple[float, float], tuple[float, float]], area: Area) -> bool:
    (a, b), (x, y) = segment
    return overlap(Area(min(a, x), min(b, y), max(a, x), max(b, y)), area)


def check(drawing: Picture) -> None:
    canvas = Area(0, 0, drawing.width, drawing.height)
    free = [*drawing.texts, *(text for arrow in drawing.arrows for text in arrow.texts)]
    solid = [box.area for box in drawing.boxes] + [text.area for text in free]
    for area in solid:
        assert canvas.left <= area.left <= area.right <= canvas.right
        assert canvas.top <= area.top <= area.bottom <= canvas.bottom
    for one, other in combinations(solid, 2):
        assert not overlap(one, other)
    for box in drawing.boxes:
        for text in box.texts:
            assert box.area.left < text.area.left
            assert text.area.right < box.area.right
            assert box.area.top < text.y - 0.75 * text.size
            assert text.area.bottom < box.area.bottom
        assert not any(overlap(one.area, other.area) for one, other in combinations(box.texts, 2))
    for segment in lines_of(drawing):
        assert not any(crosses(segment, area) for area in solid)
    for one_arrow, other_arrow in combinations(drawing.arrows, 2):
        for one_line in pairwise(one_arrow.points):
            box_of_line = Area(*map(min, *one_line), *map(max, *one_line))
            assert not any(crosses(line, box_of_line) for line in pairwise(other_arrow.points))


@given(matches())
@example(ENCLOSE)
@example(
    match_of(
        *(AspectMatch(text, text, 0.5, path_of(AWKWARD, KINDS[:8] + ["same"] * 3, [3] * 11, [0.5] * 11)) for text in AWKWARD)
    )
)
def test_nothing_overlaps_or_is_cut_off(match: Match) -> None:
    check(match_picture(match))


@given(matches())
def test_an_svg_is_well_formed_and_described_in_words(match: Match) -> None:
    root = ET.fromstring(to_svg(match))
    assert root.tag == f"{SVG}svg"
    titles = [element.text or "" for element in root.iter(f"{SVG}title")]
    assert "→" in titles[0]
    assert (root.findtext(f"{SVG}desc") or "").startswith("How well")
    drawing = match_picture(match)
    assert len(root.findall(f"{SVG}g")) == len(drawing.boxes) + len(drawing.arrows)
    assert len(list(root.iter(f"{SVG}text"))) == len(list(drawing.all_texts()))


@given(st.lists(st.sampled_from((-1, 0, 1)), max_size=40))
def test_arrows_of_a_path_lead_down_up_or_right(rows_down: list[int]) -> None:
    seen = []
    for band in lay_out_path(rows_down):
        assert len({(cell.column, cell.row) for cell in band.cells}) == len(band.cells)
        assert band.columns <= COLUMNS
        for before, cell in pairwise(band.cells):
            down = rows_down[cell.index - 1]
            assert cell.row - before.row == down
            assert cell.column - before.column in ((0, 1) if down else (1,))
        seen += [cell.index for cell in band.cells[1:]]
    assert seen == list(range(1, len(rows_down) + 1))


def test_a_picture_shows_words_steps_factors_breadths_and_scores() -> None:
    shown = {text.text for text in match_picture(ENCLOSE).all_texts()}
    assert {"enclose", "enclosure", "cage", "birdcage", "derivation", "specialisation"} <= shown
    assert {"× 0.70", "× 0.51", "× 0.75", "breadth 16", "breadth 3", "= 0.70", "= 0.36", "= 0.27", "score 0.27"} <= shown


FRAME = (
    Step("wordnet:1-n", "frame", "a single drawing in a comic strip"),
    Step("schoolswiki:Frame", "Frame", "A frame is a structure.", "crossing", None, 0.9, 0.9, label="Article"),
)


@pytest.mark.parametrize(
    ("bases", "sources"), [(("wordnet", "schoolswiki"), {"in wordnet", "in schoolswiki"}), (("w",), set())]
)
def test_boxes_of_one_name_are_told_apart_by_gloss_and_base(bases: tuple[str, ...], sources: set[str]) -> None:
    match = Match("frame", "frame", 0.9, bases, "thesis", 0.08, None, matches=(AspectMatch("frame", "frame", 0.9, FRAME),))
    boxes = [" ".join(text.text for text in box.texts) for box in match_picture(match).boxes]
    assert "a single drawing in a comic strip" in boxes[0]
    assert "A frame is a structure." in boxes[1]
    assert {source for source in ("in wordnet", "in schoolswiki") if any(source in box for box in boxes)} == sources


@given(matches())
def test_no_text_is_printed_smaller_than_8_points(match: Match) -> None:
    assert all(text.size * 72 / 96 >= 8 for text in match_picture(match).all_texts())


@pytest.mark.parametrize("length", [1, 5, 40, 200])
def test_long_paths_are_no_wider_than_a_page(length: int) -> None:
    names = [f"{'a long name of an entity' if number % 3 else 'x'} {number}" for number in range(length + 1)]
    steps = path_of(names, ["derivation"] * length, [None] * length, [0.9] * length)
    picture = match_picture(match_of(AspectMatch("a", "b", 0.5, steps)))
    check(picture)
    assert picture.width <= PAGE_WIDTH
    shown = {" ".join(text.text for text in box.texts if text.tone == "ink" and text.size > 12) for box in picture.boxes}
    assert shown == set(names)


def test_a_pdf_has_the_size_of_the_layout_and_its_text_is_text() -> None:
    pytest.importorskip("matplotlib")
    from wayword.rendering.print_formats import write_printable

    written, again = io.BytesIO(), io.BytesIO()
    write_printable(match_picture(ENCLOSE), written, "pdf")
    write_printable(match_picture(ENCLOSE), again, "pdf")
    assert written.getvalue() == again.getvalue()
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([0-9.]+) ([0-9.]+) \]", written.getvalue())
    picture = match_picture(ENCLOSE)
    assert [float(side) for side in box] == pytest.approx([picture.width * 0.75, picture.height * 0.75], abs=0.1)
    assert b"/FontFile2" in written.getvalue()  # an embedded TrueType font, no outlines


def test_categories_and_depth_limited_searches_are_labelled() -> None:
    path = (Step("w:Dog", "Dog", label="Article"), Step("w:Category:Dog", "Dog", None, "central", label="Category"))
    aspects = (AspectMatch("dog", "dogs", 1.0, path),)
    drawn = match_picture(Match("dog", "dogs", 1.0, ("w", "v"), "thesis", 0.08, "word", matches=aspects, depth_limited=True))
    assert "From Dog, central (× 1.00) to Category:Dog: 1.00." in drawn.description
    assert {"Dog", "Category:Dog"} <= {text.text for text in drawn.all_texts()}
    assert any(text.text.startswith("w + v · depth-limited · profile thesis") for text in drawn.texts)


@pytest.mark.parametrize(("derivation", "label"), [("synset", " · derivation by synset"), (None, "")])
def test_the_derivation_rule_is_shown_if_there_is_one(derivation: str | None, label: str) -> None:
    drawn = match_picture(Match("dog", "cat", 0.0, ("w",), "thesis", 0.08, derivation))
    assert f"w · profile thesis · threshold 0.08{label}" in {text.text for text in drawn.texts}


def test_unknown_phrases_are_labelled_and_unrelated_ones_are_not() -> None:
    unknown = match_picture(match_of(substitute="xyzzy", unknown=("xyzzy",)))
    assert "unknown" in {text.text for text in unknown.all_texts()}
    assert "“xyzzy” is not in " in unknown.description
    unrelated = match_picture(match_of(AspectMatch("bedroom", "public toilet", 0.0)))
    assert "unknown" not in {text.text for text in unrelated.all_texts()}
    assert "no path" in {text.text for text in unrelated.all_texts()}


def test_the_tooltip_of_a_shortened_name_is_complete() -> None:
    name = "a name that is much too long for any box " * 6
    svg = to_svg(match_of(AspectMatch("a", "b", 1.0, path_of([name], [], [], []))))
    assert "…</text>" in svg
    assert " ".join(name.split()) in " ".join(title.text or "" for title in ET.fromstring(svg).iter(f"{SVG}title"))


def test_kinds_of_steps_differ_by_more_than_colour() -> None:
    styles = {PLAIN_LINE, FAINT_LINE, *COMMON.values()}
    for kind in registered_kinds():
        own = styles if kind.phrases is None else {*styles, *kind.phrases.line_styles.values()}
        assert len({(style.width, style.dashes) for style in own}) == len(own)
        styles |= own
    for colour in [*(style.colour for style in styles), TONES["ink"], TONES["muted"]]:
        assert contrast(colour, TONES["paper"]) >= 4.5
        assert contrast(colour, TONES["shade"]) >= 3


def contrast(one: str, other: str) -> float:
    """Contrast ratio as the W3C defines it."""
    lights = sorted(
        sum(part * level(int(colour[at : at + 2], 16)) for part, at in ((0.2126, 1), (0.7152, 3), (0.0722, 5)))
        for colour in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def level(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


@pytest.mark.slow
@share_of_examples(0.1)
@given(matches())
@example(ENCLOSE)
def test_a_png_has_the_size_of_the_layout_at_200_dots_an_inch(match: Match) -> None:
    pytest.importorskip("matplotlib")
    from wayword.rendering.print_formats import write_printable

    written = io.BytesIO()
    write_printable(match_picture(match), written, "png")
    assert written.getvalue()[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", written.getvalue()[16:24])
    drawing = match_picture(match)
    assert abs(width - drawing.width * 200 / 96) <= 1
    assert abs(height - drawing.height * 200 / 96) <= 1


def test_no_text_of_a_png_is_wider_than_measured() -> None:
    pytest.importorskip("matplotlib")
    from wayword.rendering.plots import new_figure
    from wayword.rendering.print_formats import draw_text
    from wayword.rendering.shapes import Text

    figure = new_figure(6, 4, constrained=False)
    axes = figure.add_axes((0, 0, 1, 1))
    for text in (Text("W" * 30, 0, 0, 14), Text("i" * 30, 0, 0, 14), Text("WWW", 0, 0, 19, bold=True)):
        drawn = draw_text(axes, text)
        assert drawn.get_window_extent().width * 96 / 200 <= text.width + 1


@pytest.mark.parametrize("name", ["path.png", "path.pdf"])
def test_formats_that_need_matplotlib_name_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    for module in [module for module in sys.modules if module.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(RenderError, match=r"wayword\[pictures\]"):
        draw(ENCLOSE, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["path", "path.jpg", "path.svgz"])
def test_an_unknown_file_name_ending_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RenderError, match=r"\.svg, \.png, \.pdf, \.dot, \.graphml"):
        ENCLOSE.draw(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["path.svg", "path.SVG", "path.dot", "path.graphml"])
def test_drawing_replaces_an_existing_file(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("old", encoding="utf-8")
    ENCLOSE.draw(file)
    assert "birdcage" in file.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [file]
