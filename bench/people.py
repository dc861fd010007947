"""Agreement of scores with human judgements on HyperLex, compared with NLTK's similarities; for docs/papers.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

import wayword
from wayword.evaluation.agreement import read_hyperlex, score_pairs, spearman
from wayword.evaluation.matchers.substitutability import Substitutability
from wayword.evaluation.matchers.wordnet_similarity import Measure, best_over_senses

from .report import table

if TYPE_CHECKING:
    from wayword.evaluation.agreement import GradedPair

    from .setting import Setting

PARTS = {"development": "dev", "training": "training"}


def measure(setting: Setting) -> str:
    """Return the table of correlations."""
    folder = setting.file("human/hyperlex")
    parts = {name: read_hyperlex(folder / f"hyperlex_{file}_all_random.txt") for name, file in PARTS.items()}
    if setting.quick:
        del parts["training"]
    rows = []
    for profile in ("thesis", "tuned"):
        for derivation in ("word", "synset"):
            setting.note(f"HyperLex, {derivation}, {profile}")
            figures = [_ours(setting, pairs, profile, derivation) for pairs in parts.values()]
            rows.append([f"WordSub, derivation `{derivation}`, profile `{profile}`", *figures])
    for measured in get_args(Measure):
        setting.note(f"HyperLex, NLTK {measured}")
        rows.append(
            [
                f"NLTK `{measured}_similarity`, best of all senses",
                *(_theirs(setting, each, measured) for each in parts.values()),
            ]
        )
    return table(["what", *(f"{name}, {len(pairs):,} pairs" for name, pairs in parts.items())], rows)


def _ours(setting: Setting, pairs: list[GradedPair], profile: str, derivation: str) -> str:
    with wayword.open(setting.store, profile=profile, derivation=derivation) as graph:
        scores = score_pairs("wayword", Substitutability(graph), [(pair.general, pair.specific) for pair in pairs])
    return f"{spearman(np.nan_to_num(scores), [pair.score for pair in pairs]):.2f}"


def _theirs(setting: Setting, pairs: list[GradedPair], measured: Measure) -> str:
    similarity = best_over_senses(setting.nltk, measured)
    scores = [similarity(pair.general, pair.specific, pair.pos) or 0.0 for pair in pairs]
    return f"{spearman(scores, [pair.score for pair in pairs]):.2f}"
