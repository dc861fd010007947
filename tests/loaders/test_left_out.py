"""Every code that loaders of WordNets, thesauri and tweets, and the training on tweets, count has a description."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest

from wayword.core import left_out
from wayword.embeddings.hashtags.cleaning import Rejection

COLUMNS = {"hashtag", "synonym"}
"""Constants of columns, not codes."""


def constants(package: str) -> set[str]:
    """Return the constants in the modules of a package that are codes: their value is their name in lower case."""
    path = import_module(package).__path__
    modules = [import_module(f"{package}.{module.name}") for module in pkgutil.iter_modules(path)]
    pairs = [(name, value) for module in modules for name, value in vars(module).items() if name.isupper()]
    return {value for name, value in pairs if value == name.lower()} - COLUMNS


def test_every_left_out_code_is_described() -> None:
    tweets = {*map(str, Rejection), *constants("wayword.loaders.tweets"), *constants("wayword.embeddings.hashtags")}
    assert constants("wayword.loaders.wordnet") == set(left_out._WORDNET)
    assert constants("wayword.loaders.thesauri") == set(left_out._THESAURI)
    assert tweets == set(left_out._TWEETS)


@pytest.mark.parametrize("code", left_out.WORDS)
def test_descriptions_have_a_singular_and_a_plural(code: str) -> None:
    singular, plural = left_out.WORDS[code]
    assert singular != plural
    assert left_out.describe_left_out(code, 1) == f"1 {singular}"
    assert left_out.describe_left_out(code, 1_000) == f"1,000 {plural}"
