"""Every code under which experiments count what they leave out has a description."""

from __future__ import annotations

import pytest

from wayword.core.left_out import WORDS, describe_left_out
from wayword.evaluation.hop.starters import LIST_CODES, UNRATED
from wayword.evaluation.reval.evaluation_result import LEFT_OUT_CODES

VECTORS = ("invalid_word_vector", "invalid_link_vector")
PEOPLE = ("document_without_gold", "single_indexer", "empty_list", "unanswered", "unknown_to_judge")


@pytest.mark.parametrize("code", [*LIST_CODES, UNRATED, *LEFT_OUT_CODES.values(), *VECTORS, *PEOPLE])
def test_every_left_out_code_is_described_in_singular_and_plural(code: str) -> None:
    singular, plural = WORDS[code]
    assert singular != plural
    assert (describe_left_out(code, 1), describe_left_out(code, 1_200)) == (f"1 {singular}", f"1,200 {plural}")
