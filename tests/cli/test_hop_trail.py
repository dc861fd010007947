"""``wayword hop``: its output, and its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from wayword import open as open_graph

from ..support.command_line import is_one_line, wayword
from ..support.small_wiki import make_store

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with a small wiki and a small WordNet, and a file of vectors beside it."""
    return make_store(tmp_path_factory.mktemp("hop"))


def test_a_trail_is_printed_hop_by_hop(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ran = wayword(capsys, "--store", store, "hop", "trail", "dog", "--target", "Animal")
    assert ran.code == 0
    assert ran.out == (
        "Dog → Animal  by the first link: reached Animal after 2 hops\n\n"
        "hop  article  link  anchor\n  0  Dog\n  1  Mammal      1  mammal\n  2  Animal      1  beast\n"
    )


@pytest.mark.parametrize(
    ("options", "ending", "trail"),
    [
        ((), "reached", ["Dog", "Mammal", "Animal"]),
        (("--strategy", "second"), "dead-end", ["Dog", "Pet", "Cat"]),  # a cat has one link
        (("--strategy", "wordnet"), "reached", ["Dog", "Mammal", "Animal"]),
        (("--strategy", "vectors", "--vectors", "v.npy"), "reached", ["Dog", "Mammal", "Animal"]),
        (("--keep-parentheses",), "reached", ["Dog", "Cat", "Mammal", "Animal"]),
        (("--limit", "1"), "limit", ["Dog", "Mammal"]),
        (("--first-links", "1", "--strategy", "second"), "dead-end", ["Dog"]),
    ],
)
def test_the_json_of_a_trail_has_all_considered_links(
    capsys: pytest.CaptureFixture[str],
    store: str,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    ending: str,
    trail: list[str],
) -> None:
    monkeypatch.chdir(Path(store).parent)
    ran = wayword(capsys, "--store", store, "hop", "trail", "Hound", "-t", "Animal", "--json", *options)
    assert ran.code == 0, ran.err
    found = ran.json()
    assert (found["ending"], found["trail"], found["target"]) == (ending, trail, "Animal")
    assert found["hops"] == len(trail) - 1 == len(found["steps"])
    for step, title in zip(found["steps"], trail[1:], strict=True):
        assert step["links"][step["chosen"] - 1]["title"] == title


def test_python_returns_the_same_trail(store: str) -> None:
    with open_graph(store) as graph:
        trail = graph.trail("Dog", target="Animal", strategy="random", seed=4, no_revisit=True)
        assert trail == graph.trail("Dog", target="Animal", strategy="random", seed=4, no_revisit=True)
        rules = {"first_links": 20, "limit": 100, "keep_parentheses": False, "no_revisit": True, "seed": 4}
        assert trail.parameters == rules
        assert graph.cypher(trail.to_cypher()).columns == tuple(f"p{number + 1}" for number in range(trail.hops))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Wolf",), "no article of testwiki has the title 'Wolf'"),
        (("Dog", "--target", "Philosophy"), "has the title 'Philosophy'; name an article of this wiki with --target"),
        (("Dog", "--target", "Anmal"), "has the title 'Anmal'; did you mean Animal or Mammal?"),
        (("Animal",), "is the target itself"),
        (("Dog", "--strategy", "vectors"), "needs word vectors; name a file of them with --vectors"),
        (("Dog", "--strategy", "vectors", "--vectors", "no/such/file"), "name a file of word vectors"),
        (("Dog", "--first-links", "21"), "--first-links 21"),
        (("Dog", "--strategy", "wordnet", "--lexicon", "none"), "the base 'none' is not a WordNet"),
        (("Dog", "--strategy", "wordnet", "--lexicon", "testwiki"), "the base 'testwiki' is not a WordNet"),
        (("Names",), "'Names' is a disambiguation page of testwiki"),
        (("Dog", "--base", "wordnet"), "is not a wiki"),
        (("",), "has the title ''"),
    ],
)
def test_invalid_arguments_are_errors_of_one_line(
    capsys: pytest.CaptureFixture[str], store: str, arguments: tuple[str, ...], message: str
) -> None:
    target = () if "--target" in arguments else ("--target", "Animal")
    ran = wayword(capsys, "--store", store, "hop", "trail", *arguments, *target)
    assert (ran.code, ran.out) == (2, "")
    assert is_one_line(ran.err)
    assert message in ran.err
