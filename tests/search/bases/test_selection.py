"""Projections are cached, rebuilt if damaged, and never written over foreign files; invalid names and files are rejected."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

import wayword
from wayword.graph.errors import StoreUnreadable
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.loaders import open_wordnet
from wayword.search.bases.array_file import MAGIC, Arrays
from wayword.search.errors import BaseUnknown, ParameterError
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.stop_words import read_stop_words

from ...support.graphs import base, edges, nodes
from ...support.mini_wordnet import MiniSynset, write_files


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_files(tmp_path / "dict", [MiniSynset("n", ["entity"]), MiniSynset("n", ["dog", "hound"], points=[("@", 0, 0, 0)])])
    path = tmp_path / "graph"
    with EmbeddedStore(path) as opened:
        ingest(opened, open_wordnet(tmp_path / "dict"))
    return path


def test_an_empty_address_is_an_error_and_not_the_default_store(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYWORD_STORE", str(store))
    with pytest.raises(StoreUnreadable, match="the store address is empty"):
        wayword.open("")
    with wayword.open() as graph:
        assert graph.score("hound", "entity").score > 0


def score(store: Path) -> float:
    with wayword.open(store) as graph:
        return graph.score("hound", "entity").score


def projection_path(store: Path) -> Path:
    return store.with_name("graph.wordnet.projection")


def flip_byte(index: int) -> Callable[[bytes], bytes]:
    return lambda content: content[:index] + bytes([content[index] ^ 0xFF]) + content[index + 1 :]


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda _: b"something else",
        lambda content: content[:-1],
        lambda content: content[: len(MAGIC) + 4],
        flip_byte(len(MAGIC) + 2),
        flip_byte(len(MAGIC) + 40),
        flip_byte(-5),
        lambda content: content.replace(MAGIC, b"wayword arrays 1\n"),
    ],
)
def test_a_damaged_projection_is_rebuilt(store: Path, damage: Callable[[bytes], bytes]) -> None:
    expected = score(store)
    whole = projection_path(store).read_bytes()
    projection_path(store).write_bytes(damage(whole))
    assert score(store) == expected
    assert projection_path(store).read_bytes() == whole


@pytest.mark.slow
@pytest.mark.parametrize("ask", ["score", "scores", "senses", "unknown"])
def test_damage_in_a_large_projection_is_noticed_by_the_query_and_mended(
    store: Path, ask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Arrays.__init__.__kwdefaults__ or {}, "max_checked", 0)
    queries: dict[str, Callable[[wayword.Graph], object]] = {
        "score": lambda graph: graph.score("hound", "entity").score,
        "scores": lambda graph: list(graph.scores([("hound", "entity")])),
        "senses": lambda graph: graph.senses("hound").to_dict(),
        "unknown": lambda graph: graph.unknown(["hound"]),
    }
    with wayword.open(store) as graph:
        expected = queries[ask](graph)
    path = projection_path(store)
    whole = path.read_bytes()
    path.write_bytes(flip_byte(-60)(whole.replace(b"hound", b"hounx")))
    with wayword.open(store) as graph:
        assert queries[ask](graph) == expected
        assert path.read_bytes() == whole
        assert queries[ask](graph) == expected


def test_a_pipe_is_not_a_file_of_arrays(store: Path) -> None:
    os.mkfifo(projection_path(store))
    with pytest.raises(ValueError, match="not a file of arrays"):
        Arrays.open(projection_path(store))


def test_a_projection_is_never_written_through_a_symbolic_link(store: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    projection_path(store).unlink(missing_ok=True)
    projection_path(store).symlink_to(tmp_path / "precious")
    assert score(store) > 0
    assert (tmp_path / "precious").read_text() == "mine"
    assert projection_path(store).is_symlink()
    assert list((tmp_path / "cache" / "wayword").glob("*.projection"))


@pytest.mark.parametrize("name", ["a/b", "../graph", "", "x" * 300, "Word Net"])
def test_an_invalid_base_name_is_an_unknown_base(store: Path, name: str) -> None:
    with wayword.open(store, base=name) as graph, pytest.raises(BaseUnknown):
        graph.score("dog", "entity")


def test_an_endless_file_of_stop_words_or_parameters_is_rejected(store: Path) -> None:
    with pytest.raises(ParameterError, match=r"the stop words /dev/zero cannot be read \(larger than"):
        read_stop_words("/dev/zero")
    with pytest.raises(ParameterError, match=r"the profile /dev/zero cannot be read \(larger than"):
        wayword.open(store, profile="/dev/zero")


@pytest.mark.parametrize("wrong", [{"sp_power": 1e9}, {"gn_power": float("inf")}, {"ic_up": -0.1}])
def test_exponents_that_could_overflow_are_rejected(wrong: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match="from 0 to 16"):
        Parameters(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"gn_shift": -17.0}, {"gn_shift": -0.1}, {"gn_scale": -0.2, "gn_shift": -0.5}])
def test_a_generalisation_that_could_keep_more_than_everything_is_rejected(wrong: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match="gn_s"):
        Parameters(**wrong)  # type: ignore[arg-type]


def test_a_negative_shift_leaves_a_floor_under_every_generalisation() -> None:
    parameters = Parameters(gn_max=0.75, gn_scale=0.65, gn_shift=-0.35)
    assert parameters.generalisation(1) == pytest.approx(0.75)
    assert parameters.generalisation(10**9) == pytest.approx(0.75 * 0.35)
    assert parameters.zero_breadth is None


@pytest.mark.slow
@pytest.mark.parametrize("view", ["live", "projection"])
def test_an_entity_without_a_name_is_shown_without_one(tmp_path: Path, view: Literal["live", "projection"]) -> None:
    batches = [
        nodes("Stem", {"id": "dog"}),
        nodes("Synset", {"id": "wordnet:1"}),
        nodes("Label", {"id": "wordnet/dog", "name": "dog"}),
        edges("SENSE", ("wordnet/dog", "wordnet:1")),
        edges("FORM", ("dog", "wordnet/dog")),
    ]
    path = tmp_path / "graph"
    EmbeddedStore(path).replace_base(base(), batches)
    with wayword.open(path, view=view) as graph:
        match = graph.score("dog", "dog")
        assert (match.score, [step.id for step in match.matches[0].path]) == (1.0, ["wordnet:1"])
